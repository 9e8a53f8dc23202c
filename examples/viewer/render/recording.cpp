// recording.cpp - see recording.h. descriptors.cpp has the descriptor sets.
#include "render/recording.h"

#include <algorithm>

namespace clothc_renderer {
namespace {

// Vertices per group of shaders/extent.comp, and the most groups; threads of large meshes take several vertices.
constexpr uint32_t EXTENT_GROUP = 64, MOST_GROUPS = 1024;

VkClearValue depth_value(float depth) {
  VkClearValue value{};
  value.depthStencil.depth = depth;
  return value;
}

// The kinds of shaders/surface.glsl that a mesh can have; its back follows from its front.
constexpr float SOLID = 0, CLOTH = 2;

MeshPush constants_of(const MeshDraw& mesh, float cloth_lead) {
  const bool is_cloth = mesh.material == Material::cloth;
  return {mesh.vertices.transform, glm::vec4(mesh.front_colour, is_cloth ? cloth_lead : 0),
          glm::vec4(mesh.back_colour, is_cloth ? CLOTH : SOLID)};
}

}  // namespace

Recording::Recording(RenderState& state, Frame& frame, const DrawList& list, const ViewUniforms& view)
    : state_(state),
      vk_(state.graphics.functions()),
      frame_(frame),
      commands_(frame.commands()),
      list_(list),
      view_set_(make_view_set(view)) {}

void Recording::barrier(VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags read) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = written;
  barrier.dstAccessMask = read;
  vk_.CmdPipelineBarrier(commands_, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void Recording::wait_for_earlier() {
  barrier(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

template <class Push>
void Recording::push(VkPipelineLayout layout, const Push& constants) {
  static_assert(sizeof constants <= PUSH_SIZE);
  vk_.CmdPushConstants(commands_, layout, PUSH_STAGES, 0, sizeof constants, &constants);
}

void Recording::place_light() {
  const ExtentBits empty;
  vk_.CmdUpdateBuffer(commands_, state_.extent.buffer(), 0, sizeof empty, &empty);
  barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  const VkPipelineLayout layout = state_.pipelines.buffer_layout;
  const auto bind_compute = [&](VkPipeline pipeline, VkDescriptorSet buffers) {
    const VkDescriptorSet sets[] = {view_set_, buffers};
    vk_.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk_.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, buffers ? 2 : 1, sets, 0, nullptr);
  };
  for (const MeshDraw& mesh : list_.meshes) {
    if (mesh.index_count == 0) continue;
    const Vertices& vertices = mesh.vertices;
    std::array<uint32_t, 3> words;
    bind_compute(state_.pipelines.extent, make_buffer_set({vertices.range, vertices.range, vertices.range}, words));
    push(layout,
         ExtentPush{vertices.transform, words[0] + vertices.position_offset / 4, vertices.stride / 4, vertices.count});
    vk_.CmdDispatch(commands_, std::min((vertices.count + EXTENT_GROUP - 1) / EXTENT_GROUP, MOST_GROUPS), 1, 1);
  }
  barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  bind_compute(state_.pipelines.light, VK_NULL_HANDLE);
  vk_.CmdDispatch(commands_, 1, 1, 1);
  barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
          VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

void Recording::begin_pass(VkRenderPass pass, VkFramebuffer framebuffer, VkExtent2D extent,
                           const std::vector<VkClearValue>& clear_values) {
  VkRenderPassBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  info.renderPass = pass;
  info.framebuffer = framebuffer;
  info.renderArea.extent = extent;
  info.clearValueCount = static_cast<uint32_t>(clear_values.size());
  info.pClearValues = clear_values.data();
  vk_.CmdBeginRenderPass(commands_, &info, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport = {0, 0, static_cast<float>(extent.width), static_cast<float>(extent.height), 0, 1};
  vk_.CmdSetViewport(commands_, 0, 1, &viewport);
  vk_.CmdSetScissor(commands_, 0, 1, &info.renderArea);
}

void Recording::end_pass() { vk_.CmdEndRenderPass(commands_); }

void Recording::bind(VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet second_set) {
  const VkDescriptorSet sets[] = {view_set_, second_set};
  vk_.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vk_.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, second_set ? 2 : 1, sets, 0,
                            nullptr);
}

void Recording::draw_meshes(OwnedPipeline VertexPipelines::*pipeline, VkDescriptorSet images) {
  const VkPipelineLayout layout = state_.pipelines.image_layout;
  for (const MeshDraw& mesh : list_.meshes) {
    if (mesh.index_count == 0) continue;
    bind(state_.pipelines.of(mesh.vertices).*pipeline, layout, images);
    push(layout, constants_of(mesh, list_.cloth_lead));
    const BufferRange& range = mesh.vertices.range;
    vk_.CmdBindVertexBuffers(commands_, 0, 1, &range.buffer, &range.offset);
    vk_.CmdBindIndexBuffer(commands_, mesh.indices.buffer, mesh.indices.offset, VK_INDEX_TYPE_UINT32);
    vk_.CmdDrawIndexed(commands_, mesh.index_count, 1, 0, 0, 0);
  }
}

void Recording::draw_planes(VkPipeline pipeline, VkDescriptorSet images) {
  const VkPipelineLayout layout = state_.pipelines.image_layout;
  for (const PlaneDraw& plane : list_.planes) {
    bind(pipeline, layout, images);
    push(layout, PlanePush{glm::vec4(plane.normal, plane.offset)});
    vk_.CmdDraw(commands_, 12, 1, 0, 0);
  }
}

void Recording::draw_shadows() {
  begin_pass(state_.passes.shadow, state_.shadow.framebuffer, state_.shadow.extent, {depth_value(1)});
  draw_meshes(&VertexPipelines::shadow, VK_NULL_HANDLE);
  end_pass();
}

void Recording::draw_surfaces() {
  const PassImages& images = *state_.images;
  begin_pass(state_.passes.surface, images.surface_framebuffer, images.extent, {VkClearValue{}, depth_value(0)});
  draw_meshes(&VertexPipelines::surface, VK_NULL_HANDLE);
  draw_planes(state_.pipelines.plane_surface, VK_NULL_HANDLE);
  end_pass();
}

void Recording::draw_visibility() {
  const PassImages& images = *state_.images;
  begin_pass(state_.passes.cells, images.cells_framebuffer, images.cell_extent, {});
  bind(state_.pipelines.visibility, state_.pipelines.visibility_layout,
       make_image_set({state_.shadow.depths.view(), images.depths.view(), images.surfaces.view()}));
  vk_.CmdDraw(commands_, 3, 1, 0, 0);
  end_pass();
}

void Recording::draw_lit() {
  const PassImages& images = *state_.images;
  begin_pass(state_.passes.lit, images.lit_framebuffer, images.extent, {});
  const VkDescriptorSet cells = make_image_set({images.cells.view()});
  draw_meshes(&VertexPipelines::lit, cells);
  draw_planes(state_.pipelines.plane_lit, cells);
  bind(state_.pipelines.sky, state_.pipelines.image_layout, VK_NULL_HANDLE);
  vk_.CmdDraw(commands_, 3, 1, 0, 0);
  draw_pairs();
  draw_normals();
  draw_points();
  draw_from_host(state_.pipelines.lines, list_.lines, 2, list_.line_width);
  draw_from_host(state_.pipelines.discs, list_.discs, 1, list_.disc_size);
  end_pass();
}

void Recording::begin_final(VkFramebuffer framebuffer) {
  const PassImages& images = *state_.images;
  begin_pass(state_.passes.final, framebuffer, images.extent, {});
  bind(state_.pipelines.final, state_.pipelines.image_layout, make_image_set({images.lit.view()}));
  vk_.CmdDraw(commands_, 3, 1, 0, 0);
}

// ---------------------------------------------------------------------------------------------------- lines and points

void Recording::draw_pairs() {
  const VkPipelineLayout layout = state_.pipelines.buffer_layout;
  for (const PairDraw& draw : list_.pairs) {
    if (draw.pair_count == 0) continue;
    const bool has_rest_lengths = draw.rest_lengths.buffer != VK_NULL_HANDLE;
    std::array<uint32_t, 3> words;
    // Something must be bound in the place of rest lengths that there are none of.
    const BufferRange& rest_lengths = has_rest_lengths ? draw.rest_lengths : draw.pairs;
    const VkDescriptorSet buffers = make_buffer_set({draw.vertices.range, draw.pairs, rest_lengths}, words);
    LinePush constants;
    constants.transform = draw.vertices.transform;
    constants.colour = draw.colour;
    constants.width = draw.width;
    constants.lead = list_.cloth_lead;
    constants.size = draw.only_longer ? -draw.full_strain : draw.full_strain;
    constants.rest_scale = has_rest_lengths ? draw.rest_scale : 0;
    constants.first_position = words[0] + draw.vertices.position_offset / 4;
    constants.position_stride = draw.vertices.stride / 4;
    constants.first_index = words[1];
    constants.first_rest_length = words[2];
    bind(state_.pipelines.pairs, layout, buffers);
    push(layout, constants);
    vk_.CmdDraw(commands_, 6 * draw.pair_count, 1, 0, 0);
  }
}

void Recording::draw_instances(VkPipeline pipeline, const BufferRange& instances, uint32_t count,
                               const LinePush& constants) {
  const VkPipelineLayout layout = state_.pipelines.buffer_layout;
  bind(pipeline, layout, VK_NULL_HANDLE);
  push(layout, constants);
  vk_.CmdBindVertexBuffers(commands_, 0, 1, &instances.buffer, &instances.offset);
  vk_.CmdDraw(commands_, 6, count, 0, 0);
}

void Recording::draw_normals() {
  for (const NormalDraw& draw : list_.normals) {
    LinePush constants;
    constants.transform = draw.vertices.transform;
    constants.colour = draw.colour;
    constants.width = draw.width;
    constants.lead = list_.cloth_lead;
    constants.size = draw.length;
    const VkPipeline pipeline = state_.pipelines.of(draw.vertices).normals;
    draw_instances(pipeline, draw.vertices.range, draw.vertices.count, constants);
  }
}

void Recording::draw_points() {
  const VkPipelineLayout layout = state_.pipelines.buffer_layout;
  for (const PointDraw& draw : list_.points) {
    if (draw.point_count == 0) continue;
    const bool has_list = draw.points.buffer != VK_NULL_HANDLE;
    std::array<uint32_t, 3> words;
    const BufferRange& vertices = draw.vertices.range;
    const VkDescriptorSet buffers = make_buffer_set({vertices, has_list ? draw.points : vertices, vertices}, words);
    LinePush constants;
    constants.transform = draw.vertices.transform;
    constants.colour = draw.colour;
    constants.width = draw.size;
    constants.lead = list_.cloth_lead;
    constants.first_position = words[0] + draw.vertices.position_offset / 4;
    constants.position_stride = draw.vertices.stride / 4;
    constants.first_index = has_list ? words[1] : UINT32_MAX;
    bind(state_.pipelines.points, layout, buffers);
    push(layout, constants);
    vk_.CmdDraw(commands_, 6 * draw.point_count, 1, 0, 0);
  }
}

void Recording::draw_from_host(VkPipeline pipeline, const std::vector<ColouredPoint>& points, size_t points_per_shape,
                               float width) {
  if (points.size() < points_per_shape) return;
  LinePush constants;
  constants.width = width;
  draw_instances(pipeline, frame_.put(points), static_cast<uint32_t>(points.size() / points_per_shape), constants);
}

}  // namespace clothc_renderer
