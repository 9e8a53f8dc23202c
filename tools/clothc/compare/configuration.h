// The configurations `clothc compare` runs a scene on: on the processor every combination of instruction set, schedule
// and number of threads asked for; on each device of a GPU backend every schedule.
#pragma once

#include <string>
#include <vector>

#include "cli/api.h"

namespace clothc_tool {

struct Configuration {
  clothc_backend backend = CLOTHC_BACKEND_CPU;
  std::string device = "0";  // an index, or a UUID
  clothc_isa isa = CLOTHC_ISA_AUTO;
  clothc_schedule schedule = CLOTHC_SCHEDULE_CLOTH;
  uint32_t threads = 1;

  std::string name() const;  // "cpu/avx2/cloth/2", "vulkan/pass", "vulkan:1/pass"
  Device create() const;
};

// What the command line asks for. A backend is a name, or "vulkan:1" for another of its devices; an empty list of
// instruction sets means all that the machine runs. Instruction sets and threads are for the processor alone.
struct ConfigurationChoice {
  std::vector<std::string> backends = {"cpu"};
  std::vector<std::string> isas;
  std::vector<std::string> schedules = {"cloth", "pass"};
  std::vector<uint32_t> threads = {1, 2, 7};
};

// Throws InputError for unknown names and for backends that are absent, with the reason. The first one is the reference.
std::vector<Configuration> configurations_of(const ConfigurationChoice& choice);

}  // namespace clothc_tool
