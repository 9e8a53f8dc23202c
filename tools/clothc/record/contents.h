// contents.h - what the program writes to buffers: finds the bytes that changed since the capture last had them.
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "capture/format.h"
#include "capture/generated/calls.h"

namespace clothc_tool {

// The buffers of the program, as far as the capture must know their contents.
class BufferContents {
 public:
  void add(clothc_buffer buffer, const clothc_buffer_desc& desc);
  void remove(clothc_buffer buffer);

  // The buffer has been mapped.
  void map(clothc_buffer buffer, uint32_t flags, const void* memory);

  // Appends what the program has written to the mapped memory, which is about to be unmapped, in the form of a
  // ContentsHeader and its runs. Returns false if there is nothing to write.
  bool unmap(clothc_buffer buffer, std::vector<uint8_t>& bytes);

  // Appends what has changed in memory of the program that a call is about to read. Returns false for other buffers.
  bool read(clothc_buffer buffer, std::vector<uint8_t>& bytes);

  // The library writes to the buffer, once or from now on with every update. What the capture had is then no longer the
  // buffer's.
  void written_by_library(clothc_buffer buffer, bool from_now_on);

 private:
  struct Buffer {
    uint64_t size = 0;
    // The memory of the program; null for other buffers.
    const uint8_t* wrapped = nullptr;
    const uint8_t* mapped = nullptr;
    bool discarded = false;
    // The mapped memory as it was when it was mapped; empty if the program does not write to it.
    std::vector<uint8_t> before;
    // What the capture last had of this buffer.
    std::vector<uint8_t> known;
    bool is_known = true;
    bool is_bound = false;
  };
  Buffer* find(clothc_buffer buffer);

  std::mutex mutex_;
  std::unordered_map<clothc_buffer, Buffer> buffers_;
};

}  // namespace clothc_tool
