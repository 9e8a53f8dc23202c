// cloths_by_range_test.cpp - a lookup by region among a thousand cloths returns the region's cloths and visits no
// others.
#include "core/solver/cloths_by_range.h"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

namespace clothc::cloths_by_range_test {
namespace {

// Cloths of 1 to 40 particles with holes between them, inserted in scrambled order.
struct ManyCloths {
  std::vector<std::unique_ptr<Cloth>> cloths;
  ClothsByRange by_range;
  uint32_t end = 0;
  explicit ManyCloths(uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) {
      auto fabric = std::make_shared<FabricLayout>();
      fabric->particle_count = k * 7 % 40 + 1;
      auto topology = std::make_shared<ClothTopology>();
      topology->layout = fabric;
      cloths.push_back(std::make_unique<Cloth>());
      cloths.back()->topology = topology;
      cloths.back()->first_particle = end;
      end += Cloth::range_for(padded(fabric->particle_count)) + k % 3 * 16;
    }
    for (uint32_t k = 0; k < count; ++k) {
      by_range.reserve();
      // 619 is prime, so this visits each cloth once.
      by_range.insert(cloths[uint64_t{k} * 619 % count].get());
    }
  }
  std::vector<const Cloth*> all_between(uint32_t first, uint32_t last) const {
    std::vector<const Cloth*> found;
    for (const auto& cloth : cloths) {
      if (cloth->first_particle < last && first < cloth->first_particle + cloth->particle_count())
        found.push_back(cloth.get());
    }
    return found;
  }
};

std::vector<const Cloth*> as_list(const ClothsByRange::Found& found) { return {found.begin(), found.end()}; }

TEST(ClothsByRange, a_region_for_each_cloth_walks_each_cloth_once) {
  const ManyCloths many(1000);
  size_t walked = 0;
  for (const auto& cloth : many.cloths) {
    const auto found = many.by_range.between(cloth->first_particle, cloth->first_particle + cloth->particle_count());
    ASSERT_EQ(as_list(found), std::vector<const Cloth*>{cloth.get()});
    walked += static_cast<size_t>(found.end() - found.begin());
  }
  EXPECT_EQ(walked, many.cloths.size());
}

TEST(ClothsByRange, any_region_names_the_cloths_that_it_overlaps_in_order_of_their_ranges) {
  ManyCloths many(100);
  for (int round = 0; round < 3; ++round) {
    for (uint32_t first = 0; first <= many.end; first += 5) {
      for (const uint32_t count : {0u, 1u, 3u, 50u, 1000u, 100000u}) {
        ASSERT_EQ(as_list(many.by_range.between(first, first + count)), many.all_between(first, first + count))
            << first << " + " << count;
      }
    }
    for (int k = 0; k < 30; ++k) {
      const size_t index = static_cast<size_t>(k) * 37 % many.cloths.size();
      many.by_range.erase(many.cloths[index].get());
      many.cloths.erase(many.cloths.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }
  EXPECT_EQ(as_list(many.by_range.all()).size(), 10u);
}

}  // namespace
}  // namespace clothc::cloths_by_range_test
