// buffers.h - the buffers of a replay, and what the recorded program wrote to them. Memory that the program itself owned
// becomes memory of the library: on the host, or on the device.
#pragma once

#include <clothc.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "capture/format.h"
#include "capture/objects.h"
#include "capture/reader.h"

namespace clothc_tool {

class ReplayedBuffers {
 public:
  // The kind of buffer that stands for one of this kind.
  static clothc_buffer_kind kind_in_replay(clothc_buffer_kind recorded);

  // A buffer has been created, destroyed, mapped or unmapped.
  void add(clothc_buffer buffer, clothc_buffer_kind recorded);
  void remove(clothc_buffer buffer);
  void map(clothc_buffer buffer, void* memory);
  void unmap(clothc_buffer buffer);

  // Whether the buffer stands for one of another kind.
  bool is_replaced(clothc_buffer buffer) const;

  // Whether others than this library could write to the buffer, which no capture shows.
  bool is_shared(clothc_buffer buffer) const;

  // Whether writing contents of this kind waits for work that uses the buffer.
  static bool may_wait(const CaptureBytes& contents);

  // Writes what an event of the kind `contents` says. Throws DamagedCapture.
  void write(CaptureBytes& contents, const CapturedObjects& objects);

 private:
  struct Buffer {
    uint64_t size = 0;
    clothc_buffer_kind recorded_kind = CLOTHC_BUFFER_HOST;
    uint8_t* mapped = nullptr;
    // What the capture last said of discarded contents.
    std::vector<uint8_t> known;
  };
  std::unordered_map<clothc_buffer, Buffer> buffers_;
};

}  // namespace clothc_tool
