// independent_groups.h - splits a sequence of constraints into groups that share no particle, keeping its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::cook {

// Solving the groups one after the other, each in any order, equals solving the constraints in their order: for every
// particle the order of its constraints is kept.
class IndependentGroups {
 public:
  explicit IndependentGroups(uint32_t particle_count) : last_(particle_count, 0) {}

  // Splits pairs[0 .. count) ([count][2] particles). Afterwards order lists the constraints group by group, in their
  // order within a group, and ends has the end of each group in it.
  void split(const uint32_t* pairs, size_t count);

  std::vector<uint32_t> order;
  std::vector<uint32_t> ends;

 private:
  uint32_t number_by_cut(const uint32_t* pairs, size_t count);
  uint32_t number_by_level(const uint32_t* pairs, size_t count);

  std::vector<uint32_t> last_;   // [particles] the group of its last constraint, counted on over all splits
  uint32_t group_base_ = 1;      // groups below it belong to earlier splits
  std::vector<uint32_t> group_;  // [constraints]
};

}  // namespace clothc::cook
