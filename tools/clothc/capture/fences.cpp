// fences.cpp - keeps the highest value of each fence, and the waits above it.
#include "capture/fences.h"

#include <algorithm>

namespace clothc_tool {

void ReplayedFences::raised(clothc_fence fence, uint64_t value) { values_[fence] = std::max(values_[fence], value); }

void ReplayedFences::awaited(clothc_fence fence, uint64_t value) {
  if (values_[fence] < value) waits_.emplace_back(fence, value);
}

bool ReplayedFences::is_stuck() {
  const auto is_over = [&](const auto& wait) { return values_[wait.first] >= wait.second; };
  waits_.erase(std::remove_if(waits_.begin(), waits_.end(), is_over), waits_.end());
  return !waits_.empty();
}

uint32_t ReplayedFences::release() {
  uint32_t count = 0;
  // In ascending order, because a fence only grows.
  std::sort(waits_.begin(), waits_.end());
  for (const auto& [fence, value] : std::exchange(waits_, {})) {
    if (values_[fence] >= value || clothc_fence_signal(fence, value) < 0) continue;
    values_[fence] = value;
    released_[fence] = value;
    ++count;
  }
  return count;
}

bool ReplayedFences::was_released(clothc_fence fence, uint64_t value) const {
  const auto found = released_.find(fence);
  return found != released_.end() && value <= found->second;
}

}  // namespace clothc_tool
