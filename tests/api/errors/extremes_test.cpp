// extremes_test.cpp - values at the ends of their ranges, and beyond them where channels ignore such values. Everything
// that can be read stays finite, whatever overflows in between, and no particle stays lost.
#include <algorithm>
#include <random>

#include "support/everything.h"

using namespace clothc_test;

namespace extremes_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Extremes);

constexpr float largest = 1e9f;
const float values[] = {largest, -largest, 3e38f, -3e38f, infinity, not_a_number, 1e-45f, 0};

class Extreme : public Everything {
 public:
  explicit Extreme(clothc_backend backend) : Everything(backend), good_(snapshot()), random_(1) {}
  void begin() { ASSERT_OK(clothc_solver_restore(solver, good_.data(), good_.size(), &fabric, 1)); }
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  clothc_cloth_id any_cloth() { return below(2) == 0 ? cloth : second; }
  float any_value() { return values[below(8)]; }

  void spoil_channel() {
    const clothc_channel channels[] = {CLOTHC_CHANNEL_POSITION,
                                       CLOTHC_CHANNEL_PREVIOUS_POSITION,
                                       CLOTHC_CHANNEL_VELOCITY,
                                       CLOTHC_CHANNEL_ACCELERATION,
                                       CLOTHC_CHANNEL_MOTION_CONSTRAINT,
                                       CLOTHC_CHANNEL_MOTION_CONSTRAINT_START,
                                       CLOTHC_CHANNEL_SEPARATION_CONSTRAINT,
                                       CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START,
                                       CLOTHC_CHANNEL_REST_POSITION};
    const clothc_channel channel = channels[below(9)];
    const clothc_cloth_id id = any_cloth();
    std::vector<float> all = get(channel, id);
    const uint32_t every = 1 + below(4);
    for (size_t k = below(16); k < all.size(); k += every) all[k] = any_value();
    set(channel, id, all);
  }
  // Sets one parameter to an end of its range. Values out of range are refused.
  void spoil_parameter() {
    clothc_cloth_parameters p = parameters(cloth);
    const clothc_cloth_id id = any_cloth();
    const float ends[] = {0, 1, 0.01f, 100, 1000, 1e6f, -1e6f, 1e12f, 100000};
    const size_t word = 1 + below(sizeof(p) / 4 - 1);
    uint32_t before;
    std::memcpy(&before, reinterpret_cast<char*>(&p) + 4 * word, 4);
    for (uint32_t tries = 0; tries < 9; ++tries) {
      const float end = ends[below(9)];
      std::memcpy(reinterpret_cast<char*>(&p) + 4 * word, &end, 4);
      // This keeps the test short.
      if (p.solver_frequency > 1000) p.solver_frequency = 1;
      if (clothc_cloth_set_parameters(solver, id, &p) == CLOTHC_SUCCESS) return;
    }
  }
  void spoil_frame() {
    clothc_cloth_frame pose = initialised<clothc_cloth_frame>();
    for (float& x : pose.translation) x = largest * static_cast<float>(static_cast<int>(below(3)) - 1);
    pose.rotation[below(4)] = 1;
    if (pose.rotation[3] == 1 && std::count(pose.rotation, pose.rotation + 4, 1.0f) > 1) pose.rotation[3] = 0;
    pose.flags = below(16) << 1;
    EXPECT_OK(clothc_cloth_set_frame(solver, any_cloth(), &pose));
  }
  void spoil_shapes() {
    Shapes shapes = below(2) == 0 ? every_shape() : in_world();
    const auto spoil = [&](std::vector<float>& list, size_t width, size_t position_width, size_t size_begin,
                           size_t size_end) {
      for (size_t k = 0; k < list.size(); ++k) {
        if (k % width < position_width && below(4) == 0) list[k] = below(2) == 0 ? largest : -largest;
        if (size_begin <= k % width && k % width < size_end && below(4) == 0) list[k] = below(2) == 0 ? largest : 0;
      }
    };
    spoil(shapes.spheres, 4, 3, 3, 4);
    spoil(shapes.ellipsoids, 10, 3, 7, 10);
    spoil(shapes.boxes, 10, 3, 7, 10);
    spoil(shapes.vertices, 3, 3, 3, 3);
    spoil(shapes.instances, 8, 3, 8, 8);
    for (size_t k = 3; k < shapes.planes.size(); k += 4) {
      if (below(4) == 0) shapes.planes[k] = below(2) == 0 ? largest : -largest;
    }
    if (below(2) == 0) shapes.triangle_reach = infinity;
    write(*this, below(2) == 0 ? local : world, shapes);
  }
  void spoil() {
    switch (below(4)) {
      case 0:
        return spoil_channel();
      case 1:
        return spoil_parameter();
      case 2:
        return spoil_frame();
      default:
        return spoil_shapes();
    }
  }
  void step_somehow() {
    switch (below(8)) {
      case 0:
        return step(1, 1e-6f);
      case 1:
        for (const clothc_cloth_id id : {cloth, second})
          change_parameters(id, [](auto& p) { p.solver_frequency = std::min(p.solver_frequency, 5.0f); });
        return step(1, 10);
      default:
        return step();
    }
  }
  // Removes everything that drives particles.
  void calm() {
    clothc_cloth_frame still = initialised<clothc_cloth_frame>();
    still.flags = CLOTHC_FRAME_CLEAR_INERTIA;
    for (const clothc_cloth_id id : {cloth, second}) {
      const clothc_cloth_parameters p = initialised<clothc_cloth_parameters>();
      EXPECT_OK(clothc_cloth_set_parameters(solver, id, &p));
      EXPECT_OK(clothc_cloth_set_frame(solver, id, &still));
      EXPECT_OK(clothc_cloth_set_collider_sets(solver, id, nullptr, 0));
      for (const clothc_channel channel : {CLOTHC_CHANNEL_ACCELERATION, CLOTHC_CHANNEL_MOTION_CONSTRAINT,
                                           CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, CLOTHC_CHANNEL_REST_POSITION}) {
        EXPECT_OK(clothc_cloth_clear(solver, id, channel));
      }
    }
  }

 private:
  std::vector<uint8_t> good_;
  std::mt19937 random_;
};

TEST_P(Extremes, leave_everything_finite_and_no_particle_lost) {
  Extreme scene(GetParam());
  const size_t rounds = 1000 / one_in(GetParam(), 100);
  size_t restored = 0;
  for (size_t round = 0; round < rounds; ++round) {
    scene.begin();
    for (int update = 0; update < 6; ++update) {
      for (uint32_t k = scene.below(3); k-- > 0;) scene.spoil();
      scene.step_somehow();
      ASSERT_TRUE(scene.is_finite()) << "round " << round << ", update " << update;
    }
    const std::vector<uint8_t> bytes = scene.snapshot();
    ASSERT_OK(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1)) << "round " << round;
    restored += scene.status(scene.cloth).non_finite_count;
    scene.calm();
    scene.step(20);
    for (const clothc_cloth_id id : {scene.cloth, scene.second}) {
      ASSERT_EQ(scene.status(id).flags & CLOTHC_STATUS_NON_FINITE, 0u) << "round " << round;
    }
  }
  EXPECT_GT(restored, rounds) << "nothing overflowed";
}

// A particle comes from a corner of the permitted space and stops next to a pinned one. The damping of its motion along
// the line between them would move its previous position out of bounds.
TEST_P(Extremes, leave_previous_positions_within_bounds_where_particles_push_each_other) {
  Everything scene(GetParam());
  EXPECT_OK(clothc_cloth_remove(scene.solver, scene.second));
  EXPECT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, nullptr, 0));
  EXPECT_OK(clothc_cloth_set_phases(scene.solver, scene.cloth, nullptr, 0));
  for (const clothc_channel channel : {CLOTHC_CHANNEL_ACCELERATION, CLOTHC_CHANNEL_MOTION_CONSTRAINT,
                                       CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, CLOTHC_CHANNEL_REST_POSITION}) {
    EXPECT_OK(clothc_cloth_clear(scene.solver, scene.cloth, channel));
  }
  clothc_cloth_frame still = initialised<clothc_cloth_frame>();
  still.flags = CLOTHC_FRAME_CLEAR_INERTIA;
  EXPECT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &still));
  clothc_cloth_parameters p = initialised<clothc_cloth_parameters>();
  p.gravity[1] = 0, p.tether_stiffness = 0, p.solver_frequency = 1;
  p.self_collision_distance = 1, p.self_collision_damping = 1;
  EXPECT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &p));
  const uint32_t chosen[] = {0, 4};
  EXPECT_OK(clothc_cloth_set_self_collision_particles(scene.solver, scene.cloth, chosen, 2));
  scene.step(1, 1);
  std::vector<float> positions(36, 0), velocities(36, 0);
  for (size_t axis = 0; axis < 3; ++axis) {
    positions[axis] = axis == 2 ? 0.125f : -0.125f;
    positions[16 + axis] = -largest, velocities[16 + axis] = largest;
  }
  positions[19] = 1;
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, positions, CLOTHC_SET_AT_REST);
  scene.set(CLOTHC_CHANNEL_VELOCITY, scene.cloth, velocities);
  scene.step(1, 1);
  EXPECT_LT(std::fabs(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth)[16]), 1) << "it is not where it was to be";
  EXPECT_EQ(scene.status(scene.cloth).non_finite_count, 0u);
  for (const float x : scene.get(CLOTHC_CHANNEL_PREVIOUS_POSITION, scene.cloth)) EXPECT_LE(std::fabs(x), largest);
  const std::vector<uint8_t> bytes = scene.snapshot();
  EXPECT_OK(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
}

}  // namespace
}  // namespace extremes_test
