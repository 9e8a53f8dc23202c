// buffers.cpp - writes runs of bytes into mapped memory, after all of them have been checked.
#include "capture/buffers.h"

#include <cstring>

namespace clothc_tool {
namespace {

// Copies the runs into memory of `size` bytes, or with null only checks them.
void write_runs(CaptureBytes contents, uint32_t run_count, uint8_t* memory, uint64_t size) {
  for (uint32_t i = 0; i < run_count; ++i) {
    const auto offset = contents.value<uint64_t>();
    const auto length = contents.value<uint64_t>();
    if (offset > size || length > size - offset) contents.fail("it writes beyond the end of a buffer");
    const uint8_t* const bytes = contents.take(length);
    if (memory && length > 0) std::memcpy(memory + offset, bytes, length);
  }
  if (contents.remaining() != 0) contents.fail("it has bytes behind its contents");
}

}  // namespace

clothc_buffer_kind ReplayedBuffers::kind_in_replay(clothc_buffer_kind recorded) {
  switch (recorded) {
    case CLOTHC_BUFFER_WRAPPED_HOST:
      return CLOTHC_BUFFER_HOST;
    case CLOTHC_BUFFER_EXPORTABLE:
    case CLOTHC_BUFFER_IMPORTED:
    case CLOTHC_BUFFER_WRAPPED_DEVICE:
      return CLOTHC_BUFFER_DEVICE;
    default:
      return recorded;
  }
}

void ReplayedBuffers::add(clothc_buffer buffer, clothc_buffer_kind recorded) {
  clothc_buffer_info info = {};
  info.struct_size = sizeof info;
  if (clothc_buffer_get_info(buffer, &info) < 0) return;
  buffers_[buffer] = {info.size, recorded, nullptr, {}};
}

void ReplayedBuffers::remove(clothc_buffer buffer) { buffers_.erase(buffer); }

void ReplayedBuffers::map(clothc_buffer buffer, void* memory) {
  const auto found = buffers_.find(buffer);
  if (found != buffers_.end()) found->second.mapped = static_cast<uint8_t*>(memory);
}

void ReplayedBuffers::unmap(clothc_buffer buffer) { map(buffer, nullptr); }

bool ReplayedBuffers::is_replaced(clothc_buffer buffer) const {
  const auto found = buffers_.find(buffer);
  return found != buffers_.end() && kind_in_replay(found->second.recorded_kind) != found->second.recorded_kind;
}

bool ReplayedBuffers::is_shared(clothc_buffer buffer) const {
  return is_replaced(buffer) && kind_in_replay(buffers_.at(buffer).recorded_kind) == CLOTHC_BUFFER_DEVICE;
}

bool ReplayedBuffers::may_wait(const CaptureBytes& contents) {
  CaptureBytes bytes = contents;
  return bytes.value<ContentsHeader>().kind == ContentsKind::wrapped;
}

void ReplayedBuffers::write(CaptureBytes& contents, const CapturedObjects& objects) {
  const auto header = contents.value<ContentsHeader>();
  const auto handle = objects.handle<clothc_buffer>(header.buffer);
  const auto found = buffers_.find(handle);
  write_runs(contents, header.run_count, nullptr, header.size);
  // Where the buffer could not be created, a call has had another result, which is told.
  if (found == buffers_.end()) return;
  Buffer& buffer = found->second;
  if (header.size != buffer.size) contents.fail("it writes to a buffer of another size");
  switch (header.kind) {
    case ContentsKind::mapped:
      if (buffer.mapped) write_runs(contents, header.run_count, buffer.mapped, buffer.size);
      return;
    case ContentsKind::discarded:
      buffer.known.resize(buffer.size);
      write_runs(contents, header.run_count, buffer.known.data(), buffer.size);
      if (buffer.mapped) std::memcpy(buffer.mapped, buffer.known.data(), buffer.size);
      return;
    case ContentsKind::wrapped: {
      void* memory = nullptr;
      if (clothc_buffer_map(handle, CLOTHC_MAP_READ | CLOTHC_MAP_WRITE, &memory) != CLOTHC_SUCCESS) return;
      write_runs(contents, header.run_count, static_cast<uint8_t*>(memory), buffer.size);
      clothc_buffer_unmap(handle);
      return;
    }
  }
  contents.fail("it has contents of an unknown kind");
}

}  // namespace clothc_tool
