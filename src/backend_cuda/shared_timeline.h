// shared_timeline.h - a fence that is also a timeline semaphore of another API. What streams of the device signal
// reaches the semaphore on the device, without the host. CUDA cannot read a semaphore; where the host waits for a value,
// a stream waits for it on the device, and a host function behind it tells that it was reached.
#pragma once

#include "backend_cuda/work_queue.h"
#include "backend_gpu/watcher.h"

namespace clothc::cuda {

using GpuWatcher = gpu::Watcher<Gpu, ProgressValue>;

class GpuTimeline final : public SharedTimeline {
 public:
  // Imports an exported semaphore, and takes over its file descriptor if it succeeds. Whenever the semaphore is found to
  // have risen, the timeline is raised too. The timeline must own the returned object. Throws Failure.
  static std::shared_ptr<GpuTimeline> import(const GpuPointer& gpu, const std::shared_ptr<GpuWatcher>& watcher,
                                             Timeline& timeline, int descriptor);
  GpuTimeline(const GpuPointer& gpu, std::shared_ptr<GpuWatcher> watcher, Timeline& timeline, int descriptor);
  ~GpuTimeline() override;

  // The highest value that the semaphore is known to have reached.
  uint64_t value() const override { return known_->value(); }
  void signal(uint64_t value) override;
  void expect(uint64_t value) override;
  int export_file_descriptor() const override;

  CUexternalSemaphore semaphore() const { return semaphore_; }
  // Must be called when work that signals this value has been handed to the device.
  void will_reach(uint64_t value);

 private:
  // What the host functions raise and notify. It outlives this object if some of them were not called by then.
  struct Listener {
    std::mutex mutex;
    std::shared_ptr<ProgressValue> known;
    // Null once this object is gone.
    GpuWatcher* watcher = nullptr;
  };
  // A wait on the device for one value, the argument of a host function.
  struct Probe {
    std::shared_ptr<Listener> listener;
    uint64_t value = 0;
    std::atomic<bool> was_called{false};
  };
  // A stream with waits for rising values.
  struct Lane {
    CUstream stream = nullptr;
    uint64_t last = 0;
    std::vector<std::unique_ptr<Probe>> probes;
  };

  void import_descriptor(int descriptor);
  static void on_reached(void* probe);
  // Returns the lane in which a wait for the value can end as soon as the value is reached. Throws Failure.
  Lane& lane_for(uint64_t value);
  void add_probe(uint64_t value);
  bool is_expected(uint64_t value) const;
  // Whether the driver will call no host function any more. Waits for those whose value has been reached.
  bool is_quiet() const;

  GpuPointer gpu_;
  std::shared_ptr<GpuWatcher> watcher_;
  std::shared_ptr<ProgressValue> known_;
  std::shared_ptr<Listener> listener_;
  CUexternalSemaphore semaphore_ = nullptr;
  std::mutex mutex_;
  // The highest value that work handed to the device signals.
  uint64_t submitted_ = 0;
  std::vector<Lane> lanes_;
  // The host's own signals.
  WorkQueue signals_;
};

}  // namespace clothc::cuda
