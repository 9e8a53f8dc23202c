// host_accesses.h - tracks which bytes of the host's memory the lanes of a stream access, and tells which lane must wait
// for which other before an access, so that lanes that have nothing to do with each other do not wait.
// Invariant: it needs memory only when it is made.
#pragma once

#include <vector>

#include "backend_cuda/operations.h"

namespace clothc::cuda {

// The bytes [begin, end) that an operation reads or writes.
struct HostAccess {
  CUdeviceptr begin = 0;
  CUdeviceptr end = 0;
  bool writes = false;
};

class HostAccesses {
 public:
  HostAccesses();

  // Begins the list with this value of the stream's timeline. The lists up to completed have ended.
  void begin_list(uint64_t value, uint64_t completed);
  // Returns whether the lane must wait for the other one before this access.
  bool must_wait(Lane lane, Lane other, const HostAccess& access) const;
  // Notes that the lane waits for all that the other one has been given so far.
  void waits(Lane lane, Lane other);
  // Notes an access of the lane.
  void add(Lane lane, const HostAccess& access);
  // Takes back what waits has noted, because the waits of the present list are dropped. This may cause needless waits.
  void forget_waits();

 private:
  struct Entry {
    HostAccess access;
    // Of the list that makes the access.
    uint64_t value;
    // The lanes whose next operations come after the access, a bit each.
    uint32_t followers;
  };
  // Makes one entry of all, which comes to more waits at most.
  static void merge(std::vector<Entry>& entries);

  // By the lane that makes the access.
  std::array<std::vector<Entry>, lane_count> entries_;
  uint64_t value_ = 0;
};

}  // namespace clothc::cuda
