// stream.h - the CUDA backend's stream. A list of commands becomes operations when it is submitted, in one batch or,
// where it waits for timelines, in several. Whatever may fail, fails then; sending a batch only calls the driver.
#pragma once

#include "backend_cuda/capture.h"
#include "backend_cuda/copies.h"
#include "backend_cuda/shared_timeline.h"
#include "backend_cuda/timestamps.h"
#include "backend_gpu/batch_queue.h"
#include "backend_gpu/stream_progress.h"

namespace clothc::cuda {

using GpuWatcher = gpu::Watcher<Gpu, ProgressValue>;

// The objects that all streams of a device share.
struct DeviceContext {
  GpuPointer gpu;
  std::shared_ptr<Functions> functions;
  std::shared_ptr<MemoryPool> memory;
  std::shared_ptr<GpuWatcher> watcher;
  std::shared_ptr<Captures> captures;
};

// A timeline that is known to have value when a batch has ended.
struct PendingSignal {
  std::shared_ptr<Timeline> timeline;
  uint64_t value;
  // Whether the operations signal the semaphore that shares the timeline, or wait for it.
  bool is_raised_there;
};

struct Batch : gpu::BatchOrder {
  OperationList operations;

  // Memory and recordings that the operations use.
  std::vector<MemoryPointer> memories;
  std::vector<std::shared_ptr<Recording>> recordings;
  // Those that the operations signal and wait for.
  std::vector<std::shared_ptr<SharedTimeline>> semaphores;

  std::vector<PendingSignal> signals;

  // The timestamps of the list, which ends with this batch, or null.
  std::unique_ptr<Timestamps> timestamps;

  bool is_empty() const { return operations.is_empty() && signals.empty() && awaited == nullptr; }
  void clear();
};

class CudaStream final : public Stream, private gpu::BatchSender<Batch> {
 public:
  explicit CudaStream(const DeviceContext& device_context);
  ~CudaStream() override;

  void close() override { queue_.close(); }
  uint64_t submit(CommandList& list) override;
  void capture(CommandList& list, void* native_stream) override;
  uint64_t completed() const override { return progress_.completed(); }
  void check() const override { gpu_->require_alive(); }
  StreamCounters counters() const override;
  bool wait(uint64_t value, uint64_t timeout_ns) override { return progress_.wait(value, timeout_ns); }
  // The application may let its own stream wait for anything.
  bool runs_by_itself() const override { return gpu_->adopted_stream() == nullptr; }

 private:
  // The following functions add to the draft. One thread at a time may call them. If one of them throws, the drafts are
  // incomplete and must be discarded.

  void discard_drafts();
  // Keeps the memory alive until the draft has ended.
  void use(const MemoryPointer& memory);
  // Returns pinned memory for bytes that the operations added next read.
  Staging::Slice stage(uint64_t size);
  void record(const CommandList& list, const Write& write);
  void record(const CommandList& list, const Copy& copy);
  void record(const CommandList& list, const Fill& fill);
  void record(const CommandList& list, const Dispatch& dispatch);
  void record(const CommandList& list, const Wait& wait);
  void record(const CommandList& list, const Signal& signal);
  void record(const CommandList& list, const Mark& mark);
  // Adds the timeline to those that are raised when the draft has ended. shared: its semaphore, or null.
  void raise(const std::shared_ptr<Timeline>& timeline, uint64_t value, const std::shared_ptr<GpuTimeline>& shared);
  // Makes the recording that serves the dispatch a part of the draft.
  void use_recording(const Dispatch& dispatch);
  void run_once(const Dispatch& dispatch);
  void run_timed(const Dispatch& dispatch);
  // Stages the words of a dispatch that runs this time only.
  Plan plan_once(const Dispatch& dispatch);
  void run_recorded(const Dispatch& dispatch);
  void record_again(const Dispatch& dispatch);

  std::unique_ptr<Batch> make_batch() override;
  void send(Batch& batch) override;
  // Makes the resources of completed batches available again.
  void reap();

  GpuPointer gpu_;
  std::shared_ptr<Functions> functions_;
  std::shared_ptr<MemoryPool> memory_;
  std::shared_ptr<GpuWatcher> watcher_;
  std::shared_ptr<Captures> captures_;

  WorkQueue work_;
  // The last batch of each list raises the progress of the work. All other batches raise its steps.
  gpu::StreamProgress<Gpu, ProgressValue> progress_;
  Staging staging_;
  Copies copies_;

  // The recording of the latest schedule with iterations.
  std::shared_ptr<Recording> recording_;

  gpu::BatchQueue<Batch> queue_{*this};
  // The timestamps of the list that is being recorded, if its times were asked for.
  std::unique_ptr<Timestamps> timestamps_;

  // Number of batches that were sent to raise the steps.
  uint64_t step_count_ = 0;
  uint64_t launches_ = 0;
  uint64_t uploaded_bytes_ = 0;
  std::atomic<uint64_t> submissions_{0};
};

}  // namespace clothc::cuda
