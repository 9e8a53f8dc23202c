// pipeline_description.cpp - see pipeline_description.h.
#include "render/pipeline_description.h"

namespace clothc_renderer {
namespace {

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits stage, VkShaderModule shader,
                                      const VkSpecializationInfo* constants) {
  VkPipelineShaderStageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage = stage;
  info.module = shader;
  info.pName = "main";
  info.pSpecializationInfo = constants;
  return info;
}

VkPipelineColorBlendAttachmentState blending(bool blends) {
  VkPipelineColorBlendAttachmentState state{};
  state.blendEnable = blends;
  state.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  state.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  state.colorWriteMask =
      VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
  return state;
}

}  // namespace

OwnedPipeline make_pipeline(const Graphics& graphics, const PipelineDescription& description) {
  const VkBool32 constant = description.constant;
  const VkSpecializationMapEntry entry = {0, 0, sizeof constant};
  const VkSpecializationInfo constants = {1, &entry, sizeof constant, &constant};
  const VkPipelineShaderStageCreateInfo stages[] = {
      stage(VK_SHADER_STAGE_VERTEX_BIT, description.vertex_shader, &constants),
      stage(VK_SHADER_STAGE_FRAGMENT_BIT, description.fragment_shader, &constants)};

  const VkVertexInputBindingDescription binding = {
      0, description.stride, description.is_per_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
  VkPipelineVertexInputStateCreateInfo input{};
  input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
  input.vertexBindingDescriptionCount = description.stride ? 1 : 0;
  input.pVertexBindingDescriptions = &binding;
  input.vertexAttributeDescriptionCount = static_cast<uint32_t>(description.attributes.size());
  input.pVertexAttributeDescriptions = description.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{};
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;

  VkPipelineViewportStateCreateInfo viewport{};
  viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewport.viewportCount = 1;
  viewport.scissorCount = 1;
  const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{};
  dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = dynamic_states;

  VkPipelineRasterizationStateCreateInfo raster{};
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  raster.polygonMode = VK_POLYGON_MODE_FILL;
  raster.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo multisample{};
  multisample.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  multisample.rasterizationSamples = description.samples;
  VkPipelineDepthStencilStateCreateInfo depth{};
  depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  depth.depthTestEnable = description.tests_depth;
  depth.depthWriteEnable = description.writes_depth;
  depth.depthCompareOp = description.depth_test;
  const VkPipelineColorBlendAttachmentState attachment = blending(description.blends);
  VkPipelineColorBlendStateCreateInfo blend{};
  blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend.attachmentCount = description.fragment_shader ? 1 : 0;
  blend.pAttachments = &attachment;

  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.stageCount = description.fragment_shader ? 2 : 1;
  info.pStages = stages;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = description.layout;
  info.renderPass = description.pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(graphics.functions().CreateGraphicsPipelines(graphics.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateGraphicsPipelines");
  return {graphics, pipeline};
}

OwnedPipeline make_compute_pipeline(const Graphics& graphics, VkPipelineLayout layout, VkShaderModule shader) {
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, shader, nullptr);
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(graphics.functions().CreateComputePipelines(graphics.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateComputePipelines");
  return {graphics, pipeline};
}

}  // namespace clothc_renderer
