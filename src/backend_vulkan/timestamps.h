// timestamps.h - the queries of the timestamps that the GPU writes during an update whose times were asked for.
#pragma once

#include <memory>
#include <vector>

#include "backend_gpu/timed_intervals.h"
#include "backend_vulkan/gpu.h"

namespace clothc::vulkan {

class Timestamps {
 public:
  // Makes space for as many timestamps as recording the list needs.
  Timestamps(const GpuPointer& gpu, const CommandList& list, std::shared_ptr<UpdateTimes> times);
  ~Timestamps();
  Timestamps(const Timestamps&) = delete;
  Timestamps& operator=(const Timestamps&) = delete;

  gpu::TimedIntervals& intervals() { return intervals_; }
  // Must be recorded before the first timestamp.
  void record_reset(VkCommandBuffer commands);
  // Records a timestamp that intervals() has numbered.
  void record(VkCommandBuffer commands, uint32_t number);

  // Fills the times, and completes them. The commands must have ended.
  void collect();

 private:
  GpuPointer gpu_;
  gpu::TimedIntervals intervals_;
  VkQueryPool pool_ = VK_NULL_HANDLE;
  // What the GPU has written, so that collecting it needs no memory.
  std::vector<uint64_t> ticks_;
};

}  // namespace clothc::vulkan
