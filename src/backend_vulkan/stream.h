// stream.h - the Vulkan backend's stream. A list of commands is recorded when it is submitted, as one batch or, where
// it waits for timelines, as several. A batch that waits for a timeline, and all batches after it, reach the GPU's
// queue when the timeline has been raised.
#pragma once

#include <condition_variable>

#include "backend_vulkan/recording.h"
#include "backend_vulkan/timestamps.h"
#include "backend_vulkan/watcher.h"

namespace clothc::vulkan {

// The objects that all streams of a device share.
struct DeviceContext {
  GpuPointer gpu;
  std::shared_ptr<Pipelines> pipelines;
  std::shared_ptr<MemoryPool> memory;
  std::shared_ptr<Watcher> watcher;
};

class GpuStream final : public Stream {
 public:
  explicit GpuStream(const DeviceContext& device_context);
  ~GpuStream() override;

  void close() override;
  uint64_t submit(CommandList& list) override;
  uint64_t completed() const override;
  void check() const override { gpu_->require_alive(); }
  StreamCounters counters() const override;
  bool wait(uint64_t value, uint64_t timeout_ns) override;

 private:
  struct PendingSignal {
    std::shared_ptr<Timeline> timeline;
    uint64_t value;
    // The timeline's semaphore if the timeline is shared by a semaphore of this device, otherwise null.
    std::shared_ptr<TimelineSemaphore> semaphore;
  };
  struct Batch {
    // All command buffers in their order, and those of them that belong to the stream. The others belong to recordings.
    std::vector<VkCommandBuffer> commands;
    std::vector<VkCommandBuffer> own;

    // Memory and recordings that the commands use.
    std::vector<MemoryPointer> memories;
    std::vector<std::shared_ptr<Recording>> recordings;

    std::vector<PendingSignal> signals;

    // The timestamps of the list, which ends with this batch, or null.
    std::unique_ptr<Timestamps> timestamps;

    // Semaphores to signal and their values. send fills these in; their capacity is reserved before, so that it
    // allocates nothing.
    std::vector<VkSemaphore> semaphores;
    std::vector<uint64_t> values;

    // The timeline and value that the batch waits for, if awaited is not null.
    std::shared_ptr<Timeline> awaited;
    uint64_t awaited_value = 0;

    // Value of the list that the batch belongs to, and whether this is the last batch of that list.
    uint64_t value = 0;
    bool last = false;

    bool is_empty() const { return commands.empty() && signals.empty() && awaited == nullptr; }
    void clear();
  };
  using BatchPointer = std::unique_ptr<Batch>;

  // The following functions record and are defined in stream.cpp. One thread at a time may call them. If one of them
  // throws, the drafts are incomplete and must be discarded.

  // Returns an empty batch, if possible one that was used before.
  BatchPointer take_batch();
  static BatchPointer make_batch();
  void make_spares();
  // Begins another draft. Reserves what its way to the GPU needs, so that later steps do not fail.
  void add_draft();
  // Returns the draft to which commands are added.
  Batch& draft() { return *drafts_.back(); }
  void discard_drafts();
  // Begins a command buffer at the end of the draft, unless one is open.
  void open();
  // Ends the open command buffer, if there is one.
  void seal();
  // Keeps the memory alive until the draft has ended.
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
  void record_accesses(const Arenas& arenas, const gpu::MemoryAccess& texels);

  // The following functions are defined in submission.cpp. Any thread may call them, except for reap.

  // Makes the drafts ready, and returns the value of their list.
  uint64_t hand_over_drafts();
  // The lock must be held. Submits the ready batches up to the first one that must wait for a timeline.
  void pump();
  void send(Batch& batch);
  // Abandons the timelines that the batch was to signal.
  void abandon(Batch& batch);
  static void resume(void* stream);
  // Makes the resources of completed batches available again. Only the thread that records may call this.
  void reap();

  GpuPointer gpu_;
  std::shared_ptr<Pipelines> pipelines_;
  std::shared_ptr<MemoryPool> memory_;
  std::shared_ptr<Watcher> watcher_;

  // The last batch of each list signals semaphore_ with the list's value. All other batches signal steps_.
  std::shared_ptr<TimelineSemaphore> semaphore_;
  std::shared_ptr<TimelineSemaphore> steps_;

  VkCommandPool pool_ = VK_NULL_HANDLE;
  Recorder recorder_;

  // The recording of the latest schedule with iterations.
  std::shared_ptr<Recording> recording_;

  std::vector<VkCommandBuffer> free_commands_;
  std::vector<BatchPointer> free_batches_;

  // The batches of the list that is being recorded.
  std::vector<BatchPointer> drafts_;
  // The timestamps of that list, if its times were asked for.
  std::unique_ptr<Timestamps> timestamps_;

  // The open command buffer, or null.
  VkCommandBuffer current_ = VK_NULL_HANDLE;

  // Whether the drafts write memory that the host can access.
  bool writes_for_host_ = false;

  uint64_t recorded_dispatches_ = 0;
  uint64_t uploaded_bytes_ = 0;
  // Value of the last list that was taken.
  uint64_t taken_ = 0;

  std::mutex mutex_;
  std::condition_variable resumed_;

  // Batches that have not reached the GPU's queue, and batches that have but are not reaped.
  std::vector<BatchPointer> ready_;
  std::vector<BatchPointer> in_flight_;

  // Waits for the timeline of the first ready batch if waiting_.
  Timeline::Waiter waiter_;

  // Number of batches that were submitted to signal steps_.
  uint64_t step_count_ = 0;

  // Last values of semaphore_ and of steps_ that batches accepted by the queue signal.
  uint64_t taken_value_ = 0;
  uint64_t taken_step_ = 0;

  bool waiting_ = false;
  bool closing_ = false;

  // Value of the last list whose last batch was submitted.
  std::atomic<uint64_t> submitted_{0};
  // Value of the last list whose last batch signals timelines.
  std::atomic<uint64_t> watched_{0};
  std::atomic<uint64_t> submissions_{0};
  mutable std::atomic<uint64_t> completed_{0};
};

}  // namespace clothc::vulkan
