// configurations.h - the ways in which the same scene must give the same bits: instruction sets, numbers of threads and schedules of
// the processor, and every GPU that is here; and worlds that run in them.
#pragma once

#include <iosfwd>

#include "support/world.h"

namespace physics {

struct Configuration {
  std::string name;
  Target target;
  clothc_isa isa = CLOTHC_ISA_AUTO;  // of the processor, like the next one
  uint32_t threads = 1;
};

// One thread of scalar code.
Configuration plainest_configuration();
// All others. Says once which devices are skipped and why.
const std::vector<Configuration>& other_configurations();

std::string name_of_configuration(const testing::TestParamInfo<Configuration>& info);
std::ostream& operator<<(std::ostream& stream, const Configuration& configuration);

// With a device of its own where the configuration is the processor's.
class ConfiguredWorld : public World {
 public:
  explicit ConfiguredWorld(const Configuration& configuration);
  ~ConfiguredWorld();

 private:
  clothc_device own_device_ = nullptr;
};

}  // namespace physics
