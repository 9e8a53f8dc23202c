// pending_waits.h - the timelines that the last lists of a stream wait for, so that a thread can tell whether these lists
// still need somebody who raises a timeline. Any thread may call everything here but reserve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/backend/timeline.h"

namespace clothc {

class PendingWaits {
 public:
  // Makes room for that number of lists that wait. Must be called before the first list is added.
  void reserve(size_t count) { entries_.resize(count); }
  // Notes that the list of commands with that value waits for the timeline, and forgets the list that was added as many
  // calls before as there is room for, which must have ended. Cannot fail.
  void add(uint64_t list, const std::shared_ptr<Timeline>& timeline, uint64_t value);
  // Returns whether the timelines that lists up to this one wait for have been raised, as far as the host knows.
  bool are_over(uint64_t list) const;

 private:
  struct Entry {
    uint64_t list = 0;
    // The list owns the timeline, so that once nobody owns it the list has ended.
    std::weak_ptr<Timeline> timeline;
    uint64_t value = 0;
  };

  mutable std::mutex mutex_;
  // A ring buffer, where next_ is the oldest entry.
  std::vector<Entry> entries_;
  size_t next_ = 0;
};

}  // namespace clothc
