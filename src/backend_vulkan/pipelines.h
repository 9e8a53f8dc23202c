// pipelines.h - owns one pipeline per shader, which is created when it is first needed, the layout that all pipelines
// share, and the driver's caches of compiled code.
#pragma once

#include <atomic>

#include "backend_vulkan/gpu.h"
#include "backend_vulkan/modules.h"

namespace clothc::vulkan {

// Every shader but that of programs, which has Adapter::program_lanes, has gpu::group_threads as its local_size_x. All
// have the same bindings: storage buffers 0 .. 3, and from first_texel_binding on uniform texel buffers.
constexpr uint32_t storage_bindings = 4;
constexpr uint32_t first_texel_binding = storage_bindings;
constexpr uint32_t texel_bindings = 1 + storage_bindings;

constexpr uint32_t push_constant_bytes = 64;

class Pipelines {
 public:
  explicit Pipelines(GpuPointer gpu);
  ~Pipelines();
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;

  VkDescriptorSetLayout set_layout() const { return set_layout_; }
  VkPipelineLayout layout() const { return layout_; }
  // Returns the pipeline of a shader, and creates it if necessary. Any thread may call this, and waits for no other
  // pipeline. Throws Failure.
  VkPipeline of(Shader shader);
  // Whether the pipeline of a shader has been created. Any thread may call this.
  bool has(Shader shader) const {
    return entries_[static_cast<uint32_t>(shader)].pipeline.load(std::memory_order_acquire) != VK_NULL_HANDLE;
  }

  // Number of pipelines that have been created. Any thread may call this.
  uint64_t created_count() const { return created_count_.load(std::memory_order_acquire); }

  // Returns what the driver has compiled so far, in the driver's format, and adds what was returned before, by the same
  // driver for the same device. Any thread may call these. They throw Failure.
  std::vector<uint8_t> compiled_code();
  void add_compiled_code(const uint8_t* data, uint64_t size);

 private:
  struct Entry {
    // Held while the pipeline is created.
    std::mutex mutex;
    std::atomic<VkPipeline> pipeline{VK_NULL_HANDLE};
  };
  void create_layouts();
  VkPipeline create(Shader shader);
  VkPipelineCache create_cache(const uint8_t* data, uint64_t size);
  VkPipelineCache newest_cache();
  void release();

  GpuPointer gpu_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  // New pipelines use the last cache. The ones before it are only read, because to merge into a cache that other threads
  // use would need a lock around every creation.
  std::mutex caches_mutex_;
  std::vector<VkPipelineCache> caches_;
  Entry entries_[shader_count];
  std::atomic<uint64_t> created_count_{0};
};

}  // namespace clothc::vulkan
