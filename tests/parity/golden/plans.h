// plans.h - the ways in which every scene is run: in each configuration of the processor and on every available GPU,
// and from the processor to a GPU and back, or from one GPU backend to another, by way of a snapshot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parity/golden/session.h"

namespace golden {

struct Plan {
  Configuration begin;

  // Configuration in which the run continues after handover_frame.
  std::optional<Configuration> end;
};

// What the command line asks for. Empty strings mean all.
struct PlanChoice {
  bool quick = false;
  // Only changes from one kind of GPU backend to another.
  bool handovers = false;
  std::string backend, threads, schedule, isa;
};

// Prints what is left out and why. Ends the program if a name is unknown.
std::vector<Plan> list_plans(const PlanChoice& choice);

// For example "2 threads, schedule pass, avx2" or "vulkan 0, schedule pass".
std::string describe(const Plan& plan);

}  // namespace golden
