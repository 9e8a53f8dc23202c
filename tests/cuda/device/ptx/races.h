// races.h - finds pairs of accesses to a word that nothing orders. Each word has a shadow, which remembers its last
// write and its last read.
// Source: Savage and others 1997, Eraser; Flanagan and Freund 2009, FastTrack.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda/device/ptx/memory.h"

namespace ptx {

// Kernels of several streams may access a word at the same time, and its shadow with it.
struct ShadowWord {
  std::atomic<uint64_t> last_write, last_read;

  // Large arrays are made without touching their pages, which are zero.
  static void* operator new[](size_t size);
  static void operator delete[](void* memory);
};

enum class AccessKind : uint8_t { read, write, atomic };

// Who accesses a word.
struct Accessor {
  uint32_t block = 0;
  uint32_t thread = 0;
  // The number of barriers that the block has passed.
  uint32_t epoch = 0;
};

// An access, as a shadow word keeps it. Blocks are kept modulo 2^16, so that some races between blocks are not found.
// Of several writes to parts of a word only the last is known, and races with the others are not found.
class AccessRecord {
 public:
  // Places of bits.
  struct Field {
    uint32_t shift, width;
    constexpr uint64_t mask() const { return ((uint64_t{1} << width) - 1) << shift; }
  };
  static constexpr Field operation{0, 21};
  static constexpr Field block{21, 16};
  static constexpr Field epoch{37, 10};
  static constexpr Field thread{47, 10};
  // Which bytes of the word.
  static constexpr Field bytes{57, 4};
  static constexpr Field is_atomic{61, 1};
  // The same access was made by other threads of the block, or by other blocks.
  static constexpr Field by_threads{62, 1};
  static constexpr Field by_blocks{63, 1};

  explicit AccessRecord(uint64_t bits = 0) : bits_(bits) {}
  uint64_t bits() const { return bits_; }
  uint32_t get(Field field) const { return static_cast<uint32_t>((bits_ & field.mask()) >> field.shift); }
  bool has(Field field) const { return (bits_ & field.mask()) != 0; }
  void add(Field field, uint64_t value) { bits_ |= value << field.shift & field.mask(); }
  // Whether two records differ in some of the fields.
  static bool differ(AccessRecord a, AccessRecord b, uint64_t masks) { return ((a.bits_ ^ b.bits_) & masks) != 0; }

 private:
  uint64_t bits_;
};

// Finds the races of the accesses of one operation with each other and with those of earlier operations.
class RaceFinder {
 public:
  explicit RaceFinder(const Operation& operation);

  // Notes an access to some bytes of the word of that number. The name is that of the memory.
  void access(ShadowWord& shadow, AccessKind kind, uint32_t bytes, const Accessor& accessor, const std::string& memory,
              uint64_t word);

 private:
  bool conflicts(AccessRecord earlier, AccessRecord now);
  bool follows(uint32_t earlier);
  uint32_t identity_of(uint32_t epoch) {
    const uint32_t part = epoch >> AccessRecord::epoch.width;
    return part < identities_.size() ? identities_[part] : add_identities(part);
  }
  uint32_t add_identities(uint32_t part);
  void report(AccessRecord earlier, bool earlier_writes, AccessRecord now, bool now_writes, const std::string& memory,
              uint64_t word);

  const Operation& operation_;
  // Numbers under which the operation is known to shadow words: one for each 1024 epochs.
  std::vector<uint32_t> identities_;
  // What is known about earlier operations: the number, and whether this one follows it. By number modulo the size.
  struct Verdict {
    uint32_t operation = 0;
    bool follows = false;
  };
  std::array<Verdict, 64> verdicts_;
  // What has been reported: the earlier operation, and the kinds.
  std::set<std::pair<std::string, uint32_t>> reported_;
};

}  // namespace ptx
