// timers.h - the times of updates that a program asked for. They arrive some updates later, without waiting.
#pragma once

#include <memory>
#include <vector>

#include "core/solver/command_queue.h"

namespace clothc {

// The times of an update that is being queued. If they were not asked for, nothing happens.
class UpdateTimer {
 public:
  // times: null if they were not asked for.
  UpdateTimer(CommandList& commands, std::shared_ptr<UpdateTimes> times)
      : commands_(commands), times_(std::move(times)) {}
  bool is_active() const { return times_ != nullptr; }
  // Notes the time at which what has been queued so far will have ended.
  void mark(UpdateTimes::Point point) {
    if (times_ != nullptr) commands_.add(Mark{times_, point});
  }
  // Returns where the device is to add the times of a dispatch.
  std::shared_ptr<DispatchTimes> of(DispatchTimes UpdateTimes::*dispatch) const {
    if (times_ == nullptr) return nullptr;
    return {times_, &(times_.get()->*dispatch)};
  }

 private:
  CommandList& commands_;
  std::shared_ptr<UpdateTimes> times_;
};

class Timers {
 public:
  explicit Timers(CommandQueue& queue) : queue_(queue) {}

  // What is known of an update when it is queued.
  struct Counts {
    // Number of the update, from 1 on.
    uint64_t update = 0;
    uint32_t particles = 0;
    uint32_t constraints = 0;
    uint32_t iterations = 0;
  };

  // Makes the times of an update. Throws Failure if the device measures none.
  std::shared_ptr<UpdateTimes> make();
  // Queues a copy of the number of contacts of the next update to be expected, which is a word of device memory.
  void count_contacts(const DeviceRange& number);
  // Call this once the update has been queued.
  void expect(std::shared_ptr<UpdateTimes> times, const Counts& counts, bool has_contacts);
  // Returns the times of the last update whose times have arrived; all zero if there is none.
  clothc_timers latest();

 private:
  struct Expected {
    std::shared_ptr<UpdateTimes> times;
    Counts counts;
    bool has_contacts;
    // Where the number of contacts is, in bytes.
    uint64_t contacts_at;
  };
  clothc_timers read(const Expected& expected) const;

  CommandQueue& queue_;
  // In the order of the updates. The last one that has arrived stays the first one here.
  std::vector<Expected> expected_;
  // Numbers of contacts, as the device has written them, and where that of the next timed update goes. Slots are used in
  // turn by timed updates, of which fewer than slots are in flight, so that none is overwritten before it is read.
  MemoryPointer contacts_;
  uint64_t next_slot_ = 0;
};

}  // namespace clothc
