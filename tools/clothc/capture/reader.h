// reader.h - reads the events of a capture file one after the other, and checks all that it reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/format.h"
#include "capture/generated/calls.h"
#include "cli/errors.h"

namespace clothc_tool {

// What is wrong with a capture, and where. The events before it are good.
class DamagedCapture : public InputError {
 public:
  using InputError::InputError;
};

// Reads values of a part of a capture, never beyond its end. Throws DamagedCapture.
class CaptureBytes {
 public:
  // where: what these bytes are, for messages.
  CaptureBytes(const uint8_t* begin, size_t size, std::string where)
      : next_(begin), remaining_(size), where_(std::move(where)) {}

  // The next bytes, which are then behind.
  const uint8_t* take(uint64_t size);
  void copy(void* target, uint64_t size);
  template <class T>
  T value() {
    T result;
    copy(&result, sizeof result);
    return result;
  }
  // A number of bytes, 32 bits, and these bytes.
  std::string text();
  uint64_t remaining() const { return remaining_; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  const uint8_t* next_;
  uint64_t remaining_;
  std::string where_;
};

struct CaptureEvent {
  EventKind kind;
  Function function;
  int32_t result;
  uint32_t thread;
  // Behind the header. Valid until the next event is read.
  CaptureBytes data;
};

class CaptureReader {
 public:
  // name: of the file, for messages. Throws InputError if the bytes are no capture that this build reads.
  CaptureReader(std::string bytes, std::string name);

  // Reads the next event into `event`; false at the end. Throws DamagedCapture.
  bool next(CaptureEvent& event);

  // Whether the recorded program has ended, rather than crashed.
  bool is_complete() const { return is_complete_; }
  uint64_t size() const { return bytes_.size(); }
  uint32_t library_version() const { return library_version_; }

 private:
  void read_header();
  void read_block();
  [[noreturn]] void fail(const std::string& what) const;

  std::string bytes_;
  std::string name_;
  uint32_t library_version_ = 0;
  // The functions of this build that the names in the file mean; Function::count where it has none.
  std::vector<Function> functions_;
  std::vector<std::string> names_;
  // Where the next block begins, and the one that is being read.
  uint64_t position_ = 0;
  uint64_t block_position_ = 0;
  std::vector<uint8_t> block_;
  size_t block_offset_ = 0;
  bool is_complete_ = false;
};

// Returns how many updates a capture has, up to `most` and up to where it is damaged.
uint32_t count_updates(CaptureReader reader, uint32_t most = UINT32_MAX);

}  // namespace clothc_tool
