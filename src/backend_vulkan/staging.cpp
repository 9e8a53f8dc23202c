// staging.cpp - makes the pieces of a staging ring.
#include "backend_vulkan/staging.h"

#include <algorithm>

namespace clothc::vulkan {
namespace {

Block::Description description_of(uint64_t size) {
  Block::Description description;
  description.size = TexelView::padded_size(size);
  description.host = true;
  return description;
}

// A list of jobs must fit into the largest possible view, so the view need not cover the rest of a larger block.
uint64_t largest_view(const Gpu& gpu) { return uint64_t{gpu.adapter().limits.maxTexelBufferElements} * 16; }

}  // namespace

StagingPiece::StagingPiece(const GpuPointer& gpu, uint64_t size)
    : block_(gpu, description_of(size)), texels_(block_, 0, std::min(block_.size(), largest_view(*gpu))) {}

}  // namespace clothc::vulkan
