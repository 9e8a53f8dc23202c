// conversion.h - passes what pictures show to the renderer of examples/viewer, and its pictures back.
#pragma once

#include "picture/surface.h"
#include "render/draw_list.h"
#include "render/frames.h"
#include "render/offscreen.h"

namespace clothc_tool {

inline glm::vec3 to_glm(Vector3 v) { return {v.x, v.y, v.z}; }

Image to_image(const clothc_renderer::Picture& picture);

clothc_renderer::Camera to_renderer(const SceneCamera& camera);

// Puts a mesh into the memory of a frame.
clothc_renderer::MeshDraw put_mesh(const SurfaceMesh& mesh, clothc_renderer::Frame& frame);

// Adds the meshes of solids.
void add_solids(const std::vector<SurfaceMesh>& meshes, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list);

void add_planes(const RenderScene& scene, clothc_renderer::DrawList& list);

}  // namespace clothc_tool
