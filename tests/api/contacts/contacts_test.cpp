// contacts_test.cpp - the contacts that cloths report: which shape holds which particle, where, and with what impulse.
// If the capacity is too small, the first contacts in order are reported.
#include <algorithm>
#include <cmath>
#include <map>

#include "support/every_shape.h"
#include "support/thrown_particles.h"

using namespace clothc_test;

namespace contacts_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Contacts);

// Distance between neighbouring particles of the sheet.
constexpr float gap = 0.25f;

SceneOptions with_capacity(clothc_backend backend, uint32_t contacts) {
  SceneOptions options(backend);
  options.solver.contact_capacity = contacts;
  return options;
}

uint32_t number_of_contacts(const Scene& scene) {
  const clothc_buffer out = scene.buffer(1, CLOTHC_FORMAT_UINT);
  uint32_t number = 12345;
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CONTACT_COUNT, out, nullptr, nullptr, 0, 0));
  EXPECT_OK(clothc_buffer_read(out, 0, sizeof(number), &number));
  EXPECT_OK(clothc_buffer_destroy(out));
  return number;
}

// Returns all records up to the capacity, including the empty ones at the end.
std::vector<clothc_contact> all_records(const Scene& scene) {
  const uint32_t capacity = scene.info().contact_capacity;
  std::vector<clothc_contact> contacts(capacity);
  const clothc_buffer out = scene.buffer(capacity, CLOTHC_FORMAT_RECORD, sizeof(clothc_contact));
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CONTACT, out, nullptr, nullptr, 0, 0));
  EXPECT_OK(clothc_buffer_read(out, 0, contacts.size() * sizeof(clothc_contact), contacts.data()));
  EXPECT_OK(clothc_buffer_destroy(out));
  return contacts;
}

std::vector<clothc_contact> contacts_of(const Scene& scene) {
  std::vector<clothc_contact> contacts = all_records(scene);
  const size_t number = std::min<size_t>(number_of_contacts(scene), contacts.size());
  for (size_t k = number; k < contacts.size(); ++k) {
    const clothc_contact nothing{};
    EXPECT_EQ(std::memcmp(&contacts[k], &nothing, sizeof(nothing)), 0) << "record " << k << " behind the last contact";
  }
  contacts.resize(number);
  return contacts;
}

void report(Scene& scene, clothc_cloth_id cloth, bool reports = true) {
  scene.change_parameters(cloth, [&](clothc_cloth_parameters& p) {
    p.collision_flags = reports ? p.collision_flags | CLOTHC_COLLISION_REPORT
                                : p.collision_flags & ~static_cast<uint32_t>(CLOTHC_COLLISION_REPORT);
  });
}

// Unpins all particles. Every particle then has a mass of 1 kg.
void unpin(Scene& scene, clothc_cloth_id cloth) {
  std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
  for (size_t k = 3; k < positions.size(); k += 4) positions[k] = 1;
  scene.set(CLOTHC_CHANNEL_POSITION, cloth, positions, CLOTHC_SET_AT_REST);
}

Shapes floor_at(float height) {
  Shapes shapes;
  shapes.planes = {0, 1, 0, -height};
  return shapes;
}

TEST_P(Contacts, of_cloth_at_rest_carry_its_weight) {
  Scene scene(with_capacity(GetParam(), 64));
  unpin(scene, scene.cloth);
  report(scene, scene.cloth);
  const clothc_collider_set_id other = make_set(scene, floor_at(-5));
  const clothc_collider_set_id set = make_set(scene, floor_at(0.9f));
  list(scene, {other, set});
  scene.step(1, 1e-3f);
  EXPECT_EQ(number_of_contacts(scene), 0u) << "it has not come down yet";
  scene.step(120);
  const std::vector<clothc_contact> contacts = contacts_of(scene);
  ASSERT_EQ(contacts.size(), 30u);
  double impulse = 0;
  for (uint32_t k = 0; k < 30; ++k) {
    const clothc_contact& c = contacts[k];
    EXPECT_EQ(c.struct_size, sizeof(clothc_contact));
    EXPECT_EQ(c.cloth, scene.cloth);
    EXPECT_EQ(c.particle, k);
    EXPECT_EQ(c.collider_set, set);
    EXPECT_EQ(c.kind, static_cast<uint32_t>(CLOTHC_SHAPE_CONVEX));
    EXPECT_EQ(c.shape, 0u);
    EXPECT_EQ(c.triangle, UINT32_MAX);
    EXPECT_NEAR(c.normal[1], 1, 1e-6f);
    EXPECT_NEAR(c.point[1], 0.9f, 1e-6f);
    EXPECT_GT(c.depth, 0);
    impulse += static_cast<double>(c.impulse);
  }
  const double h = static_cast<double>(scene.status(scene.cloth).iteration_dt);
  EXPECT_NEAR(impulse, 30 * 9.81 * h, 0.02 * 30 * 9.81 * h);
}

TEST_P(Contacts, are_where_the_particles_are_in_the_order_of_the_mesh) {
  SceneOptions options = with_capacity(GetParam(), 4096);
  options.columns = options.rows = 30;
  options.solver.particle_capacity = 4096;
  Scene scene(options);
  report(scene, scene.cloth);
  Shapes shapes;
  // Particles leave this sphere at an angle.
  shapes.spheres = {3.6f, 0.2f, 3.6f, 1};
  list(scene, {make_set(scene, shapes)});
  scene.change_parameters(scene.cloth,
                          [](clothc_cloth_parameters& p) { p.collision_flags |= CLOTHC_COLLISION_CONTINUOUS; });
  scene.step(15);
  for (int frame = 0; frame < 6; ++frame) {
    scene.step(5);
    const std::vector<clothc_contact> contacts = contacts_of(scene);
    const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    ASSERT_GT(contacts.size(), 10u);
    for (size_t k = 0; k < contacts.size(); ++k) {
      if (k > 0) {
        EXPECT_LT(contacts[k - 1].particle, contacts[k].particle);
      }
      for (size_t axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(contacts[k].point[axis], positions[4 * size_t{contacts[k].particle} + axis], 1e-5f);
      }
      const float* p = contacts[k].point;
      const float radius = std::hypot(p[0] - 3.6f, std::hypot(p[1] - 0.2f, p[2] - 3.6f));
      EXPECT_NEAR(radius, 1, 1e-4f);
      EXPECT_NEAR(contacts[k].normal[1], (p[1] - 0.2f) / radius, 0.05f);
    }
  }
}

// The memory of what was removed may have anything in it.
TEST_P(Contacts, are_none_before_a_cloth_reports_any) {
  Scene scene(with_capacity(GetParam(), 4));
  list(scene, {make_set(scene, every_shape())});
  scene.step();
  ASSERT_OK(clothc_cloth_remove(scene.solver, scene.cloth));
  EXPECT_EQ(number_of_contacts(scene), 0u);
  EXPECT_TRUE(contacts_of(scene).empty());
}

// Areas that are much too large throw particles out of the range of coordinates within an iteration. The update's end takes
// them back.
TEST_P(Contacts, are_none_of_particles_that_are_nowhere) {
  Scene scene(with_capacity(GetParam(), 64));
  scene.replace_fabric(ThrownParticles(4, false).desc);
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.positions = ThrownParticles::positions;
  scene.cloth = scene.add(desc);
  Shapes box;
  box.boxes = {0, 0, 0, 0, 0, 0, 1, 0.3f, 0.3f, 0.3f};
  list(scene, {make_set(scene, box)});
  report(scene, scene.cloth);
  scene.step();
  EXPECT_GT(scene.status(scene.cloth).non_finite_count, 3u) << "the test is of no use otherwise";
  for (const clothc_contact& contact : contacts_of(scene)) {
    for (const float value : {contact.point[0], contact.point[1], contact.point[2], contact.normal[0], contact.impulse})
      EXPECT_LE(std::fabs(value), 1e9f) << "particle " << contact.particle;
  }
}

// The expected contact of a particle. Shapes of every kind lie under some of the particles.
struct ExpectedContact {
  uint32_t kind;
  uint32_t shape;
  uint32_t triangle;
};

// Makes a tent over the origin whose second half is 0.01 m deep.
clothc_collider_asset_id make_mesh(const Scene& scene) {
  const float vertices[] = {-1, -1, -1, 1, -1, -1, 0, 0.01f, 1, 1, 0.01f, 1, -1, 0.01f, 1, 0, 0.01f, -1};
  const uint32_t triangles[] = {0, 2, 1, 3, 5, 4};
  clothc_collider_mesh_desc desc = initialised<clothc_collider_mesh_desc>();
  desc.vertex_count = 6;
  desc.vertices = vertices;
  desc.triangle_count = 2;
  desc.triangles = triangles;
  clothc_collider_asset_id asset = 0;
  EXPECT_OK(clothc_collider_mesh_create(scene.solver, &desc, &asset));
  return asset;
}

// Makes a ball of radius 0.25.
clothc_collider_asset_id make_ball(const Scene& scene) {
  std::vector<float> values;
  for (int z = -8; z <= 8; ++z) {
    for (int y = -8; y <= 8; ++y) {
      for (int x = -8; x <= 8; ++x) values.push_back(std::sqrt(static_cast<float>(x * x + y * y + z * z)) / 16 - 0.25f);
    }
  }
  clothc_sdf_desc desc = initialised<clothc_sdf_desc>();
  for (size_t axis = 0; axis < 3; ++axis) desc.counts[axis] = 17, desc.origin[axis] = -0.5f;
  desc.spacing = 1.0f / 16;
  desc.values = values.data();
  clothc_collider_asset_id asset = 0;
  EXPECT_OK(clothc_collider_sdf_create(scene.solver, &desc, &asset));
  return asset;
}

TEST_P(Contacts, name_every_kind_of_shape) {
  const Scene lender(GetParam());
  for (const bool continuously : {false, true}) {
    Scene scene(with_capacity(GetParam(), 64), &lender);
    unpin(scene, scene.cloth);
    scene.change_parameters(scene.cloth, [&](clothc_cloth_parameters& p) {
      p.solver_frequency = 60;
      p.collision_flags |= CLOTHC_COLLISION_REPORT;
      if (continuously) p.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
    });
    const auto x = [](uint32_t particle) { return gap * static_cast<float>(particle % 6); };
    const auto z = [](uint32_t particle) { return gap * static_cast<float>(particle / 6); };
    const auto below = [&](uint32_t k, float depth) { return std::vector<float>{x(k), 1 - depth, z(k)}; };
    const auto append = [](std::vector<float>& list, std::vector<float> a, const std::vector<float>& b) {
      list.insert(list.end(), a.begin(), a.end());
      list.insert(list.end(), b.begin(), b.end());
    };
    Shapes shapes;
    std::map<uint32_t, ExpectedContact> expected;
    append(shapes.spheres, {9, 9, 9}, {0.1f});
    append(shapes.spheres, below(2, 0.05f), {0.052f});
    append(shapes.spheres, {x(6) - 0.3f, 0.95f, z(6)}, {0.052f});
    append(shapes.spheres, {x(6) + 0.1f, 0.95f, z(6)}, {0.052f});
    shapes.capsules = {3, 2};
    expected[2] = {CLOTHC_SHAPE_SPHERE, 1, UINT32_MAX};
    expected[6] = {CLOTHC_SHAPE_CAPSULE, 0, UINT32_MAX};
    append(shapes.ellipsoids, {9, 9, 9}, {0, 0, 0, 1, 1, 1, 1});
    append(shapes.ellipsoids, below(9, 0.05f), {0, 0, 0, 1, 0.1f, 0.052f, 0.1f});
    expected[9] = {CLOTHC_SHAPE_ELLIPSOID, 1, UINT32_MAX};
    append(shapes.boxes, below(13, 0.05f), {0, 0, 0, 1, 0.1f, 0.052f, 0.1f});
    expected[13] = {CLOTHC_SHAPE_BOX, 0, UINT32_MAX};
    shapes.planes = {0, 1, 0, 5, 0, 1, 0, -1.002f, 1, 0, 0, -x(17) - 0.1f, -1, 0, 0, x(17) - 0.1f};
    shapes.planes.insert(shapes.planes.end(), {0, 0, 1, -z(17) - 0.1f, 0, 0, -1, z(17) - 0.1f});
    shapes.convex_planes = {0, 1, 2, 3, 4, 5};
    shapes.convex_ends = {1, 6};
    expected[17] = {CLOTHC_SHAPE_CONVEX, 1, UINT32_MAX};
    shapes.vertices = {9, 9, 9, 8, 9, 9, 9, 9, 8, x(20) - 0.1f, 1.002f, z(20) - 0.1f};
    shapes.vertices.insert(shapes.vertices.end(),
                           {x(20) - 0.1f, 1.002f, z(20) + 0.2f, x(20) + 0.2f, 1.002f, z(20) - 0.1f});
    shapes.triangles = {0, 1, 2, 3, 4, 5};
    shapes.triangle_reach = 0.005f;
    expected[20] = {CLOTHC_SHAPE_TRIANGLE, 1, UINT32_MAX};
    clothc_collider_shapes desc = shapes.desc();
    const clothc_collider_asset_id ball = make_ball(scene), mesh = make_mesh(scene);
    const clothc_collider_asset_id shown[] = {ball, mesh, ball};
    std::vector<float> instances;
    append(instances, {9, 9, 9}, {0, 0, 0, 1, 1});
    append(instances, {x(27), 1.002f - 0.001f, z(27) - 0.05f}, {0, 0, 0, 1, 0.1f});
    append(instances, {x(29), 1.002f - 0.05f, z(29)}, {0, 0, 0, 1, 0.2f});
    desc.instance_count = 3;
    desc.instance_assets = shown;
    desc.instances = instances.data();
    expected[27] = {CLOTHC_SHAPE_MESH, 1, 1};
    expected[29] = {CLOTHC_SHAPE_SDF, 2, UINT32_MAX};
    const clothc_collider_set_id empty = make_set(scene, floor_at(-9));
    clothc_collider_set_id set = 0;
    ASSERT_OK(clothc_collider_set_create(scene.solver, &set));
    ASSERT_OK(clothc_collider_set_write(scene.solver, set, &desc));
    list(scene, {empty, set});
    scene.step(1, 1e-3f);
    std::map<uint32_t, clothc_contact> found;
    for (const clothc_contact& c : contacts_of(scene)) {
      EXPECT_EQ(c.collider_set, set);
      EXPECT_TRUE(found.emplace(c.particle, c).second) << "particle " << c.particle << " has two contacts";
      EXPECT_GT(c.impulse, 0);
      EXPECT_GT(c.normal[1], 0.7f) << "particle " << c.particle;
      EXPECT_NEAR(std::hypot(c.normal[0], std::hypot(c.normal[1], c.normal[2])), 1, 1e-5f);
    }
    for (const auto& [particle, contact] : expected) {
      if (found.count(particle) == 0) {
        ADD_FAILURE() << "no contact of particle " << particle << ", continuous " << continuously;
        continue;
      }
      EXPECT_EQ(found[particle].kind, contact.kind) << "particle " << particle;
      EXPECT_EQ(found[particle].shape, contact.shape) << "particle " << particle;
      EXPECT_EQ(found[particle].triangle, contact.triangle) << "particle " << particle;
    }
    EXPECT_EQ(found.size(), expected.size());
  }
}

TEST_P(Contacts, beyond_the_capacity_are_counted) {
  const Scene lender(GetParam());
  std::vector<clothc_contact> all;
  for (const uint32_t capacity : {64u, 7u, 1u, 0u}) {
    for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
      SceneOptions options = with_capacity(GetParam(), capacity);
      options.solver.schedule = schedule;
      Scene scene(options, &lender);
      const clothc_cloth_id second = scene.add();
      Shapes shapes = floor_at(0.95f);
      shapes.spheres = {0.5f, 0.5f, 0.5f, 0.6f};
      const clothc_collider_set_id set = make_set(scene, shapes);
      for (const clothc_cloth_id cloth : {scene.cloth, second}) {
        unpin(scene, cloth);
        report(scene, cloth);
        ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, cloth, &set, 1));
      }
      scene.step(20);
      if (all.empty()) all = contacts_of(scene);
      ASSERT_GT(all.size(), 20u);
      EXPECT_NE(all.front().cloth, all.back().cloth);
      EXPECT_EQ(number_of_contacts(scene), all.size()) << capacity;
      if (capacity == 0) continue;
      const std::vector<clothc_contact> first = contacts_of(scene);
      ASSERT_EQ(first.size(), std::min<size_t>(capacity, all.size()));
      EXPECT_EQ(std::memcmp(first.data(), all.data(), first.size() * sizeof(clothc_contact)), 0) << capacity;
    }
  }
}

TEST_P(Contacts, change_nothing_and_end_with_the_flag) {
  Scene silent(GetParam());
  Scene scene(with_capacity(GetParam(), 256), &silent);
  for (Scene* each : {&silent, &scene}) list(*each, {make_set(*each, every_shape())});
  report(scene, scene.cloth);
  for (int frame = 0; frame < 40; ++frame) {
    silent.step();
    scene.step();
    if (frame % 10 != 9) continue;
    EXPECT_EQ(silent.hash(), scene.hash());
  }
  EXPECT_GT(number_of_contacts(scene), 0u);
  EXPECT_GT(number_of_contacts(scene), 0u) << "to get them leaves them";
  report(scene, scene.cloth, false);
  scene.step();
  EXPECT_TRUE(contacts_of(scene).empty());
  report(scene, scene.cloth);
  scene.step();
  EXPECT_FALSE(contacts_of(scene).empty());
  EXPECT_OK(clothc_cloth_remove(scene.solver, scene.cloth));
  scene.step();
  EXPECT_TRUE(contacts_of(scene).empty());
}

TEST_P(Contacts, are_the_same_bytes_as_on_the_processor) {
  std::vector<std::vector<clothc_contact>> found;
  for (const clothc_backend backend : {static_cast<clothc_backend>(CLOTHC_BACKEND_CPU), GetParam()}) {
    Scene scene(with_capacity(backend, 256));
    report(scene, scene.cloth);
    unpin(scene, scene.cloth);
    list(scene, {make_set(scene, every_shape())});
    found.emplace_back();
    for (int k = 0; k < 10; ++k) {
      scene.step(3);
      const std::vector<clothc_contact> contacts = contacts_of(scene);
      found.back().insert(found.back().end(), contacts.begin(), contacts.end());
    }
  }
  ASSERT_GT(found[0].size(), 10u);
  ASSERT_EQ(found[0].size(), found[1].size());
  EXPECT_EQ(std::memcmp(found[0].data(), found[1].data(), found[0].size() * sizeof(clothc_contact)), 0);
}

TEST_P(Contacts, are_refused_where_they_make_no_sense) {
  SceneOptions options(GetParam());
  options.solver.contact_capacity = (1u << 24) + 1;
  Scene scene(GetParam());
  clothc_solver refused = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_create(scene.device, &options.solver, &refused),
               "contact_capacity", "2^24");
  const clothc_buffer numbers = scene.buffer(1, CLOTHC_FORMAT_UINT);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CONTACT_COUNT, numbers, nullptr, nullptr, 0, 0),
               "contact_count", "can be got");
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CONTACT_COUNT, numbers, nullptr, nullptr, 0, 0));
  const clothc_buffer records = scene.buffer(1, CLOTHC_FORMAT_RECORD, sizeof(clothc_contact));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CONTACT, records, nullptr, nullptr, 0, 0), "contact",
               "only 0");
}

}  // namespace
}  // namespace contacts_test
