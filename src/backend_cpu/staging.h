// staging.h - holds the bytes that a call writes to a stream until the stream uses them, which happens later and in
// order. Blocks are reused, so a program that writes the same amount in every update allocates nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace clothc::cpu {

class Staging {
 public:
  struct Block {
    std::unique_ptr<uint8_t[]> bytes;
    uint64_t size = 0;
    uint64_t used = 0;
    // Number of slices that have been allocated and not released. The block may be reused when this is 0.
    std::atomic<uint32_t> pending{0};
  };
  struct Slice {
    Block* block;
    uint8_t* bytes;
  };

  // Reserves size bytes, which stay valid until release. Only one thread at a time may call this.
  Slice allocate(uint64_t size) {
    if (current_ == nullptr || current_->size - current_->used < size) current_ = free_block(size);
    Slice slice{current_, current_->bytes.get() + current_->used};
    current_->used += size;
    current_->pending.fetch_add(1, std::memory_order_relaxed);
    return slice;
  }
  // Gives a slice of the block back. Any thread may call this.
  static void release(Block* block) { block->pending.fetch_sub(1, std::memory_order_release); }

 private:
  Block* free_block(uint64_t size) {
    for (const std::unique_ptr<Block>& block : blocks_) {
      if (block->size >= size && block->pending.load(std::memory_order_acquire) == 0) {
        block->used = 0;
        return block.get();
      }
    }
    constexpr uint64_t smallest = 256 * 1024;
    auto block = std::make_unique<Block>();
    block->size = size > smallest ? size : smallest;
    block->bytes.reset(new uint8_t[block->size]);
    blocks_.push_back(std::move(block));
    return blocks_.back().get();
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  Block* current_ = nullptr;
};

}  // namespace clothc::cpu
