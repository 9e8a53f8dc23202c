// staging.h - holds bytes that the host sends to the device, in a ring of mapped blocks. A block may be reused when the
// commands that read it have ended.
#pragma once

#include <vector>

#include "backend_vulkan/memory.h"

namespace clothc::vulkan {

class Staging {
 public:
  struct Slice {
    uint8_t* bytes = nullptr;
    const Block* block = nullptr;
    uint64_t offset = 0;
    // A view of the whole block.
    const TexelView* texels = nullptr;
  };

  explicit Staging(GpuPointer gpu) : gpu_(std::move(gpu)) {}

  // Reserves size bytes, aligned to 16 bytes. Both values are those of the stream's timeline: the bytes stay valid
  // until use is reached, and completed has been reached already. Throws Failure.
  Slice allocate(uint64_t size, uint64_t use, uint64_t completed);

 private:
  struct Piece {
    std::unique_ptr<Block> block;
    std::unique_ptr<TexelView> texels;
    uint64_t filled = 0;
    uint64_t last_use = 0;
  };
  Piece& piece_for(uint64_t size, uint64_t completed);

  GpuPointer gpu_;
  std::vector<Piece> pieces_;
  size_t current_ = 0;
};

}  // namespace clothc::vulkan
