// script.h - a seed's script, made in lockstep in all places and in a twin that continues from a snapshot. Each call of
// the script has numbers of its own, so the others stay the same if one is left out.
#pragma once

#include <optional>

#include "parity/lockstep/world.h"

namespace lockstep {

struct Totals {
  uint64_t calls = 0, updates = 0, comparisons = 0;
};

struct Failure {
  // The number of the call by which something differs.
  size_t call;
  std::string text;
};

struct Script {
  uint64_t seed = 0;
  // Whether each call is made.
  std::vector<bool> kept;
  bool is_verbose = false;
};

std::optional<Failure> run(const Script& script, const std::vector<Place>& places, Totals& totals);

// Leaves out calls as long as something differs. It stops after so many seconds.
Script shorten(Script script, Failure failure, const std::vector<Place>& places, double seconds);

}  // namespace lockstep
