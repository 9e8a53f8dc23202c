// batch_queue.h - the batches of a stream on their way to the device: recorded as drafts, ready, in flight, and used
// again. A batch that waits for a timeline, and all batches after it, reach the device when the timeline has been
// raised.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/backend/timeline.h"

namespace clothc::gpu {

// What the queue must know of a batch. The batches of a backend derive from it, and have the functions
//   bool is_empty() const;  // whether there is nothing to send
//   void clear();           // makes it like new, but keeps the capacity of its vectors; calls clear_order
struct BatchOrder {
  // The timeline and value that the batch waits for, if awaited is not null.
  std::shared_ptr<Timeline> awaited;
  uint64_t awaited_value = 0;

  // Value of the list that the batch belongs to, and whether this is the last batch of that list.
  uint64_t value = 0;
  bool last = false;

  void clear_order() {
    awaited.reset();
    value = 0;
    last = false;
  }
};

// What a stream does for its queue.
template <class Batch>
class BatchSender {
 public:
  virtual ~BatchSender() = default;
  // Returns a new batch.
  virtual std::unique_ptr<Batch> make_batch() = 0;
  // Sends a batch to the device. It may not fail: a device that takes no work is lost. Any thread may call this, but
  // only one at a time.
  virtual void send(Batch& batch) = 0;
};

template <class Batch>
class BatchQueue {
 public:
  using Pointer = std::unique_ptr<Batch>;

  explicit BatchQueue(BatchSender<Batch>& sender) : sender_(sender) {}

  // The following functions are for the one thread that submits.

  // Makes spare batches: enough that updates in a steady state make none, however far the device lags behind.
  void make_spares(size_t count) {
    for (std::vector<Pointer>* batches : {&free_, &drafts_, &ready_, &in_flight_}) batches->reserve(4 * count);
    for (size_t k = 0; k < count; ++k) free_.push_back(sender_.make_batch());
  }
  // Begins another draft. Reserves what its way to the device needs, so that later steps do not fail.
  void add_draft() {
    drafts_.reserve(drafts_.size() + 1);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const size_t batches = drafts_.size() + 1;
      ready_.reserve(ready_.size() + batches);
      in_flight_.reserve(in_flight_.size() + ready_.size() + batches);
    }
    drafts_.push_back(take());
  }
  // Returns the draft to which commands are added.
  Batch& draft() { return *drafts_.back(); }
  const std::vector<Pointer>& drafts() const { return drafts_; }
  // Drops all drafts.
  void discard_drafts() { drafts_.clear(); }
  // Makes the drafts ready, and returns the value of their list.
  uint64_t hand_over() {
    const uint64_t value = ++taken_;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (Pointer& batch : drafts_) {
      batch->value = value;
      ready_.push_back(std::move(batch));
    }
    ready_.back()->last = true;
    drafts_.clear();
    pump();
    return value;
  }
  // Returns the value of the last list that was handed over.
  uint64_t taken() const { return taken_; }
  // Calls release(batch) for the batches of lists that have ended, up to the value completed, and uses them again.
  template <class Release>
  void reap(uint64_t completed, Release release) {
    while (true) {
      Pointer done;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (in_flight_.empty() || in_flight_.front()->value > completed) return;
        free_.reserve(free_.size() + 1);
        done = std::move(in_flight_.front());
        in_flight_.erase(in_flight_.begin());
      }
      release(*done);
      done->clear();
      free_.push_back(std::move(done));
    }
  }

  // Any thread may call these.

  // Stops waiting for timelines, now and later.
  void close() {
    std::shared_ptr<Timeline> awaited;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closing_ = true;
      if (waiting_) awaited = ready_.front()->awaited;
    }
    if (awaited != nullptr && awaited->forget(waiter_)) resume(this);
  }
  // Waits until the queue is no longer called by a timeline. The queue must be closed.
  void finish() {
    std::unique_lock<std::mutex> lock(mutex_);
    resumed_.wait(lock, [this] { return !waiting_; });
  }
  // Drops all batches in flight. The device must have ended them.
  void drop() { in_flight_.clear(); }

 private:
  // Returns an empty batch, if possible one that was used before. They are used in turn, so that the vectors of all of
  // them grow to the capacity that they need.
  Pointer take() {
    if (free_.empty()) return sender_.make_batch();
    Pointer batch = std::move(free_.front());
    free_.erase(free_.begin());
    return batch;
  }
  // The lock must be held. Sends the ready batches up to the first one that must wait for a timeline.
  void pump() {
    while (!ready_.empty() && !waiting_) {
      Batch& batch = *ready_.front();
      if (batch.awaited != nullptr && !closing_) {
        waiter_.resume = resume;
        waiter_.argument = this;
        waiter_.value = batch.awaited_value;
        waiting_ = true;
        if (batch.awaited->call_when(waiter_)) return;
        waiting_ = false;
      }
      sender_.send(batch);
      in_flight_.push_back(std::move(ready_.front()));
      ready_.erase(ready_.begin());
    }
  }
  static void resume(void* argument) {
    auto* queue = static_cast<BatchQueue*>(argument);
    const std::lock_guard<std::mutex> lock(queue->mutex_);
    queue->waiting_ = false;
    queue->ready_.front()->awaited = nullptr;
    queue->pump();
    queue->resumed_.notify_all();
  }

  BatchSender<Batch>& sender_;
  std::vector<Pointer> free_;
  // The batches of the list that is being recorded.
  std::vector<Pointer> drafts_;
  uint64_t taken_ = 0;

  std::mutex mutex_;
  std::condition_variable resumed_;
  // Batches that have not reached the device, and batches that have but are not reaped.
  std::vector<Pointer> ready_;
  std::vector<Pointer> in_flight_;
  // Waits for the timeline of the first ready batch if waiting_.
  Timeline::Waiter waiter_;
  bool waiting_ = false;
  bool closing_ = false;
};

}  // namespace clothc::gpu
