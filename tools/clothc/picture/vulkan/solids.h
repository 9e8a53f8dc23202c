// solids.h - gives what a picture shows besides cloths to the renderer of examples/viewer.
#pragma once

#include "picture/surface.h"
#include "render/frames.h"
#include "render/draw_list.h"

namespace clothc_tool {

inline glm::vec3 to_glm(Vector3 v) { return {v.x, v.y, v.z}; }

clothc_renderer::Camera to_renderer(const SceneCamera& camera);

// Puts a mesh into the memory of a frame.
clothc_renderer::MeshDraw put_mesh(const SurfaceMesh& mesh, clothc_renderer::Frame& frame);

// Adds the solids and planes of a scene, and by how much cloth is drawn nearer. side: mean length of the sides of the
// cloths' triangles.
void add_solids(const RenderScene& scene, float side, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list);

}  // namespace clothc_tool
