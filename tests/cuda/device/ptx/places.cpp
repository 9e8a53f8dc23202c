// places.cpp - the checks of accesses. All lanes are checked together first; only if that fails, one after the other.
#include "cuda/device/ptx/places.h"

#include <cstdio>

#include "cuda/device/ptx/counting.h"
#include "cuda/device/ptx/forms.h"
#include "cuda/device/ptx/lanes.h"
#include "cuda/device/ptx/windows.h"

namespace ptx {
namespace {

// A range of addresses, and where it lies in the memory of the host.
struct Range {
  uint64_t begin = 0, size = 0;
  unsigned char* memory = nullptr;
};

PTX_INLINE uint32_t find_outside(const uint64_t* addresses, uint64_t begin, uint64_t last, uint64_t alignment) {
  uint32_t outside = 0;
  for (uint32_t lane = 0; lane < lane_count; ++lane) {
    const bool is_inside = addresses[lane] - begin <= last && (addresses[lane] & (alignment - 1)) == 0;
    outside |= is_inside ? 0 : lane_bits[lane];
  }
  return outside;
}

#if PTX_HAS_AVX2
[[gnu::target("avx2,fma")]] uint32_t find_outside_avx2(const uint64_t* addresses, uint64_t begin, uint64_t last,
                                                       uint64_t alignment) {
  return find_outside(addresses, begin, last, alignment);
}
const bool uses_avx2 = has_avx2();
#endif

// Returns whether all active lanes access the range, and with the right alignment.
bool are_inside(const uint64_t* addresses, uint32_t active, const Range& range, uint32_t bytes) {
  if (range.size < bytes) return false;
  const uint64_t last = range.size - bytes;
#if PTX_HAS_AVX2
  if (uses_avx2) return (find_outside_avx2(addresses, range.begin, last, bytes) & active) == 0;
#endif
  return (find_outside(addresses, range.begin, last, bytes) & active) == 0;
}

void compute_addresses(const Instruction& i, const Warp& warp, uint64_t* addresses) {
  const uint64_t offset = static_cast<uint64_t>(i.offset);
  if (i.address_is_wide) {
    const Wide* const row = warp.wide(i.address);
    for (uint32_t lane = 0; lane < lane_count; ++lane) addresses[lane] = row[lane] + offset;
  } else {
    const Word* const row = warp.rows[i.address].lanes;
    for (uint32_t lane = 0; lane < lane_count; ++lane) addresses[lane] = static_cast<uint32_t>(row[lane] + offset);
  }
}

Space space_of(uint64_t address) {
  if (is_global(address)) return Space::global;
  switch (address & ~(window_size - 1)) {
    case shared_window:
      return Space::shared;
    case local_window:
      return Space::local;
    case parameter_window:
      return Space::parameter;
    default:
      return Space::global;
  }
}

const char* name_of(Space space) {
  return space == Space::shared ? "shared memory" : space == Space::local ? "local memory" : "the parameters";
}

// The range of a space that is not global, for the lane of a slot.
Range range_of(Space space, const Warp& warp, uint32_t slot) {
  Block& block = *warp.block;
  const uint32_t local_size = block.code.local_size;
  if (space == Space::shared) return {0, block.shared.size(), block.shared.data()};
  if (space == Space::local) return {0, local_size, warp.local + size_t{slot} * local_size};
  auto* const parameters = static_cast<const unsigned char*>(block.launch.parameters);
  return {0, block.code.parameter_size, const_cast<unsigned char*>(parameters)};
}

Accessor accessor_of(const Warp& warp, uint32_t slot) {
  return {warp.block->number, warp.thread_of(slot), warp.block->epoch};
}

// Says what a lane tried, as the begin of a message.
std::string tried(const Instruction& i, const Warp& warp, uint32_t slot, AccessKind kind, uint64_t address) {
  char text[80];
  const char* const verb = kind == AccessKind::read ? "reads" : "writes";
  std::snprintf(text, sizeof(text), " %s %u bytes at 0x%llx", verb, unsigned{i.form->size} * i.form->count,
                static_cast<unsigned long long>(address));
  return describe(warp, slot, i) + text;
}

// Checks the access of a lane to a range that is not global.
unsigned char* locate_inside(const Instruction& i, Warp& warp, uint32_t slot, AccessKind kind, Space space,
                             uint64_t address) {
  const uint32_t bytes = uint32_t{i.form->size} * i.form->count;
  const uint64_t offset = i.form->space == Space::generic ? address & (window_size - 1) : address;
  const Range range = range_of(space, warp, slot);
  if (offset > range.size || bytes > range.size - offset) {
    throw Fault(Fault::Kind::illegal_address, tried(i, warp, slot, kind, offset) + ", but " + name_of(space) +
                                                  (space == Space::parameter ? " have " : " has ") +
                                                  std::to_string(range.size) + " bytes");
  }
  if (space == Space::parameter && kind != AccessKind::read) {
    throw Fault(Fault::Kind::illegal_address, tried(i, warp, slot, kind, offset) + ", but parameters may only be read");
  }
  return range.memory + offset;
}

// Checks the access of a lane to global memory.
unsigned char* locate_global(const Instruction& i, Warp& warp, uint32_t slot, AccessKind kind, uint64_t address) {
  const uint32_t bytes = uint32_t{i.form->size} * i.form->count;
  Checker::State& memory = warp.block->memory;
  const KnownRange* const range = memory.find(address, bytes, i.cache);
  if (range == nullptr) {
    throw Fault(Fault::Kind::illegal_address,
                tried(i, warp, slot, kind, address) + ": " + memory.space.describe(address, bytes));
  }
  if (kind != AccessKind::read && !range->is_writable) {
    throw Fault(Fault::Kind::illegal_address,
                tried(i, warp, slot, kind, address) + ", but '" + range->allocation->name + "' may only be read");
  }
  return reinterpret_cast<unsigned char*>(address);
}

void locate_each(const Instruction& i, Warp& warp, AccessKind kind, Places& places) {
  const uint32_t bytes = uint32_t{i.form->size} * i.form->count;
  for_each_lane(warp.active, [&](uint32_t slot) {
    const uint64_t address = places.addresses[slot];
    if ((address & (bytes - 1)) != 0) {
      throw Fault(Fault::Kind::misaligned_address,
                  tried(i, warp, slot, kind, address) + ", which is not a multiple of " + std::to_string(bytes));
    }
    const Space space = i.form->space == Space::generic ? space_of(address) : i.form->space;
    if (space == Space::global) {
      places.of[slot] = locate_global(i, warp, slot, kind, address);
      places.global_lanes |= 1u << slot;
    } else {
      places.of[slot] = locate_inside(i, warp, slot, kind, space, address);
      if (space == Space::shared) places.shared_lanes |= 1u << slot;
    }
  });
}

// Handles the usual case: all lanes access the same allocation, shared or local memory. Returns false otherwise.
bool locate_together(const Instruction& i, Warp& warp, AccessKind kind, Places& places) {
  const uint32_t bytes = uint32_t{i.form->size} * i.form->count;
  const Space space = i.form->space;
  if (space == Space::global || space == Space::generic) {
    const KnownRange& range = warp.block->memory.likely(i.cache);
    if (kind != AccessKind::read && !range.is_writable) return false;
    if (!are_inside(places.addresses, warp.active, {range.begin, range.size, nullptr}, bytes)) return false;
    for (uint32_t k = 0; k < lane_count; ++k) places.of[k] = reinterpret_cast<unsigned char*>(places.addresses[k]);
    places.global_lanes = warp.active;
    return true;
  }
  if (space == Space::parameter && kind != AccessKind::read) return false;
  const Range range = range_of(space, warp, 0);
  if (!are_inside(places.addresses, warp.active, range, bytes)) return false;
  if (space == Space::shared) places.shared_lanes = warp.active;
  const size_t stride = space == Space::local ? range.size : 0;
  for_each_lane(warp.active, [&](uint32_t k) { places.of[k] = range.memory + k * stride + places.addresses[k]; });
  return true;
}

// Notes an access to shared memory. Accesses that are aligned have whole words or a part of one.
void mark_shared(Block& block, uint64_t address, uint32_t bytes, AccessKind kind, const Accessor& accessor) {
  static const std::string name = "shared memory";
  const uint32_t mask = bytes < 4 ? ((1u << bytes) - 1) << (address & 3) : 15;
  for (uint64_t at = address; at < address + bytes; at += 4) {
    block.memory.races->access(block.shared_shadow[at / 4], kind, mask, accessor, name, at / 4);
  }
}

// Notes the accesses of all lanes for the detection of races.
void mark(const Instruction& i, Warp& warp, AccessKind kind, const Places& places) {
  Block& block = *warp.block;
  const uint32_t bytes = uint32_t{i.form->size} * i.form->count;
  for_each_lane(places.global_lanes, [&](uint32_t slot) {
    const KnownRange* const range = block.memory.find(places.addresses[slot], bytes, i.cache);
    if (range == nullptr) return;
    block.memory.mark(*range, places.addresses[slot], bytes, kind, accessor_of(warp, slot));
  });
  for_each_lane(places.shared_lanes, [&](uint32_t slot) {
    const auto address = static_cast<uint64_t>(places.of[slot] - block.shared.data());
    mark_shared(block, address, bytes, kind, accessor_of(warp, slot));
  });
}

}  // namespace

void locate(const Instruction& instruction, Warp& warp, AccessKind kind, Places& places) {
  compute_addresses(instruction, warp, places.addresses);
  if (!locate_together(instruction, warp, kind, places)) locate_each(instruction, warp, kind, places);
  if (warp.block->memory.races) mark(instruction, warp, kind, places);
  if (warp.block->counting != nullptr) warp.block->counting->access(instruction, warp, kind, places);
}

}  // namespace ptx
