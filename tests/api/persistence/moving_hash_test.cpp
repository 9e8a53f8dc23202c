// moving_hash_test.cpp - the state hash depends on frames, separation constraints and sleep, and is the same on every
// device. Statistics do not affect it.
#include "support/hash_changes.h"
#include "support/moving.h"

using namespace clothc_test;

namespace moving_hash_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(MovingHash);

using P = clothc_cloth_parameters;

TEST_P(MovingHash, tells_every_component_of_a_frame_and_the_flags_that_wait) {
  std::vector<Change> changes;
  const auto add = [&](const std::string& name, const std::function<void(clothc_cloth_frame&)>& set) {
    changes.emplace_back(name, [=](Scene& scene) {
      clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
      set(frame);
      EXPECT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &frame));
    });
  };
  for (size_t k = 0; k < 3; ++k) {
    add("translation", [=](auto& f) { f.translation[k] = 1e-6f; });
    add("start translation", [=](auto& f) { f.start_translation[k] = 1e-6f, f.flags = CLOTHC_FRAME_START; });
  }
  // The last component turns the frame by half a turn about x, so that the quaternion keeps its length of 1.
  for (size_t k = 0; k < 4; ++k) {
    add("rotation", [=](auto& f) { k < 3 ? f.rotation[k] = 1e-6f : f.rotation[3] = -1; });
    add("start rotation", [=](auto& f) {
      k < 3 ? f.start_rotation[k] = 1e-6f : f.start_rotation[3] = -1;
      f.flags = CLOTHC_FRAME_START;
    });
  }
  for (const uint32_t flags :
       {CLOTHC_FRAME_CLEAR_INERTIA, CLOTHC_FRAME_IGNORE_DISCONTINUITY, CLOTHC_FRAME_CLEAR_INTERPOLATION}) {
    add("flags " + std::to_string(flags), [=](auto& f) { f.flags = flags; });
    add("a motion with flags " + std::to_string(flags), [=](auto& f) { f.flags = flags, f.translation[0] = 1; });
  }
  add("a teleport", [](auto& f) { f.flags = CLOTHC_FRAME_TELEPORT, f.translation[0] = 1; });
  add("a motion", [](auto& f) { f.translation[0] = 1; });
  expect_all_different(SceneOptions(GetParam()), changes);
  const auto teleport_to_nowhere = [](Scene& s) {
    clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
    frame.flags = CLOTHC_FRAME_START;
    EXPECT_OK(clothc_cloth_set_frame(s.solver, s.cloth, &frame));
  };
  EXPECT_EQ(hash_after(SceneOptions(GetParam()), teleport_to_nowhere),
            hash_after(SceneOptions(GetParam()), [](Scene&) {}))
      << "a start where the frame is affects no later update";
}

TEST_P(MovingHash, tells_every_bit_of_the_separation_constraints_and_whether_they_move) {
  std::vector<Change> changes;
  const auto set = [](clothc_channel channel, float value) {
    return [=](Scene& s) { s.set(channel, s.cloth, std::vector<float>(120, value)); };
  };
  const auto target = set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, 0);
  changes.emplace_back("targets", target);
  changes.emplace_back("targets of no spheres", set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, -1));
  changes.emplace_back("motion targets", set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, 0));
  for (const clothc_channel channel :
       {CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START}) {
    for (size_t component = 0; component < 4; ++component) {
      changes.emplace_back("component " + std::to_string(component) + " of channel " + std::to_string(channel),
                           [=](Scene& s) {
                             target(s);
                             set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START, 0)(s);
                             std::vector<float> values(120, 0.0f);
                             values[4 * 29 + component] = 1e-6f;
                             s.set(channel, s.cloth, values);
                           });
    }
  }
  changes.emplace_back("targets consumed without time", [=](Scene& s) { target(s), s.step(1, 0); });
  changes.emplace_back("targets at rest", [=](Scene& s) { target(s), s.step(2, 0); });
  expect_all_different(SceneOptions(GetParam()), changes);
}

// Pins all particles, so that they stay where they are whatever happens.
void pin(Scene& scene) {
  std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (size_t k = 3; k < positions.size(); k += 4) positions[k] = 0;
  scene.change_parameters(scene.cloth, [](P& p) { p.tether_stiffness = 0; });
  EXPECT_OK(clothc_cloth_set_phases(scene.solver, scene.cloth, nullptr, 0));
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, positions, CLOTHC_SET_AT_REST);
}

// Runs two scenes that differ only in the given kind of state, and checks with the particles that nothing else differs.
template <class Run>
void expect_told_apart(clothc_backend backend, const char* what, Run run) {
  Scene first(backend), second_scene(backend), again(backend);
  for (Scene* scene : {&first, &second_scene, &again}) {
    pin(*scene);
    scene->step(2);
    run(*scene, scene == &second_scene);
  }
  EXPECT_EQ(first.get(CLOTHC_CHANNEL_POSITION, first.cloth),
            second_scene.get(CLOTHC_CHANNEL_POSITION, second_scene.cloth));
  EXPECT_EQ(first.get(CLOTHC_CHANNEL_PREVIOUS_POSITION, first.cloth),
            second_scene.get(CLOTHC_CHANNEL_PREVIOUS_POSITION, second_scene.cloth));
  const P a = first.parameters(first.cloth), b = second_scene.parameters(second_scene.cloth);
  EXPECT_EQ(std::memcmp(&a, &b, sizeof(P)), 0);
  const clothc_cloth_frame f = first.frame(first.cloth), g = second_scene.frame(second_scene.cloth);
  EXPECT_EQ(std::memcmp(&f, &g, sizeof(f)), 0);
  EXPECT_NE(first.hash(), second_scene.hash()) << what;
  EXPECT_EQ(first.hash(), again.hash()) << what;
}

TEST_P(MovingHash, tells_what_nothing_but_the_next_update_shows) {
  const auto move = [](Scene& s, uint32_t flags, bool turn) {
    clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
    frame.flags = flags;
    frame.translation[0] = turn ? 0.0f : 1.0f;
    if (turn) frame.rotation[0] = 0.6f, frame.rotation[3] = 0.8f;
    EXPECT_OK(clothc_cloth_set_frame(s.solver, s.cloth, &frame));
    s.step();
  };
  for (const bool turn : {false, true}) {
    expect_told_apart(GetParam(), turn ? "the frame's angular velocity" : "the frame's velocity",
                      [&](Scene& s, bool other) { move(s, other ? CLOTHC_FRAME_TELEPORT : 0, turn); });
  }
  const auto interval = [](Scene& s, uint32_t ms) {
    s.change_parameters(s.cloth, [=](P& p) { p.sleep_test_interval = ms; });
  };
  expect_told_apart(GetParam(), "the time since the last sleep test", [&](Scene& s, bool other) {
    interval(s, other ? 7 : 999);
    s.step(3);
    interval(s, 1000);
    s.step();
  });
  const auto sleepy = [](Scene& s) {
    s.change_parameters(s.cloth, [](P& p) {
      p.sleep_threshold = 1, p.sleep_test_interval = 1, p.sleep_after_count = 1000000, p.sleep_policy = 1;
    });
    s.step(3);
  };
  const auto wake = [](Scene& s) {
    for (const uint32_t statistics : {CLOTHC_STATISTIC_STRETCH, CLOTHC_STATISTIC_BOUNDS})
      s.change_parameters(s.cloth, [=](P& p) { p.statistics = statistics; });
  };
  expect_told_apart(GetParam(), "a wake that waits", [&](Scene& s, bool other) {
    sleepy(s);
    if (other) wake(s);
  });
  expect_told_apart(GetParam(), "the sleep tests passed in a row", [&](Scene& s, bool other) {
    sleepy(s);
    if (other) wake(s);
    s.step();
  });
}

TEST_P(MovingHash, is_the_same_on_every_device) {
  Moving scene{SceneOptions(GetParam())};
  std::vector<uint64_t> expected = {scene.hash()};
  for (int frame = 11; frame < 21; ++frame) scene.drive(frame), expected.push_back(scene.hash());
  for (const SceneOptions& options : everywhere()) {
    Moving other(options);
    ASSERT_EQ(other.hash(), expected[0]) << name_of(options);
    for (int frame = 11; frame < 21; ++frame) {
      other.drive(frame);
      ASSERT_EQ(other.hash(), expected[static_cast<size_t>(frame) - 10]) << name_of(options) << ", frame " << frame;
    }
  }
}

TEST_P(MovingHash, does_not_depend_on_statistics) {
  Scene scene(GetParam()), asking(GetParam()), not_even_bounds(GetParam());
  asking.change_parameters(asking.cloth, [](P& p) { p.statistics = 3; });
  not_even_bounds.change_parameters(not_even_bounds.cloth, [](P& p) { p.statistics = 0; });
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(asking.hash(), scene.hash()) << "update " << k;
    EXPECT_EQ(not_even_bounds.hash(), scene.hash()) << "update " << k;
    for (Scene* one : {&scene, &asking, &not_even_bounds}) one->step();
  }
  EXPECT_GT(asking.status(asking.cloth).kinetic_energy, 0);
  EXPECT_EQ(scene.status(scene.cloth).kinetic_energy, 0);
}

TEST_P(MovingHash, of_a_cloth_that_sleeps_stays_the_same) {
  Scene scene(GetParam());
  scene.change_parameters(scene.cloth, [](P& p) {
    p.gravity[1] = 0, p.sleep_threshold = 0.1f, p.sleep_test_interval = 10, p.sleep_after_count = 2;
  });
  // The history of 256 time steps is now full of equal ones.
  scene.step(60);
  ASSERT_EQ(scene.status(scene.cloth).flags, uint32_t{CLOTHC_STATUS_ASLEEP});
  const uint64_t hash = scene.hash();
  for (int k = 0; k < 20; ++k) {
    scene.step();
    EXPECT_EQ(scene.status(scene.cloth).iteration_count, 0u);
    EXPECT_EQ(scene.hash(), hash);
  }
}

}  // namespace
}  // namespace moving_hash_test
