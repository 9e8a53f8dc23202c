// accesses.h - the checks of the accesses of an operation to global memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cuda/device/ptx/memory.h"
#include "cuda/device/ptx/races.h"

namespace ptx {

// An allocation that an operation has accessed.
struct KnownRange {
  uint64_t begin = 0, size = 0;
  bool is_writable = false;
  std::shared_ptr<Allocation> allocation;
  // Null if races are not looked for.
  ShadowWord* shadow = nullptr;
};

struct Checker::State {
  State(const AddressSpace& address_space, const Operation& checked_operation, bool finds_races);

  // Returns the range that contains all bytes, or null. The hint is the number of the instruction among the accesses of
  // its kernel; the range that it accessed last is tried first.
  const KnownRange* find(uint64_t address, uint64_t size, uint8_t hint);
  // Returns the range to try first, which may have nothing to do with the address.
  const KnownRange& likely(uint8_t hint) {
    if (space.generation() != generation) forget();
    return ranges[likely_ranges[hint]];
  }
  // Forgets all ranges, because one of them may be gone.
  void forget();
  // Notes an access for the detection of races.
  void mark(const KnownRange& range, uint64_t address, uint64_t size, AccessKind kind, const Accessor& accessor);

  const AddressSpace& space;
  const Operation operation;
  // Nothing if races are not looked for.
  std::optional<RaceFinder> races;
  // The place of the next range that is not known yet.
  uint8_t next_range = 0;
  std::array<KnownRange, 16> ranges;
  // For each hint, a place in ranges.
  std::array<uint8_t, 256> likely_ranges{};
  uint64_t generation;
};

}  // namespace ptx
