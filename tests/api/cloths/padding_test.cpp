// padding_test.cpp - the particles that pad a cloth's last batch lie at the origin of its frame, where shapes may hold
// them. They must not affect contacts, sleep, bounds, statistics or counters, whatever the number of particles.
#include <algorithm>

#include "support/every_shape.h"

using namespace clothc_test;

namespace padding_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Padding);

constexpr uint32_t most_contacts = 4096;
const char* const kinds[] = {"spheres",   "capsules", "ellipsoids", "boxes", "convexes",
                             "triangles", "meshes",   "SDFs",       "all"};
constexpr uint32_t kind_count = 9;

// Returns two shapes of a kind that both contain the origin and whose effects on a particle there cancel out as nearly
// as possible.
Shapes two_of(uint32_t kind) {
  Shapes s;
  const auto append = [](auto& list, std::initializer_list<float> values) {
    list.insert(list.end(), values.begin(), values.end());
  };
  for (const float x : {-0.125f, 0.125f}) {
    if (kind == 0) append(s.spheres, {x, 0, 0, 0.5f});
    if (kind == 1) append(s.spheres, {x, -1, 0, 0.5f, x, 1, 0, 0.5f});
    if (kind == 2) append(s.ellipsoids, {x, 0, 0, 0, 0, 0, 1, 0.5f, 0.75f, 0.625f});
    if (kind == 3) append(s.boxes, {x, 0, 0, 0, 0, 0, 1, 0.5f, 1, 1});
    if (kind == 4) append(s.planes, {1, 0, 0, -x - 0.5f, -1, 0, 0, x - 0.5f, 0, 1, 0, -1, 0, -1, 0, -1});
    if (kind == 5) append(s.vertices, {x, -1, -1, x, 1, -1, x, 0, 1});
    if (kind == 6 || kind == 7) append(s.instances, {x, 0, 0, 0, 0, 0, 1, 1});
  }
  if (kind == 1) s.capsules = {0, 1, 2, 3};
  if (kind == 4) s.convex_planes = {0, 1, 2, 3, 4, 5, 6, 7}, s.convex_ends = {4, 8};
  // The triangles are back to back with the origin between them.
  if (kind == 5) s.triangles = {0, 2, 1, 3, 4, 5};
  if (kind == 6) s.instance_assets = {first_mesh, first_mesh};
  if (kind == 7) s.instance_assets = {first_sdf, first_sdf};
  s.triangle_reach = 1;
  return s;
}

// Cloths of 17 to 32 particles. Each is a strip of triangles far from the padding: 5 m aside in the frame's
// coordinates.
struct Strips : Scene {
  std::vector<clothc_cloth_id> cloths;

  static SceneOptions options(clothc_backend backend) {
    SceneOptions o(backend);
    o.has_cloth = false;
    o.solver.cloth_capacity = 16;
    o.solver.collider_set_capacity = 32;
    o.solver.contact_capacity = most_contacts;
    return o;
  }
  Strips(clothc_backend backend, const Scene* lender, bool continuously) : Scene(options(backend), lender) {
    for (uint32_t particles = 17; particles < 33; ++particles) add_strip(particles, continuously);
  }
  void add_strip(uint32_t particles, bool continuously) {
    std::vector<float> positions;
    std::vector<uint32_t> triangles;
    for (uint32_t k = 0; k < particles; ++k) {
      // The strips lie side by side.
      const float z = 0.25f * static_cast<float>(k % 2) + static_cast<float>(particles - 17);
      positions.insert(positions.end(), {5 + 0.25f * static_cast<float>(k / 2), 1, z});
      if (k >= 2) triangles.insert(triangles.end(), {k - 2 + k % 2, k - 1 - k % 2, k});
    }
    clothc_mesh_desc mesh = initialised<clothc_mesh_desc>();
    mesh.vertex_count = particles;
    mesh.positions = positions.data();
    mesh.triangle_count = particles - 2;
    mesh.triangles = triangles.data();
    mesh.virtual_particles_per_triangle = 1;
    clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
    desc.fabric = cook_fabric(device, mesh);
    const clothc_cloth_id id = add(desc);
    ASSERT_OK(clothc_fabric_destroy(desc.fabric));
    cloths.push_back(id);
    change_parameters(id, [&](clothc_cloth_parameters& p) {
      // With one iteration per update, particles that are held are where the update began.
      p.solver_frequency = 60;
      p.gravity[1] = 0;
      p.collision_flags |= CLOTHC_COLLISION_REPORT;
      if (continuously) p.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
      p.friction = 0.5f, p.collision_mass_scale = 100, p.contact_margin = 0.015625f, p.drag_coefficient = 0.5f;
      p.sleep_threshold = 0.125f, p.sleep_test_interval = 1, p.sleep_after_count = 6;
      p.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY | CLOTHC_STATISTIC_STRETCH;
      if (particles % 3 == 1) p.self_collision_distance = 0.0625f;
      if (particles % 3 == 2) p.inter_collision_distance = 0.0625f;
    });
  }
  // Lets every cloth collide with these sets.
  void collide_with(const std::vector<clothc_collider_set_id>& sets) {
    for (const clothc_cloth_id id : cloths)
      ASSERT_OK(clothc_cloth_set_collider_sets(solver, id, sets.data(), static_cast<uint32_t>(sets.size())));
  }
  // Makes sets of one kind of shape, or of all kinds, that contain the origin.
  std::vector<clothc_collider_set_id> sets_of(uint32_t kind) const {
    std::vector<clothc_collider_set_id> sets;
    for (uint32_t k = 0; k + 1 < kind_count; ++k) {
      if (kind != k && kind + 1 != kind_count) continue;
      sets.push_back(make_set(*this, two_of(k)));
      // The triangles of a set count as one shape, so a second set is needed.
      if (k == 5) sets.push_back(make_set(*this, two_of(k)));
    }
    return sets;
  }
  void fall(float gravity) {
    for (const clothc_cloth_id id : cloths) change_parameters(id, [=](auto& p) { p.gravity[1] = gravity; });
  }
  std::vector<clothc_contact> contacts(uint32_t& number) const {
    std::vector<clothc_contact> list(most_contacts);
    const clothc_buffer out = buffer(most_contacts, CLOTHC_FORMAT_RECORD, sizeof(clothc_contact));
    const clothc_buffer count = buffer(1, CLOTHC_FORMAT_UINT);
    EXPECT_OK(clothc_solver_get(solver, CLOTHC_CHANNEL_CONTACT, out, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_solver_get(solver, CLOTHC_CHANNEL_CONTACT_COUNT, count, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_buffer_read(out, 0, list.size() * sizeof(clothc_contact), list.data()));
    EXPECT_OK(clothc_buffer_read(count, 0, sizeof(number), &number));
    EXPECT_OK(clothc_buffer_destroy(out));
    EXPECT_OK(clothc_buffer_destroy(count));
    return list;
  }
};

void expect_alike(const Strips& scene, const Strips& plain) {
  for (size_t k = 0; k < scene.cloths.size(); ++k) {
    const clothc_cloth_status a = scene.status(scene.cloths[k]), b = plain.status(plain.cloths[k]);
    EXPECT_EQ(std::memcmp(&a, &b, sizeof(a)), 0)
        << k + 17 << " particles: sleep " << a.sleep_pass_count << ", " << b.sleep_pass_count << "; x from "
        << a.bounds_minimum[0] << ", " << b.bounds_minimum[0] << "; energy " << a.kinetic_energy << ", "
        << b.kinetic_energy;
    for (const clothc_channel channel : {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION})
      ASSERT_EQ(scene.get(channel, scene.cloths[k]), plain.get(channel, plain.cloths[k])) << k + 17 << " particles";
  }
}

TEST_P(Padding, that_shapes_hold_is_in_no_contact_and_keeps_no_cloth_awake) {
  const Scene lender(GetParam());
  for (const bool continuously : {false, true}) {
    Strips plain(GetParam(), &lender, continuously);
    for (uint32_t frame = 0; frame < 8; ++frame) plain.step();
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
      SCOPED_TRACE(std::string(kinds[kind]) + (continuously ? ", continuously" : ""));
      Strips scene(GetParam(), &lender, continuously);
      scene.collide_with(scene.sets_of(kind));
      for (uint32_t frame = 0; frame < 8; ++frame) {
        scene.step();
        uint32_t number = 12345;
        const std::vector<clothc_contact> list = scene.contacts(number);
        EXPECT_EQ(number, 0u) << "update " << frame;
        const auto phantom = std::find_if(list.begin(), list.end(), [](const auto& c) { return c.struct_size != 0; });
        EXPECT_TRUE(phantom == list.end()) << "update " << frame << ": one of particle " << phantom->particle;
      }
      for (const clothc_cloth_id id : scene.cloths)
        EXPECT_EQ(scene.status(id).flags, uint32_t{CLOTHC_STATUS_ASLEEP}) << scene.info(id).particle_count;
      expect_alike(scene, plain);
    }
  }
}

TEST_P(Padding, that_shapes_hold_takes_no_capacity_from_contacts) {
  const Scene lender(GetParam());
  Shapes floor;
  floor.boxes = {7, 0, 8, 0, 0, 0, 1, 2.5f, 0.9375f, 9};
  for (const bool continuously : {false, true}) {
    Strips plain(GetParam(), &lender, continuously);
    plain.collide_with({make_set(plain, floor)});
    plain.fall(-10);
    uint32_t wanted = 0;
    for (uint32_t frame = 0; frame < 12; ++frame) plain.step();
    const std::vector<clothc_contact> expected = plain.contacts(wanted);
    ASSERT_GE(wanted, 16u * 17u);
    for (uint32_t kind = 0; kind < kind_count; ++kind) {
      SCOPED_TRACE(std::string(kinds[kind]) + (continuously ? ", continuously" : ""));
      Strips scene(GetParam(), &lender, continuously);
      std::vector<clothc_collider_set_id> sets = {make_set(scene, floor)};
      for (const clothc_collider_set_id set : scene.sets_of(kind)) sets.push_back(set);
      scene.collide_with(sets);
      scene.fall(-10);
      for (uint32_t frame = 0; frame < 12; ++frame) scene.step();
      uint32_t number = 0;
      const std::vector<clothc_contact> list = scene.contacts(number);
      EXPECT_EQ(number, wanted);
      const auto same = [](const auto& a, const auto& b) { return std::memcmp(&a, &b, sizeof(a)) == 0; };
      const auto other = std::mismatch(list.begin(), list.end(), expected.begin(), same).first;
      EXPECT_TRUE(other == list.end()) << "contact " << other - list.begin() << " is of particle " << other->particle;
      expect_alike(scene, plain);
    }
  }
}

// A frame that moves very fast and then stops sends every particle out of bounds. Each one must be counted, and nothing
// else.
TEST_P(Padding, does_not_count_as_particles_that_are_lost_in_an_iteration) {
  const Scene lender(GetParam());
  Strips scene(GetParam(), &lender, false);
  clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
  frame.translation[0] = 1e9f;
  for (const clothc_cloth_id id : scene.cloths) {
    scene.change_parameters(id, [](auto& p) { p.solver_frequency = 300; });
    ASSERT_OK(clothc_cloth_set_frame(scene.solver, id, &frame));
  }
  scene.step(1, 1e-6f);
  std::vector<uint32_t> before;
  for (const clothc_cloth_id id : scene.cloths) before.push_back(scene.status(id).non_finite_count);
  scene.step();
  for (size_t k = 0; k < scene.cloths.size(); ++k) {
    const clothc_cloth_status status = scene.status(scene.cloths[k]);
    ASSERT_EQ(status.iteration_count, 5u);
    EXPECT_EQ(status.non_finite_count - before[k], 5 * (k + 17)) << k + 17 << " particles";
  }
}

// The box is so large that it pushes every particle inside it out of bounds.
TEST_P(Padding, does_not_count_as_particles_that_are_lost_at_an_update_s_end) {
  const Scene lender(GetParam());
  Strips scene(GetParam(), &lender, false);
  Shapes shapes;
  shapes.boxes = {0, 0, 0, 0, 0, 0, 1, 1e9f, 1e9f, 1e9f};
  scene.collide_with({make_set(scene, shapes)});
  for (const clothc_cloth_id id : scene.cloths) scene.change_parameters(id, [](auto& p) { p.contact_margin = 1e6f; });
  scene.step();
  for (size_t k = 0; k < scene.cloths.size(); ++k)
    EXPECT_EQ(scene.status(scene.cloths[k]).non_finite_count, k + 17) << k + 17 << " particles";
}

}  // namespace
}  // namespace padding_test
