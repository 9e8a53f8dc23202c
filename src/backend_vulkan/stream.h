// stream.h - the Vulkan backend's stream. A list of commands is recorded when it is submitted, as one batch or, where
// it waits for timelines, as several. On a device that only records, the batches wait until the application takes them
// into a command buffer of its own, which executes theirs.
#pragma once

#include "backend_gpu/batch_queue.h"
#include "backend_gpu/stream_progress.h"
#include "backend_vulkan/recording.h"
#include "backend_vulkan/shared_timeline.h"
#include "backend_vulkan/timestamps.h"

namespace clothc::vulkan {

// The objects that all streams of a device share.
struct DeviceContext {
  GpuPointer gpu;
  std::shared_ptr<Pipelines> pipelines;
  std::shared_ptr<MemoryPool> memory;
  std::shared_ptr<GpuWatcher> watcher;
};

struct PendingSignal {
  std::shared_ptr<Timeline> timeline;
  uint64_t value;
  // The semaphore that shares the timeline, or null.
  std::shared_ptr<TimelineSemaphore> semaphore;
};
struct Batch : gpu::BatchOrder {
  // All command buffers in their order, and those of them that belong to the stream. The others belong to recordings.
  std::vector<VkCommandBuffer> commands;
  std::vector<VkCommandBuffer> own;

  // Memory and recordings that the commands use.
  std::vector<MemoryPointer> memories;
  std::vector<std::shared_ptr<Recording>> recordings;

  std::vector<PendingSignal> signals;

  // The timestamps of the list, which ends with this batch, or null.
  std::unique_ptr<Timestamps> timestamps;

  // Set if pipelines have been created since the stream sent its last batch.
  std::optional<FirstUse> first_use;

  // Semaphores to signal and their values. send fills these in; their capacity is reserved before, so that it
  // allocates nothing.
  std::vector<VkSemaphore> semaphores;
  std::vector<uint64_t> values;

  bool is_empty() const { return commands.empty() && signals.empty() && awaited == nullptr; }
  void clear();
};

class GpuStream final : public Stream, private gpu::BatchSender<Batch> {
 public:
  explicit GpuStream(const DeviceContext& device_context);
  ~GpuStream() override;

  void close() override { queue_.close(); }
  uint64_t submit(CommandList& list) override;
  NativeSignal record_into(void* native_commands) override;
  void require_waits() const override;
  uint64_t completed() const override { return progress_.completed(); }
  void check() const override { gpu_->require_alive(); }
  StreamCounters counters() const override;
  bool wait(uint64_t value, uint64_t timeout_ns) override;
  bool runs_by_itself() const override { return !gpu_->only_records(); }

 private:
  // The following functions record and are defined in stream.cpp. One thread at a time may call them. If one of them
  // throws, the drafts are incomplete and must be discarded.

  void make_spares();
  void discard_drafts();
  // Begins a command buffer at the end of the draft, unless one is open.
  void open();
  // Ends the open command buffer, if there is one.
  void seal();
  // Keeps the memory alive until the draft has ended. Records what must happen to it before the list uses it.
  void use(const MemoryPointer& memory);
  // Does the same for memory that the draft writes.
  void use_target(const MemoryPointer& memory);
  void record(const CommandList& list, const Write& write);
  void record(const CommandList& list, const Copy& copy);
  void record(const CommandList& list, const Fill& fill);
  void record(const CommandList& list, const Dispatch& dispatch);
  void record(const CommandList& list, const Wait& wait);
  void record(const CommandList& list, const Signal& signal);
  void record(const CommandList& list, const Mark& mark);
  void run_once(const Dispatch& dispatch);
  void run_timed(const Dispatch& dispatch);
  // Uploads the jobs of a dispatch whose commands are recorded for this time only.
  Plan plan_once(const Dispatch& dispatch);
  void run_recorded(const Dispatch& dispatch);
  void record_again(const Dispatch& dispatch);
  // Whether the commands on the queue before and after a list's are the application's, which nothing else orders.
  bool meets_application() const { return gpu_->is_adopted() && !gpu_->only_records(); }
  // Ends the recording of a list.
  void complete_list();
  void record_accesses(const Arenas& arenas, const gpu::MemoryAccess& texels);

  // The following functions are defined in submission.cpp.

  std::unique_ptr<Batch> make_batch() override;
  void send(Batch& batch) override;
  // Makes the resources of completed batches available again.
  void reap();

  GpuPointer gpu_;
  std::shared_ptr<Pipelines> pipelines_;
  std::shared_ptr<MemoryPool> memory_;
  std::shared_ptr<GpuWatcher> watcher_;

  // The last batch of each list signals the semaphore of the progress. All other batches signal steps_.
  gpu::StreamProgress<Gpu, TimelineSemaphore> progress_;
  std::shared_ptr<TimelineSemaphore> steps_;

  VkCommandPool pool_ = VK_NULL_HANDLE;
  Recorder recorder_;

  // The recording of the latest schedule with iterations.
  std::shared_ptr<Recording> recording_;

  std::vector<VkCommandBuffer> free_commands_;
  gpu::BatchQueue<Batch> queue_{*this};
  // The timestamps of that list, if its times were asked for.
  std::unique_ptr<Timestamps> timestamps_;

  // The open command buffer, or null.
  VkCommandBuffer current_ = VK_NULL_HANDLE;

  // Whether the drafts write memory that the host can access.
  bool writes_for_host_ = false;
  // Memory that the drafts clear, and that they acquire from another queue family.
  std::vector<MemoryPointer> cleared_;
  std::vector<MemoryPointer> acquired_;

  // On a device that only records: the command buffers that wait to be executed, and the value of the last list of
  // them.
  std::vector<VkCommandBuffer> unrecorded_;
  uint64_t unrecorded_value_ = 0;
  // The values that the application was told to signal and that have not been reached yet, in their order. Other values
  // are passed over, and validation layers (1.3.239) take ten seconds for a wait for such a one.
  std::mutex signals_mutex_;
  std::vector<uint64_t> signals_;

  uint64_t recorded_dispatches_ = 0;
  uint64_t uploaded_bytes_ = 0;

  // Number of batches that were submitted to signal steps_.
  uint64_t step_count_ = 0;
  // Pipelines::created_count() when the last batch was sent.
  uint64_t used_pipelines_ = 0;
  // Last values of the two semaphores that batches accepted by the queue signal.
  uint64_t taken_value_ = 0;
  uint64_t taken_step_ = 0;
  std::atomic<uint64_t> submissions_{0};
};

}  // namespace clothc::vulkan
