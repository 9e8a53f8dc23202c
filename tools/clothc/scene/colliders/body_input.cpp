// body_input.cpp - moves mesh instances and SDF instances with the bodies of a scene.
#include "scene/document/inputs.h"
#include "scene/colliders/shapes.h"

namespace clothc_tool {
namespace {

class BodyInput : public FrameInput {
 public:
  BodyInput(const std::vector<SceneFrame>& frames, const Attached<SceneBody>& body, const PlacedColliders& placed,
            clothc_collider_asset_id asset)
      : frames_(frames), body_(body), placed_(placed), asset_(asset) {}
  void apply(clothc_solver solver, uint32_t frame) override {
    write_body(solver, placed_, frames_, body_, asset_, frame);
  }

 private:
  const std::vector<SceneFrame>& frames_;
  const Attached<SceneBody>& body_;
  PlacedColliders placed_;
  clothc_collider_asset_id asset_;
};

// A placement in the layout of clothc_collider_shapes::instances.
struct Instance {
  float values[8];

  explicit Instance(const BodyPlacement& placement)
      : values{placement.translation.x, placement.translation.y, placement.translation.z, placement.rotation.x,
               placement.rotation.y,    placement.rotation.z,    placement.rotation.w,    placement.scale} {}
};

}  // namespace

std::unique_ptr<FrameInput> make_body_input(const std::vector<SceneFrame>& frames, const Attached<SceneBody>& body,
                                            const PlacedColliders& placed, clothc_collider_asset_id asset) {
  if (!moves(body, placed.frame)) return nullptr;
  return std::make_unique<BodyInput>(frames, body, placed, asset);
}

void write_body(clothc_solver solver, const PlacedColliders& placed, const std::vector<SceneFrame>& frames,
                const Attached<SceneBody>& body, clothc_collider_asset_id asset, uint32_t frame) {
  const Instance target(placement_at(frames, body, static_cast<float>(frame), placed.frame));
  const Instance start(placement_at(frames, body, 0, placed.frame));
  auto shapes = initialised<clothc_collider_shapes>();
  shapes.space = placed.space;
  shapes.instance_count = 1;
  shapes.instance_assets = &asset;
  shapes.instances = target.values;
  if (needs_start(frame)) shapes.instance_starts = start.values;
  shapes.triangle_reach = body.shape.reach;
  check(clothc_collider_set_write(solver, placed.set, &shapes));
}

}  // namespace clothc_tool
