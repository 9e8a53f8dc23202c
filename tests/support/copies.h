// copies.h - copies and moves cloths by cloning, compaction and snapshots, all in one call, for tests of what cloths
// keep through these operations.
#pragma once

#include "support/scene.h"

namespace clothc_test {

inline void restore(Scene& scene, const std::vector<uint8_t>& bytes) {
  ASSERT_OK(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
}

// Closes the holes in the particle arrays, of which there must be some.
inline void expect_compaction_changes_no_state(Scene& scene) {
  const uint64_t hash = scene.hash();
  uint32_t count = 0;
  EXPECT_EQ(clothc_solver_compact(scene.solver, nullptr, &count), CLOTHC_INCOMPLETE);
  EXPECT_GT(count, 0u);
  EXPECT_EQ(scene.hash(), hash);
}

// Clones a cloth, moves it and its clone to where the scene's first cloth was, and restores the rest of the scene into
// another solver. Returns the clone.
inline clothc_cloth_id copy_in_every_way(Scene& scene, clothc_cloth_id first, clothc_cloth_id cloth, Scene& other) {
  clothc_cloth_id copy = 0;
  EXPECT_OK(clothc_cloth_clone(scene.solver, cloth, &copy));
  EXPECT_OK(clothc_cloth_remove(scene.solver, first));
  expect_compaction_changes_no_state(scene);
  restore(other, scene.snapshot());
  return copy;
}

}  // namespace clothc_test
