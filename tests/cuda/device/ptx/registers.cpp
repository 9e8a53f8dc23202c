// registers.cpp - the allocation of rows: where each register is live, and a linear scan over the intervals.
// A row has a value for each lane, and lanes may be at different instructions. That does no harm: what a lane writes
// changes its own values only.
// Source: Poletto and Sarkar 1999, Linear scan register allocation.
#include "cuda/device/ptx/registers.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

namespace ptx {
namespace {

// A set of registers.
class Set {
 public:
  explicit Set(size_t size) : words_((size + 63) / 64) {}
  bool has(uint32_t k) const { return (words_[k / 64] >> (k % 64) & 1) != 0; }
  void insert(uint32_t k) { words_[k / 64] |= uint64_t{1} << (k % 64); }
  // Adds what is in one set and not in another. Returns whether anything is new.
  bool add(const Set& set, const Set* without) {
    bool is_new = false;
    for (size_t k = 0; k < words_.size(); ++k) {
      const uint64_t added = set.words_[k] & ~(without == nullptr ? 0 : without->words_[k]) & ~words_[k];
      words_[k] |= added;
      is_new = is_new || added != 0;
    }
    return is_new;
  }

 private:
  std::vector<uint64_t> words_;
};

// Instructions that are executed one after the other.
struct Part {
  Part(uint32_t first_instruction, size_t registers)
      : first(first_instruction),
        last(first_instruction),
        read(registers),
        written(registers),
        live_in(registers),
        live_out(registers) {}
  uint32_t first, last;
  std::vector<uint32_t> successors;
  // Registers that are read before they are written, and those that are surely written.
  Set read, written, live_in, live_out;
};

// Calls functions with the registers that an instruction reads, and those that it writes.
template <class Function>
void for_each_register(const Draft& draft, const Function& function) {
  const Instruction& i = draft.instruction;
  if (i.guard >= 0) function(static_cast<uint32_t>(i.guard), false);
  if (draft.has_address) function(i.address, false);
  for (size_t k = 0; k < draft.writes.size(); ++k) {
    // What a guard may prevent from being written keeps its value.
    if (!draft.writes[k] || i.guard >= 0) function(i.operands[k], false);
  }
  for (size_t k = 0; k < draft.writes.size(); ++k) {
    if (draft.writes[k]) function(i.operands[k], true);
  }
}

bool ends_part(const Instruction& i) { return i.flow == Flow::branch || i.flow == Flow::exit || i.flow == Flow::trap; }

std::vector<Part> split(const std::vector<Draft>& drafts, size_t registers) {
  std::vector<bool> begins(drafts.size() + 1);
  begins[0] = true;
  for (size_t k = 0; k < drafts.size(); ++k) {
    const Instruction& i = drafts[k].instruction;
    if (ends_part(i)) begins[k + 1] = true;
    if (i.flow == Flow::branch) begins[i.target] = true;
  }
  std::vector<Part> parts;
  std::vector<uint32_t> part_of(drafts.size() + 1);
  for (uint32_t k = 0; k < drafts.size(); ++k) {
    if (begins[k]) parts.emplace_back(k, registers);
    part_of[k] = static_cast<uint32_t>(parts.size() - 1);
    Part& part = parts.back();
    part.last = k;
    for_each_register(drafts[k], [&](uint32_t number, bool writes) {
      if (writes)
        part.written.insert(number);
      else if (!part.written.has(number))
        part.read.insert(number);
    });
  }
  for (Part& part : parts) {
    const Instruction& i = drafts[part.last].instruction;
    const bool goes_on = !ends_part(i) || i.guard >= 0;
    if (goes_on && part.last + 1 < drafts.size()) part.successors.push_back(part_of[part.last + 1]);
    if (i.flow == Flow::branch) part.successors.push_back(part_of[i.target]);
  }
  return parts;
}

void find_live(std::vector<Part>& parts) {
  for (Part& part : parts) part.live_in.add(part.read, nullptr);
  for (bool changes = true; changes;) {
    changes = false;
    for (size_t k = parts.size(); k-- > 0;) {
      Part& part = parts[k];
      for (const uint32_t successor : part.successors) {
        if (part.live_out.add(parts[successor].live_in, nullptr)) changes = true;
      }
      if (part.live_in.add(part.live_out, &part.written)) changes = true;
    }
  }
}

// The instructions between which a register needs its row.
struct Interval {
  uint32_t first = UINT32_MAX, last = 0;
  void include(uint32_t position) {
    first = std::min(first, position);
    last = std::max(last, position);
  }
};

std::vector<Interval> find_intervals(const std::vector<Register>& registers, const std::vector<Draft>& drafts) {
  std::vector<Part> parts = split(drafts, registers.size());
  find_live(parts);
  std::vector<Interval> intervals(registers.size());
  for (uint32_t k = 0; k < drafts.size(); ++k) {
    for_each_register(drafts[k], [&](uint32_t number, bool) { intervals[number].include(k); });
  }
  for (const Part& part : parts) {
    for (uint32_t number = 0; number < registers.size(); ++number) {
      if (part.live_in.has(number)) intervals[number].include(part.first);
      if (part.live_out.has(number)) intervals[number].include(part.last);
    }
  }
  return intervals;
}

// Gives rows to registers of one size.
class Scan {
 public:
  // The size of a register in rows. The count is that of the rows or predicates that are in use.
  Scan(uint32_t size, uint32_t& count) : size_(size), count_(count) {}

  uint32_t take(const Interval& interval) {
    while (!busy_.empty() && busy_.top().first < interval.first) {
      free_.push_back(busy_.top().second);
      busy_.pop();
    }
    const uint32_t row = free_.empty() ? take_new() : free_.back();
    if (!free_.empty()) free_.pop_back();
    busy_.emplace(interval.last, row);
    return row;
  }
  uint32_t take_new() {
    const uint32_t row = count_;
    count_ += size_;
    return row;
  }

 private:
  using Busy = std::pair<uint32_t, uint32_t>;
  const uint32_t size_;
  uint32_t& count_;
  std::vector<uint32_t> free_;
  // The last instructions that need rows, and the rows.
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
};

void replace_by_rows(const std::vector<Register>& registers, Draft& draft) {
  Instruction& i = draft.instruction;
  if (i.guard >= 0) i.guard = static_cast<int32_t>(registers[static_cast<uint32_t>(i.guard)].row);
  if (draft.has_address) i.address = registers[i.address].row;
  for (size_t k = 0; k < draft.writes.size(); ++k) i.operands[k] = registers[i.operands[k]].row;
}

}  // namespace

RowCounts allocate_rows(std::vector<Register>& registers, std::vector<Draft>& drafts) {
  const std::vector<Interval> intervals = find_intervals(registers, drafts);
  std::vector<uint32_t> order;
  for (uint32_t number = 0; number < registers.size(); ++number) {
    if (intervals[number].first != UINT32_MAX || registers[number].is_fixed) order.push_back(number);
  }
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(intervals[a].first, a) < std::tuple(intervals[b].first, b);
  });
  RowCounts counts;
  Scan narrow(1, counts.rows), wide(2, counts.rows), predicates(1, counts.predicates);
  for (const uint32_t number : order) {
    Register& one = registers[number];
    Scan& scan = one.kind == 'p' ? predicates : one.kind == 'd' ? wide : narrow;
    one.row = one.is_fixed ? scan.take_new() : scan.take(intervals[number]);
  }
  for (Draft& draft : drafts) replace_by_rows(registers, draft);
  return counts;
}

}  // namespace ptx
