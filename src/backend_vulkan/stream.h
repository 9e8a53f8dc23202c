// stream.h - a stream: commands are recorded when they are queued and handed to the GPU's queue at the next mark, in
// batches. A batch that waits for a fence, and those behind it, are handed over when the fence has been raised.
#pragma once

#include <condition_variable>

#include "backend_vulkan/recording.h"
#include "backend_vulkan/watcher.h"

namespace clothc::vulkan {

constexpr const char* recording_failed = "its driver had no memory left to finish recording work";

// What the streams of a device share.
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
  void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) override;
  void copy(const Copy& copy) override;
  void fill(const MemoryPointer& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]) override;
  void run(const Dispatch& dispatch) override;
  void sort_pairs(const MemoryPointer& keys, const MemoryPointer& values, const MemoryPointer& scratch_keys,
                  const MemoryPointer& scratch_values, uint64_t count) override;
  void exclusive_scan(const MemoryPointer& words, uint64_t count) override;
  void wait_for(const std::shared_ptr<Timeline>& timeline, uint64_t value) override;
  void signal(const std::shared_ptr<Timeline>& timeline, uint64_t value) override;
  uint64_t mark() override;
  void keep() override;
  void discard() override;
  uint64_t completed() const override;
  void check() const override { gpu_->require_alive(); }
  StreamCounters counters() const override;
  bool wait(uint64_t value, uint64_t timeout_ns) override;

 private:
  struct Signal {
    std::shared_ptr<Timeline> timeline;
    uint64_t value;
    std::shared_ptr<TimelineSemaphore> semaphore;  // of a shared timeline
  };
  struct Batch {
    std::vector<VkCommandBuffer> commands;  // in order
    std::vector<VkCommandBuffer> own;       // of these, the stream's
    std::vector<MemoryPointer> memories;    // used
    std::vector<std::shared_ptr<Recording>> recordings;
    std::vector<Signal> signals;
    std::vector<VkSemaphore> semaphores;  // room for those signalled, and their values
    std::vector<uint64_t> values;
    std::shared_ptr<Timeline> awaited;
    uint64_t awaited_value = 0;
    uint64_t value = 0;  // of the mark behind it
    bool last = false;   // before the mark
    bool is_empty() const { return commands.empty() && own.empty() && signals.empty(); }
    void clear();
  };
  using BatchPointer = std::unique_ptr<Batch>;

  // stream.cpp: recording; by one thread at a time.
  Batch& draft();
  BatchPointer take_batch();
  static BatchPointer make_batch();
  void make_spares();
  // A command buffer to record into, at the end of the draft.
  void open();
  // Ends the present command buffer, if there is one.
  void seal();
  void use(const MemoryPointer& memory);
  void run_once(const Dispatch& dispatch);
  void run_recorded(const Dispatch& dispatch);
  void record_again(const Dispatch& dispatch);
  void record_accesses(const Arenas& arenas, const Access& texels);
  void seal_for_mark();

  // sort.cpp.
  MemoryPointer scratch(uint64_t words);
  void scan(const Window& words, uint64_t count, const Window& sums);

  // submission.cpp: handing over; any thread.
  void pump();  // with the lock held
  void submit(Batch& batch);
  void abandon(Batch& batch);
  static void resume(void* stream);
  // Makes what completed batches held available again; by the thread that records.
  void reap();

  GpuPointer gpu_;
  std::shared_ptr<Pipelines> pipelines_;
  std::shared_ptr<MemoryPool> memory_;
  std::shared_ptr<Watcher> watcher_;
  std::shared_ptr<TimelineSemaphore> semaphore_;  // marks
  std::shared_ptr<TimelineSemaphore> steps_;      // batches that are not the last before a mark
  VkCommandPool pool_ = VK_NULL_HANDLE;
  Recorder recorder_;
  std::shared_ptr<Recording> recording_;
  bool recording_is_kept_ = false;
  MemoryPointer scratch_;
  std::vector<VkCommandBuffer> free_commands_;
  std::vector<BatchPointer> free_batches_;
  std::vector<BatchPointer> drafts_;  // may be discarded
  std::vector<BatchPointer> kept_;    // not marked yet
  VkCommandBuffer current_ = VK_NULL_HANDLE;
  bool writes_for_host_ = false;
  uint64_t recorded_dispatches_ = 0;
  uint64_t uploaded_bytes_ = 0;
  std::atomic<uint64_t> marked_{0};

  std::mutex mutex_;
  std::condition_variable resumed_;
  std::vector<BatchPointer> ready_;
  std::vector<BatchPointer> in_flight_;
  Timeline::Waiter waiter_;
  uint64_t step_count_ = 0;
  uint64_t taken_value_ = 0;  // last values of batches that the queue took
  uint64_t taken_step_ = 0;
  bool waiting_ = false;
  bool closing_ = false;
  std::atomic<uint64_t> submitted_{0};
  std::atomic<uint64_t> watched_{0};  // last mark that signals
  std::atomic<uint64_t> submissions_{0};
  mutable std::atomic<uint64_t> completed_{0};
};

}  // namespace clothc::vulkan
