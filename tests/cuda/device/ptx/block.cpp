// block.cpp - the threads of a block: their registers when they begin, their order, and their barriers.
#include "cuda/device/ptx/block.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include "cuda/device/ptx/forms.h"

namespace ptx {
namespace {

// What memory has before something is written.
constexpr unsigned char undefined_byte = 0xcd;

uint32_t next_random(uint32_t& seed) { return seed = seed * 1664525u + 1013904223u; }

// Writes the numbers below the count in an order.
template <class Number>
void arrange(Number* numbers, uint32_t count, Order order, uint32_t seed) {
  std::iota(numbers, numbers + count, Number{0});
  if (order == Order::backward) std::reverse(numbers, numbers + count);
  if (order != Order::permuted) return;
  for (uint32_t n = count; n > 1; --n) {
    std::swap(numbers[n - 1], numbers[static_cast<size_t>(uint64_t{next_random(seed)} * n >> 32)]);
  }
}

// An order of the lanes of a warp.
struct LaneOrder {
  std::array<uint8_t, lane_count> lane_of_slot, slot_of_lane;
};

LaneOrder make_lane_order(Order order, uint32_t seed) {
  LaneOrder made;
  arrange(made.lane_of_slot.data(), lane_count, order, seed);
  for (uint32_t slot = 0; slot < lane_count; ++slot) {
    made.slot_of_lane[made.lane_of_slot[slot]] = static_cast<uint8_t>(slot);
  }
  return made;
}

// To permute the lanes of each warp anew would take as long as a short kernel, so warps share some hundreds of orders.
const LaneOrder& lane_order(Order order, uint32_t seed) {
  static const std::array<LaneOrder, 256> permuted = [] {
    std::array<LaneOrder, 256> orders;
    uint32_t seeds = 1;
    for (LaneOrder& made : orders) made = make_lane_order(Order::permuted, next_random(seeds));
    return orders;
  }();
  static const LaneOrder forward = make_lane_order(Order::forward, 0), backward = make_lane_order(Order::backward, 0);
  if (order == Order::permuted) return permuted[next_random(seed) >> 24];
  return order == Order::forward ? forward : backward;
}

// Gives each thread of a block what bar.red computes from the predicates of all.
void reduce(std::vector<Warp>& warps, const Instruction& i) {
  const char target = i.form->operands[0];
  if (i.form->operands.size() < 3) return;
  uint32_t votes = 0, voters = 0;
  for (const Warp& warp : warps) {
    votes += static_cast<uint32_t>(__builtin_popcount(warp.predicates[i.operands[2]] & warp.at_barrier));
    voters += static_cast<uint32_t>(__builtin_popcount(warp.at_barrier));
  }
  const bool is_true = i.form->name == "bar.red.and.pred" ? votes == voters : votes != 0;
  for (Warp& warp : warps) {
    if (target == 'W') {
      for_each_lane(warp.at_barrier, [&](uint32_t lane) { warp.rows[i.operands[0]].lanes[lane] = votes; });
    } else {
      uint32_t& predicate = warp.predicates[i.operands[0]];
      predicate = is_true ? predicate | warp.at_barrier : predicate & ~warp.at_barrier;
    }
  }
}

}  // namespace

std::vector<uint32_t> sequence(uint32_t count, Order order, uint32_t seed) {
  std::vector<uint32_t> numbers(count);
  arrange(numbers.data(), count, order, seed);
  return numbers;
}

BlockRunner::BlockRunner(const Launch& launch, Checker::State& memory, Counting* counting)
    : launch_(launch),
      code_(*launch.kernel->code),
      warp_count_((launch.block.x * launch.block.y * launch.block.z + lane_count - 1) / lane_count),
      block_{launch, code_, memory, {},      0,       launch.block.x * launch.block.y * launch.block.z,
             0,      {},    {},     nullptr, counting} {
  const size_t frames = code_.has_barriers ? warp_count_ : 1;
  rows_.resize(frames * code_.row_count);
  predicates_.resize(frames * code_.predicate_count);
  local_.resize(frames * code_.local_size * lane_count);
  block_.shared.resize(code_.static_shared_size + launch.dynamic_shared_size);
  if (memory.races) block_.shared_shadow = std::vector<ShadowWord>((block_.shared.size() + 3) / 4);
  for (size_t frame = 0; frame < frames; ++frame) {
    Row* const rows = rows_.data() + frame * code_.row_count;
    predicates_[frame * code_.predicate_count + code_.true_predicate] = all_lanes;
    for (const Code::Constant& constant : code_.constants) {
      auto* const wide = reinterpret_cast<Wide*>(rows + constant.row);
      if (constant.is_wide)
        std::fill_n(wide, lane_count, constant.value);
      else
        std::fill_n(rows[constant.row].lanes, lane_count, static_cast<uint32_t>(constant.value));
    }
  }
}

uint64_t BlockRunner::run(uint32_t number) {
  const Dimensions& grid = launch_.grid;
  block_.number = number;
  block_.position = {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
  block_.epoch = 0;
  if (!block_.shared.empty()) std::memset(block_.shared.data(), undefined_byte, block_.shared.size());
  for (ShadowWord& word : block_.shared_shadow) {
    word.last_read.store(0, std::memory_order_relaxed);
    word.last_write.store(0, std::memory_order_relaxed);
  }
  if (launch_.delays_stores) block_.delayed = &delayed_[number];
  executed_ = 0;
  const std::vector<uint32_t> order = sequence(warp_count_, launch_.order, launch_.seed + number);
  code_.has_barriers ? run_together(order) : run_alone(order);
  return executed_;
}

void BlockRunner::finish() {
  for (auto& delayed : delayed_) delayed.second.write_all();
}

// Warps that do not wait for each other share a set of registers.
void BlockRunner::run_alone(const std::vector<uint32_t>& order) {
  for (const uint32_t number : order) {
    Warp warp;
    begin_warp(warp, number, 0);
    run_warp(warp);
    executed_ += warp.executed;
  }
}

void BlockRunner::run_together(const std::vector<uint32_t>& order) {
  std::vector<Warp> warps(warp_count_);
  for (uint32_t number = 0; number < warp_count_; ++number) begin_warp(warps[number], number, number);
  do {
    for (const uint32_t number : order) run_warp(warps[number]);
  } while (pass_barrier(warps));
  for (const Warp& warp : warps) executed_ += warp.executed;
}

// Lets the threads go on that wait at a barrier. Returns false if there are none.
bool BlockRunner::pass_barrier(std::vector<Warp>& warps) {
  const Warp* first = nullptr;
  uint32_t first_slot = 0;
  for (const Warp& warp : warps) {
    for_each_lane(warp.at_barrier, [&](uint32_t slot) {
      if (first == nullptr) {
        first = &warp;
        first_slot = slot;
      }
      if (warp.next[slot] == first->next[first_slot]) return;
      const Instruction& other = code_.instructions[first->next[first_slot]];
      fail(warp, slot, code_.instructions[warp.next[slot]],
           "the thread waits at another barrier than " + describe(*first, first_slot, other) + " it waits too");
    });
  }
  if (first == nullptr) return false;
  const uint32_t barrier = first->next[first_slot];
  reduce(warps, code_.instructions[barrier]);
  ++block_.epoch;
  for (Warp& warp : warps) {
    for_each_lane(warp.at_barrier, [&](uint32_t slot) { warp.next[slot] = barrier + 1; });
    warp.running = warp.at_barrier;
    warp.at_barrier = 0;
  }
  return true;
}

void BlockRunner::begin_warp(Warp& warp, uint32_t number, uint32_t frame) {
  warp.rows = rows_.data() + size_t{frame} * code_.row_count;
  warp.predicates = predicates_.data() + size_t{frame} * code_.predicate_count;
  warp.local = local_.data() + size_t{frame} * code_.local_size * lane_count;
  if (code_.local_size != 0) std::memset(warp.local, undefined_byte, size_t{code_.local_size} * lane_count);
  warp.block = &block_;
  arrange_lanes(warp, number);
  for (const Code::SpecialRow& special : code_.specials) set_special(warp, special);
}

void BlockRunner::arrange_lanes(Warp& warp, uint32_t number) const {
  warp.first_thread = number * lane_count;
  warp.is_permuted = launch_.order != Order::forward;
  const uint32_t seed = launch_.seed + block_.number * 7919u + number * 104729u;
  const LaneOrder& order = lane_order(launch_.order, seed);
  warp.lane_of_slot = order.lane_of_slot;
  warp.slot_of_lane = order.slot_of_lane;
  const uint32_t threads = block_.thread_count - warp.first_thread;
  warp.running = threads >= lane_count ? all_lanes : warp.slots_of((1u << threads) - 1);
}

void BlockRunner::set_special(const Warp& warp, const Code::SpecialRow& special) const {
  Word* const row = warp.rows[special.row].lanes;
  const Dimensions& size = launch_.block;
  const auto set = [&](const auto& value_of) {
    for (uint32_t slot = 0; slot < lane_count; ++slot) row[slot] = value_of(uint32_t{warp.lane_of_slot[slot]});
  };
  const auto set_all = [&](uint32_t value) { std::fill_n(row, lane_count, value); };
  const auto thread = [&](uint32_t lane) { return warp.first_thread + lane; };
  const bool is_row = size.y == 1 && size.z == 1;
  switch (special.special) {
    case Special::tid_x:
      return is_row ? set(thread) : set([&](uint32_t lane) { return thread(lane) % size.x; });
    case Special::tid_y:
      return is_row ? set_all(0) : set([&](uint32_t lane) { return thread(lane) / size.x % size.y; });
    case Special::tid_z:
      return is_row ? set_all(0) : set([&](uint32_t lane) { return thread(lane) / size.x / size.y; });
    case Special::ntid_x:
      return set_all(size.x);
    case Special::ntid_y:
      return set_all(size.y);
    case Special::ntid_z:
      return set_all(size.z);
    case Special::ctaid_x:
      return set_all(block_.position.x);
    case Special::ctaid_y:
      return set_all(block_.position.y);
    case Special::ctaid_z:
      return set_all(block_.position.z);
    case Special::nctaid_x:
      return set_all(launch_.grid.x);
    case Special::nctaid_y:
      return set_all(launch_.grid.y);
    case Special::nctaid_z:
      return set_all(launch_.grid.z);
    case Special::laneid:
      return set([](uint32_t lane) { return lane; });
    case Special::warpid:
      return set_all(warp.first_thread / lane_count);
    case Special::nwarpid:
      return set_all(warp_count_);
    case Special::lanemask_eq:
      return set([](uint32_t lane) { return 1u << lane; });
    case Special::lanemask_lt:
      return set([](uint32_t lane) { return (1u << lane) - 1; });
    case Special::lanemask_le:
      return set([](uint32_t lane) { return (2u << lane) - 1; });
    case Special::lanemask_gt:
      return set([](uint32_t lane) { return ~((2u << lane) - 1); });
    case Special::lanemask_ge:
      return set([](uint32_t lane) { return ~((1u << lane) - 1); });
  }
}

}  // namespace ptx
