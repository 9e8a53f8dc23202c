// active_test.cpp - the active set of a group: inactive particles neither move nor act on anything.
#include <algorithm>
#include <numeric>

#include "support/groups.h"
#include "support/scene.h"

using namespace clothc_test;

namespace active_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Active);

SceneOptions without_cloth(clothc_backend backend) {
  SceneOptions options(backend);
  options.has_cloth = false;
  options.solver.particle_capacity = 4096;
  options.solver.contact_capacity = 4096;
  return options;
}

constexpr uint32_t count = 1000;

// Particles 10 cm apart on a square, a meter above the ground.
std::vector<float> square() {
  std::vector<float> positions;
  for (uint32_t p = 0; p < count; ++p)
    positions.insert(positions.end(),
                     {0.1f * static_cast<float>(p % 32), 1.0f, 0.1f * static_cast<float>(p / 32), 1.0f});
  return positions;
}

struct Pool : Scene {
  explicit Pool(clothc_backend backend, float radius = 0) : Scene(without_cloth(backend)), start(square()) {
    group = add_group(solver, group_desc(start, radius));
  }
  std::vector<float> positions() const { return get(CLOTHC_CHANNEL_POSITION, group); }
  void activate(const std::vector<uint32_t>& particles) const { set_active(device, solver, group, particles); }
  void change(const std::function<void(clothc_cloth_parameters&)>& apply) { change_parameters(group, apply); }
  std::vector<float> start;
  clothc_group_id group = 0;
};

std::vector<uint32_t> first(uint32_t number) {
  std::vector<uint32_t> particles(number);
  std::iota(particles.begin(), particles.end(), 0u);
  return particles;
}

TEST_P(Active, all_particles_are_at_first) {
  Pool pool(GetParam());
  EXPECT_EQ(get_active(pool.solver, pool.group), first(count));
  EXPECT_EQ(group_info(pool.solver, pool.group).active_count, count);
  pool.step();
  const std::vector<float> moved = pool.positions();
  for (uint32_t p = 0; p < count; ++p) ASSERT_LT(moved[p * 4 + 1], 1.0f) << p;
}

// As in the Flex manual: ten particles of a thousand.
TEST_P(Active, only_active_particles_move) {
  Pool pool(GetParam());
  const clothc_group_id alone = add_group(pool.solver, group_desc({pool.start.begin(), pool.start.begin() + 40}));
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 10));
  EXPECT_EQ(get_active(pool.solver, pool.group), first(10));
  pool.step(10);
  const std::vector<float> moved = pool.positions();
  EXPECT_TRUE(std::equal(moved.begin() + 40, moved.end(), pool.start.begin() + 40));
  const std::vector<float> expected = pool.get(CLOTHC_CHANNEL_POSITION, alone);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), moved.begin()));
  // Bounds are those of the active particles.
  const clothc_cloth_status status = pool.status(pool.group);
  EXPECT_FLOAT_EQ(status.bounds_maximum[0], 0.9f);
  EXPECT_EQ(status.bounds_maximum[1], moved[1]);
  EXPECT_EQ(status.bounds_maximum[2], 0.0f);
}

TEST_P(Active, the_set_may_change_every_frame_in_any_order) {
  Pool pool(GetParam());
  pool.step();
  const uint64_t passes = pool.info().last_update_passes;
  std::vector<uint32_t> moves(count, 0);
  for (uint32_t frame = 0; frame < 12; ++frame) {
    std::vector<uint32_t> particles;
    for (uint32_t k = 0; k < 100; ++k) particles.push_back((k * 37 + frame * 211) % count);
    std::reverse(particles.begin() + 30, particles.end());
    pool.activate(particles);
    const std::vector<float> before = pool.positions();
    pool.step();
    const std::vector<float> after = pool.positions();
    std::sort(particles.begin(), particles.end());
    EXPECT_EQ(get_active(pool.solver, pool.group), particles);
    for (uint32_t p = 0; p < count; ++p) {
      const bool is_active = std::binary_search(particles.begin(), particles.end(), p);
      ASSERT_EQ(after[p * 4 + 1] != before[p * 4 + 1], is_active) << p << " in frame " << frame;
    }
    EXPECT_EQ(pool.info().last_update_passes, passes);
  }
}

// A particle that pauses goes on as if nothing had happened.
TEST_P(Active, a_particle_keeps_its_velocity_and_mass_while_it_is_inactive) {
  Pool pool(GetParam());
  const clothc_group_id other = add_group(pool.solver, group_desc(pool.start));
  std::vector<float> velocities(size_t{count} * 4, 0.0f);
  for (uint32_t p = 0; p < count; ++p) velocities[p * 4] = 1.0f;
  pool.activate({});
  pool.set(CLOTHC_CHANNEL_VELOCITY, pool.group, velocities);
  pool.set(CLOTHC_CHANNEL_VELOCITY, other, velocities);
  pool.step(4);
  EXPECT_EQ(pool.positions(), pool.start);
  const std::vector<float> waiting = pool.get(CLOTHC_CHANNEL_VELOCITY, pool.group);
  EXPECT_NEAR(waiting[0], 1.0f, 1e-3f);
  pool.activate(first(count));
  pool.step(4);
  const std::vector<float> moved = pool.positions();
  EXPECT_NEAR(moved[0], 4 / 60.0f, 1e-3f);
  EXPECT_EQ(moved[3], 1.0f);
}

TEST_P(Active, positions_and_masses_can_be_set_while_inactive) {
  Pool pool(GetParam());
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 1));
  std::vector<float> values = pool.start;
  for (uint32_t p = 0; p < count; ++p) {
    values[p * 4 + 1] = 2;
    values[p * 4 + 3] = p == 5 ? 0.0f : 0.5f;
  }
  pool.set(CLOTHC_CHANNEL_POSITION, pool.group, values, CLOTHC_SET_AT_REST);
  pool.step(2);
  std::vector<float> moved = pool.positions();
  EXPECT_LT(moved[1], 2.0f);
  EXPECT_TRUE(std::equal(moved.begin() + 4, moved.end(), values.begin() + 4));
  pool.activate(first(count));
  pool.step(2);
  moved = pool.positions();
  EXPECT_LT(moved[4 * 4 + 1], 2.0f);
  EXPECT_EQ(moved[5 * 4 + 1], 2.0f);
}

TEST_P(Active, springs_at_inactive_particles_are_not_solved) {
  Pool pool(GetParam());
  std::vector<uint32_t> indices;
  for (uint32_t p = 0; p + 1 < 20; ++p) indices.insert(indices.end(), {p, p + 1});
  set_springs(pool.device, pool.solver, pool.group, indices, std::vector<float>(19, 0.1f));
  std::vector<uint32_t> particles = first(20);
  particles.erase(particles.begin() + 10);
  pool.activate(particles);
  pool.step(20);
  const std::vector<float> moved = pool.positions();
  // Both parts of the chain fall freely, and the particle between them stays.
  for (uint32_t p = 0; p < 20; ++p) {
    EXPECT_EQ(moved[p * 4], pool.start[p * 4]) << p;
    EXPECT_EQ(moved[p * 4 + 1], p == 10 ? 1.0f : moved[1]) << p;
  }
  EXPECT_LT(moved[1], 0.6f);
}

// Shapes of every kind push only active particles, and only those are reported.
TEST_P(Active, shapes_ignore_inactive_particles) {
  for (const bool is_continuous : {false, true}) {
    Pool pool(GetParam());
    pool.change([&](clothc_cloth_parameters& p) {
      p.collision_flags = CLOTHC_COLLISION_REPORT;
      if (is_continuous) p.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
      p.friction = 0.2f;
      p.collision_mass_scale = 10;
    });
    clothc_collider_set_id set = 0;
    require(clothc_collider_set_create(pool.solver, &set));
    const float sphere[4] = {1, 0.61f, 1, 0.4f};
    const float plane[4] = {0, 1, 0, -1};
    const uint32_t convex_end = 1, convex_plane = 0;
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.sphere_count = shapes.plane_count = shapes.convex_count = 1;
    shapes.spheres = sphere;
    shapes.planes = plane;
    shapes.convex_ends = &convex_end;
    shapes.convex_planes = &convex_plane;
    require(clothc_collider_set_write(pool.solver, set, &shapes));
    require(clothc_cloth_set_collider_sets(pool.solver, pool.group, &set, 1));
    std::vector<uint32_t> even;
    for (uint32_t p = 0; p < count; p += 2) even.push_back(p);
    pool.activate(even);
    pool.step(3);
    const std::vector<float> moved = pool.positions();
    for (uint32_t p = 1; p < count; p += 2)
      ASSERT_TRUE(std::equal(&moved[p * 4], &moved[p * 4] + 4, &pool.start[p * 4])) << p;
    EXPECT_NEAR(moved[1], 1.0f, 1e-4f);
    const clothc_buffer number = pool.buffer(1, CLOTHC_FORMAT_UINT);
    require(clothc_solver_get(pool.solver, CLOTHC_CHANNEL_CONTACT_COUNT, number, nullptr, nullptr, 0, 0));
    uint32_t contacts = 0;
    require(clothc_buffer_read(number, 0, 4, &contacts));
    ASSERT_GT(contacts, 100u);
    const clothc_buffer records = pool.buffer(contacts, CLOTHC_FORMAT_RECORD, sizeof(clothc_contact));
    const clothc_region region = {0, 0, contacts};
    require(clothc_solver_get(pool.solver, CLOTHC_CHANNEL_CONTACT, records, nullptr, &region, 1, 0));
    std::vector<clothc_contact> list(contacts);
    require(clothc_buffer_read(records, 0, list.size() * sizeof(clothc_contact), list.data()));
    for (const clothc_contact& contact : list) ASSERT_EQ(contact.particle % 2, 0u);
  }
}

TEST_P(Active, constraints_of_single_particles_ignore_inactive_ones) {
  Pool pool(GetParam());
  std::vector<float> spheres(size_t{count} * 4, 0.0f);
  for (uint32_t p = 0; p < count; ++p) spheres[p * 4 + 3] = 0.2f;
  pool.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, pool.group, spheres);
  for (uint32_t p = 0; p < count; ++p) {
    spheres[p * 4] = pool.start[p * 4];
    spheres[p * 4 + 1] = 1.1f;
    spheres[p * 4 + 2] = pool.start[p * 4 + 2];
    spheres[p * 4 + 3] = 0.5f;
  }
  pool.set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, pool.group, spheres);
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 500));
  pool.step(3);
  const std::vector<float> moved = pool.positions();
  EXPECT_TRUE(std::equal(moved.begin() + 2000, moved.end(), pool.start.begin() + 2000));
  EXPECT_NE(moved[499 * 4], pool.start[499 * 4]);
}

TEST_P(Active, particles_ignore_inactive_particles) {
  // 2 cm apart, with a radius of 3 cm: all of them would collide.
  std::vector<float> positions;
  for (uint32_t p = 0; p < 60; ++p) positions.insert(positions.end(), {0.02f * static_cast<float>(p), 0, 0, 1});
  Scene scene(without_cloth(GetParam()));
  clothc_group_desc desc = group_desc(positions, 0.03f);
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.gravity[1] = 0;
  for (float& damping : parameters.damping) damping = 1;
  desc.parameters = &parameters;
  const clothc_group_id own = add_group(scene.solver, desc), other = add_group(scene.solver, desc);
  set_phases(scene.device, scene.solver, own, std::vector<uint32_t>(60, uint32_t{CLOTHC_PARTICLE_PHASE_SELF_COLLIDE}));
  // Five particles far apart from each other remain of each, and the two groups have no neighbours in each other.
  set_active(scene.device, scene.solver, own, {0, 10, 20, 30, 40});
  set_active(scene.device, scene.solver, other, {5, 15, 25, 35, 45});
  scene.step(5);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, own), positions);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, other), positions);
  // A neighbour within the group, then one in the other group.
  set_active(scene.device, scene.solver, own, {0, 10, 20, 30, 32});
  scene.step(5);
  std::vector<float> moved = scene.get(CLOTHC_CHANNEL_POSITION, own);
  EXPECT_NEAR(moved[32 * 4] - moved[30 * 4], 0.06f, 1e-3f);
  EXPECT_EQ(moved[20 * 4], positions[20 * 4]);
  set_active(scene.device, scene.solver, other, {21, 45});
  scene.step(5);
  moved = scene.get(CLOTHC_CHANNEL_POSITION, own);
  EXPECT_LT(moved[20 * 4], positions[20 * 4]);
}

TEST_P(Active, a_reset_keeps_the_set) {
  Pool pool(GetParam());
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 3));
  pool.step(5);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_reset(pool.solver, pool.group, nullptr), "positions");
  require(clothc_cloth_reset(pool.solver, pool.group, pool.start.data()));
  EXPECT_EQ(pool.positions(), pool.start);
  pool.step(5);
  const std::vector<float> moved = pool.positions();
  EXPECT_LT(moved[2 * 4 + 1], 1.0f);
  EXPECT_EQ(moved[3 * 4 + 1], 1.0f);
}

TEST_P(Active, a_group_sleeps_and_a_new_set_wakes_it) {
  Pool pool(GetParam());
  pool.change([](clothc_cloth_parameters& p) {
    p.gravity[1] = 0;
    p.sleep_threshold = 0.01f;
    p.sleep_test_interval = 1;
    p.sleep_after_count = 5;
  });
  const auto is_asleep = [&] { return (pool.status(pool.group).flags & CLOTHC_STATUS_ASLEEP) != 0; };
  std::vector<float> velocities(size_t{count} * 4, 0.0f);
  for (uint32_t p = 500; p < count; ++p) velocities[p * 4 + 1] = 1;
  pool.set(CLOTHC_CHANNEL_VELOCITY, pool.group, velocities);
  pool.step(10);
  EXPECT_FALSE(is_asleep());
  // Only particles at rest are left. The others keep a velocity, which does not count.
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 500));
  pool.step(10);
  EXPECT_TRUE(is_asleep());
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 501));
  pool.step(1);
  EXPECT_FALSE(is_asleep());
  const float height = pool.positions()[500 * 4 + 1];
  pool.step(5);
  EXPECT_GT(pool.positions()[500 * 4 + 1], height + 0.05f);
  // The same set again does not wake a sleeping group, but other springs do.
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 10));
  pool.step(10);
  EXPECT_TRUE(is_asleep());
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 10));
  pool.step(1);
  EXPECT_TRUE(is_asleep());
  set_springs(pool.device, pool.solver, pool.group, {0, 1}, {0.05f});
  pool.step(1);
  EXPECT_FALSE(is_asleep());
}

TEST_P(Active, a_group_without_active_particles_keeps_its_bounds) {
  Pool pool(GetParam());
  pool.change([](clothc_cloth_parameters& p) { p.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY; });
  pool.step(3);
  const clothc_cloth_status before = pool.status(pool.group);
  EXPECT_GT(before.kinetic_energy, 0.0f);
  require(clothc_group_set_active(pool.solver, pool.group, nullptr, 0));
  pool.step(3);
  const clothc_cloth_status after = pool.status(pool.group);
  EXPECT_TRUE(std::equal(before.bounds_minimum, before.bounds_minimum + 3, after.bounds_minimum));
  EXPECT_TRUE(std::equal(before.bounds_maximum, before.bounds_maximum + 3, after.bounds_maximum));
  EXPECT_EQ(after.kinetic_energy, 0.0f);
  EXPECT_EQ(after.non_finite_count, 0u);
  EXPECT_TRUE(get_active(pool.solver, pool.group).empty());
}

}  // namespace
}  // namespace active_test
