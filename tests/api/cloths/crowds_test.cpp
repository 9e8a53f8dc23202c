// crowds_test.cpp - many cloths that share a fabric, which workers of the CPU solve 16 at a time: each of them moves as it
// does on its own, whatever its settings are and whether it sleeps. Passes solve each cloth on its own.
#include <limits>

#include "support/scene.h"

using namespace clothc_test;

namespace crowds_test {
namespace {

constexpr uint32_t cloth_count = 96;

// Cloths that differ in all that may differ within a crowd, and some that may be in none.
class ManyCloths : public Scene {
 public:
  explicit ManyCloths(const SceneOptions& options) : Scene(options) {
    for (uint32_t k = 0; k < cloth_count; ++k) cloths.push_back(add_one(k));
  }
  std::vector<clothc_cloth_id> cloths;

 private:
  clothc_cloth_id add_one(uint32_t k) {
    const float part = static_cast<float>(k) / cloth_count;
    clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
    parameters.gravity[0] = 3 * part;
    parameters.stiffness_frequency = 10 + part;
    parameters.damping[1] = 0.5f * part;
    const bool in_second_half = k >= cloth_count / 2;
    if (!in_second_half) parameters.hierarchy_stiffness = 0;
    if (k % 5 == 4) parameters.solver_frequency = 420;
    if (k % 5 == 3) parameters.solver_frequency = 60;
    if (k % 7 == 3) {
      parameters.sleep_threshold = k % 2 == 0 ? 100.0f : 0.01f;
      parameters.sleep_test_interval = 30;
      parameters.sleep_after_count = 1 + k % 3;
    }
    clothc_phase_config phases[3];
    for (uint32_t phase = 0; phase < 3; ++phase) {
      phases[phase] = initialised<clothc_phase_config>();
      phases[phase].phase = k % 6 == 5 ? 2 - phase : phase;
      phases[phase].stiffness = 1 - 0.3f * part;
      if (!in_second_half) continue;
      phases[phase].stiffness_multiplier = 0.4f;
      phases[phase].stretch_limit = 1.05f + part;
    }
    clothc_cloth_desc desc = cloth_desc();
    desc.parameters = &parameters;
    desc.phase_configs = phases;
    desc.phase_config_count = 3;
    desc.scale = 1 + part;
    return add(desc);
  }
};

SceneOptions options_of(clothc_schedule schedule, clothc_isa isa = CLOTHC_ISA_AUTO) {
  SceneOptions options(CLOTHC_BACKEND_CPU);
  options.columns = 9;
  options.rows = 8;
  options.has_cloth = false;
  options.device.isa = isa;
  options.device.worker_count = 2;
  options.solver.schedule = schedule;
  options.solver.cloth_capacity = cloth_count;
  options.solver.particle_capacity = 112 * cloth_count;
  return options;
}

// What programs do between updates.
void change(ManyCloths& scene, int frame) {
  std::vector<clothc_cloth_id>& cloths = scene.cloths;
  if (frame == 3) {
    std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, cloths[2]);
    positions[41] = std::numeric_limits<float>::infinity();
    positions[80] += 0.3f;
    scene.set(CLOTHC_CHANNEL_POSITION, cloths[2], positions);
  }
  if (frame == 4) {
    require(clothc_cloth_remove(scene.solver, cloths[1]));
    scene.change_parameters(cloths[8], [](auto& p) { p.stiffness_frequency = 40; });
  }
  if (frame == 5) require(clothc_cloth_clone(scene.solver, cloths[12], &cloths[1]));
  if (frame == 6) scene.change_parameters(cloths[3], [](auto& p) { p.gravity[1] = -20; });
}

// Number of cloths that sleep, of those that may.
uint32_t sleeping(const ManyCloths& scene) {
  uint32_t count = 0;
  for (uint32_t k = 3; k < cloth_count; k += 7)
    count += (scene.status(scene.cloths[k]).flags & CLOTHC_STATUS_ASLEEP) != 0 ? 1 : 0;
  return count;
}

std::vector<uint64_t> hashes_of(const SceneOptions& options) {
  ManyCloths scene(options);
  std::vector<uint64_t> hashes;
  for (int frame = 0; frame < 9; ++frame) {
    change(scene, frame);
    scene.step(1, frame == 7 ? 0 : 1 / 60.0f);
    hashes.push_back(scene.hash());
    // Those with the higher threshold, which is every second one.
    if (frame == 5) {
      EXPECT_EQ(sleeping(scene), 7u);
    }
  }
  return hashes;
}

// Only the CPU has crowds.
TEST(Crowds, move_as_their_cloths_do_alone) {
  const std::vector<uint64_t> expected = hashes_of(options_of(CLOTHC_SCHEDULE_PASS));
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(Scene(CLOTHC_BACKEND_CPU).device, &info));
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((info.isa_mask >> isa & 1) == 0) continue;
    EXPECT_EQ(hashes_of(options_of(CLOTHC_SCHEDULE_CLOTH, isa)), expected) << "isa " << isa;
  }
}

}  // namespace
}  // namespace crowds_test
