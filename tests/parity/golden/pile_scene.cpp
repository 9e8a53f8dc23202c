// pile_scene.cpp - cloths that fall on each other and on a floor. There are more of them than one node of the BVH over
// cloths holds. Some collide in every iteration and some at the updates' ends, with or without friction, and some
// collide with themselves, sleep and wake.
#include "parity/golden/scene_parts.h"

namespace golden {
namespace {

constexpr uint32_t columns = 9, rows = 7;
constexpr float spacing = 0.0625f;

clothc_collider_set_id add_floor(Session& session) {
  const float plane[] = {0, 1, 0, 0};
  clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
  shapes.planes = plane;
  shapes.plane_count = 1;
  clothc_collider_set_id set = 0;
  require(clothc_collider_set_create(session.solver, &set));
  require(clothc_collider_set_write(session.solver, set, &shapes));
  return set;
}

clothc_cloth_parameters parameters_of(uint32_t k) {
  clothc_cloth_parameters parameters = make_parameters(0.25f);
  parameters.solver_frequency = k % 5 == 4 ? 120.0f : 240.0f;
  parameters.friction = 0.5f;
  parameters.contact_margin = spacing / 4;
  parameters.inter_collision_distance = spacing * (0.75f + 0.0625f * static_cast<float>(k % 3));
  parameters.inter_collision_stiffness = k % 4 == 3 ? 0.875f : 1;
  parameters.inter_collision_friction = k % 6 == 0 ? 0 : 0.5f;
  parameters.inter_collision_damping = 0.5f;
  parameters.inter_collision_iterations = k % 7 == 6 ? 2 : k % 7 == 5 ? 1 : 0;
  parameters.inter_collision_group = 1u << k % 3;
  parameters.inter_collision_mask = k % 8 == 0 ? 3 : 7;
  parameters.self_collision_distance = k % 2 == 0 ? 0.875f * spacing : 0;
  parameters.self_collision_friction = 0.25f;
  parameters.sleep_threshold = 0.5f;
  parameters.sleep_test_interval = 20;
  parameters.sleep_after_count = 3;
  return parameters;
}

}  // namespace

std::vector<uint64_t> run_pile(Session& session) {
  const Mesh mesh = make_sheet(columns, rows, spacing);
  const clothc_fabric fabric = session.cook(mesh);
  const clothc_collider_set_id floor = add_floor(session);
  std::vector<clothc_cloth_id> cloths;
  for (uint32_t k = 0; k < 24; ++k) {
    std::vector<Point> points, rest;
    for (size_t i = 0; i < mesh.inverse_masses.size(); ++i) {
      const float* p = &mesh.positions[3 * i];
      rest.push_back({p[0], p[1], p[2], 0});
      points.push_back({p[0] + 0.125f * static_cast<float>(k * 7 % 4),
                        p[1] + 0.0625f + 0.03125f * static_cast<float>(k),
                        p[2] + 0.125f * static_cast<float>(k * 5 % 3), mesh.inverse_masses[i]});
    }
    const clothc_cloth_parameters parameters = parameters_of(k);
    clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
    desc.fabric = fabric;
    desc.parameters = &parameters;
    desc.positions = &points[0].x;
    desc.collider_sets = &floor;
    desc.collider_set_count = 1;
    cloths.push_back(session.add(desc));
    if (k % 4 == 0) session.set(cloths.back(), CLOTHC_CHANNEL_REST_POSITION, rest);
  }
  return run_frames(session, [&](int frame) {
    if (frame == 26) require(clothc_cloth_remove(session.solver, cloths[5]));
    if (frame == 45) {
      clothc_cloth_id copy = 0;
      require(clothc_cloth_clone(session.solver, cloths[9], &copy));
    }
    return sixtieth;
  });
}

}  // namespace golden
