// renderer.cpp - draws pictures with the renderer of examples/viewer. Positions are uploaded for each picture, so the
// simulation may be on any device.
#include "cli/errors.h"
#include "picture/drawing.h"
#include "picture/light.h"
#include "picture/vulkan/conversion.h"

namespace clothc_tool {
namespace {

using clothc_renderer::GraphicsError;

class VulkanRenderer : public PictureRenderer {
 public:
  VulkanRenderer(const RenderSettings& settings, bool hardware_only)
      : graphics_(options(hardware_only)),
        offscreen_(graphics_, settings.width, settings.height),
        name_(std::string("Vulkan on ") + graphics_.properties().deviceName) {}

  Image render(const RenderScene& scene) override {
    return to_image(offscreen_.draw(to_renderer(scene.camera), [&](auto& frame, auto& list) {
      const float side = mean_side(scene.cloths);
      add_solids(solid_meshes(scene, side), frame, list);
      add_planes(scene, list);
      list.cloth_lead = CLOTH_LEAD * side;
      for (const RenderCloth& cloth : scene.cloths) add_cloth(cloth, frame, list);
    }));
  }

  const std::string& name() const override { return name_; }

 private:
  static clothc_renderer::GraphicsOptions options(bool hardware_only) {
    clothc_renderer::GraphicsOptions options;
    options.application_name = "clothc";
    options.hardware_only = hardware_only;
    return options;
  }

  static void add_cloth(const RenderCloth& cloth, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list) {
    const SurfaceMesh mesh = {cloth.positions, smooth_normals(cloth.positions, cloth.triangles), cloth.triangles, 0};
    clothc_renderer::MeshDraw draw = put_mesh(mesh, frame);
    draw.front_colour = to_glm(cloth.colour);
    draw.back_colour = to_glm(back_colour(cloth.colour));
    list.meshes.push_back(draw);
  }

  clothc_renderer::Graphics graphics_;
  clothc_renderer::Offscreen offscreen_;
  std::string name_;
};

}  // namespace

std::unique_ptr<PictureRenderer> make_vulkan_renderer(const RenderSettings& settings) {
  try {
    return std::make_unique<VulkanRenderer>(settings, false);
  } catch (const GraphicsError& error) {
    throw InputError(std::string(error.what()) + "; use --renderer processor");
  }
}

std::unique_ptr<PictureRenderer> find_gpu_renderer(const RenderSettings& settings) {
  try {
    return std::make_unique<VulkanRenderer>(settings, true);
  } catch (const GraphicsError&) {
    return nullptr;
  }
}

}  // namespace clothc_tool
