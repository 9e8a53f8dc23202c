// hazards.h - tracks the bytes that a stream's commands have accessed since its last barrier, and tells when the next
// barrier is needed.
#pragma once

#include <algorithm>
#include <vector>

#include "backend_vulkan/memory.h"

namespace clothc::vulkan {

// A range of bytes [begin, end) of a block that a command reads or writes.
struct Access {
  const Block* block;
  uint64_t begin;
  uint64_t end;
  bool writes;
};

class Hazards {
 public:
  Hazards() { touched_.reserve(most_entries); }

  // Returns whether a command with these accesses needs a barrier before it.
  bool conflict(const Access* accesses, size_t count) const {
    if (unknown_ || touched_.size() + count > most_entries) return true;
    for (size_t k = 0; k < count; ++k) {
      const Access& next = accesses[k];
      const auto clashes = [&](const Entry& past) {
        return past.block == next.block->number() && past.begin < next.end && next.begin < past.end &&
               (past.writes || next.writes);
      };
      if (std::any_of(touched_.begin(), touched_.end(), clashes)) return true;
    }
    return false;
  }
  void add(const Access* accesses, size_t count) {
    for (size_t k = 0; k < count; ++k)
      touched_.push_back({accesses[k].block->number(), accesses[k].begin, accesses[k].end, accesses[k].writes});
  }
  void barrier_done() {
    touched_.clear();
    unknown_ = false;
  }
  // Makes the next command need a barrier, because the barriers recorded so far may have been discarded.
  void forget() { unknown_ = true; }

 private:
  static constexpr size_t most_entries = 64;
  struct Entry {
    uint64_t block;
    uint64_t begin;
    uint64_t end;
    bool writes;
  };
  std::vector<Entry> touched_;
  bool unknown_ = true;
};

}  // namespace clothc::vulkan
