// staging.cpp - makes the pieces of a staging ring.
#include "backend_vulkan/staging.h"

namespace clothc::vulkan {
namespace {

Block::Description description_of(uint64_t size) {
  Block::Description description;
  description.size = texel_view_size(size);
  description.host = true;
  return description;
}

}  // namespace

StagingPiece::StagingPiece(const GpuPointer& gpu, uint64_t size) : block_(gpu, description_of(size)) {}

}  // namespace clothc::vulkan
