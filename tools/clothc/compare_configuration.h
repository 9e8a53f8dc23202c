// The configurations `clothc compare` runs a scene on: every combination of backend, instruction set, schedule and
// number of threads asked for.
#pragma once

#include <string>
#include <vector>

#include "api.h"

namespace clothc_tool {

struct Configuration {
  clothc_backend backend = CLOTHC_BACKEND_CPU;
  clothc_isa isa = CLOTHC_ISA_AUTO;
  clothc_schedule schedule = CLOTHC_SCHEDULE_CLOTH;
  uint32_t threads = 1;

  std::string name() const;  // "cpu/avx2/cloth/2"
  Device create() const;
};

// What the command line asks for; an empty list of instruction sets means all that the machine runs.
struct ConfigurationChoice {
  std::vector<std::string> backends = {"cpu"};
  std::vector<std::string> isas;
  std::vector<std::string> schedules = {"cloth", "pass"};
  std::vector<uint32_t> threads = {1, 2, 7};
};

// Throws InputError for unknown names, ApiError for backends that are absent. The first one is the reference.
std::vector<Configuration> configurations_of(const ConfigurationChoice& choice);

}  // namespace clothc_tool
