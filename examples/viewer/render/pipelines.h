// pipelines.h - the pipelines, what their shaders are given in each draw, and the layouts of their descriptor sets.
// Pipelines that read vertices exist once for each layout of vertices that has been drawn.
#pragma once

#include <map>

#include "render/draw_list.h"
#include "render/passes.h"

namespace clothc_renderer {

// The constants of shaders/mesh_push.glsl, plane.glsl, extent.comp and line_push.glsl.
struct MeshPush {
  glm::mat4 transform;
  glm::vec4 front, back;
};
struct PlanePush {
  glm::vec4 plane;
};
struct ExtentPush {
  glm::mat4 transform;
  uint32_t first, stride, count;
};
struct LinePush {
  glm::mat4 transform = glm::mat4(1);
  glm::vec4 colour = glm::vec4(1);
  float width = 1, lead = 0, size = 0, rest_scale = 0;
  uint32_t first_position = 0, position_stride = 0, first_index = 0, first_rest_length = 0;
};

// Stages that see constants.
constexpr VkShaderStageFlags PUSH_STAGES =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
constexpr uint32_t PUSH_SIZE = 128;

// Pipelines for vertices that lie in their buffer in one way.
struct VertexPipelines {
  OwnedPipeline shadow, surface, lit, normals;
};

class Pipelines {
 public:
  Pipelines(const Graphics& graphics, const Passes& passes, VkFormat target_format);

  // Set 0 of all pipelines, see shaders/view.glsl. Set 1 of those that read one image; of `visibility`, with the shadow
  // map, depths and surfaces; and of those that read buffers, with vertices, pairs and rest lengths. All bindings of a set
  // are written, used or not, because lavapipe reads them all.
  OwnedSetLayout view_set, image_set, visibility_set, buffer_set;
  OwnedPipelineLayout image_layout, visibility_layout, buffer_layout;

  OwnedPipeline extent, light, plane_surface, plane_lit, sky, visibility, pairs, points, lines, discs, final;

  const VertexPipelines& of(const Vertices& vertices);

 private:
  // stride, position_offset, normal_offset
  using Key = std::array<uint32_t, 3>;

  void make_layouts();
  void make_fixed(VkFormat target_format);
  VertexPipelines make(const Key& key) const;

  const Graphics& graphics_;
  const Passes& passes_;
  std::map<Key, VertexPipelines> by_vertices_;
};

}  // namespace clothc_renderer
