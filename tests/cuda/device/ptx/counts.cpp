// counts.cpp - see counts.h.
#include "cuda/device/ptx/counts.h"

#include <algorithm>

namespace ptx {

Footprint::Page& Footprint::page_of(uint64_t sector) {
  const uint64_t number = sector / page_sectors;
  if (number != last_number_) {
    last_ = &pages_[number];
    last_number_ = number;
  }
  return *last_;
}

void Footprint::read(uint64_t sector) {
  uint64_t& accessed = page_of(sector).accessed[sector % page_sectors / 64];
  const uint64_t bit = uint64_t{1} << sector % 64;
  read_sectors += (accessed & bit) == 0;
  accessed |= bit;
}

void Footprint::write(uint64_t sector) {
  Page& page = page_of(sector);
  const uint64_t word = sector % page_sectors / 64, bit = uint64_t{1} << sector % 64;
  written_sectors += (page.written[word] & bit) == 0;
  page.accessed[word] |= bit;
  page.written[word] |= bit;
}

bool Counts::add(const Counts& other) {
  const auto is_same = [](const InstructionCounts& a, const InstructionCounts& b) {
    return a.line == b.line && a.form == b.form;
  };
  if (!std::equal(instructions.begin(), instructions.end(), other.instructions.begin(), other.instructions.end(),
                  is_same)) {
    return false;
  }
  launches += other.launches;
  blocks += other.blocks;
  threads += other.threads;
  read_sectors += other.read_sectors;
  written_sectors += other.written_sectors;
  for (size_t k = 0; k < instructions.size(); ++k) {
    instructions[k].warps += other.instructions[k].warps;
    instructions[k].lanes += other.instructions[k].lanes;
    instructions[k].sectors += other.instructions[k].sectors;
    instructions[k].bank_turns += other.instructions[k].bank_turns;
  }
  return true;
}

}  // namespace ptx
