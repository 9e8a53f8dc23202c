// command_queue.h - the queue of a solver's work on the device: its stream, transactions that a failure rolls back, the
// timeline of what was queued, and readback to the host.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "core/backend/backend.h"

namespace clothc {

// A range of device memory, in bytes.
struct DeviceRange {
  MemoryPointer memory;
  uint64_t offset;
  uint64_t size;
};

class CommandQueue {
 public:
  // on_rollback is called after a failed transaction, when the work that it queued has been discarded. It must mark
  // every copy that the device has of the host's data as out of date.
  CommandQueue(Backend& backend, std::function<void()> on_rollback);

  Backend& backend() const { return backend_; }
  Stream& stream() const { return *stream_; }
  // For objects that wait for the stream even if the solver is destroyed.
  const std::shared_ptr<Stream>& shared_stream() const { return stream_; }

  // The commands that the next submission runs. What is added outside of a transaction must be kept
  // (CommandList::keep), because a transaction that fails discards the rest.
  CommandList& commands() { return commands_; }
  // Adds a write to device memory and counts its bytes.
  void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size);

  // Calls body, which adds commands, and submits them. Their end is the next value of the timeline. If body or the
  // submission throws, the commands are discarded, on_rollback is called, and the exception goes on, so that nothing
  // has changed.
  template <class Body>
  void transaction(Body body) {
    attempt([&] {
      body();
      submit();
    });
  }
  // Calls before, which adds commands, and submits them if there are any; then calls body, which adds commands, and adds
  // these to the graph that the application is capturing in its stream: see Stream::capture. If any of this fails,
  // commands are discarded and on_rollback is called.
  template <class Before, class Body>
  void capture(void* native_stream, Before before, Body body) {
    attempt([&] {
      before();
      if (!commands_.commands().empty()) submit();
      body();
      stream_->capture(commands_, native_stream);
    });
  }
  // The number of the transaction that runs or, outside of transactions, of the last one.
  uint64_t transaction_number() const { return transaction_number_; }

  // The value of the last submission. May be called from any thread.
  uint64_t timeline_value() const { return timeline_value_.load(std::memory_order_acquire); }

  // Calls body, which adds commands, then adds copies of the ranges to the host, waits for them, and returns the bytes
  // of all ranges one after the other. If it fails, nothing has changed.
  template <class Body>
  std::vector<uint8_t> fetch(const std::vector<DeviceRange>& ranges, Body body) {
    stream_->require_waits();
    std::vector<uint8_t> bytes(size_of(ranges));
    ensure_readback(bytes.size());
    transaction([&] {
      body();
      copy_to_readback(ranges);
    });
    read_back(bytes);
    return bytes;
  }
  static uint64_t size_of(const std::vector<DeviceRange>& ranges);

  // Number of bytes written to device memory, including those that the backend counts itself.
  uint64_t uploaded_bytes() const { return uploaded_bytes_; }
  void count_uploaded(uint64_t bytes) { uploaded_bytes_ += bytes; }

 private:
  // Calls body. If it throws, undoes what it has added, as transaction and capture promise.
  template <class Body>
  void attempt(Body body) {
    const uint64_t uploaded_before = uploaded_bytes_;
    ++transaction_number_;
    try {
      body();
    } catch (...) {
      commands_.discard();
      on_rollback_();
      uploaded_bytes_ = uploaded_before;
      throw;
    }
  }
  void submit() { timeline_value_.store(stream_->submit(commands_), std::memory_order_release); }
  void ensure_readback(uint64_t size);
  void copy_to_readback(const std::vector<DeviceRange>& ranges);
  void read_back(std::vector<uint8_t>& bytes);

  Backend& backend_;
  std::shared_ptr<Stream> stream_;
  CommandList commands_;
  std::function<void()> on_rollback_;
  // Host memory through which fetch reads data back.
  MemoryPointer readback_;
  std::atomic<uint64_t> timeline_value_{0};
  uint64_t transaction_number_ = 0;
  uint64_t uploaded_bytes_ = 0;
};

}  // namespace clothc
