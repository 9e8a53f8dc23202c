// recording.h - turns a schedule into commands: its words become texels that shaders read, and its passes become
// dispatches. The repeated range is recorded once and submitted once per iteration.
#pragma once

#include "backend_gpu/schedule_launches.h"
#include "backend_vulkan/memory_pool.h"
#include "backend_vulkan/recorder.h"

namespace clothc::vulkan {

// The data that all dispatches of a schedule have in common.
struct Plan {
  const Schedule& schedule;
  FrameConstants frame;
  uint32_t first_texel;
  VkDescriptorSet set;
};

// Records the dispatches of a schedule: a Launcher of schedule_launches.h.
class PassRecorder {
 public:
  PassRecorder(const Gpu& gpu, Pipelines& pipelines, VkCommandBuffer commands, const Plan& plan)
      : gpu_(gpu), pipelines_(pipelines), commands_(commands), plan_(plan) {}
  // Records all programs. iterations is an upper bound on the number of iterations of any program.
  void programs(uint32_t iterations);
  // Records the passes [begin, end).
  void passes(uint32_t begin, uint32_t end);
  // Returns the number of dispatches recorded so far.
  uint64_t dispatch_count() const { return dispatches_; }

  // Records a barrier between the dispatches before and after it.
  void separate();
  void program(ProgramFeature feature, const gpu::ProgramLaunch& launch);
  void kernel(Kernel kernel, const gpu::JobLaunch& launch);
  void table_operation(gpu::TableKernel kernel, const TableLaunch& constants);

 private:
  void dispatch(Shader shader, const void* constants, uint32_t size, uint32_t x, uint32_t y);

  const Gpu& gpu_;
  Pipelines& pipelines_;
  VkCommandBuffer commands_;
  const Plan plan_;
  uint64_t dispatches_ = 0;
  // Whether the last command that was recorded is a barrier.
  bool is_separated_ = false;
};

// Creates the pipelines that a schedule needs, several at once, so that recording it does not fail halfway.
void prepare_pipelines(Pipelines& pipelines, const Schedule& schedule);
// The jobs' texels are in the window.
Bindings bindings_of(const Arenas& arenas, const Window& jobs);

// The command buffers of a schedule with iterations, which can be submitted any number of times.
class Recording {
 public:
  Recording(const GpuPointer& gpu, Pipelines& pipelines, MemoryPool& memory, const Dispatch& dispatch);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // Returns whether this is a recording of the dispatch's schedule and arenas. The time steps may differ.
  bool serves(const Dispatch& dispatch) const { return gpu::are_recorded_alike(dispatch, dispatch_); }
  const GpuMemory& texels() const { return gpu_memory(texels_); }
  Plan plan(const FrameConstants& frame) const { return {*dispatch_.schedule, frame, 0, set_}; }
  VkCommandBuffer iteration() const { return commands_[0]; }
  VkCommandBuffer after() const { return commands_[1]; }
  uint64_t iteration_dispatches() const { return iteration_dispatches_; }
  uint64_t after_dispatches() const { return after_dispatches_; }

 private:
  void record(Pipelines& pipelines);

  GpuPointer gpu_;
  Dispatch dispatch_;
  MemoryPointer texels_;
  Descriptors descriptors_;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  // The passes of one iteration, and the passes after the iterations.
  VkCommandBuffer commands_[2] = {};
  uint64_t iteration_dispatches_ = 0;
  uint64_t after_dispatches_ = 0;
};

}  // namespace clothc::vulkan
