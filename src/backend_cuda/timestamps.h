// timestamps.h - the events that tell the times of an update whose times were asked for. They are read when the update
// has ended, so that nothing waits for them. All of them are of Lane::work, where kernels run: the end of an update does
// not include the downloads of bound channels, which may run beside later updates.
#pragma once

#include <memory>
#include <vector>

#include "backend_cuda/gpu.h"
#include "backend_gpu/timed_intervals.h"

namespace clothc::cuda {

class Timestamps {
 public:
  // Makes as many events as the list needs. The context must be current. Throws Failure.
  Timestamps(GpuPointer gpu, const CommandList& list, std::shared_ptr<UpdateTimes> times);
  ~Timestamps();
  Timestamps(const Timestamps&) = delete;
  Timestamps& operator=(const Timestamps&) = delete;

  gpu::TimedIntervals& intervals() { return intervals_; }
  // Returns the event of a timestamp that intervals() has numbered.
  CUevent event(uint32_t number) const { return events_[number]; }

  // Fills the times, and completes them. The work must have ended, and the context must be current.
  void collect();

 private:
  void release();

  GpuPointer gpu_;
  gpu::TimedIntervals intervals_;
  std::vector<CUevent> events_;
  // So that collecting needs no memory.
  std::vector<uint64_t> nanoseconds_;
};

}  // namespace clothc::cuda
