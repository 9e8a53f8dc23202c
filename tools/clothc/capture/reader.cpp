// reader.cpp - checks the header, checksums and sizes of a capture.
#include "capture/reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace clothc_tool {
namespace {

// deflate makes at most 1,032 bytes of one.
constexpr uint64_t MOST_BYTES_OF_ONE = 1032;

uint32_t crc_of(uint32_t begin, const void* data, size_t size) {
  return static_cast<uint32_t>(crc32_z(begin, static_cast<const Bytef*>(data), size));
}

Function function_named(const std::string& name) {
  for (size_t i = 0; i < static_cast<size_t>(Function::count); ++i) {
    if (name == FUNCTION_NAMES[i]) return static_cast<Function>(i);
  }
  return Function::count;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------- bytes

void CaptureBytes::fail(const std::string& what) const { throw DamagedCapture(where_ + ": " + what); }

const uint8_t* CaptureBytes::take(uint64_t size) {
  if (size > remaining_) fail("it is too short for its contents");
  const uint8_t* const taken = next_;
  next_ += size;
  remaining_ -= size;
  return taken;
}

void CaptureBytes::copy(void* target, uint64_t size) {
  const uint8_t* const source = take(size);
  if (size > 0) std::memcpy(target, source, size);
}

std::string CaptureBytes::text() {
  const auto size = value<uint32_t>();
  return std::string(reinterpret_cast<const char*>(take(size)), size);
}

// ---------------------------------------------------------------------------------------------------- file

CaptureReader::CaptureReader(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {
  read_header();
}

void CaptureReader::fail(const std::string& what) const {
  throw DamagedCapture("'" + name_ + "' is damaged at byte " + std::to_string(block_position_) + ": " + what +
                       "; copy or record it again");
}

void CaptureReader::read_header() {
  CaptureHeader header;
  const std::string foreign = "'" + name_ + "' is not a capture of clothc; make one with 'clothc record'";
  if (bytes_.size() < sizeof header) throw InputError(foreign);
  std::memcpy(&header, bytes_.data(), sizeof header);
  if (std::memcmp(header.magic, CAPTURE_MAGIC, sizeof header.magic) != 0) throw InputError(foreign);
  if (header.format != CAPTURE_FORMAT) {
    throw InputError("'" + name_ + "' has format " + std::to_string(header.format) + ", and this tool reads format " +
                     std::to_string(CAPTURE_FORMAT) + "; use the tool of the library that it was recorded with");
  }
  if (header.pointer_size != sizeof(void*)) {
    throw InputError("'" + name_ + "' was recorded by a program of " + std::to_string(8ull * header.pointer_size) +
                     " bits, and this tool has " + std::to_string(8 * sizeof(void*)) + "; use a tool of the same kind");
  }
  if (header.names_size > bytes_.size() - sizeof header) fail("the header ends beyond the end of the file");
  const char* const names = bytes_.data() + sizeof header;
  const uint32_t checksum = std::exchange(header.checksum, 0);
  if (crc_of(crc_of(0, &header, sizeof header), names, header.names_size) != checksum) {
    fail("the header does not match its checksum");
  }
  library_version_ = header.library_version;
  position_ = sizeof header + header.names_size;
  for (const char* next = names; next < names + header.names_size;) {
    const char* const end = std::find(next, names + header.names_size, '\0');
    names_.emplace_back(next, end);
    functions_.push_back(function_named(names_.back()));
    next = end + 1;
  }
}

void CaptureReader::read_block() {
  block_position_ = position_;
  BlockHeader header;
  if (bytes_.size() - position_ < sizeof header) fail("the file ends within the header of a block");
  std::memcpy(&header, bytes_.data() + position_, sizeof header);
  if (header.kind != BlockKind::raw && header.kind != BlockKind::deflated) fail("no block begins here");
  const char* const stored = bytes_.data() + position_ + sizeof header;
  if (header.stored_size > bytes_.size() - position_ - sizeof header) fail("the file ends within this block");
  if (crc_of(0, stored, header.stored_size) != header.checksum) fail("the block does not match its checksum");
  if (header.kind == BlockKind::raw) {
    if (header.raw_size != header.stored_size) fail("the block has two sizes");
    block_.assign(stored, stored + header.stored_size);
  } else {
    if (header.raw_size > MOST_BYTES_OF_ONE * (uint64_t{header.stored_size} + 1)) fail("the block is too large");
    block_.resize(header.raw_size);
    uLongf size = header.raw_size;
    const int result = uncompress(block_.data(), &size, reinterpret_cast<const Bytef*>(stored), header.stored_size);
    if (result != Z_OK || size != header.raw_size) fail("the block cannot be decompressed");
  }
  block_offset_ = 0;
  position_ += sizeof header + header.stored_size;
}

bool CaptureReader::next(CaptureEvent& event) {
  while (block_offset_ == block_.size()) {
    if (position_ == bytes_.size()) return false;
    read_block();
  }
  EventHeader header;
  const size_t left = block_.size() - block_offset_;
  if (left < sizeof header) fail("an event ends beyond the end of its block");
  std::memcpy(&header, block_.data() + block_offset_, sizeof header);
  if (header.size < sizeof header || header.size > left) fail("an event has a wrong size");
  if (header.kind < EventKind::call || header.kind > EventKind::end) fail("an event has an unknown kind");
  if (header.function >= functions_.size()) fail("an event names no function");
  const Function function = functions_[header.function];
  if (function == Function::count && header.kind == EventKind::call) {
    throw InputError("'" + name_ + "' has calls of " + names_[header.function] +
                     ", which this version does not know; use the tool of the library that it was recorded with");
  }
  const uint8_t* const data = block_.data() + block_offset_ + sizeof header;
  const std::string where = "'" + name_ + "' is damaged in an event of " + names_[header.function] +
                            ", in the block at byte " + std::to_string(block_position_);
  event = {header.kind, function, header.result, header.thread, CaptureBytes(data, header.size - sizeof header, where)};
  block_offset_ += header.size;
  is_complete_ = header.kind == EventKind::end;
  return true;
}

uint32_t count_updates(CaptureReader reader, uint32_t most) {
  uint32_t count = 0;
  CaptureEvent event{EventKind::end, Function::version, 0, 0, CaptureBytes(nullptr, 0, "")};
  try {
    while (count < most && reader.next(event)) {
      const bool is_update =
          event.function == Function::solver_update || event.function == Function::vulkan_record_update;
      count += event.kind == EventKind::call && is_update && event.result >= 0;
    }
  } catch (const DamagedCapture&) {
    // Playing it tells so.
  }
  return count;
}

}  // namespace clothc_tool
