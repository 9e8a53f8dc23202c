// mesh_instance_input.cpp - moves the mesh instances and SDF instances of a scene.
#include "scene/document/inputs.h"
#include "scene/colliders/shapes.h"

namespace clothc_tool {
namespace {

class MeshInstanceInput : public FrameInput {
 public:
  MeshInstanceInput(const std::vector<SceneFrame>& frames, const Attached<SceneMeshInstance>& instance,
                    const FramedColliderSet& collider_set, clothc_collider_asset_id asset)
      : frames_(frames), instance_(instance), collider_set_(collider_set), asset_(asset) {}
  void apply(const clothc::Solver&, uint32_t frame) override {
    write_mesh_instance(collider_set_, frames_, instance_, asset_, frame);
  }

 private:
  const std::vector<SceneFrame>& frames_;
  const Attached<SceneMeshInstance>& instance_;
  FramedColliderSet collider_set_;
  clothc_collider_asset_id asset_;
};

// A transform in the layout of clothc_collider_shapes::instances.
struct InstanceValues {
  float values[8];

  explicit InstanceValues(const InstanceTransform& transform)
      : values{transform.translation.x, transform.translation.y, transform.translation.z, transform.rotation.x,
               transform.rotation.y,    transform.rotation.z,    transform.rotation.w,    transform.scale} {}
};

}  // namespace

std::unique_ptr<FrameInput> make_mesh_instance_input(const std::vector<SceneFrame>& frames,
                                                     const Attached<SceneMeshInstance>& instance,
                                                     const FramedColliderSet& collider_set,
                                                     clothc_collider_asset_id asset) {
  if (!moves(instance, collider_set.frame)) return nullptr;
  return std::make_unique<MeshInstanceInput>(frames, instance, collider_set, asset);
}

void write_mesh_instance(const FramedColliderSet& collider_set, const std::vector<SceneFrame>& frames,
                         const Attached<SceneMeshInstance>& instance, clothc_collider_asset_id asset, uint32_t frame) {
  const InstanceValues target(transform_at(frames, instance, static_cast<float>(frame), collider_set.frame));
  const InstanceValues start(transform_at(frames, instance, 0, collider_set.frame));
  auto shapes = clothc::initialised<clothc_collider_shapes>();
  shapes.space = collider_set.space;
  shapes.instance_count = 1;
  shapes.instance_assets = &asset;
  shapes.instances = target.values;
  if (needs_start(frame)) shapes.instance_starts = start.values;
  shapes.triangle_reach = instance.shape.reach;
  collider_set.set.write(shapes).check();
}

}  // namespace clothc_tool
