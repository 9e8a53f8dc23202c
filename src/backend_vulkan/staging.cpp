// staging.cpp - implements the ring of staging blocks.
#include "backend_vulkan/staging.h"

#include <algorithm>

namespace clothc::vulkan {
namespace {

constexpr uint64_t piece_size = TexelView::padded_size((uint64_t{256} << 10) - 512);
constexpr uint64_t alignment = 16;

}  // namespace

Staging::Piece& Staging::piece_for(uint64_t size, uint64_t completed) {
  for (size_t k = 0; k < pieces_.size(); ++k) {
    Piece& piece = pieces_[(current_ + k) % pieces_.size()];
    if (k > 0 || piece.filled + size > piece.block->size()) {
      if (piece.last_use > completed || piece.block->size() < size) continue;
      piece.filled = 0;
    }
    current_ = (current_ + k) % pieces_.size();
    return piece;
  }
  // Blocks that are larger than usual are freed when they are no longer in use.
  pieces_.erase(std::remove_if(pieces_.begin(), pieces_.end(),
                               [&](const Piece& piece) {
                                 return piece.last_use <= completed && piece.block->size() > piece_size;
                               }),
                pieces_.end());
  current_ = 0;
  Block::Description description;
  description.size = std::max(piece_size, TexelView::padded_size(size));
  description.host = true;
  pieces_.reserve(pieces_.size() + 1);
  Piece fresh;
  fresh.block = std::make_unique<Block>(gpu_, description);
  // A list of jobs must fit into the largest possible view, so the view need not cover the rest of a larger block.
  const uint64_t most = uint64_t{gpu_->adapter().limits.maxTexelBufferElements} * 16;
  fresh.texels = std::make_unique<TexelView>(*fresh.block, 0, std::min(description.size, most));
  pieces_.push_back(std::move(fresh));
  current_ = pieces_.size() - 1;
  return pieces_.back();
}

Staging::Slice Staging::allocate(uint64_t size, uint64_t use, uint64_t completed) {
  size = (size + alignment - 1) / alignment * alignment;
  Piece& piece = piece_for(size, completed);
  const uint64_t offset = piece.filled;
  piece.filled += size;
  piece.last_use = use;
  return {piece.block->mapped() + offset, piece.block.get(), offset, piece.texels.get()};
}

}  // namespace clothc::vulkan
