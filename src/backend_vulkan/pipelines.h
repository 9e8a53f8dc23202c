// pipelines.h - owns one pipeline per shader, which is created when it is first needed, and the layout that all
// pipelines share.
#pragma once

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
  // Returns the pipeline of a shader, and creates it if necessary. Any thread may call this. Throws Failure.
  VkPipeline of(Shader shader);

 private:
  void create_layouts();
  VkPipeline create(Shader shader);
  void release();

  GpuPointer gpu_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  VkPipeline pipelines_[shader_count] = {};
};

}  // namespace clothc::vulkan
