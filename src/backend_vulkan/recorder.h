// recorder.h - records copies, fills and dispatches into a command buffer, with the barriers that they need.
#pragma once

#include "backend_gpu/hazards.h"
#include "backend_vulkan/descriptors.h"
#include "backend_vulkan/staging.h"

namespace clothc::vulkan {

// Push constants of the shaders of kernels and programs.
struct Launch {
  FrameConstants frame;

  // Index of the texel of the first job or program, and number of jobs or programs.
  uint32_t first_job;
  uint32_t job_count;

  // 1 if jobs are skipped where the predicate of their group is 0.
  uint32_t repeated;

  // Programs only: the range of jobs that the dispatch runs. The jobs of a program are numbered consecutively through
  // all iterations of the update.
  uint32_t first_step;
  uint32_t end_step;
};
static_assert(sizeof(Launch) <= push_constant_bytes, "fits");

// Record barriers between the commands and everything that the queue gets before them, and after them.
void record_begin(const Gpu& gpu, VkCommandBuffer commands);
void record_end(const Gpu& gpu, VkCommandBuffer commands);

// Each recorder belongs to one stream.
class Recorder {
 public:
  Recorder(const GpuPointer& gpu, std::shared_ptr<Pipelines> pipelines);

  // Sets the command buffer to record into. The caller has begun it.
  void into(VkCommandBuffer commands) { commands_ = commands; }
  // Sets two values of the stream's timeline: commands recorded from now on have ended when use is reached, and
  // completed has been reached already.
  void set_values(uint64_t use, uint64_t completed) {
    use_ = use;
    completed_ = completed;
    staging_.release_idle(use, completed);
  }

  // Returns mapped memory for bytes that the commands recorded next read.
  Staging::Slice stage(uint64_t size) {
    return staging_.allocate(size, use_, completed_,
                             [this](uint64_t room) { return std::make_unique<StagingPiece>(gpu_, room); });
  }
  // Records a copy of staged bytes to the target.
  void upload(const Staging::Slice& slice, const GpuMemory& target, uint64_t offset, uint64_t size);
  void copy(const Copy& copy);
  void fill(const GpuMemory& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]);

  // Must be called before a command with these accesses is recorded. Records a barrier if one of them conflicts with an
  // access since the last barrier.
  void before(const gpu::MemoryAccess* accesses, size_t count);
  VkDescriptorSet set_for(const Bindings& bindings) { return descriptors_.set_for(bindings, use_, completed_); }
  // Records a dispatch of x times y workgroups of a shader. size is the size of the push constants in bytes.
  void dispatch(Shader shader, VkDescriptorSet set, const void* constants, uint32_t size, uint32_t x, uint32_t y = 1);
  // Records a barrier: all shaders before it end before the shaders after it begin.
  void shader_barrier();
  // Records a barrier that makes everything written so far visible to the host.
  void host_barrier();
  // The same as record_begin and record_end above.
  void begin_after_all();
  void end_before_all() { record_end(*gpu_, commands_); }
  // Record the acquisition of memory from the queue family that owns it, and its release back to that one.
  void acquire(const GpuMemory& memory) { transfer(memory, *memory.block().owner(), family()); }
  void release(const GpuMemory& memory) { transfer(memory, family(), *memory.block().owner()); }
  void forget_barriers() { hazards_.forget(); }

  uint64_t dispatch_count() const { return dispatches_; }

 private:
  uint32_t family() const { return gpu_->adapter().queue_family; }
  void transfer(const GpuMemory& memory, uint32_t from, uint32_t to);
  // Records a strided copy that a shader does. The sizes of the windows are ignored.
  void copy_elements(const Window& source, uint64_t source_stride, const Window& target, uint64_t target_stride,
                     uint64_t element_size, uint64_t count);

  GpuPointer gpu_;
  std::shared_ptr<Pipelines> pipelines_;
  Staging staging_;
  Descriptors descriptors_;
  gpu::Hazards hazards_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  uint64_t use_ = 0;
  uint64_t completed_ = 0;
  uint64_t dispatches_ = 0;
};

// These two functions record into any command buffer. They do not track hazards or count dispatches.
void record_dispatch(const Gpu& gpu, Pipelines& pipelines, VkCommandBuffer commands, Shader shader, VkDescriptorSet set,
                     const void* constants, uint32_t size, uint32_t x, uint32_t y);
void record_shader_barrier(const Gpu& gpu, VkCommandBuffer commands);

}  // namespace clothc::vulkan
