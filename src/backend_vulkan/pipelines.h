// pipelines.h - a pipeline per shader, made when it is first needed, and the layout that all of them share.
#pragma once

#include "backend_vulkan/gpu.h"
#include "backend_vulkan/modules.h"

namespace clothc::vulkan {

// Bindings of every shader: four storage buffers and a uniform texel buffer.
constexpr uint32_t storage_bindings = 4;
constexpr uint32_t texel_binding = 4;
constexpr uint32_t group_size = 128;     // local_size_x of every shader
constexpr uint32_t most_groups = 65535;  // per dimension, on every device
constexpr uint32_t push_constant_bytes = 64;

class Pipelines {
 public:
  explicit Pipelines(GpuPointer gpu);
  ~Pipelines();
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;

  VkDescriptorSetLayout set_layout() const { return set_layout_; }
  VkPipelineLayout layout() const { return layout_; }
  // From any thread; throws Failure.
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
