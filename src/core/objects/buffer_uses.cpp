// buffer_uses.cpp - lets queued work and the host use the memory of a buffer in turn.
#include <algorithm>

#include "core/objects/buffer.h"

namespace clothc {

std::atomic<uint32_t> Buffer::all_waiting_copies{0};

bool Buffer::Storage::is_done() const {
  return queuing_count == 0 && std::all_of(uses.begin(), uses.end(), [](const Use& use) {
           const std::shared_ptr<Stream> stream = use.stream.lock();
           return stream == nullptr || stream->completed() >= use.value;
         });
}

bool Buffer::Storage::ends_by_itself() const {
  return std::all_of(uses.begin(), uses.end(), [](const Use& use) {
    const std::shared_ptr<Stream> stream = use.stream.lock();
    return stream == nullptr || stream->ends_by_itself(use.value);
  });
}

Buffer::Use* Buffer::Storage::find(const std::shared_ptr<Stream>& stream) {
  const auto found =
      std::find_if(uses.begin(), uses.end(), [&](const Use& use) { return use.stream.lock() == stream; });
  return found == uses.end() ? nullptr : &*found;
}

void Buffer::wait(std::unique_lock<std::mutex>& lock) {
  while (true) {
    changed_.wait(lock, [this] { return storage_->queuing_count == 0; });
    std::shared_ptr<Stream> stream;
    uint64_t value = 0;
    for (const Use& use : storage_->uses) {
      stream = use.stream.lock();
      value = use.value;
      if (stream != nullptr && stream->completed() < value) break;
      // A stream that has nothing left to do learns here that the program waits for it.
      if (stream != nullptr) stream->help(value, UINT64_MAX);
      stream = nullptr;
    }
    if (stream == nullptr) return;
    lock.unlock();
    try {
      stream->wait(value, UINT64_MAX);
    } catch (...) {
      lock.lock();
      throw;
    }
    lock.lock();
  }
}

void Buffer::await_turn(std::unique_lock<std::mutex>& lock) {
  const uint64_t turn = turn_;
  ++waiting_copies_;
  ++all_waiting_copies;
  try {
    wait(lock);
  } catch (...) {
    turn_ == turn ? end_waiting(1) : end_host_access();
    throw;
  }
  // Otherwise another copy, which was the first to see the end of the work, has begun the turn of this one too.
  if (turn_ == turn) begin_turn();
}

void Buffer::begin_turn() {
  ++turn_;
  host_access_count_ += waiting_copies_;
  end_waiting(waiting_copies_);
}

void Buffer::end_waiting(uint32_t copies) {
  waiting_copies_ -= copies;
  all_waiting_copies -= copies;
  changed_.notify_all();
}

void Buffer::end_host_access() {
  if (--host_access_count_ == 0) changed_.notify_all();
}

bool Buffer::may_queue(uint64_t turn) const {
  if (waiting_copies_ == 0 || turn_ != turn || mapped_ || ended_) return true;
  // A copy may still wait for work on memory that was replaced meanwhile.
  const auto ends_by_itself = [](const auto& storage) { return storage->ends_by_itself(); };
  return !ends_by_itself(storage_) || !std::all_of(retired_.begin(), retired_.end(), ends_by_itself);
}

bool Buffer::give_way_if_needed(bool may_wait) {
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t turn = turn_;
  if (may_wait) changed_.wait(lock, [&] { return may_queue(turn); });
  return may_wait || may_queue(turn);
}

BufferUse::BufferUse(std::shared_ptr<Buffer> buffer, std::shared_ptr<Stream> stream)
    : buffer_(std::move(buffer)), stream_(std::move(stream)) {
  std::unique_lock<std::mutex> lock(buffer_->mutex_);
  buffer_->changed_.wait(lock, [this] { return buffer_->host_access_count_ == 0; });
  buffer_->require_unmapped();
  std::vector<Buffer::Use>& uses = buffer_->storage_->uses;
  uses.erase(std::remove_if(uses.begin(), uses.end(), [](const Buffer::Use& use) { return use.stream.expired(); }),
             uses.end());
  // With this, nothing that `queued` does can fail.
  if (buffer_->storage_->find(stream_) == nullptr) uses.push_back({stream_, 0});
  storage_ = buffer_->storage_;
  ++storage_->queuing_count;
}

BufferUse::~BufferUse() {
  if (storage_ != nullptr) queued(0);
}

void BufferUse::queued(uint64_t value) {
  const std::shared_ptr<Buffer::Storage> storage = std::move(storage_);
  const std::lock_guard<std::mutex> lock(buffer_->mutex_);
  Buffer::Use* const use = storage->find(stream_);
  use->value = std::max(use->value, value);
  if (--storage->queuing_count == 0) buffer_->changed_.notify_all();
}

HostAccess::HostAccess(Buffer& buffer) : buffer_(buffer) {
  std::unique_lock<std::mutex> lock(buffer_.mutex_);
  buffer_.require_unmapped();
  buffer_.await_turn(lock);
  try {
    // Another thread may have mapped the buffer while this one waited.
    buffer_.require_unmapped();
  } catch (...) {
    buffer_.end_host_access();
    throw;
  }
}

HostAccess::~HostAccess() {
  const std::lock_guard<std::mutex> lock(buffer_.mutex_);
  buffer_.end_host_access();
}

}  // namespace clothc
