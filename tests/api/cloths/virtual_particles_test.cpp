// virtual_particles_test.cpp - virtual particles of meshes and raw fabrics: what is refused, what can be read back, and
// what blobs contain.
#include <algorithm>
#include <iterator>

#include "support/blob_scene.h"
#include "support/refusals.h"
#include "support/thrown_particles.h"

using namespace clothc_test;

namespace cloths_virtual_particles_test {
namespace {

// Four particles with three virtual particles and two rows of weights.
struct RawVirtual {
  std::vector<uint32_t> particles = {0, 1, 2, 0, 3, 2, 1, 1, 2, 0, 3, 1};
  std::vector<float> weights = {0.5f, 0.25f, 0.25f, 1, 0, 0};
  std::vector<float> positions = {0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1};
  clothc_fabric_desc desc() const {
    clothc_fabric_desc d = initialised<clothc_fabric_desc>();
    d.particle_count = 4;
    d.positions = positions.data();
    d.virtual_particle_count = static_cast<uint32_t>(particles.size() / 4);
    d.virtual_particles = particles.data();
    d.virtual_weight_count = static_cast<uint32_t>(weights.size() / 3);
    d.virtual_weights = weights.data();
    return d;
  }
};

// A scene with a sheet whose fabric has one virtual particle per triangle, or with a raw fabric.
struct VirtualScene : BlobScene {
  explicit VirtualScene(uint32_t per_triangle = 1) {
    clothc_mesh_desc mesh = sheet.desc();
    mesh.virtual_particles_per_triangle = per_triangle;
    mesh.flags = CLOTHC_COOK_NO_HIERARCHY;
    replace_fabric(mesh);
    blob = save(fabric);
  }
  explicit VirtualScene(const RawVirtual& raw) {
    replace_fabric(raw.desc());
    blob = save(fabric);
  }
};

TEST(VirtualParticles, of_a_raw_fabric_are_read_as_they_were_given) {
  const RawVirtual raw;
  const VirtualScene scene(raw);
  EXPECT_EQ(fabric_info(scene.fabric).virtual_particle_count, 3u);
  EXPECT_EQ(read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_VIRTUAL_PARTICLES), raw.particles);
  EXPECT_EQ(read_fabric<float>(scene.fabric, CLOTHC_FABRIC_VIRTUAL_WEIGHTS), raw.weights);
}

TEST(VirtualParticles, of_a_raw_fabric_that_cannot_be_are_refused_by_name) {
  const BlobScene scene;
  const auto refused = [&](const char* what, const std::function<void(RawVirtual&, clothc_fabric_desc&)>& change,
                           std::initializer_list<const char*> parts) {
    RawVirtual raw;
    clothc_fabric_desc desc = raw.desc();
    change(raw, desc);
    clothc_fabric fabric = nullptr;
    expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_create(scene.device, &desc, &fabric), parts, what);
    EXPECT_EQ(fabric, nullptr);
  };
  using R = RawVirtual;
  using D = clothc_fabric_desc;
  constexpr uint32_t too_many = (1u << 24) + 1;
  refused("count", [](R&, D& d) { d.virtual_particle_count = too_many; }, {"16777217 virtual particles", "2^24"});
  refused("rows", [](R&, D& d) { d.virtual_weight_count = too_many; }, {"16777217 rows", "2^24"});
  refused("null", [](R&, D& d) { d.virtual_particles = nullptr; }, {"virtual_particles is null", "12 entries"});
  refused("null", [](R&, D& d) { d.virtual_weights = nullptr; }, {"virtual_weights is null", "6 entries"});
  for (const size_t corner : {4u, 5u, 6u}) {
    refused("range", [=](R& r, D&) { r.particles[corner] = 4; },
            {"virtual particle 1", "particle 4", "particle_count 4"});
  }
  refused("twice", [](R& r, D&) { r.particles[9] = 2; }, {"virtual particle 2", "2, 2 and 3", "three different"});
  refused("twice", [](R& r, D&) { r.particles[10] = 2; }, {"virtual particle 2", "2, 0 and 2"});
  refused("twice", [](R& r, D&) { r.particles[10] = 0; }, {"virtual particle 2", "2, 0 and 0"});
  refused("row", [](R& r, D&) { r.particles[7] = 2; }, {"virtual particle 1", "row 2", "virtual_weight_count 2"});
  refused("no rows", [](R&, D& d) { d.virtual_weight_count = 0; }, {"virtual particle 0", "virtual_weight_count 0"});
  for (const float bad : outside(0, 1))
    refused("weight", [=](R& r, D&) { r.weights[4] = bad; }, {"virtual_weights[4] is", "0 to 1"});
  for (const float bad : {0.498f, 0.502f, 0.0f})
    refused("sum", [=](R& r, D&) { r.weights[0] = bad; }, {"row 0", "has the sum", "divide"});
}

TEST(VirtualParticles, weights_may_miss_1_by_a_thousandth) {
  RawVirtual raw;
  for (const float weight : {0.4991f, 0.5009f}) {
    raw.weights[0] = weight;
    EXPECT_EQ(fabric_info(VirtualScene(raw).fabric).virtual_particle_count, 3u);
  }
}

TEST(VirtualParticles, weights_without_any_virtual_particle_are_kept_and_do_not_change_the_hash) {
  RawVirtual with, without;
  with.particles.clear();
  without.particles.clear();
  without.weights.clear();
  const VirtualScene a(with), b(without);
  expect_same_after_loading(a);
  EXPECT_EQ(read_fabric<float>(a.fabric, CLOTHC_FABRIC_VIRTUAL_WEIGHTS), with.weights);
  const clothc_fabric_info first = fabric_info(a.fabric), second = fabric_info(b.fabric);
  EXPECT_EQ(std::memcmp(&first, &second, sizeof(first)), 0);
}

TEST(VirtualParticles, of_a_mesh_are_as_many_per_triangle_as_asked_for) {
  for (const uint32_t per_triangle : {1u, 4u, 9u, 16u, 25u, 36u, 49u, 64u}) {
    const VirtualScene scene(per_triangle);
    const auto triangles = read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_TRIANGLES).size() / 3;
    EXPECT_EQ(fabric_info(scene.fabric).virtual_particle_count, triangles * per_triangle);
    EXPECT_EQ(read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_VIRTUAL_PARTICLES).size(),
              triangles * per_triangle * 4);
    EXPECT_EQ(read_fabric<float>(scene.fabric, CLOTHC_FABRIC_VIRTUAL_WEIGHTS).size(), per_triangle * size_t{3});
  }
}

TEST(VirtualParticles, of_a_mesh_in_other_numbers_are_refused) {
  const BlobScene scene;
  clothc_mesh_desc mesh = scene.sheet.desc();
  clothc_fabric fabric = nullptr;
  for (const uint32_t bad : {2u, 3u, 5u, 8u, 63u, 65u, 81u, 0xffffffffu}) {
    mesh.virtual_particles_per_triangle = bad;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_cook(scene.device, &mesh, &fabric),
                 ("virtual_particles_per_triangle is " + std::to_string(bad)).c_str(), "1, 4, 9");
  }
  std::vector<uint32_t> quads(size_t{4} * 131073);
  for (size_t k = 0; k < quads.size(); ++k) quads[k] = static_cast<uint32_t>(k % 4);
  mesh.quads = quads.data();
  mesh.quad_count = quads.size() / 4;
  mesh.virtual_particles_per_triangle = 64;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fabric_cook(scene.device, &mesh, &fabric), "is 64", "16777344",
               "262146 triangles", "2^24", "fewer");
}

TEST(VirtualParticles, are_in_the_blob_in_four_sections_more) {
  const VirtualScene scene(4);
  EXPECT_EQ(BlobScene::section_count(scene.blob), 19u);
  expect_same_after_loading(scene);
  expect_same_after_loading(VirtualScene(RawVirtual()));
}

// Without its last two sections the blob describes a fabric without virtual particles, but the content hash is that of
// another fabric.
TEST(VirtualParticles, cannot_be_taken_out_of_a_blob) {
  VirtualScene scene;
  for (const uint8_t count : {uint8_t{15}, uint8_t{17}}) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load_forged(52, count), "content hash");
  }
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load_forged(52, 18), "18 sections");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, scene.load_forged(52, 20), "20 sections");
}

// The arrays do not fit the rest of the blob, and the checksum is correct.
TEST(VirtualParticles, forged_in_a_blob_are_refused) {
  const VirtualScene scene;
  const size_t particles = scene.section(18), weights = scene.section(19), table = 64 + 17 * 16 + 8;
  const auto bad = CLOTHC_ERROR_INVALID_ARGUMENT;
  EXPECT_FAILS(bad, scene.load_forged(particles + 16, 0xffffffffu), "virtual particle 1", "particle 4294967295");
  EXPECT_FAILS(bad, scene.load_forged(particles + 12, 1), "virtual particle 0", "row 1");
  EXPECT_FAILS(bad, scene.load_forged(particles + 4, 0), "virtual particle 0", "three different");
  EXPECT_FAILS(bad, scene.load_forged(weights, 0x7fc00000u), "virtual_weights[0]");
  EXPECT_FAILS(bad, scene.load_forged(weights, 0x3f000000u), "row 0", "the sum");
  EXPECT_FAILS(bad, scene.load_forged(table, 7), "virtual_particles has 7 entries", "want 4");
  EXPECT_FAILS(bad, scene.load_forged(table + 16, 2), "virtual_weights has 2 entries", "want 0");
  EXPECT_FAILS(bad, scene.load_forged(table + 16, 0), "virtual_weight_count 0");
  EXPECT_FAILS(bad, scene.load_forged(table, 4), "content hash");
  expect_forgeries_harmless(scene);
}

TEST(VirtualParticles, do_not_hinder_a_cloth) {
  VirtualScene scene(4);
  scene.add();
  scene.step(3);
  VirtualScene loaded(4);
  ASSERT_OK(clothc_fabric_destroy(loaded.fabric));
  ASSERT_OK(loaded.load(scene.blob, &loaded.fabric));
  loaded.add();
  loaded.step(3);
  EXPECT_EQ(scene.hash(), loaded.hash());
}

// One virtual particle touches a sphere. Another one, in the same batch, has a corner that an area which is much too large
// has thrown so far that the distances behind it are not finite, and two that fall freely.
TEST(VirtualParticles, without_a_contact_leave_their_corners_alone_whatever_others_do) {
  ThrownParticles thrown(9, true);
  const uint32_t virtual_particles[] = {2, 4, 5, 0, 6, 7, 8, 0};
  const float weights[] = {0.4f, 0.3f, 0.3f};
  thrown.desc.virtual_particle_count = 2;
  thrown.desc.virtual_particles = virtual_particles;
  thrown.desc.virtual_weight_count = 1;
  thrown.desc.virtual_weights = weights;
  std::vector<float> positions(std::begin(ThrownParticles::positions), std::end(ThrownParticles::positions));
  positions.insert(positions.end(), {5, 1, 0, 1, 6, 1, 0, 1, -0.3f, 0, 9, 1, 0.3f, 0, 9.3f, 1, 0, 0, 8.7f, 1});
  std::vector<float> expected;
  for (const clothc_isa isa : {CLOTHC_ISA_SCALAR, CLOTHC_ISA_AUTO}) {
    SceneOptions options = with_own_device(CLOTHC_BACKEND_CPU);
    options.device.isa = isa;
    Scene scene(options);
    scene.replace_fabric(thrown.desc);
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.positions = positions.data();
    const clothc_cloth_id cloth = scene.add(desc);
    const clothc_collider_set_id set = scene.sphere_set(0, 0.05f, 9, 0.2f);
    ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, cloth, &set, 1));
    scene.change_parameters(cloth, [](auto& p) {
      p.friction = 0.5f;
      p.collision_flags |= CLOTHC_COLLISION_VIRTUAL_PARTICLES;
    });
    scene.step();
    EXPECT_GT(scene.status(cloth).non_finite_count, 2u) << "the test is of no use otherwise";
    const std::vector<float> after = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
    if (isa == CLOTHC_ISA_SCALAR) expected = after;
    EXPECT_EQ(after, expected) << "scalar code has batches of one";
    EXPECT_LT(after[6 * 4 + 1], -0.01f) << "the sphere does not push it";
  }
}

}  // namespace
}  // namespace cloths_virtual_particles_test
