// pipelines.cpp - see pipelines.h. spirv.h, which the build writes, has the compiled shaders by their names.
#include "render/pipelines.h"

#include <cstddef>
#include <vector>

#include "render/pipeline_description.h"
#include "spirv.h"

namespace clothc_renderer {
namespace {

OwnedSetLayout make_set_layout(const Graphics& graphics, const std::vector<VkDescriptorType>& types,
                               VkShaderStageFlags stages) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  bindings.reserve(types.size());
  for (VkDescriptorType type : types)
    bindings.push_back({static_cast<uint32_t>(bindings.size()), type, 1, stages, nullptr});
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  check(graphics.functions().CreateDescriptorSetLayout(graphics.device(), &info, nullptr, &layout),
        "vkCreateDescriptorSetLayout");
  return {graphics, layout};
}

OwnedPipelineLayout make_layout(const Graphics& graphics, VkDescriptorSetLayout first, VkDescriptorSetLayout second) {
  const VkDescriptorSetLayout sets[] = {first, second};
  const VkPushConstantRange range = {PUSH_STAGES, 0, PUSH_SIZE};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = 2;
  info.pSetLayouts = sets;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  check(graphics.functions().CreatePipelineLayout(graphics.device(), &info, nullptr, &layout),
        "vkCreatePipelineLayout");
  return {graphics, layout};
}

bool encodes_srgb(VkFormat format) {
  return format == VK_FORMAT_R8G8B8A8_SRGB || format == VK_FORMAT_B8G8R8A8_SRGB ||
         format == VK_FORMAT_A8B8G8R8_SRGB_PACK32;
}

// A pipeline of the pass `lit` for what lies over the surfaces.
PipelineDescription over_surfaces(VkPipelineLayout layout, VkRenderPass pass) {
  PipelineDescription description;
  description.layout = layout;
  description.pass = pass;
  description.samples = SAMPLES;
  description.tests_depth = true;
  description.blends = true;
  return description;
}

}  // namespace

Pipelines::Pipelines(const Graphics& graphics, const Passes& passes, VkFormat target_format)
    : graphics_(graphics), passes_(passes) {
  make_layouts();
  make_fixed(target_format);
}

void Pipelines::make_layouts() {
  constexpr VkDescriptorType image = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  constexpr VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  view_set = make_set_layout(graphics_, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, storage}, PUSH_STAGES);
  image_set = make_set_layout(graphics_, {image}, VK_SHADER_STAGE_FRAGMENT_BIT);
  visibility_set = make_set_layout(graphics_, {image, image, image}, VK_SHADER_STAGE_FRAGMENT_BIT);
  buffer_set = make_set_layout(graphics_, {storage, storage, storage}, PUSH_STAGES);
  image_layout = make_layout(graphics_, view_set, image_set);
  visibility_layout = make_layout(graphics_, view_set, visibility_set);
  buffer_layout = make_layout(graphics_, view_set, buffer_set);
}

void Pipelines::make_fixed(VkFormat target_format) {
  extent = make_compute_pipeline(graphics_, buffer_layout, make_shader(graphics_, extent_comp));
  light = make_compute_pipeline(graphics_, buffer_layout, make_shader(graphics_, light_comp));

  const OwnedShaderModule plane = make_shader(graphics_, plane_vert), screen = make_shader(graphics_, screen_vert);
  const OwnedShaderModule plane_surface_shader = make_shader(graphics_, plane_surface_frag);
  PipelineDescription description;
  description.layout = image_layout;
  description.pass = passes_.surface;
  description.samples = SAMPLES;
  description.tests_depth = description.writes_depth = true;
  description.depth_test = VK_COMPARE_OP_GREATER;
  description.vertex_shader = plane;
  description.fragment_shader = plane_surface_shader;
  plane_surface = make_pipeline(graphics_, description);

  const OwnedShaderModule plane_lit_shader = make_shader(graphics_, plane_lit_frag);
  description.pass = passes_.lit;
  description.writes_depth = false;
  description.depth_test = VK_COMPARE_OP_GREATER_OR_EQUAL;
  description.fragment_shader = plane_lit_shader;
  plane_lit = make_pipeline(graphics_, description);

  const OwnedShaderModule sky_shader = make_shader(graphics_, sky_frag);
  description.vertex_shader = screen;
  description.fragment_shader = sky_shader;
  sky = make_pipeline(graphics_, description);

  const OwnedShaderModule visibility_shader = make_shader(graphics_, visibility_frag);
  PipelineDescription whole;
  whole.layout = visibility_layout;
  whole.pass = passes_.cells;
  whole.vertex_shader = screen;
  whole.fragment_shader = visibility_shader;
  visibility = make_pipeline(graphics_, whole);

  const OwnedShaderModule final_shader = make_shader(graphics_, final_frag);
  whole.layout = image_layout;
  whole.pass = passes_.final;
  whole.fragment_shader = final_shader;
  whole.constant = encodes_srgb(target_format);
  final = make_pipeline(graphics_, whole);

  const OwnedShaderModule pair_shader = make_shader(graphics_, pair_line_vert),
                          line_shader = make_shader(graphics_, host_line_vert),
                          line_colour = make_shader(graphics_, line_frag),
                          vertex_point_shader = make_shader(graphics_, vertex_point_vert),
                          point_shader = make_shader(graphics_, host_point_vert),
                          point_colour = make_shader(graphics_, point_frag);
  PipelineDescription over = over_surfaces(buffer_layout, passes_.lit);
  over.vertex_shader = pair_shader;
  over.fragment_shader = line_colour;
  pairs = make_pipeline(graphics_, over);
  over.vertex_shader = vertex_point_shader;
  over.fragment_shader = point_colour;
  points = make_pipeline(graphics_, over);

  constexpr uint32_t colour = offsetof(ColouredPoint, colour), end = sizeof(ColouredPoint);
  over.vertex_shader = line_shader;
  over.fragment_shader = line_colour;
  over.is_per_instance = true;
  over.stride = 2 * end;
  over.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
                     {1, 0, VK_FORMAT_R8G8B8A8_UNORM, colour},
                     {2, 0, VK_FORMAT_R32G32B32_SFLOAT, end},
                     {3, 0, VK_FORMAT_R8G8B8A8_UNORM, end + colour}};
  lines = make_pipeline(graphics_, over);

  over.vertex_shader = point_shader;
  over.fragment_shader = point_colour;
  over.stride = end;
  over.attributes.resize(2);
  discs = make_pipeline(graphics_, over);
}

const VertexPipelines& Pipelines::of(const Vertices& vertices) {
  const Key key = {vertices.stride, vertices.position_offset, vertices.normal_offset};
  const auto found = by_vertices_.find(key);
  return found != by_vertices_.end() ? found->second : by_vertices_.emplace(key, make(key)).first->second;
}

VertexPipelines Pipelines::make(const Key& key) const {
  const auto [stride, position_offset, normal_offset] = key;
  const OwnedShaderModule mesh = make_shader(graphics_, mesh_vert),
                          shadow_shader = make_shader(graphics_, mesh_shadow_vert),
                          surface_shader = make_shader(graphics_, mesh_surface_frag),
                          lit_shader = make_shader(graphics_, mesh_lit_frag),
                          normal_shader = make_shader(graphics_, normal_line_vert),
                          line_colour = make_shader(graphics_, line_frag);
  VertexPipelines made;
  PipelineDescription description;
  description.layout = image_layout;
  description.stride = stride;
  description.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, position_offset}};
  description.tests_depth = description.writes_depth = true;
  description.pass = passes_.shadow;
  description.depth_test = VK_COMPARE_OP_LESS;
  description.vertex_shader = shadow_shader;
  made.shadow = make_pipeline(graphics_, description);

  description.attributes.push_back({1, 0, VK_FORMAT_R32G32B32_SFLOAT, normal_offset});
  description.pass = passes_.surface;
  description.samples = SAMPLES;
  description.depth_test = VK_COMPARE_OP_GREATER;
  description.vertex_shader = mesh;
  description.fragment_shader = surface_shader;
  made.surface = make_pipeline(graphics_, description);

  description.pass = passes_.lit;
  description.writes_depth = false;
  description.depth_test = VK_COMPARE_OP_GREATER_OR_EQUAL;
  description.fragment_shader = lit_shader;
  made.lit = make_pipeline(graphics_, description);

  PipelineDescription over = over_surfaces(buffer_layout, passes_.lit);
  over.stride = stride;
  over.is_per_instance = true;
  over.attributes = description.attributes;
  over.vertex_shader = normal_shader;
  over.fragment_shader = line_colour;
  made.normals = make_pipeline(graphics_, over);
  return made;
}

}  // namespace clothc_renderer
