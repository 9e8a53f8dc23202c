// writer.h - writes the blocks of a capture file. Each event is in the file when append() returns, whatever becomes of
// the program afterwards. The caller makes sure that calls do not overlap.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capture/format.h"

namespace clothc_tool {

class CaptureWriter {
 public:
  // Creates the file, which must not exist: it would be the capture of another process. On failure prints why, and
  // is_open() is false.
  CaptureWriter(const std::string& path, uint32_t library_version);

  bool is_open() const { return file_ >= 0; }

  // Writes events, which begin with their headers. If that fails, prints why and closes the file.
  void append(const std::vector<uint8_t>& events);

 private:
  bool write_at_end(const void* data, size_t size);
  void fail();

  std::string path_;
  int file_ = -1;
  pid_t process_;
  uint64_t end_ = 0;
};

}  // namespace clothc_tool
