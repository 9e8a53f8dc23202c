// scale_test.cpp - cloths of one fabric in several sizes, and with spare particles.
#include "support/scene.h"

using namespace clothc_test;

namespace scale_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(FabricScale);

clothc_cloth_id add_scaled(Scene& scene, float scale) {
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.scale = scale;
  return scene.add(desc);
}

// Twice the size under twice the gravity gives twice the displacements, except for the tiny regularisation length that
// keeps divisions finite.
TEST_P(FabricScale, by_two_is_the_same_motion_twice_as_large) {
  Scene scene(GetParam());
  const clothc_cloth_id twice = add_scaled(scene, 2);
  scene.change_parameters(twice, [](auto& p) { p.gravity[1] *= 2; });
  for (int frame = 0; frame < 40; ++frame) {
    scene.step();
    std::vector<float> small = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    for (size_t k = 0; k < small.size(); ++k) small[k] *= k % 4 == 3 ? 1.0f : 2.0f;
    const std::vector<float> large = scene.get(CLOTHC_CHANNEL_POSITION, twice);
    for (size_t k = 0; k < small.size(); ++k) ASSERT_NEAR(large[k], small[k], 1e-4f) << "frame " << frame;
  }
}

TEST_P(FabricScale, gives_the_bits_of_a_mesh_that_was_scaled_before_cooking) {
  Scene scene(GetParam());
  const clothc_cloth_id half = add_scaled(scene, 0.5f);
  Sheet small = scene.sheet;
  for (float& x : small.positions) x *= 0.5f;
  const clothc_mesh_desc mesh = small.desc();
  clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
  ASSERT_OK(clothc_fabric_cook(scene.device, &mesh, &desc.fabric));
  clothc_cloth_id cooked = 0;
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &cooked));
  for (int frame = 0; frame < 30; ++frame) {
    scene.step();
    ASSERT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, half), scene.get(CLOTHC_CHANNEL_POSITION, cooked)) << frame;
  }
}

TEST_P(FabricScale, is_state_that_clones_and_snapshots_keep) {
  Scene scene(GetParam());
  const clothc_cloth_id large = add_scaled(scene, 1.5f);
  scene.step(3);
  clothc_cloth_id clone = 0;
  ASSERT_OK(clothc_cloth_clone(scene.solver, large, &clone));
  EXPECT_EQ(scene.info(clone).scale, 1.5f);
  const std::vector<uint8_t> bytes = scene.snapshot();
  const uint64_t hash = scene.hash();
  Scene other(GetParam());
  ASSERT_OK(clothc_solver_restore(other.solver, bytes.data(), bytes.size(), &other.fabric, 1));
  EXPECT_EQ(other.hash(), hash);
  EXPECT_EQ(other.info(large).scale, 1.5f);
  scene.step(5);
  other.step(5);
  EXPECT_EQ(other.hash(), scene.hash());
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, clone), scene.get(CLOTHC_CHANNEL_POSITION, large));

  // The same positions with another scale give another hash.
  Scene a(GetParam()), b(GetParam());
  clothc_cloth_desc desc = a.cloth_desc();
  const std::vector<float> positions = a.get(CLOTHC_CHANNEL_POSITION, a.cloth);
  desc.positions = positions.data();
  clothc_cloth_id id = 0;
  ASSERT_OK(clothc_cloth_add(a.solver, &desc, &id));
  desc.fabric = b.fabric;
  desc.scale = 1.01f;
  ASSERT_OK(clothc_cloth_add(b.solver, &desc, &id));
  EXPECT_NE(a.hash(), b.hash());
}

TEST_P(FabricScale, out_of_range_is_refused) {
  Scene scene(GetParam());
  clothc_cloth_id id = 77;
  for (const float scale : {0.0f, -1.0f, 1e-4f, 1e4f, infinity, not_a_number}) {
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.scale = scale;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_add(scene.solver, &desc, &id), "scale", "1e-3 to 1e3");
  }
  EXPECT_EQ(id, 77u);
}

TEST_P(FabricScale, of_an_older_program_is_one) {
  Scene scene(GetParam());
  clothc_cloth_desc desc;
  ASSERT_OK(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &desc, offsetof(clothc_cloth_desc, scale)));
  desc.fabric = scene.fabric;
  // That older program does not know this field.
  desc.scale = not_a_number;
  clothc_cloth_id id = 0;
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &id));
  EXPECT_EQ(scene.info(id).scale, 1.0f);
}

class SpareParticles : public OnEveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backend, SpareParticles, testing::ValuesIn(available_backends()), backend_name);

TEST_P(SpareParticles, take_storage_behind_the_cloth_and_change_nothing_else) {
  Scene plain(GetParam()), scene(GetParam());
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.spare_particle_count = 50;
  clothc_cloth_id spared = 0;
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &spared));
  const clothc_cloth_id next = scene.add();
  plain.add();
  plain.add();
  EXPECT_EQ(scene.info(spared).spare_particle_count, 50u);
  EXPECT_EQ(scene.info(spared).particle_count, 30u);
  EXPECT_GE(scene.info(next).first_particle, scene.info(spared).first_particle + 30 + 50);
  plain.step(5);
  scene.step(5);
  EXPECT_EQ(scene.hash(), plain.hash());

  clothc_cloth_id clone = 0;
  ASSERT_OK(clothc_cloth_clone(scene.solver, spared, &clone));
  EXPECT_EQ(scene.info(clone).spare_particle_count, 50u);
  const std::vector<uint8_t> bytes = scene.snapshot();
  Scene other(GetParam());
  ASSERT_OK(clothc_solver_restore(other.solver, bytes.data(), bytes.size(), &other.fabric, 1));
  EXPECT_EQ(other.info(spared).spare_particle_count, 50u);
  EXPECT_EQ(other.info().largest_hole, scene.info().largest_hole);

  // Removal and compaction free all of the particles.
  const uint32_t hole = Scene(GetParam()).info().largest_hole;
  for (const clothc_cloth_id id : {spared, next, clone}) ASSERT_OK(clothc_cloth_remove(scene.solver, id));
  EXPECT_EQ(scene.info().largest_hole, hole);
  clothc_cloth_id again = 0;
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &again));
  const clothc_cloth_id last = scene.add();
  ASSERT_OK(clothc_cloth_remove(scene.solver, scene.cloth));
  clothc_move moves[2];
  uint32_t count = 2;
  ASSERT_OK(clothc_solver_compact(scene.solver, moves, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(scene.info(last).first_particle, 96u);
}

TEST_P(SpareParticles, count_against_the_capacity) {
  Scene scene(GetParam());
  clothc_cloth_desc desc = scene.cloth_desc();
  clothc_cloth_id id = 0;
  desc.spare_particle_count = 1000;
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_cloth_add(scene.solver, &desc, &id), "1056", "particle_capacity");
  desc.spare_particle_count = (1u << 24) + 1;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_add(scene.solver, &desc, &id), "spare_particle_count",
               "2^24");
}

}  // namespace
}  // namespace scale_test
