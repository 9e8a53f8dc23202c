// simulation_pictures.cpp - pictures of a simulation's frames, and a contact sheet of them.
#include <algorithm>
#include <cstdio>

#include "render.h"
#include "scene_shapes.h"
#include "simulation_output.h"

namespace clothc_tool {
namespace {

constexpr uint32_t SHEET_COLUMNS = 3, SHEET_PICTURES = 9;

class PictureOutput : public FrameOutput {
 public:
  PictureOutput(const OutputOptions& options, const SceneSimulation& simulation, uint32_t frame_count)
      : folder_(options.folder), simulation_(simulation) {
    settings_.width = options.width;
    settings_.height = options.height;
    every_ = options.picture_every ? options.picture_every : std::max(1u, frame_count / (SHEET_PICTURES - 1));
    const uint32_t picture_count = frame_count / every_ + 1;
    sheet_every_ = every_ * ((picture_count + SHEET_PICTURES - 1) / SHEET_PICTURES);
    prepare_cloths();
    const Scene& scene = simulation.scene();
    drawn_.camera = scene.camera ? *scene.camera : fitting_camera();
  }

  bool wants(uint32_t frame) const override { return frame % every_ == 0; }

  void add(uint32_t frame, const FrameState& state) override {
    for (size_t i = 0; i < state.size(); ++i) drawn_.cloths[i].positions = state[i];
    const SceneShapes shapes = shapes_of(static_cast<float>(frame));
    drawn_.spheres = shapes.spheres;
    drawn_.capsules = shapes.capsules;
    drawn_.planes = shapes.planes;
    drawn_.convexes = shapes.convexes;
    const Image image = render(drawn_, settings_);
    char name[32];
    std::snprintf(name, sizeof name, "/frame_%04u.png", frame);
    files_.push_back(folder_ + name);
    write_png(files_.back(), image);
    if (frame % sheet_every_ == 0) thumbnails_.push_back(halved(image));
  }

  void finish() override {
    if (thumbnails_.empty()) return;
    files_.push_back(folder_ + "/contact.png");
    write_png(files_.back(), contact_sheet(thumbnails_, SHEET_COLUMNS));
  }

 private:
  void prepare_cloths() {
    for (size_t i = 0; i < simulation_.cloths().size(); ++i) {
      const auto triangles = read_fabric<uint32_t>(simulation_.cloths()[i].fabric.get(), CLOTHC_FABRIC_TRIANGLES);
      drawn_.cloths.push_back({{}, triangles, simulation_.scene().cloths[i].colour});
    }
  }

  SceneShapes shapes_of(float time) const {
    const Scene& scene = simulation_.scene();
    return shapes_at(scene.coordinate_frames, scene.colliders, time);
  }

  // Shows the cloths as they are at first, the spheres, and the ground below if it is near.
  SceneCamera fitting_camera() const {
    Box box;
    for (const SceneCloth& cloth : simulation_.scene().cloths) box.add(bounds_of(cloth.mesh.positions));
    const SceneShapes shapes = shapes_of(0);
    for (const SphereState& sphere : shapes.spheres) {
      const Vector3 extent = {sphere.radius, sphere.radius, sphere.radius};
      box.add(sphere.center - extent);
      box.add(sphere.center + extent);
    }
    for (const ScenePlane& plane : shapes.planes) {
      const float depth = dot(plane.normal, box.centre()) + plane.offset;
      if (depth > 0 && depth < length(box.size())) box.add(box.centre() - plane.normal * depth);
    }
    return camera_for(box, static_cast<float>(settings_.width) / static_cast<float>(settings_.height));
  }

  std::string folder_;
  const SceneSimulation& simulation_;
  RenderSettings settings_;
  RenderScene drawn_;
  uint32_t every_, sheet_every_;
  std::vector<Image> thumbnails_;
};

}  // namespace

std::unique_ptr<FrameOutput> make_picture_output(const OutputOptions& options, const SceneSimulation& simulation,
                                                 uint32_t frame_count) {
  return std::make_unique<PictureOutput>(options, simulation, frame_count);
}

}  // namespace clothc_tool
