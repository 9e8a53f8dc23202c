// staging.h - the pieces of the ring in which a stream holds bytes that the host sends to the device.
#pragma once

#include "backend_cuda/memory.h"
#include "backend_gpu/staging_ring.h"

namespace clothc::cuda {

class StagingPiece {
 public:
  // Has room for size bytes. Throws Failure.
  StagingPiece(const GpuPointer& gpu, uint64_t size) : block_(gpu, description_of(size)) {}

  uint64_t size() const { return block_.size(); }
  uint8_t* bytes() const { return block_.mapped(); }
  const Block& block() const { return block_; }

 private:
  static Block::Description description_of(uint64_t size) {
    Block::Description description;
    description.size = size;
    description.host = true;
    return description;
  }
  Block block_;
};

using Staging = gpu::StagingRing<StagingPiece>;
inline CUdeviceptr address_of(const Staging::Slice& slice) { return slice.piece->block().address() + slice.offset; }

}  // namespace clothc::cuda
