// collider_set_users_test.cpp - the cloths that use a collider set, while cloths and sets are added and removed.
#include "core/solver/collider_set_users.h"

#include <set>

#include <gtest/gtest.h>

namespace clothc::collider_set_users_test {
namespace {

std::vector<uint32_t> slots_of(const std::vector<Cloth*>& cloths) {
  std::vector<uint32_t> slots;
  for (const Cloth* cloth : cloths) slots.push_back(cloth->slot);
  return slots;
}

TEST(ColliderSetUsers, are_the_cloths_of_each_set_sorted_by_slot) {
  ColliderSetUsers users;
  std::vector<Cloth> cloths(128);
  for (uint32_t slot = 0; slot < cloths.size(); ++slot) cloths[slot].slot = slot;
  std::vector<std::set<uint32_t>> expected(50);
  uint32_t random = 1;
  for (int k = 0; k < 20000; ++k) {
    random = random * 1664525u + 1013904223u;
    const uint32_t set = random >> 8 & 31, slot = random >> 16 & 127;
    if (expected[set].insert(slot).second) {
      users.reserve(set);
      users.add(set, cloths[slot]);
    } else if (k % 100 == 0) {
      expected[set].clear();
      users.clear(set);
    } else {
      expected[set].erase(slot);
      users.remove(set, cloths[slot]);
    }
    ASSERT_EQ(slots_of(users.of(set)), std::vector<uint32_t>(expected[set].begin(), expected[set].end()));
  }
}

TEST(ColliderSetUsers, of_a_set_that_no_cloth_uses_are_none) {
  ColliderSetUsers users;
  EXPECT_TRUE(users.of(7).empty());
  users.clear(7);
  users.reserve(3);
  EXPECT_TRUE(users.of(3).empty());
}

}  // namespace
}  // namespace clothc::collider_set_users_test
