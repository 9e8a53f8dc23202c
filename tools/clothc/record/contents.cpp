// contents.cpp - compares memory with a copy of it. Runs of changed bytes that are close to each other become one.
#include "record/contents.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "record/symbols.h"

namespace clothc_tool {
namespace {

// A run has a header of 16 bytes, so a gap that is not longer is written too.
constexpr uint64_t LONGEST_GAP = 16;

void append(std::vector<uint8_t>& bytes, const void* data, uint64_t size) {
  const auto* first = static_cast<const uint8_t*>(data);
  bytes.insert(bytes.end(), first, first + size);
}

// The first byte from begin on that differs, or size.
uint64_t first_difference(const uint8_t* a, const uint8_t* b, uint64_t begin, uint64_t size) {
  constexpr uint64_t step = 4096;
  while (begin + step <= size && std::memcmp(a + begin, b + begin, step) == 0) begin += step;
  while (begin + 8 <= size && std::memcmp(a + begin, b + begin, 8) == 0) begin += 8;
  while (begin < size && a[begin] == b[begin]) ++begin;
  return begin;
}

// The end of the run of differences that begins at begin.
uint64_t end_of_run(const uint8_t* a, const uint8_t* b, uint64_t begin, uint64_t size) {
  uint64_t end = begin + 1;
  for (uint64_t i = end; i < size && i - end <= LONGEST_GAP; ++i) {
    if (a[i] != b[i]) end = i + 1;
  }
  return end;
}

// Appends a header and the runs in which contents differ from what was known.
void append_changes(std::vector<uint8_t>& bytes, clothc_buffer buffer, ContentsKind kind, const uint8_t* contents,
                    const uint8_t* known, uint64_t size) {
  ContentsHeader header = {reinterpret_cast<uintptr_t>(buffer), size, kind, 0};
  const size_t position = bytes.size();
  append(bytes, &header, sizeof header);
  for (uint64_t begin = first_difference(contents, known, 0, size); begin < size;) {
    const uint64_t run[2] = {begin, end_of_run(contents, known, begin, size) - begin};
    append(bytes, run, sizeof run);
    append(bytes, contents + begin, run[1]);
    ++header.run_count;
    begin = first_difference(contents, known, begin + run[1], size);
  }
  std::memcpy(bytes.data() + position, &header, sizeof header);
}

// Appends a header and one run with all bytes.
void append_all(std::vector<uint8_t>& bytes, clothc_buffer buffer, ContentsKind kind, const uint8_t* contents,
                uint64_t size) {
  const ContentsHeader header = {reinterpret_cast<uintptr_t>(buffer), size, kind, 1};
  const uint64_t run[2] = {0, size};
  append(bytes, &header, sizeof header);
  append(bytes, run, sizeof run);
  append(bytes, contents, size);
}

// Waits until no set, get or update uses a buffer, for a second at most: it may wait for a fence that this thread raises.
void wait_for(clothc_buffer buffer) {
  clothc_buffer_info info = {};
  info.struct_size = sizeof info;
  for (int i = 0; i < 1000 && library().buffer_get_info(buffer, &info) >= 0 && info.busy; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

BufferContents::Buffer* BufferContents::find(clothc_buffer buffer) {
  const auto found = buffers_.find(buffer);
  return found == buffers_.end() ? nullptr : &found->second;
}

void BufferContents::add(clothc_buffer buffer, const clothc_buffer_desc& desc) {
  clothc_buffer_info info = {};
  info.struct_size = sizeof info;
  if (library().buffer_get_info(buffer, &info) < 0) return;
  Buffer added;
  added.size = info.size;
  if (info.kind == CLOTHC_BUFFER_WRAPPED_HOST) added.wrapped = static_cast<const uint8_t*>(desc.memory);
  const std::lock_guard lock(mutex_);
  buffers_[buffer] = std::move(added);
}

void BufferContents::remove(clothc_buffer buffer) {
  const std::lock_guard lock(mutex_);
  buffers_.erase(buffer);
}

void BufferContents::map(clothc_buffer buffer, uint32_t flags, const void* memory) {
  const std::lock_guard lock(mutex_);
  Buffer* const found = find(buffer);
  if (!found || found->wrapped || !(flags & CLOTHC_MAP_WRITE)) return;
  found->mapped = static_cast<const uint8_t*>(memory);
  found->discarded = (flags & CLOTHC_MAP_DISCARD) != 0;
  if (!found->discarded) found->before.assign(found->mapped, found->mapped + found->size);
}

bool BufferContents::unmap(clothc_buffer buffer, std::vector<uint8_t>& bytes) {
  const std::lock_guard lock(mutex_);
  Buffer* const found = find(buffer);
  if (!found || !found->mapped) return false;
  const uint8_t* const memory = std::exchange(found->mapped, nullptr);
  const size_t begin = bytes.size();
  if (found->discarded) {
    found->known.resize(found->size);
    append_changes(bytes, buffer, ContentsKind::discarded, memory, found->known.data(), found->size);
    std::memcpy(found->known.data(), memory, found->size);
    return true;
  }
  append_changes(bytes, buffer, ContentsKind::mapped, memory, found->before.data(), found->size);
  return bytes.size() - begin > sizeof(ContentsHeader);
}

bool BufferContents::read(clothc_buffer buffer, std::vector<uint8_t>& bytes) {
  const std::lock_guard lock(mutex_);
  Buffer* const found = find(buffer);
  if (!found || !found->wrapped) return false;
  const size_t begin = bytes.size();
  if (found->is_known) {
    found->known.resize(found->size);
    append_changes(bytes, buffer, ContentsKind::wrapped, found->wrapped, found->known.data(), found->size);
  } else {
    wait_for(buffer);
    append_all(bytes, buffer, ContentsKind::wrapped, found->wrapped, found->size);
  }
  found->known.assign(found->wrapped, found->wrapped + found->size);
  found->is_known = !found->is_bound;
  return bytes.size() - begin > sizeof(ContentsHeader);
}

void BufferContents::written_by_library(clothc_buffer buffer, bool from_now_on) {
  const std::lock_guard lock(mutex_);
  Buffer* const found = find(buffer);
  if (!found) return;
  found->is_known = false;
  found->is_bound = found->is_bound || from_now_on;
}

}  // namespace clothc_tool
