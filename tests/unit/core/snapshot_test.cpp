// snapshot_test.cpp - snapshots with a correct checksum and bad contents, as tampering produces them. Restoring gives
// an error or a state that can be updated, and never crashes.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/solver/solver.h"
#include "support/scene.h"
#include "support/snapshot_damage.h"

using namespace clothc_test;

namespace core_snapshot_test {
namespace {

// Two cloths of one quad each with one corner pinned and another one split, above a sphere and a plane.
struct QuadScene : Scene {
  QuadScene() : Scene(options()) {
    Sheet quad(2, 2, 1, 0);
    quad.inverse_masses[1] = 1;
    replace_fabric(quad.desc());
    const float sphere[4] = {0, -1, 0, 0.5f};
    const float plane[4] = {0, 1, 0, 1};
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.sphere_count = shapes.plane_count = 1;
    shapes.spheres = sphere;
    shapes.planes = plane;
    clothc_collider_set_id set = 0;
    require(clothc_collider_set_create(solver, &set));
    require(clothc_collider_set_write(solver, set, &shapes));
    clothc_cloth_desc desc = cloth_desc();
    desc.collider_sets = &set;
    desc.collider_set_count = 1;
    desc.spare_particle_count = 2;
    for (int k = 0; k < 2; ++k) cut(add(desc));
    step(1, 1.0f / 300);
  }
  // Splits a particle, and moves the first constraint or triangle that names it.
  void cut(clothc_cloth_id id) const {
    auto& inside = static_cast<clothc::Solver&>(
        *clothc::handle_table().find(reinterpret_cast<uintptr_t>(solver), clothc::ObjectKind::solver));
    clothc::Cloth& cloth = inside.cloths().get(id);
    const uint32_t split = inside.cloths().split_particle(cloth, 1);
    const clothc::TopologyChanges& topology = inside.cloths().own_topology(cloth);
    inside.cloths().move_reference(cloth, topology.references_to(cloth.layout().storage_index(1)).front(), split);
  }
  static SceneOptions options() {
    SceneOptions options(CLOTHC_BACKEND_AUTO);
    options.device.worker_count = 1;
    options.solver.particle_capacity = 64;
    options.solver.cloth_capacity = options.solver.collider_set_capacity = 3;
    options.has_cloth = false;
    return options;
  }
};

class Damage : public testing::Test {
 protected:
  // Restores damaged bytes and, if they are accepted, continues to update the solver.
  void expect_survived(std::vector<uint8_t> bytes, const std::string& what) {
    repair(bytes);
    const clothc_result result = clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1);
    ASSERT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_INVALID_ARGUMENT || result == CLOTHC_ERROR_CAPACITY)
        << what << " gave " << clothc_result_name(result) << ": " << clothc_last_error_message();
    ++(result == CLOTHC_SUCCESS ? accepted : refused);
    if (result != CLOTHC_SUCCESS) return;
    SCOPED_TRACE(what);
    scene.step(1, 1.0f / 300);
    uint32_t count = 3;
    clothc_cloth_id ids[3];
    ASSERT_OK(clothc_cloth_list(scene.solver, ids, &count));
    for (uint32_t k = 0; k < count; ++k) {
      const clothc_cloth_status status = scene.status(ids[k]);
      for (const float bound : status.bounds_minimum) EXPECT_TRUE(std::isfinite(bound));
    }
    scene.hash();
    for (uint32_t k = 0; k < count; ++k) ASSERT_OK(clothc_cloth_remove(scene.solver, ids[k]));
  }

  QuadScene scene;
  const std::vector<uint8_t> good = scene.snapshot();
  int accepted = 0;
  int refused = 0;
};

TEST_F(Damage, words_of_any_value_anywhere_are_survived) {
  const uint32_t values[] = {0,
                             1,
                             3,
                             0x7fffffff,
                             0x80000000,
                             0xffffffff,
                             0x7fc00000 /* nan */,
                             0x7f800000 /* inf */,
                             0x7f7fffff /* the largest float */,
                             0x100000};
  for (size_t at = 16; at + 4 <= good.size(); at += 4) {
    for (const uint32_t value : values) {
      std::vector<uint8_t> bytes = good;
      std::memcpy(&bytes[at], &value, 4);
      expect_survived(bytes, "word at " + std::to_string(at) + " = " + std::to_string(value));
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

TEST_F(Damage, bytes_inserted_and_removed_anywhere_are_survived) {
  for (size_t at = 16; at < good.size(); at += 3) {
    std::vector<uint8_t> shorter = good, longer = good;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(at));
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(at), uint8_t{1});
    expect_survived(shorter, "byte removed at " + std::to_string(at));
    expect_survived(longer, "byte inserted at " + std::to_string(at));
    shorter.resize(at);
    expect_survived(shorter, "ends at " + std::to_string(at));
  }
  expect_survived(good, "no damage");
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace core_snapshot_test
