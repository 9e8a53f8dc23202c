// state_hash_test.cpp - every kind of state changes the state hash, and data that affects no later update does not.
#include <utility>

#include "support/hash_changes.h"

using namespace clothc_test;

namespace state_hash_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(StateHash);

// Number of particles of the small sheet, of which the last one is free.
constexpr size_t particles = 12;
constexpr size_t last = particles - 1;

SceneOptions small(clothc_backend backend) {
  SceneOptions options(backend);
  options.columns = 4;
  options.rows = 3;
  return options;
}

// Flips one bit of a component of the last particle in a channel.
std::function<void(Scene&)> nudge(clothc_channel channel, size_t component) {
  return [=](Scene& scene) {
    std::vector<float> values = scene.get(channel, scene.cloth);
    uint32_t word;
    std::memcpy(&word, &values[4 * last + component], 4);
    word ^= 1;
    std::memcpy(&values[4 * last + component], &word, 4);
    scene.set(channel, scene.cloth, values);
  };
}

std::function<void(Scene&)> fill(clothc_channel channel, float value) {
  return [=](Scene& scene) { scene.set(channel, scene.cloth, std::vector<float>(4 * particles, value)); };
}

TEST_P(StateHash, tells_every_word_of_the_particles_apart) {
  expect_all_different(small(GetParam()), {{"position x", nudge(CLOTHC_CHANNEL_POSITION, 0)},
                                           {"position y", nudge(CLOTHC_CHANNEL_POSITION, 1)},
                                           {"position z", nudge(CLOTHC_CHANNEL_POSITION, 2)},
                                           {"inverse mass", nudge(CLOTHC_CHANNEL_POSITION, 3)},
                                           {"previous x", nudge(CLOTHC_CHANNEL_PREVIOUS_POSITION, 0)},
                                           {"previous y", nudge(CLOTHC_CHANNEL_PREVIOUS_POSITION, 1)},
                                           {"previous z", nudge(CLOTHC_CHANNEL_PREVIOUS_POSITION, 2)}});
}

TEST_P(StateHash, tells_what_waits_for_the_next_update) {
  const auto and_step = [](const std::function<void(Scene&)>& change, float dt) {
    return [=](Scene& scene) { change(scene), scene.step(1, dt); };
  };
  const auto motion = fill(CLOTHC_CHANNEL_MOTION_CONSTRAINT, 1.0f);
  expect_all_different(
      small(GetParam()),
      {{"a velocity", fill(CLOTHC_CHANNEL_VELOCITY, 1.0f)},
       {"another velocity", fill(CLOTHC_CHANNEL_VELOCITY, 2.0f)},
       {"velocity's bit",
        [](Scene& s) { fill(CLOTHC_CHANNEL_VELOCITY, 1.0f)(s), nudge(CLOTHC_CHANNEL_VELOCITY, 1)(s); }},
       {"acceleration", fill(CLOTHC_CHANNEL_ACCELERATION, 1.0f)},
       {"acceleration's bit", nudge(CLOTHC_CHANNEL_ACCELERATION, 2)},
       {"a motion target", motion},
       {"another motion target", fill(CLOTHC_CHANNEL_MOTION_CONSTRAINT, 2.0f)},
       {"motion radius", [=](Scene& s) { motion(s), nudge(CLOTHC_CHANNEL_MOTION_CONSTRAINT, 3)(s); }},
       {"motion start", [=](Scene& s) { motion(s), fill(CLOTHC_CHANNEL_MOTION_CONSTRAINT_START, 3.0f)(s); }},
       {"motion at rest", and_step(motion, 0)}});
}

TEST_P(StateHash, tells_a_consumed_velocity_from_one_that_waits) {
  const auto slow = [](Scene& s) { s.change_parameters(s.cloth, [](auto& p) { p.gravity[1] = 0; }); };
  const uint64_t none = hash_after(small(GetParam()), slow);
  EXPECT_NE(hash_after(small(GetParam()), [&](Scene& s) { slow(s), fill(CLOTHC_CHANNEL_VELOCITY, 0.0f)(s); }), none);
}

TEST_P(StateHash, tells_every_field_of_the_parameters) {
  std::vector<Change> changes;
  const auto add = [&](const char* name, const std::function<void(clothc_cloth_parameters&)>& set) {
    changes.emplace_back(name, [=](Scene& scene) { scene.change_parameters(scene.cloth, set); });
  };
  using P = clothc_cloth_parameters;
  add("acceleration_filter_width", [](P& p) { p.acceleration_filter_width = 29; });
  add("gravity x", [](P& p) { p.gravity[0] = 0.5f; });
  add("gravity y", [](P& p) { p.gravity[1] = 0.5f; });
  add("gravity z", [](P& p) { p.gravity[2] = 0.5f; });
  add("damping x", [](P& p) { p.damping[0] = 0.5f; });
  add("damping y", [](P& p) { p.damping[1] = 0.5f; });
  add("damping z", [](P& p) { p.damping[2] = 0.5f; });
  add("solver_frequency", [](P& p) { p.solver_frequency = 299; });
  add("stiffness_frequency", [](P& p) { p.stiffness_frequency = 11; });
  add("friction", [](P& p) { p.friction = 0.5f; });
  add("friction_smoothing", [](P& p) { p.friction_smoothing = 0.5f; });
  add("tether_stiffness", [](P& p) { p.tether_stiffness = 0.5f; });
  add("tether_scale", [](P& p) { p.tether_scale = 0.5f; });
  add("motion_constraint_stiffness", [](P& p) { p.motion_constraint_stiffness = 0.5f; });
  add("motion_constraint_scale", [](P& p) { p.motion_constraint_scale = 0.5f; });
  add("motion_constraint_bias", [](P& p) { p.motion_constraint_bias = 0.5f; });
  for (const auto field : {&P::linear_drag, &P::angular_drag, &P::linear_inertia, &P::angular_inertia,
                           &P::centrifugal_inertia, &P::wind_velocity}) {
    for (int k = 0; k < 3; ++k) add("a component", [=](P& p) { (p.*field)[k] = 0.25f; });
  }
  add("drag_coefficient", [](P& p) { p.drag_coefficient = 0.5f; });
  add("lift_coefficient", [](P& p) { p.lift_coefficient = 0.5f; });
  add("fluid_density", [](P& p) { p.fluid_density = 0.5f; });
  add("sleep_threshold", [](P& p) { p.sleep_threshold = 0.5f; });
  add("sleep_test_interval", [](P& p) { p.sleep_test_interval = 1; });
  add("sleep_after_count", [](P& p) { p.sleep_after_count = 1; });
  add("sleep_policy", [](P& p) { p.sleep_policy = CLOTHC_SLEEP_REPORT; });
  add("collision_flags", [](P& p) { p.collision_flags = CLOTHC_COLLISION_CONTINUOUS; });
  add("contact_margin", [](P& p) { p.contact_margin = 0.5f; });
  add("collision_mass_scale", [](P& p) { p.collision_mass_scale = 0.5f; });
  add("self_collision_distance", [](P& p) { p.self_collision_distance = 0.5f; });
  add("inter_collision_distance", [](P& p) { p.inter_collision_distance = 0.5f; });
  add("hierarchy_stiffness", [](P& p) { p.hierarchy_stiffness = 0.5f; });
  // These are the statistics, and parameters that have an effect only together with a distance: see
  // cloth_collision_test.cpp.
  constexpr size_t without_effect = 1 + 9;
  EXPECT_EQ(changes.size() + without_effect, (sizeof(P) - sizeof(uint32_t)) / 4) << "a field is missing above";
  expect_all_different(small(GetParam()), changes);
}

TEST_P(StateHash, tells_every_field_of_the_phases_and_their_order) {
  using Configs = std::vector<clothc_phase_config>;
  std::vector<Change> changes;
  const auto add = [&](const char* name, const std::function<void(Configs&)>& set) {
    changes.emplace_back(name, [=](Scene& scene) {
      Configs configs(3, initialised<clothc_phase_config>());
      for (uint32_t k = 0; k < 3; ++k) configs[k].phase = k;
      set(configs);
      EXPECT_OK(
          clothc_cloth_set_phases(scene.solver, scene.cloth, configs.data(), static_cast<uint32_t>(configs.size())));
    });
  };
  add("phase", [](Configs& c) { c[1].phase = 2; });
  add("stiffness", [](Configs& c) { c[1].stiffness = 0.5f; });
  add("stiffness of the first", [](Configs& c) { c[0].stiffness = 0.5f; });
  add("stiffness_multiplier", [](Configs& c) { c[1].stiffness_multiplier = 0.5f; });
  add("compression_limit", [](Configs& c) { c[1].compression_limit = 0.5f; });
  add("stretch_limit", [](Configs& c) { c[1].stretch_limit = 2; });
  add("order", [](Configs& c) { std::swap(c[0].phase, c[1].phase); });
  add("one phase less", [](Configs& c) { c.pop_back(); });
  add("one phase twice", [](Configs& c) { c.push_back(c[0]); });
  add("no phases", [](Configs& c) { c.clear(); });
  expect_all_different(small(GetParam()), changes);
}

TEST_P(StateHash, tells_the_shapes_that_cloths_touch_where_they_start_and_where_they_go) {
  struct Shapes {
    std::vector<float> spheres = {0, 0, 0, 1, 5, 5, 5, 1};
    std::vector<float> sphere_starts = spheres;
    std::vector<float> planes = {0, 1, 0, 9, 1, 0, 0, 9};
    std::vector<float> plane_starts = planes;
    std::vector<uint32_t> ends = {1, 2};
    std::vector<uint32_t> members = {0, 1};
  };
  std::vector<Change> changes;
  const auto add = [&](const char* name, const std::function<void(Shapes&)>& set, bool listed = true) {
    changes.emplace_back(name, [=](Scene& scene) {
      Shapes values;
      set(values);
      clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
      shapes.sphere_count = static_cast<uint32_t>(values.spheres.size() / 4);
      shapes.spheres = values.spheres.data();
      shapes.sphere_starts = values.sphere_starts.data();
      shapes.plane_count = 2;
      shapes.planes = values.planes.data();
      shapes.plane_starts = values.plane_starts.data();
      shapes.convex_count = static_cast<uint32_t>(values.ends.size());
      shapes.convex_ends = values.ends.data();
      shapes.convex_planes = values.members.data();
      clothc_collider_set_id set_id = 0;
      EXPECT_OK(clothc_collider_set_create(scene.solver, &set_id));
      EXPECT_OK(clothc_collider_set_write(scene.solver, set_id, &shapes));
      EXPECT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set_id, listed ? 1 : 0));
    });
  };
  add("a set", [](Shapes&) {});
  add("sphere target", [](Shapes& s) { s.spheres[4] = 6; });
  add("sphere start", [](Shapes& s) { s.sphere_starts[4] = 6; });
  add("sphere radius", [](Shapes& s) { s.spheres[7] = 2; });
  add("one sphere less", [](Shapes& s) { s.spheres.resize(4), s.sphere_starts.resize(4); });
  add("plane target", [](Shapes& s) { s.planes[3] = 8; });
  add("plane start", [](Shapes& s) { s.plane_starts[3] = 8; });
  add("order of convexes", [](Shapes& s) { s.members = {1, 0}; });
  add("planes of a convex", [](Shapes& s) { s.ends = {2}; });
  expect_all_different(small(GetParam()), changes);
  const uint64_t without = hash_after(small(GetParam()), [](Scene&) {});
  changes.clear();
  add(
      "a set that no cloth lists", [](Shapes&) {}, false);
  EXPECT_EQ(hash_after(small(GetParam()), changes[0].second), without);
}

TEST_P(StateHash, tells_different_time_steps_of_the_past_with_everything_else_the_same) {
  // Without forces or motion, only the filter's history remembers the time steps.
  const auto still = [&](float first, float second) {
    Scene scene(small(GetParam()));
    scene.change_parameters(scene.cloth, [](auto& p) { p.gravity[1] = 0, p.tether_stiffness = 0; });
    EXPECT_OK(clothc_cloth_set_phases(scene.solver, scene.cloth, nullptr, 0));
    for (const float dt : {first, second, 1.0f / 60}) scene.step(1, dt);
    return std::make_pair(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), scene.hash());
  };
  const auto a = still(1.0f / 60, 1.0f / 50);
  const auto b = still(1.0f / 50, 1.0f / 60);
  EXPECT_EQ(a.first, b.first);
  EXPECT_NE(a.second, b.second);
  EXPECT_EQ(a.second, still(1.0f / 60, 1.0f / 50).second);
}

TEST_P(StateHash, knows_the_fabric_and_every_cloth) {
  SceneOptions options = small(GetParam());
  Scene one(options);
  // Another fabric with the same number of particles.
  std::swap(options.columns, options.rows);
  Scene turned(options);
  EXPECT_NE(one.hash(), turned.hash());
  const uint64_t single = one.hash();
  const clothc_cloth_id second_cloth = one.add();
  EXPECT_NE(one.hash(), single);
  ASSERT_OK(clothc_cloth_remove(one.solver, second_cloth));
  EXPECT_EQ(one.hash(), single);
  ASSERT_OK(clothc_cloth_remove(one.solver, one.cloth));
  EXPECT_EQ(one.hash(), 0u) << "an empty solver";
}

// Cloths with ordinals 2 to 5 in a solver from which others have been removed. Their ids and storage positions differ
// between scenes.
struct Placed {
  Scene scene;
  std::vector<clothc_cloth_id> cloths;
  Placed(const SceneOptions& options, bool backwards) : scene(options) {
    clothc_cloth_id removed[2] = {scene.cloth, scene.add()};
    clothc_collider_set_id set = scene.sphere_set(0.3f, 0.7f, 0.3f, 0.25f);
    if (backwards) {
      std::swap(removed[0], removed[1]);
      EXPECT_OK(clothc_collider_set_create(scene.solver, &set));
      scene.write_sphere(set, 0.3f, 0.7f, 0.3f, 0.25f);
      // The next cloth takes its slot.
      EXPECT_OK(clothc_cloth_remove(scene.solver, removed[0]));
    }
    cloths = {scene.add()};
    if (!backwards) {
      EXPECT_OK(clothc_cloth_remove(scene.solver, removed[0]));
    }
    EXPECT_OK(clothc_cloth_remove(scene.solver, removed[1]));
    if (backwards) {
      uint32_t count = 0;
      EXPECT_EQ(clothc_solver_compact(scene.solver, nullptr, &count), CLOTHC_INCOMPLETE);
    }
    for (int k = 0; k < 3; ++k) cloths.push_back(scene.add());
    for (const clothc_cloth_id id : cloths) EXPECT_OK(clothc_cloth_set_collider_sets(scene.solver, id, &set, 1));
  }
};

TEST_P(StateHash, does_not_depend_on_ids_ranges_capacities_schedules_workers_or_instruction_sets) {
  Placed plain(small(GetParam()), false);
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(plain.scene.device, &info));
  std::vector<SceneOptions> variants;
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_AUTO, CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    variants.push_back(small(GetParam()));
    variants.back().solver.schedule = schedule;
    variants.back().device.worker_count = 1 + 2 * schedule;
    variants.back().solver.particle_capacity = 333 + 1000 * schedule;
    variants.back().solver.cloth_capacity = 6 + schedule;
  }
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; info.backend == CLOTHC_BACKEND_CPU && isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((info.isa_mask & 1u << isa) == 0) continue;
    variants.push_back(small(GetParam()));
    variants.back().device.isa = isa;
  }
  std::vector<uint64_t> expected = {plain.scene.hash()};
  for (int frame = 0; frame < 20; ++frame) plain.scene.step(), expected.push_back(plain.scene.hash());
  for (const SceneOptions& options : variants) {
    Placed other(options, true);
    EXPECT_NE(other.cloths, plain.cloths) << "the ids should differ";
    EXPECT_NE(other.scene.info(other.cloths[0]).first_particle, plain.scene.info(plain.cloths[0]).first_particle);
    EXPECT_EQ(other.scene.hash(), expected[0]);
    for (size_t frame = 1; frame < expected.size(); ++frame) {
      other.scene.step();
      ASSERT_EQ(other.scene.hash(), expected[frame])
          << "isa " << options.device.isa << ", schedule " << options.solver.schedule << ", frame " << frame;
    }
  }
  ASSERT_OK(clothc_cloth_remove(plain.scene.solver, plain.cloths[1]));
  const uint64_t with_hole = plain.scene.hash();
  uint32_t count = 0;
  EXPECT_EQ(clothc_solver_compact(plain.scene.solver, nullptr, &count), CLOTHC_INCOMPLETE);
  EXPECT_EQ(plain.scene.hash(), with_hole) << "compaction changed it";
}

}  // namespace
}  // namespace state_hash_test
