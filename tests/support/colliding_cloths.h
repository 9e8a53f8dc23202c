// colliding_cloths.h - two pairs of sheets of 30 particles with held borders. The sheets of a pair lie one above the
// other and are always in contact. One pair collides in every iteration, the other after the iterations of all cloths
// have ended. Each sheet also collides with itself.
#pragma once

#include "support/copies.h"

namespace clothc_test {

struct CollidingScene : Scene {
  // These two collide in every iteration.
  clothc_cloth_id lower = 0, upper = 0;

  // These two collide in one or two passes at the end of the update.
  clothc_cloth_id lower_in_passes = 0, upper_in_passes = 0;

  explicit CollidingScene(const SceneOptions& options) : Scene(without_cloth(options)) {
    lower = add_sheet(0, 10, 0);
    upper = add_sheet(0.23f, -10, 0);
    lower_in_passes = add_sheet(-2, 10, 1);
    upper_in_passes = add_sheet(-1.77f, -10, 2);
    step(10);
  }
  explicit CollidingScene(clothc_backend backend) : CollidingScene(SceneOptions(backend)) {}
  // Makes another solver on the same device and restores a snapshot of the original into it.
  CollidingScene(const CollidingScene& original, const std::vector<uint8_t>& bytes)
      : Scene(without_cloth(SceneOptions(CLOTHC_BACKEND_AUTO)), &original),
        lower(original.lower),
        upper(original.upper),
        lower_in_passes(original.lower_in_passes),
        upper_in_passes(original.upper_in_passes) {
    restore(*this, bytes);
  }

  static SceneOptions without_cloth(SceneOptions options) {
    options.has_cloth = false;
    options.solver.cloth_capacity = 32;
    return options;
  }
  static clothc_cloth_parameters colliding(float gravity, uint32_t iterations) {
    clothc_cloth_parameters p = initialised<clothc_cloth_parameters>();
    p.gravity[1] = gravity;
    p.damping[0] = p.damping[1] = p.damping[2] = 0.2f;
    p.inter_collision_distance = 0.24f;
    p.inter_collision_friction = 0.3f;
    p.inter_collision_damping = 0.5f;
    p.inter_collision_iterations = iterations;
    // At this distance neighbouring particles push each other.
    p.self_collision_distance = 0.2505f;
    p.self_collision_friction = 0.2f;
    return p;
  }
  // Adds a sheet at the given height above y = 1, shifted a little sideways.
  clothc_cloth_id add_sheet(float height, float gravity, uint32_t iterations) {
    std::vector<float> positions;
    for (uint32_t k = 0; k < 30; ++k) {
      const bool is_held = k % 6 == 0 || k % 6 == 5 || k < 6 || k >= 24;
      const float* p = &sheet.positions[size_t{k} * 3];
      positions.insert(positions.end(),
                       {p[0] + 0.3f * height, p[1] + height, p[2] + 0.2f * height, is_held ? 0.0f : 1.0f});
    }
    const clothc_cloth_parameters parameters = colliding(gravity, iterations);
    clothc_cloth_desc desc = cloth_desc();
    desc.positions = positions.data();
    desc.parameters = &parameters;
    return add(desc);
  }
  std::vector<float> positions(clothc_cloth_id id) const { return get(CLOTHC_CHANNEL_POSITION, id); }
  // Stops this cloth from colliding with other cloths.
  void pass_through(clothc_cloth_id id) {
    change_parameters(id, [](auto& p) { p.inter_collision_distance = 0; });
  }
};

}  // namespace clothc_test
