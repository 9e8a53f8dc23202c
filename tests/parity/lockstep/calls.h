// calls.h - the calls that scripts are made of. Each one draws its arguments from the numbers that it is given, makes one
// call that may change the solver, and records all that comes back. Worlds in the same state that are given the same
// numbers make the same call.
#pragma once

#include "parity/lockstep/world.h"

namespace lockstep {

enum class Nature {
  // Waits for no work, so it can be made while updates wait for the gate.
  queues,
  // May wait for the solver's work.
  waits,
  // May wait for the solver's work, and changes nothing.
  asks
};

struct Call {
  const char* name;
  // How often it is made, compared with others.
  uint32_t weight;
  Nature nature;
  void (*make)(World& world, Random& random, Log& log);
};

std::vector<Call> fabric_calls();
std::vector<Call> cloth_calls();
std::vector<Call> group_calls();
std::vector<Call> collider_calls();
std::vector<Call> channel_calls();
std::vector<Call> solver_calls();

// Gives a struct a size that no release had, now and then.
template <class T>
void spoil_size(Random& random, T& value) {
  if (random.one_in(150)) value.struct_size = random.below(200);
}

// Returns the given parameters with some of them drawn anew.
clothc_cloth_parameters draw_parameters(Random& random, clothc_cloth_parameters parameters);
clothc_cloth_frame draw_frame(Random& random);
// Returns x y z in a cube of 2 m and inverse masses.
std::vector<float> draw_positions(Random& random, uint32_t count);

}  // namespace lockstep
