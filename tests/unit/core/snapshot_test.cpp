// snapshot_test.cpp - snapshots with a correct checksum and bad contents, as tampering produces them. Restoring gives
// an error or a state that can be updated, and never crashes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "clothc.h"
#include "core/base/structs.h"

namespace {

using clothc::make_default;

// Computes the checksum as snapshot.cpp does: FNV-1a over all bytes after the header.
void repair_checksum(std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t k = 16; k < bytes.size(); ++k) hash = (hash ^ bytes[k]) * 0x100000001b3u;
  for (unsigned k = 0; k < 8; ++k) bytes[8 + k] = static_cast<uint8_t>(hash >> (8 * k));
}

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    clothc_device_desc device_desc = make_default<clothc_device_desc>();
    device_desc.worker_count = 1;
    ASSERT_EQ(clothc_device_create(&device_desc, &device), CLOTHC_SUCCESS);
    clothc_solver_desc solver_desc = make_default<clothc_solver_desc>();
    solver_desc.particle_capacity = 64;
    solver_desc.cloth_capacity = solver_desc.collider_set_capacity = 3;
    ASSERT_EQ(clothc_solver_create(device, &solver_desc, &solver), CLOTHC_SUCCESS);
    const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
    const float inverse_masses[4] = {0, 1, 1, 1};
    const uint32_t quad[4] = {0, 1, 3, 2};
    clothc_mesh_desc mesh = make_default<clothc_mesh_desc>();
    mesh.vertex_count = 4;
    mesh.positions = positions;
    mesh.inverse_masses = inverse_masses;
    mesh.quad_count = 1;
    mesh.quads = quad;
    ASSERT_EQ(clothc_fabric_cook(device, &mesh, &fabric), CLOTHC_SUCCESS);
    const float sphere[4] = {0, -1, 0, 0.5f};
    const float plane[4] = {0, 1, 0, 1};
    clothc_collider_shapes shapes = make_default<clothc_collider_shapes>();
    shapes.sphere_count = shapes.plane_count = 1;
    shapes.spheres = sphere;
    shapes.planes = plane;
    clothc_collider_set_id set = 0;
    ASSERT_EQ(clothc_collider_set_create(solver, &set), CLOTHC_SUCCESS);
    ASSERT_EQ(clothc_collider_set_write(solver, set, &shapes), CLOTHC_SUCCESS);
    clothc_cloth_desc cloth = make_default<clothc_cloth_desc>();
    cloth.fabric = fabric;
    cloth.collider_sets = &set;
    cloth.collider_set_count = 1;
    clothc_cloth_id id = 0;
    for (int k = 0; k < 2; ++k) ASSERT_EQ(clothc_cloth_add(solver, &cloth, &id), CLOTHC_SUCCESS);
    step();
    uint64_t size = 0;
    ASSERT_EQ(clothc_solver_snapshot(solver, nullptr, &size), CLOTHC_SUCCESS);
    good.resize(size);
    ASSERT_EQ(clothc_solver_snapshot(solver, good.data(), &size), CLOTHC_SUCCESS);
  }
  void TearDown() override { clothc_device_destroy(device); }

  void step() {
    clothc_update update = make_default<clothc_update>();
    update.dt = 1.0f / 300;
    ASSERT_EQ(clothc_solver_update(solver, &update, nullptr), CLOTHC_SUCCESS);
  }
  // Restores damaged bytes and, if they are accepted, continues to update the solver.
  void expect_survived(std::vector<uint8_t> bytes, const std::string& what) {
    repair_checksum(bytes);
    const clothc_result result = clothc_solver_restore(solver, bytes.data(), bytes.size(), &fabric, 1);
    ASSERT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_INVALID_ARGUMENT || result == CLOTHC_ERROR_CAPACITY)
        << what << " gave " << clothc_result_name(result) << ": " << clothc_last_error_message();
    ++(result == CLOTHC_SUCCESS ? accepted : refused);
    if (result != CLOTHC_SUCCESS) return;
    step();
    uint32_t count = 3;
    clothc_cloth_id ids[3];
    ASSERT_EQ(clothc_cloth_list(solver, ids, &count), CLOTHC_SUCCESS);
    for (uint32_t k = 0; k < count; ++k) {
      clothc_cloth_status status = make_default<clothc_cloth_status>();
      ASSERT_EQ(clothc_cloth_get_status(solver, ids[k], &status), CLOTHC_SUCCESS) << what;
      for (const float bound : status.bounds_minimum) EXPECT_TRUE(std::isfinite(bound)) << what;
    }
    uint64_t hash = 0;
    ASSERT_EQ(clothc_solver_state_hash(solver, &hash), CLOTHC_SUCCESS);
    for (uint32_t k = 0; k < count; ++k) ASSERT_EQ(clothc_cloth_remove(solver, ids[k]), CLOTHC_SUCCESS) << what;
  }

  clothc_device device = nullptr;
  clothc_solver solver = nullptr;
  clothc_fabric fabric = nullptr;
  std::vector<uint8_t> good;
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
