// lifetime_test.cpp - cloths keep what they need of a fabric that is destroyed, and a fabric serves several solvers.
#include "support/scene.h"

using namespace clothc_test;

namespace fabric_lifetime_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(FabricLifetime);

// Everything that a program may ask of a cloth later, so that all that it keeps of its fabric is used.
std::vector<float> use(Scene& scene) {
  scene.step(5);
  clothc_cloth_id clone = 0;
  require(clothc_cloth_clone(scene.solver, scene.cloth, &clone));
  require(clothc_cloth_reset(scene.solver, scene.cloth, nullptr));
  scene.change_parameters(scene.cloth, [](auto& p) {
    p.self_collision_distance = 0.3f;
    p.drag_coefficient = 0.5f;
    p.fluid_density = 1.2f;
    p.wind_velocity[0] = 3;
  });
  clothc_phase_config config = initialised<clothc_phase_config>();
  config.stiffness = 0.5f;
  require(clothc_cloth_set_phases(scene.solver, clone, &config, 1));
  scene.step(10);
  std::vector<float> all = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (const clothc_channel channel : {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_NORMAL}) {
    const std::vector<float> more = scene.get(channel, clone);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

TEST_P(FabricLifetime, ends_without_a_trace_in_the_cloths) {
  Scene living(GetParam()), orphaned(GetParam());
  ASSERT_OK(clothc_fabric_destroy(orphaned.fabric));
  const std::vector<float> expected = use(living), found = use(orphaned);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(orphaned.hash(), living.hash());
  // The scene destroys its fabric at the end.
  orphaned.fabric = cook_fabric(orphaned.device, orphaned.sheet.desc());
}

TEST_P(FabricLifetime, is_long_enough_for_several_solvers) {
  Scene scene(GetParam());
  scene.step(10);
  for (int round = 0; round < 2; ++round) {
    const clothc_solver other = create_solver(scene.device, SceneOptions(GetParam()).solver);
    add_cloth(other, scene.cloth_desc());
    for (int frame = 0; frame < 10; ++frame) update_solver(other, 1.0f / 60);
    EXPECT_EQ(state_hash(other), scene.hash()) << "solver " << round + 2;
    ASSERT_OK(clothc_solver_destroy(other));
  }
}

}  // namespace
}  // namespace fabric_lifetime_test
