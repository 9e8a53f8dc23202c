// command_queue.cpp - counted writes, and reading back from the device.
#include "core/solver/command_queue.h"

#include <algorithm>

namespace clothc {

CommandQueue::CommandQueue(Backend& backend, std::function<void()> on_rollback)
    : backend_(backend), stream_(backend.create_stream()), on_rollback_(std::move(on_rollback)) {}

void CommandQueue::write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) {
  commands_.write(memory, offset, data, size);
  uploaded_bytes_ += size;
}

uint64_t CommandQueue::size_of(const std::vector<DeviceRange>& ranges) {
  uint64_t size = 0;
  for (const DeviceRange& range : ranges) size += range.size;
  return size;
}

void CommandQueue::ensure_readback(uint64_t size) {
  constexpr uint64_t least = 4096;
  if (readback_ != nullptr && readback_->size() >= size) return;
  readback_ = nullptr;
  readback_ = backend_.allocate(std::max(size, least), MemoryVisibility::host);
}

void CommandQueue::copy_to_readback(const std::vector<DeviceRange>& ranges) {
  Copy copy;
  copy.target = readback_;
  for (const DeviceRange& range : ranges) {
    copy.source = range.memory;
    copy.source_offset = range.offset;
    copy.element_size = range.size;
    commands_.add(copy);
    copy.target_offset += range.size;
  }
}

void CommandQueue::read_back(std::vector<uint8_t>& bytes) {
  constexpr uint64_t most_kept = uint64_t{1} << 20;
  stream_->wait(timeline_value(), UINT64_MAX);
  readback_->read(0, bytes.data(), bytes.size());
  if (readback_->size() > most_kept) readback_ = nullptr;
}

}  // namespace clothc
