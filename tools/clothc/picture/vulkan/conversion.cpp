// conversion.cpp - see conversion.h.
#include "picture/vulkan/conversion.h"

#include "picture/light.h"

namespace clothc_tool {

Image to_image(const clothc_renderer::Picture& picture) {
  Image image(picture.width, picture.height);
  for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = picture.pixels[i / 3 * 4 + i % 3];
  return image;
}

clothc_renderer::Camera to_renderer(const SceneCamera& camera) {
  return {to_glm(camera.eye), to_glm(camera.target), camera.field_of_view};
}

clothc_renderer::MeshDraw put_mesh(const SurfaceMesh& mesh, clothc_renderer::Frame& frame) {
  std::vector<Vector3> interleaved;
  interleaved.reserve(2 * mesh.positions.size());
  for (size_t i = 0; i < mesh.positions.size(); ++i)
    interleaved.insert(interleaved.end(), {mesh.positions[i], mesh.normals[i]});
  clothc_renderer::MeshDraw draw;
  draw.vertices.range = frame.put(interleaved);
  draw.vertices.count = static_cast<uint32_t>(mesh.positions.size());
  draw.indices = frame.put(mesh.triangles);
  draw.index_count = static_cast<uint32_t>(mesh.triangles.size());
  return draw;
}

void add_solids(const std::vector<SurfaceMesh>& meshes, clothc_renderer::Frame& frame,
                clothc_renderer::DrawList& list) {
  for (const SurfaceMesh& mesh : meshes) {
    clothc_renderer::MeshDraw draw = put_mesh(mesh, frame);
    draw.material = clothc_renderer::Material::solid;
    draw.front_colour = to_glm(SOLID_COLOUR);
    list.meshes.push_back(draw);
  }
}

void add_planes(const RenderScene& scene, clothc_renderer::DrawList& list) {
  for (const ScenePlane& plane : scene.planes) list.planes.push_back({to_glm(plane.normal), plane.offset});
}

}  // namespace clothc_tool
