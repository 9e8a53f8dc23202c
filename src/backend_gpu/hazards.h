// hazards.h - tracks the bytes that a stream's commands have accessed since its last barrier, and tells when the next
// barrier is needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::gpu {

// A range of bytes [begin, end) of a block of memory that a command reads or writes. The block is given by a number
// that no other block ever has.
struct MemoryAccess {
  uint64_t block;
  uint64_t begin;
  uint64_t end;
  bool writes;
};

class Hazards {
 public:
  Hazards() { touched_.reserve(most_entries); }

  // Returns whether a command with these accesses needs a barrier before it.
  bool conflict(const MemoryAccess* accesses, size_t count) const {
    if (unknown_ || touched_.size() + count > most_entries) return true;
    for (size_t k = 0; k < count; ++k) {
      const MemoryAccess& next = accesses[k];
      const auto clashes = [&](const MemoryAccess& past) {
        return past.block == next.block && past.begin < next.end && next.begin < past.end &&
               (past.writes || next.writes);
      };
      if (std::any_of(touched_.begin(), touched_.end(), clashes)) return true;
    }
    return false;
  }
  void add(const MemoryAccess* accesses, size_t count) { touched_.insert(touched_.end(), accesses, accesses + count); }
  void barrier_done() {
    touched_.clear();
    unknown_ = false;
  }
  // Makes the next command need a barrier, because the barriers recorded so far may have been discarded.
  void forget() { unknown_ = true; }

 private:
  static constexpr size_t most_entries = 64;
  std::vector<MemoryAccess> touched_;
  bool unknown_ = true;
};

}  // namespace clothc::gpu
