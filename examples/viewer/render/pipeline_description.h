// pipeline_description.h - a graphics pipeline in the few words in which those of this renderer differ.
#pragma once

#include <vector>

#include "render/passes.h"

namespace clothc_renderer {

struct PipelineDescription {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkRenderPass pass = VK_NULL_HANDLE;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;

  // Without a fragment shader only depths are written.
  VkShaderModule vertex_shader = VK_NULL_HANDLE, fragment_shader = VK_NULL_HANDLE;

  // The constant 0 of both shaders.
  bool constant = false;

  // All attributes are in one buffer. stride 0 = there is none.
  uint32_t stride = 0;
  bool is_per_instance = false;
  std::vector<VkVertexInputAttributeDescription> attributes;

  bool tests_depth = false, writes_depth = false;
  VkCompareOp depth_test = VK_COMPARE_OP_GREATER_OR_EQUAL;
  bool blends = false;
};

// Makes a pipeline that draws lists of triangles from both sides.
OwnedPipeline make_pipeline(const Graphics& graphics, const PipelineDescription& description);

OwnedPipeline make_compute_pipeline(const Graphics& graphics, VkPipelineLayout layout, VkShaderModule shader);

template <size_t N>
OwnedShaderModule make_shader(const Graphics& graphics, const uint32_t (&words)[N]) {
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = sizeof words;
  info.pCode = words;
  VkShaderModule module = VK_NULL_HANDLE;
  check(graphics.functions().CreateShaderModule(graphics.device(), &info, nullptr, &module), "vkCreateShaderModule");
  return {graphics, module};
}

}  // namespace clothc_renderer
