// staging_ring.h - holds bytes that the host sends to a device, in a ring of pieces of memory that the host can access.
// A piece may be reused when the commands that read it have ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace clothc::gpu {

// Piece: owns memory, with the functions size() and bytes().
template <class Piece>
class StagingRing {
 public:
  struct Slice {
    const Piece* piece = nullptr;
    uint64_t offset = 0;
    uint8_t* bytes() const { return piece->bytes() + offset; }
  };

  // Reserves size bytes, aligned to 16 bytes. use and completed are values of the stream's timeline: the bytes stay
  // valid until use is reached, and completed has been reached already. make(size) returns a new piece with room for
  // that many bytes, as a std::unique_ptr.
  template <class Make>
  Slice allocate(uint64_t size, uint64_t use, uint64_t completed, Make make) {
    size = (size + alignment - 1) / alignment * alignment;
    Part& part = part_for(size, completed, make);
    const uint64_t offset = part.filled;
    part.filled += size;
    part.last_use = use;
    return {part.piece.get(), offset};
  }

 private:
  static constexpr uint64_t usual_size = (uint64_t{256} << 10) - 512;
  static constexpr uint64_t alignment = 16;
  struct Part {
    std::unique_ptr<Piece> piece;
    // Whether the piece is larger than usual.
    bool is_large = false;
    uint64_t filled = 0;
    uint64_t last_use = 0;
  };

  template <class Make>
  Part& part_for(uint64_t size, uint64_t completed, Make make) {
    for (size_t k = 0; k < parts_.size(); ++k) {
      Part& part = parts_[(current_ + k) % parts_.size()];
      if (k > 0 || part.filled + size > part.piece->size()) {
        if (part.last_use > completed || part.piece->size() < size) continue;
        part.filled = 0;
      }
      current_ = (current_ + k) % parts_.size();
      return part;
    }
    // Large pieces are freed when they are no longer in use.
    const auto is_done = [&](const Part& part) { return part.last_use <= completed && part.is_large; };
    parts_.erase(std::remove_if(parts_.begin(), parts_.end(), is_done), parts_.end());
    current_ = 0;
    parts_.reserve(parts_.size() + 1);
    Part fresh;
    fresh.piece = make(std::max(usual_size, size));
    fresh.is_large = size > usual_size;
    parts_.push_back(std::move(fresh));
    current_ = parts_.size() - 1;
    return parts_.back();
  }

  std::vector<Part> parts_;
  size_t current_ = 0;
};

}  // namespace clothc::gpu
