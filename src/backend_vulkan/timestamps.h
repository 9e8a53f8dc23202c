// timestamps.h - the timestamps that the GPU writes during an update whose times were asked for, and what the time
// between each two of them counts for.
#pragma once

#include <memory>
#include <vector>

#include "backend_vulkan/gpu.h"
#include "core/backend/commands.h"

namespace clothc::vulkan {

class Timestamps {
 public:
  // Makes space for as many timestamps as recording the list needs.
  Timestamps(const GpuPointer& gpu, const CommandList& list, std::shared_ptr<UpdateTimes> times);
  ~Timestamps();
  Timestamps(const Timestamps&) = delete;
  Timestamps& operator=(const Timestamps&) = delete;

  // Number of the repetitions of a dispatch whose passes get timestamps. The other repetitions count as being like
  // them.
  static uint32_t timed_repetitions(const Dispatch& dispatch);

  // Must be recorded before the first timestamp.
  void record_reset(VkCommandBuffer commands);
  // These record a timestamp: for a point in time, or to begin with, or for the time since the timestamp before.
  void record_point(VkCommandBuffer commands, UpdateTimes::Point point);
  void record_begin(VkCommandBuffer commands);
  void record_end(VkCommandBuffer commands, const Dispatch& dispatch, DispatchTimes::Part part, Stage stage);
  // The same, but the time is divided among stages like that of the part's timestamps so far.
  void record_end(VkCommandBuffer commands, const Dispatch& dispatch, DispatchTimes::Part part);

  // Fills the times, and completes them. The commands must have ended.
  void collect();

 private:
  // What the time from the timestamp before to this one counts for: nothing if times is null.
  struct Interval {
    std::shared_ptr<DispatchTimes> times;
    DispatchTimes::Part part = DispatchTimes::before;
    Stage stage = Stage::none;
    bool by_samples = false;
    // The point in time at which this timestamp is, or point_count.
    UpdateTimes::Point point = UpdateTimes::point_count;
  };
  void record(VkCommandBuffer commands, Interval interval);

  GpuPointer gpu_;
  std::shared_ptr<UpdateTimes> times_;
  VkQueryPool pool_ = VK_NULL_HANDLE;
  uint32_t capacity_ = 0;
  std::vector<Interval> intervals_;
  // What the GPU has written, so that collecting it needs no memory.
  std::vector<uint64_t> ticks_;
};

}  // namespace clothc::vulkan
