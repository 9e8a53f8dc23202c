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
  // The distance from the memory of one slot to that of the next, in bytes; 0 if all have the same.
  uint64_t stride = 0;
};

// Computes the address of a lane.
PTX_INLINE uint64_t address_of(const Instruction& i, const Warp& warp, uint32_t lane) {
  const uint64_t offset = static_cast<uint64_t>(i.offset);
  if (i.address_is_wide) return warp.wide(i.address)[lane] + offset;
  return static_cast<uint32_t>(warp.rows[i.address].lanes[lane] + offset);
}

// Computes where each lane accesses the range. Returns whether all active lanes do, and with the right alignment. Ranges
// are shorter than 2^63 bytes, so that the signs tell whether an offset lies between 0 and `last`.
template <bool is_wide>
PTX_INLINE bool locate_addresses(const Instruction& i, const Warp& warp, const Range& range, uint64_t bytes,
                                 Places& places) {
  const Wide* const wide = warp.wide(i.address);
  const Word* const narrow = warp.rows[i.address].lanes;
  const uint64_t added = static_cast<uint64_t>(i.offset), begin = range.begin, last = range.size - bytes;
  const uint64_t active = warp.active, distance = reinterpret_cast<uint64_t>(range.memory) - begin;
  uint64_t* const memory = places.places;
  uint64_t wrong = 0;
  PTX_LOOP
  for (uint64_t lane = 0; lane < lane_count; ++lane) {
    const uint64_t address = is_wide ? wide[lane] + added : static_cast<uint32_t>(narrow[lane] + added);
    const uint64_t offset = address - begin;
    const uint64_t is_active = uint64_t{0} - (active >> lane & 1);
    wrong |= ((offset | (last - offset)) >> 63 | (address & (bytes - 1))) & is_active;
    memory[lane] = address + distance;
  }
  if (range.stride == 0) return wrong == 0;
  for (uint64_t lane = 0; lane < lane_count; ++lane) memory[lane] += lane * range.stride;
  return wrong == 0;
}

bool locate_lanes(const Instruction& i, const Warp& warp, const Range& range, uint64_t bytes, Places& places) {
  return i.address_is_wide ? locate_addresses<true>(i, warp, range, bytes, places)
                           : locate_addresses<false>(i, warp, range, bytes, places);
}

#if PTX_HAS_AVX2
[[gnu::target("avx2,fma")]] bool locate_lanes_avx2(const Instruction& i, const Warp& warp, const Range& range,
                                                   uint64_t bytes, Places& places) {
  return i.address_is_wide ? locate_addresses<true>(i, warp, range, bytes, places)
                           : locate_addresses<false>(i, warp, range, bytes, places);
}
const auto locate_all = has_avx2() ? locate_lanes_avx2 : locate_lanes;
#else
const auto locate_all = locate_lanes;
#endif

// The same for few active lanes.
bool locate_few(const Instruction& i, const Warp& warp, const Range& range, uint64_t bytes, Places& places) {
  const uint64_t last = range.size - bytes;
  bool is_right = true;
  for_each_lane(warp.active, [&](uint32_t lane) {
    const uint64_t address = address_of(i, warp, lane), offset = address - range.begin;
    is_right = is_right && offset <= last && (address & (bytes - 1)) == 0;
    places.places[lane] = reinterpret_cast<uint64_t>(range.memory) + offset + lane * range.stride;
  });
  return is_right;
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
  if (space == Space::local) return {0, local_size, warp.local + size_t{slot} * local_size, local_size};
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
    const uint64_t address = address_of(i, warp, slot);
    if ((address & (bytes - 1)) != 0) {
      throw Fault(Fault::Kind::misaligned_address,
                  tried(i, warp, slot, kind, address) + ", which is not a multiple of " + std::to_string(bytes));
    }
    const Space space = i.form->space == Space::generic ? space_of(address) : i.form->space;
    if (space == Space::global) {
      places.set(slot, locate_global(i, warp, slot, kind, address));
      places.global_lanes |= 1u << slot;
    } else {
      places.set(slot, locate_inside(i, warp, slot, kind, space, address));
      if (space == Space::shared) places.shared_lanes |= 1u << slot;
    }
  });
}

// Handles the usual case: all lanes access the range. Returns false otherwise.
bool locate_in(const Range& range, const Instruction& i, Warp& warp, Places& places) {
  const uint32_t bytes = uint32_t{i.form->size} * i.form->count;
  if (range.size < bytes) return false;
  const auto function = density_of(warp.active) == Density::few ? locate_few : locate_all;
  return function(i, warp, range, bytes, places);
}

bool locate_in_global(const KnownRange& range, const Instruction& i, Warp& warp, AccessKind kind, Places& places) {
  if (kind != AccessKind::read && !range.is_writable) return false;
  if (!locate_in({range.begin, range.size, reinterpret_cast<unsigned char*>(range.begin)}, i, warp, places))
    return false;
  places.global_lanes = warp.active;
  return true;
}

// Lanes access the allocation of the instruction's last access, or another that they have in common.
bool locate_together(const Instruction& i, Warp& warp, AccessKind kind, Places& places) {
  const Space space = i.form->space;
  if (space == Space::global || space == Space::generic) {
    Checker::State& memory = warp.block->memory;
    const KnownRange& likely = memory.likely(i.cache);
    if (locate_in_global(likely, i, warp, kind, places)) return true;
    const uint64_t address = address_of(i, warp, static_cast<uint32_t>(__builtin_ctz(warp.active)));
    const KnownRange* const common = memory.find(address, 1, i.cache);
    return common != nullptr && common != &likely && locate_in_global(*common, i, warp, kind, places);
  }
  if (space == Space::parameter && kind != AccessKind::read) return false;
  if (!locate_in(range_of(space, warp, 0), i, warp, places)) return false;
  if (space == Space::shared) places.shared_lanes = warp.active;
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
    const KnownRange* const range = block.memory.find(places.address(slot), bytes, i.cache);
    if (range == nullptr) return;
    block.memory.mark(*range, places.address(slot), bytes, kind, accessor_of(warp, slot));
  });
  for_each_lane(places.shared_lanes, [&](uint32_t slot) {
    const auto address = static_cast<uint64_t>(places.of(slot) - block.shared.data());
    mark_shared(block, address, bytes, kind, accessor_of(warp, slot));
  });
}

}  // namespace

void locate(const Instruction& instruction, Warp& warp, AccessKind kind, Places& places) {
  if (!locate_together(instruction, warp, kind, places)) locate_each(instruction, warp, kind, places);
  if (warp.block->memory.races) mark(instruction, warp, kind, places);
  if (warp.block->counting != nullptr) warp.block->counting->access(instruction, warp, kind, places);
}

}  // namespace ptx
