// configurations.h - the configurations in which one scene must give the same bits: the processor's instruction sets,
// thread counts and schedules, and every available GPU. Also worlds that run in them.
#pragma once

#include <iosfwd>

#include "support/world.h"

namespace physics {

struct Configuration {
  std::string name;
  Target target;

  // The instruction set and the number of threads apply to the processor only.
  clothc_isa isa = CLOTHC_ISA_AUTO;
  uint32_t threads = 1;
};

// Returns the configuration of one thread with scalar code.
Configuration plainest_configuration();
// Returns all other configurations. Prints once which devices are skipped and why.
const std::vector<Configuration>& other_configurations();

std::string name_of_configuration(const testing::TestParamInfo<Configuration>& info);
std::ostream& operator<<(std::ostream& stream, const Configuration& configuration);

// A world with a device of its own if the configuration is for the processor.
class ConfiguredWorld : public World {
 public:
  explicit ConfiguredWorld(const Configuration& configuration);
  ~ConfiguredWorld();

 private:
  clothc_device own_device_ = nullptr;
};

}  // namespace physics
