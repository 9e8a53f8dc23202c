// replica.h - a copy, on the device that is verified, of the arenas of the reference, for running single dispatches.
#pragma once

#include <array>
#include <vector>

#include "core/backend/backend.h"

namespace clothc {

constexpr size_t arena_count = 4, table_arena = 2;
constexpr const char* arena_names[arena_count] = {"particles", "records", "tables", "topology"};

// The bytes of the arenas, in the order of their names.
using ArenaBytes = std::array<std::vector<uint8_t>, arena_count>;

// Reads what arenas hold. bytes: keeps its memory from one call to the next.
void read_arenas(const Arenas& arenas, ArenaBytes& bytes);

class Replica {
 public:
  explicit Replica(Backend& device) : device_(device), stream_(device.create_stream()) {}

  // Runs a schedule with what the other arenas hold, and returns what the device's own hold behind it.
  const ArenaBytes& run(const Dispatch& dispatch, const ArenaBytes& before);

 private:
  struct Copied {
    MemoryPointer memory;
    // Where the device writes its results for the host.
    MemoryPointer results;
  };
  void upload(size_t arena, const std::vector<uint8_t>& bytes, CommandList& list);

  Backend& device_;
  std::shared_ptr<Stream> stream_;
  std::array<Copied, arena_count> arenas_;
  // What the device's arenas hold.
  ArenaBytes held_;
};

}  // namespace clothc
