// plans.h - the ways in which every scene is run: configurations of the processor and of every GPU that is here, alone, and
// from the processor to a GPU and back by way of a snapshot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parity/golden/session.h"

namespace golden {

struct Plan {
  Configuration begin;
  std::optional<Configuration> end;  // goes on there after handover_frame
};

// What the command line asks for; empty means all.
struct PlanChoice {
  bool quick = false;
  std::string backend, threads, schedule, isa;
};

// Prints what is left out and why; ends the program on unknown names.
std::vector<Plan> list_plans(const PlanChoice& choice);

// "2 threads, schedule pass, avx2", "vulkan 0, schedule pass".
std::string describe(const Plan& plan);

}  // namespace golden
