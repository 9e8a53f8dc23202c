// replica.cpp - see replica.h. Only pieces that differ are sent to the device, but all of an arena is read back.
#include "core/verify/replica.h"

#include <algorithm>
#include <cstring>

#include "core/verify/observed_backend.h"

namespace clothc {
namespace {

constexpr size_t piece_size = 16384;

// The arenas in the order of their names.
std::array<MemoryPointer, arena_count> pointers_of(const Arenas& arenas) {
  return {arenas.particles, arenas.records, arenas.tables, arenas.topology};
}

}  // namespace

void read_arenas(const Arenas& arenas, ArenaBytes& bytes) {
  const std::array<MemoryPointer, arena_count> memories = pointers_of(arenas);
  for (size_t k = 0; k < arena_count; ++k) {
    bytes[k].resize(memories[k]->size());
    memories[k]->read(0, bytes[k].data(), bytes[k].size());
  }
}

// Adds the commands that make the device's arena hold the bytes.
void Replica::upload(size_t arena, const std::vector<uint8_t>& bytes, CommandList& list) {
  Copied& copied = arenas_[arena];
  std::vector<uint8_t>& held = held_[arena];
  if (held.size() != bytes.size()) {
    copied.memory = device_.allocate(bytes.size(), MemoryVisibility::device_only);
    copied.results = device_.allocate(bytes.size(), MemoryVisibility::host);
    held = bytes;
    list.write(copied.memory, 0, bytes.data(), bytes.size());
    return;
  }
  for (size_t begin = 0; begin < bytes.size(); begin += piece_size) {
    const size_t size = std::min(piece_size, bytes.size() - begin);
    if (std::memcmp(&bytes[begin], &held[begin], size) == 0) continue;
    list.write(copied.memory, begin, &bytes[begin], size);
    std::memcpy(&held[begin], &bytes[begin], size);
  }
}

const ArenaBytes& Replica::run(const Dispatch& dispatch, const ArenaBytes& before) {
  CommandList list;
  for (size_t k = 0; k < arena_count; ++k) upload(k, before[k], list);
  Dispatch own = dispatch;
  own.arenas.particles = arenas_[0].memory;
  own.arenas.records = arenas_[1].memory;
  own.arenas.tables = arenas_[2].memory;
  own.arenas.topology = arenas_[3].memory;
  list.add(own);
  for (const Copied& copied : arenas_) {
    Copy copy;
    copy.source = copied.memory;
    copy.target = copied.results;
    copy.element_size = copied.memory->size();
    list.add(copy);
  }
  run_and_wait(*stream_, list);
  for (size_t k = 0; k < arena_count; ++k) arenas_[k].results->read(0, held_[k].data(), held_[k].size());
  return held_;
}

}  // namespace clothc
