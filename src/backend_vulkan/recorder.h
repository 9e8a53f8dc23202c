// recorder.h - writes commands into a command buffer: copies, fills and dispatches, with the barriers between them.
#pragma once

#include "backend_vulkan/descriptors.h"
#include "backend_vulkan/hazards.h"
#include "backend_vulkan/staging.h"

namespace clothc::vulkan {

// Push constants of kernels and programs.
struct Launch {
  FrameConstants frame;
  uint32_t first_job;  // texel
  uint32_t job_count;
  uint32_t repeated;    // jobs of cloths that do not run are skipped
  uint32_t first_step;  // programs: jobs of the whole update, numbered through its iterations
  uint32_t end_step;
};
static_assert(sizeof(Launch) <= push_constant_bytes, "fits");

// Belongs to a stream. Work recorded now ends when the stream's timeline reaches use().
class Recorder {
 public:
  Recorder(const GpuPointer& gpu, std::shared_ptr<Pipelines> pipelines);

  // The command buffer that commands go to, begun by the caller.
  void into(VkCommandBuffer commands) { commands_ = commands; }
  // The timeline value at which work recorded from now on ends, and the value reached.
  void set_values(uint64_t use, uint64_t completed) {
    use_ = use;
    completed_ = completed;
  }

  Staging::Place stage(uint64_t size) { return staging_.allocate(size, use_, completed_); }
  void upload(const Staging::Place& place, const GpuMemory& target, uint64_t offset, uint64_t size);
  void copy(const Copy& copy);
  void fill(const GpuMemory& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]);

  // A barrier unless what the accesses touch has been left alone since the last one.
  void before(const Access* accesses, size_t count);
  VkDescriptorSet set_for(const Bindings& bindings) { return descriptors_.set_for(bindings, use_, completed_); }
  // Groups of a shader; constants are pushed.
  void dispatch(Shader shader, VkDescriptorSet set, const void* constants, uint32_t size, uint32_t x, uint32_t y = 1);
  // All shaders before end before those after begin.
  void shader_barrier();
  // Makes what has been written visible to the host.
  void host_barrier();
  void forget_barriers() { hazards_.forget(); }

  uint64_t dispatch_count() const { return dispatches_; }

 private:
  // A strided copy by shader.
  void copy_elements(const Window& source, uint64_t source_stride, const Window& target, uint64_t target_stride,
                     uint64_t element_size, uint64_t count);

  GpuPointer gpu_;
  std::shared_ptr<Pipelines> pipelines_;
  Staging staging_;
  Descriptors descriptors_;
  Hazards hazards_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  uint64_t use_ = 0;
  uint64_t completed_ = 0;
  uint64_t dispatches_ = 0;
};

// Commands of kernels into any command buffer.
void record_dispatch(const Gpu& gpu, Pipelines& pipelines, VkCommandBuffer commands, Shader shader, VkDescriptorSet set,
                     const void* constants, uint32_t size, uint32_t x, uint32_t y);
void record_shader_barrier(const Gpu& gpu, VkCommandBuffer commands);

}  // namespace clothc::vulkan
