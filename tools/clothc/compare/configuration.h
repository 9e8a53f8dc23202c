// configuration.h - the configurations on which `clothc compare` runs a scene: on the CPU every combination of the
// requested instruction sets, schedules and numbers of threads; on each device of a GPU backend every schedule.
#pragma once

#include <clothc.hpp>
#include <string>
#include <vector>

namespace clothc_tool {

struct Configuration {
  clothc_backend backend = CLOTHC_BACKEND_CPU;

  // Index among the backend's devices, or a UUID.
  std::string device = "0";

  clothc_isa isa = CLOTHC_ISA_AUTO;
  clothc_schedule schedule = CLOTHC_SCHEDULE_CLOTH;
  uint32_t threads = 1;

  // Returns for example "cpu/avx2/cloth/2", "vulkan/pass" or "vulkan:1/pass".
  std::string name() const;

  clothc::Device create() const;
};

// The configurations requested on the command line. A backend is a name, or "vulkan:1" for another one of its devices.
// An empty list of instruction sets means all that the machine supports. Instruction sets and threads apply to the CPU
// only.
struct ConfigurationChoice {
  std::vector<std::string> backends = {"cpu"};
  std::vector<std::string> isas;
  std::vector<std::string> schedules = {"cloth", "pass"};
  std::vector<uint32_t> threads = {1, 2, 7};
};

// Returns the requested configurations; the first one is the reference. Throws InputError for unknown names, and for
// backends that are not available with the reason.
std::vector<Configuration> configurations_of(const ConfigurationChoice& choice);

}  // namespace clothc_tool
