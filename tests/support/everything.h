// everything.h - two small cloths with every available setting in use, captured in mid-motion, for tests that spoil
// values.
#pragma once

#include <cmath>

#include "support/every_shape.h"
#include "support/moving.h"
#include "support/sanitized.h"

namespace clothc_test {

// Returns the stride through the cases of a test: 1 for all of them, or `few` on backends and in builds where each case
// takes long.
inline size_t one_in(clothc_backend backend, size_t few) {
  if (backend == CLOTHC_BACKEND_CPU && !is_sanitized) return 1;
  std::printf("one case in %zu: %s\n", few, is_sanitized ? "sanitizers take long" : "solvers take drivers long");
  return few;
}

struct Everything : Scene {
  clothc_cloth_id second = 0;
  clothc_collider_set_id local = 0, world = 0;

  static SceneOptions small(clothc_backend backend) {
    SceneOptions options(backend);
    options.columns = options.rows = 3;
    options.has_cloth = false;
    options.solver.contact_capacity = 64;
    return options;
  }
  explicit Everything(clothc_backend backend, const Scene* lender = nullptr) : Scene(small(backend), lender) {
    clothc_mesh_desc mesh = sheet.desc();
    mesh.virtual_particles_per_triangle = 1;
    replace_fabric(mesh);
    cloth = add();
    second = add();
    local = make_set(*this, every_shape());
    world = make_set(*this, in_world());
    const clothc_collider_set_id sets[] = {local, world};
    for (const clothc_cloth_id id : {cloth, second}) {
      EXPECT_OK(clothc_cloth_set_collider_sets(solver, id, sets, 2));
      change_parameters(id, [&](clothc_cloth_parameters& p) {
        p.friction = 0.5f, p.contact_margin = 0.01f, p.collision_mass_scale = 100, p.damping[0] = 0.1f;
        p.drag_coefficient = 0.5f, p.lift_coefficient = 0.25f, p.wind_velocity[2] = 3, p.tether_stiffness = 1;
        p.linear_drag[0] = 0.125f, p.angular_drag[1] = 0.25f, p.motion_constraint_stiffness = 0.5f;
        p.self_collision_distance = 0.26f, p.self_collision_friction = 0.3f, p.self_collision_damping = 0.5f;
        p.inter_collision_distance = 0.2f, p.inter_collision_friction = 0.3f, p.inter_collision_damping = 0.5f;
        p.inter_collision_iterations = id == cloth ? 0 : 1;
        p.collision_flags |= CLOTHC_COLLISION_REPORT;
        if (id == second) p.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
        p.sleep_threshold = 0.01f;
        p.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY | CLOTHC_STATISTIC_STRETCH;
      });
    }
    const uint32_t chosen[] = {0, 1, 2, 4, 5, 7, 8};
    EXPECT_OK(clothc_cloth_set_self_collision_particles(solver, second, chosen, 7));
    for (int frame = 0; frame < 3; ++frame) {
      prepare(frame);
      step();
    }
    prepare(3);
  }
  static Shapes in_world() {
    Shapes shapes = every_shape();
    shapes.space = CLOTHC_COLLIDER_SPACE_WORLD;
    shapes.sink(0.25f);
    return shapes;
  }
  // Sets everything that moves for the next update.
  void prepare(int frame) {
    const float height = static_cast<float>(frame) / 64;
    Shapes shapes = every_shape();
    shapes.sink(-height);
    write(*this, local, shapes);
    for (const clothc_cloth_id id : {cloth, second}) {
      const clothc_cloth_frame pose = Moving::target(frame);
      EXPECT_OK(clothc_cloth_set_frame(solver, id, &pose));
      const std::vector<float> positions = get(CLOTHC_CHANNEL_POSITION, id);
      const auto with_w = [&](float w) {
        std::vector<float> values = positions;
        for (size_t k = 3; k < values.size(); k += 4) values[k] = w;
        return values;
      };
      set(CLOTHC_CHANNEL_REST_POSITION, id, with_w(0));
      set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, id, with_w(0.4f));
      set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, id, with_w(0.02f));
      set(CLOTHC_CHANNEL_ACCELERATION, id, std::vector<float>(positions.size(), 0.5f));
      set(CLOTHC_CHANNEL_VELOCITY, id, std::vector<float>(positions.size() - 8, 0.25f));
    }
  }
  // Returns whether all readable particle values are finite and within the limits of the state.
  bool is_finite() const {
    bool finite = true;
    for (const clothc_cloth_id id : {cloth, second}) {
      for (const clothc_channel channel :
           {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION, CLOTHC_CHANNEL_VELOCITY}) {
        const float most = channel == CLOTHC_CHANNEL_VELOCITY ? 3e38f : 1e9f;
        for (const float value : get(channel, id)) finite = finite && std::fabs(value) <= most;
      }
      const clothc_cloth_status now = status(id);
      for (int axis = 0; axis < 3; ++axis)
        finite = finite && std::isfinite(now.bounds_minimum[axis]) && std::isfinite(now.bounds_maximum[axis]);
      finite = finite && std::isfinite(now.kinetic_energy) && std::isfinite(now.largest_stretch);
    }
    return finite;
  }
};

}  // namespace clothc_test
