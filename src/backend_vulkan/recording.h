// recording.h - a schedule as commands: its jobs as texels that shaders read, its passes as dispatches. What repeats is
// recorded once and submitted as often as wanted.
#pragma once

#include "backend_vulkan/memory_pool.h"
#include "backend_vulkan/recorder.h"

namespace clothc::vulkan {

// Texels of a schedule: a program's or a job's is four words.
uint64_t texel_count(const Schedule& schedule);
// Writes the texels; the first one is at index first of the view.
void write_texels(const Schedule& schedule, uint32_t first, void* texels);

// What dispatches of a schedule have in common.
struct Plan {
  const Schedule& schedule;
  FrameConstants frame;
  uint32_t first_texel;
  VkDescriptorSet set;
};

// Records dispatches of a schedule; each returns how many.
class PassRecorder {
 public:
  PassRecorder(const Gpu& gpu, Pipelines& pipelines, VkCommandBuffer commands)
      : gpu_(gpu), pipelines_(pipelines), commands_(commands) {}
  // iterations: of any program, at most.
  uint64_t programs(const Plan& plan, uint32_t iterations);
  uint64_t passes(const Plan& plan, uint32_t begin, uint32_t end);

 private:
  uint64_t jobs(const Plan& plan, uint32_t first, uint32_t count, bool repeated);

  const Gpu& gpu_;
  Pipelines& pipelines_;
  VkCommandBuffer commands_;
};

// Makes the pipelines that a schedule needs, so that recording it does not fail halfway.
void prepare_pipelines(Pipelines& pipelines, const Schedule& schedule);
Bindings bindings_of(const Arenas& arenas, const TexelView* texels);

// A schedule with iterations, ready to be submitted again and again.
class Recording {
 public:
  Recording(const GpuPointer& gpu, Pipelines& pipelines, MemoryPool& memory, const Dispatch& dispatch);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // Whether it is of this schedule on these arenas; the time step may differ.
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
  TexelView view_;
  Descriptors descriptors_;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_[2] = {};
  uint64_t iteration_dispatches_ = 0;
  uint64_t after_dispatches_ = 0;
};

}  // namespace clothc::vulkan
