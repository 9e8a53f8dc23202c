// warp.cpp - schedules the lanes of a warp. Of the lanes that can run, those with the lowest next instruction run
// together, until they part or come to where others wait. Compilers place what follows a loop or a condition behind it,
// so that lanes that have parted come together again there.
// Source: Collange 2011, Stack-less SIMT reconvergence at low cost.
#include "cuda/device/ptx/warp.h"

#include <algorithm>
#include <string>

#include "cuda/device/ptx/counting.h"
#include "cuda/device/ptx/forms.h"
#include "cuda/device/ptx/lanes.h"

namespace ptx {
namespace {

std::string triple(uint32_t number, const Dimensions& size) {
  const uint32_t x = number % size.x, y = number / size.x % size.y, z = number / size.x / size.y;
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

// Runs a group of lanes.
class Group {
 public:
  // The limit is the lowest next instruction of the other lanes.
  Group(Warp& warp, uint32_t lanes, uint32_t next, uint32_t limit)
      : warp_(warp), instructions_(warp.block->code.instructions.data()), next_(next), limit_(limit) {
    activate(lanes);
  }

  template <bool is_counted>
  void run() {
    while (next_ < limit_) {
      const Instruction& i = instructions_[next_];
      warp_.executed += count_;
      if constexpr (is_counted) warp_.block->counting->execute(next_, lanes_of(i));
      if (i.flow == Flow::next && i.guard < 0) {
        i.handlers[static_cast<size_t>(density_)](i, warp_);
        ++next_;
      } else if (!step(i)) {
        return;
      }
    }
    park(warp_.active, next_);
  }

 private:
  void activate(uint32_t lanes) {
    warp_.active = lanes;
    density_ = density_of(lanes);
    count_ = static_cast<uint32_t>(__builtin_popcount(lanes));
  }

  // Lets lanes begin with that instruction when they run again.
  void park(uint32_t lanes, uint32_t next) {
    for_each_lane(lanes, [&](uint32_t lane) { warp_.next[lane] = next; });
  }

  // Returns the lanes that execute an instruction.
  uint32_t lanes_of(const Instruction& i) const {
    if (i.guard < 0) return warp_.active;
    return warp_.active & (warp_.predicates[i.guard] ^ (i.guard_is_negated ? all_lanes : 0));
  }

  // Executes an instruction that has a guard or changes the flow. Returns false if the group does not go on.
  bool step(const Instruction& i) {
    const uint32_t lanes = lanes_of(i);
    if (lanes == 0) {
      ++next_;
      return true;
    }
    switch (i.flow) {
      case Flow::next:
        return execute(i, lanes);
      case Flow::branch:
        return branch(i, lanes);
      case Flow::exit:
        return leave(lanes, warp_.running, nullptr);
      case Flow::barrier:
        return leave(lanes, warp_.running, &warp_.at_barrier);
      case Flow::exchange:
        return exchange(i, lanes);
      case Flow::trap:
        break;
    }
    fail(warp_, static_cast<uint32_t>(__builtin_ctz(lanes)), i, "the kernel has trapped");
  }

  bool execute(const Instruction& i, uint32_t lanes) {
    const uint32_t active = warp_.active;
    warp_.active = lanes;
    i.handlers[static_cast<size_t>(density_of(lanes))](i, warp_);
    warp_.active = active;
    ++next_;
    return true;
  }

  bool branch(const Instruction& i, uint32_t lanes) {
    if (lanes == warp_.active) {
      next_ = i.target;
      return true;
    }
    park(lanes, i.target);
    park(warp_.active & ~lanes, next_ + 1);
    return false;
  }

  // Takes lanes from those that run, and adds them to others. Lanes without the guard go on.
  bool leave(uint32_t lanes, uint32_t& from, uint32_t* to) {
    park(lanes, next_);
    from &= ~lanes;
    if (to != nullptr) *to |= lanes;
    activate(warp_.active & ~lanes);
    ++next_;
    return warp_.active != 0;
  }

  bool exchange(const Instruction& i, uint32_t lanes) {
    const uint32_t group = warp_.active;
    park(lanes, next_);
    uint32_t waiting = 0;
    for_each_lane(warp_.exchanging, [&](uint32_t k) { waiting |= warp_.next[k] == next_ ? 1u << k : 0; });
    const uint32_t complete = complete_exchanges(warp_, i, lanes | waiting);
    if (complete == group) {
      activate(group);
      ++next_;
      return true;
    }
    warp_.exchanging = (warp_.exchanging | lanes) & ~complete;
    warp_.running = (warp_.running & ~lanes) | complete;
    park(complete | (group & ~lanes), next_ + 1);
    return false;
  }

  Warp& warp_;
  const Instruction* const instructions_;
  uint32_t next_;
  const uint32_t limit_;
  Density density_ = Density::all;
  uint32_t count_ = 0;
};

// The lanes with the lowest next instruction, that instruction, and the lowest one of the other lanes, or UINT32_MAX.
struct Lowest {
  uint32_t lanes = 0, next = 0, limit = 0;
};

PTX_INLINE Lowest find_lowest(const Warp& warp) {
  alignas(64) uint32_t next[lane_count];
  Lowest lowest{0, UINT32_MAX, UINT32_MAX};
  PTX_LOOP
  for (uint32_t lane = 0; lane < lane_count; ++lane) {
    next[lane] = (warp.running & lane_bits[lane]) != 0 ? warp.next[lane] : UINT32_MAX;
    lowest.next = std::min(lowest.next, next[lane]);
  }
  PTX_LOOP
  for (uint32_t lane = 0; lane < lane_count; ++lane) {
    const bool is_lowest = next[lane] == lowest.next;
    lowest.lanes |= is_lowest ? lane_bits[lane] : 0;
    lowest.limit = std::min(lowest.limit, is_lowest ? UINT32_MAX : next[lane]);
  }
  return lowest;
}

Lowest find_lowest_anywhere(const Warp& warp) { return find_lowest(warp); }
#if PTX_HAS_AVX2
[[gnu::target("avx2,fma")]] Lowest find_lowest_avx2(const Warp& warp) { return find_lowest(warp); }
const auto find_lowest_lanes = has_avx2() ? find_lowest_avx2 : find_lowest_anywhere;
#else
const auto find_lowest_lanes = find_lowest_anywhere;
#endif

void run_lowest(Warp& warp) {
  const Lowest lowest = find_lowest_lanes(warp);
  Group group(warp, lowest.lanes, lowest.next, lowest.limit);
  warp.block->counting == nullptr ? group.run<false>() : group.run<true>();
}

// Completes exchanges whose missing lanes have ended.
void release_exchanges(Warp& warp) {
  uint32_t unseen = warp.exchanging;
  while (unseen != 0) {
    const uint32_t next = warp.next[static_cast<uint32_t>(__builtin_ctz(unseen))];
    uint32_t candidates = 0;
    for_each_lane(unseen, [&](uint32_t k) { candidates |= warp.next[k] == next ? 1u << k : 0; });
    unseen &= ~candidates;
    const uint32_t complete = complete_exchanges(warp, warp.block->code.instructions[next], candidates);
    for_each_lane(complete, [&](uint32_t lane) { ++warp.next[lane]; });
    warp.exchanging &= ~complete;
    warp.running |= complete;
  }
  if (warp.running != 0) return;
  const uint32_t slot = static_cast<uint32_t>(__builtin_ctz(warp.exchanging));
  const Instruction& i = warp.block->code.instructions[warp.next[slot]];
  fail(warp, slot, i, "the thread waits for lanes of its warp that the member mask names but that do not come");
}

}  // namespace

uint32_t Warp::permute(uint32_t mask, const std::array<uint8_t, lane_count>& to) {
  uint32_t permuted = 0;
  for_each_lane(mask, [&](uint32_t k) { permuted |= 1u << to[k]; });
  return permuted;
}

void run_warp(Warp& warp) {
  while (warp.running != 0) {
    run_lowest(warp);
    if (warp.running == 0 && warp.exchanging != 0) release_exchanges(warp);
  }
}

uint32_t complete_exchanges(Warp& warp, const Instruction& instruction, uint32_t candidates) {
  const Row& members = warp.rows[instruction.operands[instruction.members]];
  const uint32_t live = warp.running | warp.exchanging | warp.at_barrier;
  uint32_t complete = 0, unseen = candidates;
  while (unseen != 0) {
    const uint32_t first = static_cast<uint32_t>(__builtin_ctz(unseen));
    const uint32_t named = warp.slots_of(members.lanes[first]), needed = named & live;
    if ((named >> first & 1) == 0) {
      fail(warp, first, instruction, "the member mask does not name the lane of the thread");
    }
    unseen &= ~(1u << first);
    if ((needed & ~candidates) != 0) continue;
    for_each_lane(needed, [&](uint32_t lane) {
      if (members.lanes[lane] == members.lanes[first]) return;
      fail(warp, lane, instruction, "lanes that take part have different member masks");
    });
    warp.active = needed;
    instruction.handlers[static_cast<size_t>(density_of(needed))](instruction, warp);
    complete |= needed;
    unseen &= ~needed;
  }
  return complete;
}

std::string describe(const Warp& warp, uint32_t slot, const Instruction& instruction) {
  const Block& block = *warp.block;
  const auto position = static_cast<size_t>(&instruction - block.code.instructions.data());
  return "thread " + triple(warp.thread_of(slot), block.launch.block) + " of block " +
         triple(block.number, block.launch.grid) + " of kernel " + block.code.name + ", line " +
         std::to_string(block.code.lines[position]) + ", " + instruction.form->name + ":";
}

void fail(const Warp& warp, uint32_t slot, const Instruction& instruction, const std::string& what) {
  throw Fault(Fault::Kind::illegal_instruction, describe(warp, slot, instruction) + " " + what);
}

}  // namespace ptx
