// clocks.h - the vector clocks by which the interpreter tells whether two operations are ordered. Operations of a lane
// follow each other: a stream has a lane, and so has each branch of a graph.
// Source: Fidge 1988; Mattern 1989.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace clothc::cuda_device {

// For each lane, the number of the last operation that is known to have ended.
using Clock = std::vector<uint32_t>;

void merge(Clock& target, const Clock& source);
void merge(Clock& target, uint32_t lane, uint32_t number);

// All lanes. A lane that is given back is used again for operations that come after all of its operations.
class Lanes {
 public:
  // Known is what a new operation knows that the host submits.
  uint32_t take(const Clock& known);
  void give_back(uint32_t lane);
  uint32_t next_number(uint32_t lane);

 private:
  std::mutex mutex_;
  // The last number of each lane.
  std::vector<uint32_t> last_;
  std::deque<uint32_t> free_;
};

Lanes& lanes();

// A lane that its owner gives back at its end.
class Lane {
 public:
  explicit Lane(const Clock& known) : index_(lanes().take(known)) {}
  ~Lane() { lanes().give_back(index_); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  uint32_t index() const { return index_; }

 private:
  const uint32_t index_;
};

}  // namespace clothc::cuda_device
