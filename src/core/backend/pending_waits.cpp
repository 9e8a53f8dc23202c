// pending_waits.cpp - keeps the waits of the last lists, and asks their timelines.
#include "core/backend/pending_waits.h"

#include <algorithm>

namespace clothc {

void PendingWaits::add(uint64_t list, const std::shared_ptr<Timeline>& timeline, uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Entry& entry = entries_[next_];
  entry.list = list;
  entry.timeline = timeline;
  entry.value = value;
  next_ = (next_ + 1) % entries_.size();
}

bool PendingWaits::are_over(uint64_t list) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::all_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    if (entry.list > list) return true;
    const std::shared_ptr<Timeline> timeline = entry.timeline.lock();
    return timeline == nullptr || timeline->value() >= entry.value;
  });
}

}  // namespace clothc
