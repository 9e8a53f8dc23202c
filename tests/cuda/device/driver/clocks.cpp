// clocks.cpp - see clocks.h.
#include "cuda/device/driver/clocks.h"

#include <algorithm>

namespace clothc::cuda_device {

void merge(Clock& target, const Clock& source) {
  if (target.size() < source.size()) target.resize(source.size());
  for (size_t lane = 0; lane < source.size(); ++lane) target[lane] = std::max(target[lane], source[lane]);
}

void merge(Clock& target, uint32_t lane, uint32_t number) {
  if (target.size() <= lane) target.resize(lane + 1);
  target[lane] = std::max(target[lane], number);
}

uint32_t Lanes::take(const Clock& known) {
  const std::lock_guard lock(mutex_);
  for (auto free = free_.begin(); free != free_.end(); ++free) {
    const uint32_t lane = *free;
    if (last_[lane] > (lane < known.size() ? known[lane] : 0)) continue;
    free_.erase(free);
    return lane;
  }
  last_.push_back(0);
  return static_cast<uint32_t>(last_.size() - 1);
}

void Lanes::give_back(uint32_t lane) {
  const std::lock_guard lock(mutex_);
  free_.push_back(lane);
}

uint32_t Lanes::next_number(uint32_t lane) {
  const std::lock_guard lock(mutex_);
  return ++last_[lane];
}

Lanes& lanes() {
  static Lanes* const only = new Lanes;
  return *only;
}

}  // namespace clothc::cuda_device
