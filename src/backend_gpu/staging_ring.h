// staging_ring.h - holds bytes on their way between the host and a device, in a ring of pieces of memory. A piece may be
// reused when the commands that use it have ended.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace clothc::gpu {

// Piece: owns memory, with the functions size() and, where the host can access it, bytes().
template <class Piece>
class StagingRing {
 public:
  struct Slice {
    const Piece* piece = nullptr;
    uint64_t offset = 0;
    uint8_t* bytes() const {
      assert(piece != nullptr);
      return piece->bytes() + offset;
    }
  };

  // Reserves size bytes, aligned to 16 bytes. use and completed are values of the stream's timeline: the bytes stay
  // valid until use is reached, and completed has been reached already. make(size) returns a new piece with room for at
  // least that many bytes, as a std::unique_ptr, or null to refuse: then the slice has no piece.
  template <class Make>
  Slice allocate(uint64_t size, uint64_t use, uint64_t completed, Make make) {
    size = (size + alignment - 1) / alignment * alignment;
    Part* const part = part_for(size, completed, make);
    if (part == nullptr) return {};
    const uint64_t offset = part->filled;
    part->filled += size;
    part->last_use = use;
    return {part->piece.get(), offset};
  }

  // Frees pieces that are no longer in use and that none of the last idle_lists values before use has used, so that what
  // a single large transfer took does not stay. A few small pieces stay.
  void release_idle(uint64_t use, uint64_t completed) {
    size_t spares = 0;
    const auto is_idle = [&](const Part& part) {
      if (part.last_use > completed || part.last_use + idle_lists >= use) return false;
      return part.is_large || ++spares > spare_count;
    };
    parts_.erase(std::remove_if(parts_.begin(), parts_.end(), is_idle), parts_.end());
    if (current_ >= parts_.size()) current_ = 0;
  }
  // Enough for any number of lists that a program may submit between two uses of the same kind.
  static constexpr uint64_t idle_lists = 1000;

  // Returns the size of all pieces together.
  uint64_t size() const {
    uint64_t total = 0;
    for (const Part& part : parts_) total += part.piece->size();
    return total;
  }

 private:
  static constexpr size_t spare_count = 4;
  static constexpr uint64_t usual_size = (uint64_t{256} << 10) - 512;
  static constexpr uint64_t alignment = 16;
  struct Part {
    std::unique_ptr<Piece> piece;
    // Whether the piece is larger than usual.
    bool is_large = false;
    uint64_t filled = 0;
    uint64_t last_use = 0;
  };

  // Large pieces serve large slices of a similar size alone, so that a huge one does not stay because of small slices.
  static bool suits(const Part& part, uint64_t size) {
    return part.is_large ? size > usual_size && part.piece->size() / 4 <= size : true;
  }

  // Returns null if there is none and make refuses to make one.
  template <class Make>
  Part* part_for(uint64_t size, uint64_t completed, Make make) {
    for (size_t k = 0; k < parts_.size(); ++k) {
      Part& part = parts_[(current_ + k) % parts_.size()];
      if (!suits(part, size)) continue;
      if (k > 0 || part.filled + size > part.piece->size()) {
        if (part.last_use > completed || part.piece->size() < size) continue;
        part.filled = 0;
      }
      current_ = (current_ + k) % parts_.size();
      return &part;
    }
    parts_.reserve(parts_.size() + 1);
    Part fresh;
    fresh.piece = make(std::max(usual_size, size));
    if (fresh.piece == nullptr) return nullptr;
    fresh.is_large = size > usual_size;
    parts_.push_back(std::move(fresh));
    current_ = parts_.size() - 1;
    return &parts_.back();
  }

  std::vector<Part> parts_;
  size_t current_ = 0;
};

}  // namespace clothc::gpu
