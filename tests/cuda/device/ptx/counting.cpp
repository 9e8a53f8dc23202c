// counting.cpp - see counting.h.
#include "cuda/device/ptx/counting.h"

#include <algorithm>
#include <utility>

#include "cuda/device/ptx/forms.h"

namespace ptx {
namespace {

constexpr uint32_t bank_count = 32;
constexpr uint32_t bank_size = 4;

// Sorts values and leaves each once. Returns their number.
size_t sort_and_unite(uint64_t* values, size_t count) {
  std::sort(values, values + count);
  return static_cast<size_t>(std::unique(values, values + count) - values);
}

// How often the banks are needed for the words of a group of lanes.
uint32_t turns_of(uint64_t* words, size_t count) {
  uint32_t of_bank[bank_count] = {}, most = 0;
  const size_t different = sort_and_unite(words, count);
  for (size_t k = 0; k < different; ++k) most = std::max(most, ++of_bank[words[k] % bank_count]);
  return most;
}

// Lanes with elements of 8 bytes take part by halves of the warp, lanes with elements of 16 bytes by quarters.
uint32_t count_bank_turns(const Warp& warp, const Places& places, uint32_t bytes) {
  const uint32_t words_of_lane = std::max(bytes / bank_size, 1u), lanes_at_a_time = lane_count / words_of_lane;
  const unsigned char* const shared = warp.block->shared.data();
  uint32_t turns = 0;
  for (uint32_t first = 0; first < lane_count; first += lanes_at_a_time) {
    uint64_t words[lane_count];
    size_t count = 0;
    for (uint32_t lane = first; lane < first + lanes_at_a_time; ++lane) {
      const uint32_t slot = warp.slot_of_lane[lane];
      if ((places.shared_lanes >> slot & 1) == 0) continue;
      const auto address = static_cast<uint64_t>(places.of(slot) - shared);
      for (uint32_t word = 0; word < words_of_lane; ++word) words[count++] = address / bank_size + word;
    }
    turns += turns_of(words, count);
  }
  return turns;
}

}  // namespace

Counting::Counting(const Launch& launch, Counts& total) : code_(*launch.kernel->code), total_(total) {
  counts_.launches = 1;
  counts_.blocks = uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  counts_.threads = counts_.blocks * launch.block.x * launch.block.y * launch.block.z;
  counts_.instructions.resize(code_.instructions.size());
  for (size_t k = 0; k < counts_.instructions.size(); ++k) {
    counts_.instructions[k].line = code_.lines[k];
    counts_.instructions[k].form = code_.instructions[k].form->name;
  }
}

void Counting::finish() {
  counts_.read_sectors = footprint_.read_sectors;
  counts_.written_sectors = footprint_.written_sectors;
  if (total_.instructions.empty())
    total_ = std::move(counts_);
  else
    total_.add(counts_);
}

void Counting::access(const Instruction& instruction, const Warp& warp, AccessKind kind, const Places& places) {
  InstructionCounts& counts = counts_.instructions[static_cast<size_t>(&instruction - code_.instructions.data())];
  const uint32_t bytes = uint32_t{instruction.form->size} * instruction.form->count;
  // Accesses are aligned, so that each is in one sector.
  uint64_t sectors[lane_count];
  size_t count = 0;
  for_each_lane(places.global_lanes, [&](uint32_t slot) { sectors[count++] = places.address(slot) / sector_size; });
  const size_t different = sort_and_unite(sectors, count);
  counts.sectors += different;
  for (size_t k = 0; k < different; ++k) {
    if (kind != AccessKind::write) footprint_.read(sectors[k]);
    if (kind != AccessKind::read) footprint_.write(sectors[k]);
  }
  if (places.shared_lanes != 0) counts.bank_turns += count_bank_turns(warp, places, bytes);
}

}  // namespace ptx
