// recording.h - records one frame, pass by pass.
#pragma once

#include <array>
#include <vector>

#include "render/frames.h"
#include "render/pipelines.h"
#include "render/renderer.h"
#include "render/view_uniforms.h"

namespace clothc_renderer {

// What a renderer keeps from frame to frame.
struct RenderState {
  RenderState(const Graphics& graphics, const RendererOptions& options);

  const Graphics& graphics;
  Passes passes;
  Pipelines pipelines;
  ShadowImage shadow;
  std::unique_ptr<PassImages> images;
  OwnedSampler sampler;

  // See EXTENT_SIZE.
  DeviceBuffer extent;
};

class Recording {
 public:
  Recording(RenderState& state, Frame& frame, const DrawList& list, const ViewUniforms& view);

  // Waits for everything that was submitted before.
  void wait_for_earlier();

  // Finds the extent of all meshes, and places the shadow map around it.
  void place_light();

  void draw_shadows();
  void draw_surfaces();
  void draw_visibility();
  void draw_lit();

  // Begins the last pass and draws the picture. What the caller draws then comes over it, until end_pass().
  void begin_final(VkFramebuffer framebuffer);
  void end_pass();

 private:
  void begin_pass(VkRenderPass pass, VkFramebuffer framebuffer, VkExtent2D extent,
                  const std::vector<VkClearValue>& clear_values);
  void bind(VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet second_set);
  template <class Push>
  void push(VkPipelineLayout layout, const Push& constants);
  void barrier(VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to, VkAccessFlags read);

  // Draw each mesh with one of the pipelines for its vertices, and each plane.
  void draw_meshes(OwnedPipeline VertexPipelines::*pipeline, VkDescriptorSet images);
  void draw_planes(VkPipeline pipeline, VkDescriptorSet images);

  void draw_pairs();
  void draw_normals();
  void draw_points();
  void draw_from_host(VkPipeline pipeline, const std::vector<ColouredPoint>& points, size_t points_per_shape,
                      float width);

  // Draws one shape of six vertices for each instance, whose attributes are in a buffer.
  void draw_instances(VkPipeline pipeline, const BufferRange& instances, uint32_t count, const LinePush& constants);

  VkDescriptorSet make_view_set(const ViewUniforms& view);

  // With one image, or with the three of Pipelines::visibility_set.
  VkDescriptorSet make_image_set(const std::vector<VkImageView>& views);

  // With three buffers. Offsets in words tell where in the set's buffers the ranges begin.
  VkDescriptorSet make_buffer_set(const std::array<BufferRange, 3>& ranges, std::array<uint32_t, 3>& word_offsets);

  RenderState& state_;
  const VulkanFunctions& vk_;
  Frame& frame_;
  VkCommandBuffer commands_;
  const DrawList& list_;
  VkDescriptorSet view_set_;
};

}  // namespace clothc_renderer
