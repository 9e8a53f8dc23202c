// staging.h - bytes on their way from the host to the device: a ring of mapped blocks, each free again when the work
// that reads it has ended.
#pragma once

#include <vector>

#include "backend_vulkan/memory.h"

namespace clothc::vulkan {

class Staging {
 public:
  struct Place {
    uint8_t* bytes = nullptr;
    const Block* block = nullptr;
    uint64_t offset = 0;
    const TexelView* texels = nullptr;  // of all of the block
  };

  explicit Staging(GpuPointer gpu) : gpu_(std::move(gpu)) {}

  // Room for size bytes, aligned to 16, for work up to value use; work up to value completed has ended. Throws Failure.
  Place allocate(uint64_t size, uint64_t use, uint64_t completed);

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
