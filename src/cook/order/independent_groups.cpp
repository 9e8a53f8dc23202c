// independent_groups.cpp - owns the two ways of splitting a sequence of constraints. By levels: the level of a
// constraint is one more than the highest level of the earlier constraints that share a particle with it; this gives as
// few groups as possible. By cuts: the sequence is cut at each first conflict; this keeps its order, and with it the
// group sizes and the locality that a cooker chose. Cuts are used unless they need over a quarter more groups than
// levels.
#include "cook/order/independent_groups.h"

#include <algorithm>

namespace clothc::cook {

void IndependentGroups::split(const uint32_t* particles, uint32_t arity, size_t count) {
  switch (arity) {
    case 1:
      return split_groups<1>(particles, count);
    case 2:
      return split_groups<2>(particles, count);
    case 3:
      return split_groups<3>(particles, count);
    default:
      return split_groups<4>(particles, count);
  }
}

template <uint32_t arity>
void IndependentGroups::split_groups(const uint32_t* particles, size_t count) {
  group_.resize(count);
  const uint32_t level_count = number_by_level<arity>(particles, count);
  uint32_t group_count = number_by_cut<arity>(particles, count);
  if (group_count > level_count + level_count / 4) group_count = number_by_level<arity>(particles, count);

  ends.assign(group_count, 0);
  for (const uint32_t group : group_) ++ends[group];
  for (uint32_t g = 1; g < group_count; ++g) ends[g] += ends[g - 1];
  order.resize(count);
  for (size_t i = count; i-- > 0;) order[--ends[group_[i]]] = static_cast<uint32_t>(i);
  // Filling the groups from the back has turned their ends into their begins.
  std::rotate(ends.begin(), ends.begin() + (group_count > 0), ends.end());
  if (group_count > 0) ends.back() = static_cast<uint32_t>(count);
}

template <uint32_t arity>
uint32_t IndependentGroups::number_by_cut(const uint32_t* particles, size_t count) {
  uint32_t group = group_base_;
  for (size_t i = 0; i < count; ++i) {
    bool is_taken = false;
    for (uint32_t k = 0; k < arity; ++k) is_taken = is_taken || last_of(particles[i * arity + k]) == group;
    group += is_taken;
    for (uint32_t k = 0; k < arity; ++k) set_last(particles[i * arity + k], group);
    group_[i] = group - group_base_;
  }
  const uint32_t group_count = count > 0 ? group - group_base_ + 1 : 0;
  group_base_ += group_count;
  return group_count;
}

template <uint32_t arity>
uint32_t IndependentGroups::number_by_level(const uint32_t* particles, size_t count) {
  uint32_t group_count = 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t group = group_base_;
    for (uint32_t k = 0; k < arity; ++k) group = std::max(group, last_of(particles[i * arity + k]) + 1);
    for (uint32_t k = 0; k < arity; ++k) set_last(particles[i * arity + k], group);
    group_[i] = group - group_base_;
    group_count = std::max(group_count, group_[i] + 1);
  }
  group_base_ += group_count;
  return group_count;
}

}  // namespace clothc::cook
