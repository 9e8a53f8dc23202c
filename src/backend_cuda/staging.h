// staging.h - the pieces of the rings in which a stream holds bytes on their way between the host and the device.
#pragma once

#include "backend_cuda/memory.h"
#include "backend_gpu/staging_ring.h"

namespace clothc::cuda {

class StagingPiece {
 public:
  // Has room for size bytes, in pinned memory of the host or in the device's memory. Throws Failure.
  StagingPiece(const GpuPointer& gpu, uint64_t size, bool host) : block_(gpu, description_of(size, host)) {}

  uint64_t size() const { return block_.size(); }
  // Null in the device's memory.
  uint8_t* bytes() const { return block_.mapped(); }
  const Block& block() const { return block_; }

 private:
  static Block::Description description_of(uint64_t size, bool host) {
    Block::Description description;
    description.size = size;
    description.host = host;
    return description;
  }
  Block block_;
};

using Staging = gpu::StagingRing<StagingPiece>;
inline CUdeviceptr address_of(const Staging::Slice& slice) { return slice.piece->block().address() + slice.offset; }

}  // namespace clothc::cuda
