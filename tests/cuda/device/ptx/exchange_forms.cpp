// exchange_forms.cpp - what lanes of a warp do together: shuffles, votes, matches, and barriers of the warp. They are
// executed once all lanes have come that the last operand, the member mask, names.
#include <array>

#include "cuda/device/ptx/lanes.h"

namespace ptx {
namespace {

// What a lane gets from one that does not take part. The manual leaves it open.
constexpr uint32_t undefined = 0xcdcdcdcdu;

// A lane that a lane reads, and whether it is within the lane's segment.
struct Partner {
  uint32_t lane;
  bool is_inside;
};

// Each takes the number of the lane, the second operand, and the last and first lane of the segment.
Partner up(uint32_t lane, uint32_t by, uint32_t last, uint32_t) {
  const int32_t from = static_cast<int32_t>(lane) - static_cast<int32_t>(by);
  return {static_cast<uint32_t>(from), from >= static_cast<int32_t>(last)};
}
Partner down(uint32_t lane, uint32_t by, uint32_t last, uint32_t) { return {lane + by, lane + by <= last}; }
Partner butterfly(uint32_t lane, uint32_t by, uint32_t last, uint32_t) { return {lane ^ by, (lane ^ by) <= last}; }
Partner index(uint32_t, uint32_t by, uint32_t last, uint32_t first) { return {first | by, (first | by) <= last}; }

// Operands: destination, predicate, value, partner, clamp and segment mask, members.
template <Partner (*partner_of)(uint32_t, uint32_t, uint32_t, uint32_t), bool is_index>
void shuffle(const Instruction& i, Warp& warp) {
  const Row values = warp.rows[i.operands[2]], partners = warp.rows[i.operands[3]], clamps = warp.rows[i.operands[4]];
  uint32_t inside = 0;
  for_each_lane(warp.active, [&](uint32_t slot) {
    const uint32_t lane = warp.lane_of_slot[slot];
    const uint32_t segment = clamps.lanes[slot] >> 8 & 31, clamp = clamps.lanes[slot] & 31;
    const uint32_t by = partners.lanes[slot] & 31 & (is_index ? ~segment : 31u);
    Partner partner = partner_of(lane, by, (lane & segment) | (clamp & ~segment), lane & segment);
    if (!partner.is_inside) partner.lane = lane;
    if (partner.is_inside) inside |= lane_bits[slot];
    const uint32_t from = warp.slot_of_lane[partner.lane];
    warp.rows[i.operands[0]].lanes[slot] = warp.active >> from & 1 ? values.lanes[from] : undefined;
  });
  uint32_t& predicate = warp.predicates[i.operands[1]];
  predicate = (predicate & ~warp.active) | inside;
}

void write(const Warp& warp, uint32_t row, uint32_t value) {
  for_each_lane(warp.active, [&](uint32_t slot) { warp.rows[row].lanes[slot] = value; });
}

void write_predicate(const Warp& warp, uint32_t predicate, bool value) {
  uint32_t& mask = warp.predicates[predicate];
  mask = value ? mask | warp.active : mask & ~warp.active;
}

void ballot(const Instruction& i, Warp& warp) {
  write(warp, i.operands[0], warp.lanes_of(warp.predicates[i.operands[1]] & warp.active));
}
void any(const Instruction& i, Warp& warp) {
  write_predicate(warp, i.operands[0], (warp.predicates[i.operands[1]] & warp.active) != 0);
}
void every(const Instruction& i, Warp& warp) {
  write_predicate(warp, i.operands[0], (~warp.predicates[i.operands[1]] & warp.active) == 0);
}
void uniform(const Instruction& i, Warp& warp) {
  const uint32_t votes = warp.predicates[i.operands[1]] & warp.active;
  write_predicate(warp, i.operands[0], votes == 0 || votes == warp.active);
}

// Returns the slots whose value is that of the slot.
uint32_t find_equal(const Warp& warp, const Row& values, uint32_t slot) {
  uint32_t equal = 0;
  for_each_lane(warp.active, [&](uint32_t other) {
    if (values.lanes[other] == values.lanes[slot]) equal |= lane_bits[other];
  });
  return equal;
}

void match_any(const Instruction& i, Warp& warp) {
  const Row values = warp.rows[i.operands[1]];
  for_each_lane(warp.active, [&](uint32_t slot) {
    warp.rows[i.operands[0]].lanes[slot] = warp.lanes_of(find_equal(warp, values, slot));
  });
}

// Operands: destination, predicate, value, members.
void match_all(const Instruction& i, Warp& warp) {
  const uint32_t first = static_cast<uint32_t>(__builtin_ctz(warp.active));
  const bool are_equal = find_equal(warp, warp.rows[i.operands[2]], first) == warp.active;
  write(warp, i.operands[0], are_equal ? warp.lanes_of(warp.active) : 0);
  write_predicate(warp, i.operands[1], are_equal);
}

void nothing(const Instruction&, Warp&) {}

// Tells which lanes are executed together with a lane. They need not wait for each other.
void active_mask(const Instruction& i, Warp& warp) { write(warp, i.operands[0], warp.lanes_of(warp.active)); }

void add_exchange(FormTable& table, const char* name, const char* operands, Handler handler) {
  Form form;
  form.name = name;
  form.operands = operands;
  form.flow = Flow::exchange;
  form.handlers.fill(handler);
  table.add(form);
}

}  // namespace

void add_exchange_forms(FormTable& table) {
  add_exchange(table, "shfl.sync.up.b32", "Qwwww", shuffle<up, false>);
  add_exchange(table, "shfl.sync.down.b32", "Qwwww", shuffle<down, false>);
  add_exchange(table, "shfl.sync.bfly.b32", "Qwwww", shuffle<butterfly, false>);
  add_exchange(table, "shfl.sync.idx.b32", "Qwwww", shuffle<index, true>);
  add_exchange(table, "vote.sync.ballot.b32", "Wpw", ballot);
  add_exchange(table, "vote.sync.any.pred", "Ppw", any);
  add_exchange(table, "vote.sync.all.pred", "Ppw", every);
  add_exchange(table, "vote.sync.uni.pred", "Ppw", uniform);
  add_exchange(table, "match.any.sync.b32", "Www", match_any);
  add_exchange(table, "match.all.sync.b32", "Qww", match_all);
  add_exchange(table, "bar.warp.sync", "w", nothing);
  Form form;
  form.name = "activemask.b32";
  form.operands = "W";
  form.handlers.fill(active_mask);
  table.add(form);
}

}  // namespace ptx
