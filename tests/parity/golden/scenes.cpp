// scenes.cpp - see scenes.h.
#include "parity/golden/scenes.h"

#include "parity/golden/scene_parts.h"

namespace golden {
namespace {

// A flag that hangs by two corners, with two tethers per particle.
std::vector<uint64_t> run_flag(Session& session) {
  Mesh mesh = make_sheet(33, 25, 0.03125f);
  mesh.inverse_masses[0] = mesh.inverse_masses[32] = 0;
  mesh.tethers_per_particle = 2;
  add_cloth(session, session.cook(mesh), make_parameters(0.25f));
  return run_frames(session, [](int) { return sixtieth; });
}

// A curtain with long-range constraints whose top row is drawn together and apart again.
std::vector<uint64_t> run_curtain(Session& session) {
  constexpr uint32_t columns = 40;
  Mesh mesh = make_sheet(columns, 30, 0.03125f);
  pin_row(mesh, columns);
  mesh.long_range_edges[0] = 12, mesh.long_range_edges[1] = 4;
  const clothc_cloth_id curtain = add_cloth(session, session.cook(mesh), make_parameters(0));
  return run_frames(session, [&](int frame) {
    const float part = 1 - static_cast<float>(frame % 30 < 15 ? frame % 30 : 30 - frame % 30) / 32;
    std::vector<Point> pins;
    for (uint32_t x = 0; x < columns; ++x)
      pins.push_back({mesh.positions[3 * x] * part, 0, static_cast<float>(x % 2) / 64, 0});
    session.set(curtain, CLOTHC_CHANNEL_POSITION, pins);
    return sixtieth;
  });
}

// Cloths that fall on a moving sphere and a floor of two half-spaces and a box, with friction. One of the two cloths
// has smoothed friction.
std::vector<uint64_t> run_tablecloth(Session& session) {
  const clothc_fabric fabric = session.cook(make_sheet(36, 36, 0.03125f));
  clothc_collider_set_id set = 0;
  require(clothc_collider_set_create(session.solver, &set));
  const float planes[] = {0, 1, 0, 0.5f, 0.6f, 0.8f, 0, 1, 1, 0, 0, -0.25f, -1, 0, 0, 0, 0, 1, 0, 0.25f};
  const uint32_t convex_ends[] = {1, 2, 5}, convex_planes[] = {0, 1, 2, 3, 4};
  float sphere[] = {0.5f, -0.25f, 0.5f, 0.25f};
  clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
  shapes.sphere_count = 1;
  shapes.spheres = sphere;
  shapes.plane_count = 5;
  shapes.planes = planes;
  shapes.convex_count = 3;
  shapes.convex_ends = convex_ends;
  shapes.convex_planes = convex_planes;
  require(clothc_collider_set_write(session.solver, set, &shapes));
  clothc_cloth_parameters parameters = make_parameters(0.125f);
  parameters.friction = 0.5f;
  add_cloth(session, fabric, parameters, set);
  parameters.friction_smoothing = 3.4526698e-4f;
  add_cloth(session, fabric, parameters, set);
  return run_frames(session, [&](int frame) {
    sphere[0] = 0.5f + static_cast<float>(frame) / 512;
    require(clothc_collider_set_write(session.solver, set, &shapes));
    return sixtieth;
  });
}

// Two raw fabrics whose sets share particles. One has soft zones and a phase that is solved twice, the other has
// constraints with a stiffness of their own. In both, some tethers are anchored to particles that are tethered
// themselves.
std::vector<uint64_t> run_raw(Session& session) {
  constexpr uint32_t count = 301;
  std::vector<Point> positions;
  std::vector<uint32_t> indices, anchors;
  std::vector<float> rests, stiffness, reaches;
  Noise noise;
  for (uint32_t i = 0; i < count; ++i) {
    positions.push_back({static_cast<float>(i) / 32, noise.next() / 4096, noise.next() / 4096,
                         i % 100 == 0 ? 0 : 1 + noise.next() / 64});
    anchors.push_back(i - i % 25);
    reaches.push_back(static_cast<float>(i % 25) / 32);
  }
  for (const uint32_t step : {1u, 2u, 7u}) {
    for (uint32_t i = 0; i + step < count; ++i) {
      indices.insert(indices.end(), {i, i + step});
      rests.push_back(i % 50 == 49 ? 0 : static_cast<float>(step) / 32 + noise.next() / 32768);
      stiffness.push_back(i % 20 == 0 ? 1 : noise.next() / 256);
    }
  }
  const uint32_t ends[] = {count - 1, 2 * count - 3, 3 * count - 10}, phase_sets[] = {2, 0, 1};
  clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
  desc.particle_count = count;
  desc.phase_count = desc.set_count = 3;
  desc.constraint_count = rests.size();
  desc.phase_sets = phase_sets;
  desc.set_ends = ends;
  desc.indices = indices.data();
  desc.rest_lengths = rests.data();
  desc.tethers_per_particle = 1;
  desc.tether_anchors = anchors.data();
  desc.tether_lengths = reaches.data();
  desc.positions = &positions[0].x;
  const clothc_fabric plain = session.create(desc);
  desc.stiffness_values = stiffness.data();
  const clothc_fabric with_stiffness = session.create(desc);

  clothc_phase_config configs[4];
  for (uint32_t k = 0; k < 4; ++k) {
    configs[k] = initialised<clothc_phase_config>();
    configs[k].phase = k % 3;
    configs[k].stiffness = 0.75f;
    configs[k].stiffness_multiplier = 0.25f;
    configs[k].compression_limit = 0.75f;
    configs[k].stretch_limit = 1.125f;
  }
  const clothc_cloth_parameters parameters = make_parameters(0.125f);
  for (const clothc_fabric fabric : {plain, with_stiffness}) {
    clothc_cloth_desc cloth = initialised<clothc_cloth_desc>();
    cloth.fabric = fabric;
    cloth.parameters = &parameters;
    cloth.phase_configs = configs;
    cloth.phase_config_count = 4;
    session.add(cloth);
  }
  return run_frames(session, [](int) { return sixtieth; });
}

// A sheet with moving motion constraints, accelerations and velocities per particle, and varying time steps that are
// sometimes 0.
std::vector<uint64_t> run_motion(Session& session) {
  const Mesh mesh = make_sheet(24, 24, 0.0625f);
  clothc_cloth_parameters parameters = make_parameters(0.0625f);
  parameters.motion_constraint_scale = 0.75f;
  parameters.motion_constraint_bias = 0.03125f;
  parameters.motion_constraint_stiffness = 0.875f;
  const clothc_cloth_id cloth = add_cloth(session, session.cook(mesh), parameters);
  std::vector<Point> spheres, accelerations;
  Noise noise;
  for (size_t i = 0; i < mesh.inverse_masses.size(); ++i) {
    const float radius = i % 9 == 0 ? 0 : i % 9 == 1 ? -1 : noise.next() / 512;
    spheres.push_back({mesh.positions[3 * i], 0, mesh.positions[3 * i + 2], radius});
    accelerations.push_back({noise.next() / 64 - 2, noise.next() / 32, 0, 0});
  }
  session.set(cloth, CLOTHC_CHANNEL_ACCELERATION, accelerations);
  const float time_steps[] = {1.0f / 64, 1.0f / 50, 0, 1.0f / 30, 1.0f / 120};
  return run_frames(session, [&](int frame) {
    for (Point& sphere : spheres) sphere.y = static_cast<float>(frame % 16) / 128;
    session.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, spheres);
    if (frame % 20 == 10) session.set(cloth, CLOTHC_CHANNEL_VELOCITY, accelerations);
    return time_steps[frame % 5];
  });
}

// Many small cloths, of which one is removed and others are added into its hole, and a large cloth that AUTO splits
// over the workers.
std::vector<uint64_t> run_many(Session& session) {
  Mesh large = make_sheet(96, 96, 0.015625f);
  pin_row(large, 96);
  large.flags = CLOTHC_COOK_NO_BEND;
  Mesh small = make_sheet(9, 7, 0.0625f);
  small.inverse_masses[0] = 0;
  const clothc_fabric small_fabric = session.cook(small);
  const clothc_cloth_parameters parameters = make_parameters(0.125f);
  std::vector<clothc_cloth_id> cloths;
  for (int k = 0; k < 30; ++k) {
    clothc_cloth_parameters own = parameters;
    own.gravity[0] = static_cast<float>(k) / 8;
    own.solver_frequency = static_cast<float>(120 + 60 * (k % 4));
    cloths.push_back(add_cloth(session, small_fabric, own));
    if (k == 15) add_cloth(session, session.cook(large), parameters);
  }
  return run_frames(session, [&](int frame) {
    if (frame == 25) {
      require(clothc_cloth_remove(session.solver, cloths[3]));
      clothc_cloth_id copy = 0;
      require(clothc_cloth_clone(session.solver, cloths[7], &copy));
    }
    return sixtieth;
  });
}

// One sheet in a frame that turns and accelerates, with wind, moving separation constraints and a sleep test that only
// reports; and one sheet that comes to rest on its pins, falls asleep and is skipped from then on.
std::vector<uint64_t> run_breeze(Session& session) {
  constexpr uint32_t columns = 24;
  Mesh mesh = make_sheet(columns, 20, 0.0625f);
  pin_row(mesh, columns);
  const clothc_fabric fabric = session.cook(mesh);
  clothc_cloth_parameters parameters = make_parameters(0.0625f);
  const float wind[3] = {1.5f, 0.25f, 4};
  for (int axis = 0; axis < 3; ++axis) {
    parameters.wind_velocity[axis] = wind[axis];
    parameters.linear_drag[axis] = 0.0625f;
    parameters.angular_drag[axis] = 0.125f * static_cast<float>(axis);
    parameters.linear_inertia[axis] = 0.5f + 0.25f * static_cast<float>(axis);
    parameters.angular_inertia[axis] = 0.75f;
    parameters.centrifugal_inertia[axis] = 1 - 0.125f * static_cast<float>(axis);
  }
  parameters.drag_coefficient = 0.375f;
  parameters.lift_coefficient = 0.25f;
  parameters.fluid_density = 1.25f;
  parameters.sleep_threshold = 0.0625f;
  parameters.sleep_test_interval = 50;
  parameters.sleep_after_count = 3;
  parameters.sleep_policy = CLOTHC_SLEEP_REPORT;
  const clothc_cloth_id sheet = add_cloth(session, fabric, parameters);
  clothc_cloth_parameters sleepy = make_parameters(0.9375f);
  sleepy.gravity[1] = -0.0625f;
  sleepy.sleep_threshold = 0.25f;
  sleepy.sleep_test_interval = 40;
  sleepy.sleep_after_count = 8;
  add_cloth(session, fabric, sleepy);
  const uint32_t frame_flags[4] = {0, CLOTHC_FRAME_IGNORE_DISCONTINUITY, CLOTHC_FRAME_TELEPORT,
                                   CLOTHC_FRAME_CLEAR_INERTIA | CLOTHC_FRAME_CLEAR_INTERPOLATION};
  return run_frames(session, [&](int frame) {
    const float time = static_cast<float>(frame) / 64;
    clothc_cloth_frame where = initialised<clothc_cloth_frame>();
    where.flags = frame % 15 == 0 ? frame_flags[frame / 15 % 4] : 0;
    where.translation[0] = 2 * time * time;
    where.translation[1] = 0.5f * time;
    // The frame turns about a slanted axis. Sine and cosine are rational functions of t with the denominator 1 + t^2,
    // so no library function can make platforms differ.
    const float scale = 1 / (1 + time * time);
    const float sine = 2 * time * scale, cosine = (1 - time * time) * scale;
    where.rotation[0] = 0.6f * sine;
    where.rotation[1] = 0.8f * sine;
    where.rotation[3] = cosine;
    require(clothc_cloth_set_frame(session.solver, sheet, &where));
    if (frame % 10 != 9) {
      std::vector<Point> spheres;
      for (size_t i = 0; i < mesh.inverse_masses.size(); ++i) {
        spheres.push_back({mesh.positions[3 * i], static_cast<float>(frame % 32) / 256 - 0.5f,
                           mesh.positions[3 * i + 2], i % 5 == 0 ? -1 : 0.4375f});
      }
      session.set(sheet, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, spheres);
    }
    return frame % 7 == 3 ? 1.0f / 50 : sixtieth;
  });
}

}  // namespace

const std::vector<Scene>& all_scenes() {
  static const std::vector<Scene> scenes = {
      {"flag", run_flag},     {"curtain", run_curtain}, {"tablecloth", run_tablecloth}, {"raw", run_raw},
      {"motion", run_motion}, {"many", run_many},       {"breeze", run_breeze},         {"pile", run_pile}};
  return scenes;
}

}  // namespace golden
