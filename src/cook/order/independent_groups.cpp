// independent_groups.cpp - owns the two ways of splitting a sequence of constraints. By levels: the level of a
// constraint is one more than the highest level of the earlier constraints that share a particle with it; this gives as
// few groups as possible. By cuts: the sequence is cut at each first conflict; this keeps its order, and with it the
// group sizes and the locality that a cooker chose. Cuts are used if they need no more groups than levels.
#include "cook/order/independent_groups.h"

#include <algorithm>

namespace clothc::cook {

void IndependentGroups::split(const uint32_t* pairs, size_t count) {
  group_.resize(count);
  const uint32_t level_count = number_by_level(pairs, count);
  uint32_t group_count = number_by_cut(pairs, count);
  if (group_count > level_count) group_count = number_by_level(pairs, count);

  ends.assign(group_count, 0);
  for (const uint32_t group : group_) ++ends[group];
  for (uint32_t g = 1; g < group_count; ++g) ends[g] += ends[g - 1];
  order.resize(count);
  for (size_t i = count; i-- > 0;) order[--ends[group_[i]]] = static_cast<uint32_t>(i);
  // Filling the groups from the back has turned their ends into their begins.
  std::rotate(ends.begin(), ends.begin() + (group_count > 0), ends.end());
  if (group_count > 0) ends.back() = static_cast<uint32_t>(count);
}

uint32_t IndependentGroups::number_by_cut(const uint32_t* pairs, size_t count) {
  uint32_t group = group_base_;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t a = pairs[i * 2], b = pairs[i * 2 + 1];
    group += last_[a] == group || last_[b] == group;
    last_[a] = last_[b] = group;
    group_[i] = group - group_base_;
  }
  const uint32_t group_count = count > 0 ? group - group_base_ + 1 : 0;
  group_base_ += group_count;
  return group_count;
}

uint32_t IndependentGroups::number_by_level(const uint32_t* pairs, size_t count) {
  uint32_t group_count = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t a = pairs[i * 2], b = pairs[i * 2 + 1];
    const uint32_t group = std::max({last_[a] + 1, last_[b] + 1, group_base_});
    last_[a] = last_[b] = group;
    group_[i] = group - group_base_;
    group_count = std::max(group_count, group_[i] + 1);
  }
  group_base_ += group_count;
  return group_count;
}

}  // namespace clothc::cook
