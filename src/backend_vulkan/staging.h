// staging.h - the pieces of the ring in which a stream holds bytes that the host sends to the device.
#pragma once

#include "backend_gpu/staging_ring.h"
#include "backend_vulkan/memory.h"

namespace clothc::vulkan {

class StagingPiece {
 public:
  // Has room for size bytes. Throws Failure.
  StagingPiece(const GpuPointer& gpu, uint64_t size);

  uint64_t size() const { return block_.size(); }
  uint8_t* bytes() const { return block_.mapped(); }
  const Block& block() const { return block_; }

 private:
  Block block_;
};

using Staging = gpu::StagingRing<StagingPiece>;

}  // namespace clothc::vulkan
