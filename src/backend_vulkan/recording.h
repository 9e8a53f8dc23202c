// recording.h - turns a schedule into commands: its jobs become texels that shaders read, and its passes become
// dispatches. The repeated range is recorded once and submitted once per iteration.
#pragma once

#include "backend_vulkan/memory_pool.h"
#include "backend_vulkan/recorder.h"

namespace clothc::vulkan {

// Size of a texel of four words in bytes.
constexpr uint64_t texel_size = 16;
// Returns the size of the texels of a schedule: one of four words for each program and for each job.
uint64_t texel_bytes(const Schedule& schedule);
// Writes the texels. first is the index that the first of them has in the texel view.
void write_texels(const Schedule& schedule, uint32_t first, void* texels);

// The data that all dispatches of a schedule have in common.
struct Plan {
  const Schedule& schedule;
  FrameConstants frame;
  uint32_t first_texel;
  VkDescriptorSet set;
};

// Records the dispatches of a schedule. Its functions return the number of dispatches that they recorded.
class PassRecorder {
 public:
  PassRecorder(const Gpu& gpu, Pipelines& pipelines, VkCommandBuffer commands)
      : gpu_(gpu), pipelines_(pipelines), commands_(commands) {}
  // Records all programs. iterations is an upper bound on the number of iterations of any program.
  uint64_t programs(const Plan& plan, uint32_t iterations);
  // Records the passes [begin, end).
  uint64_t passes(const Plan& plan, uint32_t begin, uint32_t end);

 private:
  // Records the programs [first, end), which have the same feature.
  uint64_t programs(const Plan& plan, uint32_t first, uint32_t end, uint32_t iterations);
  // Records count jobs of one kernel, from the job first on.
  uint64_t jobs(const Plan& plan, uint32_t first, uint32_t count, bool repeated);
  // Records an operation on tables.
  uint64_t operation(const Plan& plan, const TableOperation& operation);
  // Records a barrier between the dispatches before and after it.
  void separate();
  void dispatch(Shader shader, const Plan& plan, const void* constants, uint32_t size, uint32_t x, uint32_t y);

  const Gpu& gpu_;
  Pipelines& pipelines_;
  VkCommandBuffer commands_;
  // Whether the last command that was recorded is a barrier.
  bool is_separated_ = false;
};

// Creates the pipelines that a schedule needs, so that recording it does not fail halfway.
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
  bool serves(const Dispatch& dispatch) const;
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
