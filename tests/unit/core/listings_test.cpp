// listings_test.cpp - the cloths that list a collider set, while cloths and sets are added and removed.
#include "core/solver/listings.h"

#include <set>

#include <gtest/gtest.h>

namespace clothc {
namespace {

using List = std::vector<uint32_t>;

TEST(Listings, name_the_cloths_of_each_set_sorted) {
  Listings listings;
  std::vector<std::set<uint32_t>> expected(50);
  uint32_t random = 1;
  for (int k = 0; k < 20000; ++k) {
    random = random * 1664525u + 1013904223u;
    const uint32_t set = random >> 8 & 31, cloth = random >> 16 & 127;
    if (expected[set].insert(cloth).second) {
      listings.reserve(set);
      listings.add(set, cloth);
    } else if (k % 100 == 0) {
      expected[set].clear();
      listings.clear(set);
    } else {
      expected[set].erase(cloth);
      listings.remove(set, cloth);
    }
    ASSERT_EQ(listings.of(set), List(expected[set].begin(), expected[set].end()));
  }
}

TEST(Listings, of_a_set_that_nobody_listed_are_empty) {
  Listings listings;
  EXPECT_EQ(listings.of(7), List());
  listings.clear(7);
  listings.reserve(3);
  EXPECT_EQ(listings.of(3), List());
}

}  // namespace
}  // namespace clothc
