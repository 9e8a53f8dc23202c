// independent_groups.h - splits a sequence of constraints into groups. Invariants: no two constraints of a group share
// a particle, and the groups give the same result as the sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::cook {

// Solving the groups one after the other, with the constraints of each group in any order, gives the same result as
// solving the constraints in their original order, because the constraints of every particle keep their order.
class IndependentGroups {
 public:
  // Stands for a particle that a constraint may share with others of its group.
  static constexpr uint32_t no_particle = 0xffffffffu;

  explicit IndependentGroups(uint32_t particle_count) : last_(particle_count, 0) {}

  // particles: [count][arity] particles of the constraints, of 1 to 4 each. Afterwards, order lists the constraints
  // group by group, in their original order within each group, and ends has the end of each group in order.
  void split(const uint32_t* particles, uint32_t arity, size_t count);

  std::vector<uint32_t> order;
  std::vector<uint32_t> ends;

 private:
  template <uint32_t arity>
  void split_groups(const uint32_t* particles, size_t count);
  template <uint32_t arity>
  uint32_t number_by_cut(const uint32_t* particles, size_t count);
  template <uint32_t arity>
  uint32_t number_by_level(const uint32_t* particles, size_t count);
  // The group of the latest constraint of a particle, or 0.
  uint32_t last_of(uint32_t particle) const { return particle == no_particle ? 0 : last_[particle]; }
  void set_last(uint32_t particle, uint32_t group) {
    if (particle != no_particle) last_[particle] = group;
  }

  // [particles] the group of the latest constraint of each particle. The numbers of groups go on over all calls, so
  // that the array need not be cleared.
  std::vector<uint32_t> last_;
  // Groups with numbers below this belong to earlier calls.
  uint32_t group_base_ = 1;
  // [constraints] group of each constraint, counted from group_base_.
  std::vector<uint32_t> group_;
};

}  // namespace clothc::cook
