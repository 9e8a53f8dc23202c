// crowds.h - crowds: 16 cloths that share a fabric and run the same kernels, whose phases one worker solves together, one
// lane per cloth (kernels/constraints/crowd.kernel.h). Results are those of cloths on their own.
#pragma once

#include <vector>

#include "core/backend/limits.h"
#include "core/cloth/cloth.h"

namespace clothc {

constexpr uint32_t crowd_size = 16;

struct Crowd {
  // The first one leads: the records of the crowd are made from its records.
  std::vector<const Cloth*> cloths;
  // First word in the tables.
  uint32_t word = 0;

  // The jobs of each cloth that solve phases, as a range of its JobList::iteration. Those before and behind them may
  // differ.
  Range solves;
};

// The kernel that solves the same constraints for a crowd, or Kernel::count.
Kernel of_crowd(Kernel kernel);

// Divides cloths that run as programs into crowds where that pays, and leaves the others in the list. The jobs of all of
// them are up to date.
std::vector<Crowd> take_crowds(std::vector<const Cloth*>& cloths, const DeviceLimits& limits);

// Where the record of a phase is among the words of a crowd, and how many words a crowd takes, a multiple of 16. It must
// begin at such a multiple.
constexpr uint32_t crowd_record_word(uint32_t phase) { return crowd_head_words + phase * crowd_phase_words; }
constexpr uint32_t crowd_word_count(uint32_t phase_count, uint32_t padded_particle_count) {
  return crowd_record_word(phase_count) + crowd_slot_words * padded_particle_count;
}
uint32_t words_of(const Crowd& crowd);

// Appends the program of a crowd.
void append_crowd(Schedule& schedule, const Crowd& crowd);

}  // namespace clothc
