// configurations.cpp - see configurations.h.
#include "support/configurations.h"

#include <ostream>

namespace physics {
namespace {

constexpr Target processor(clothc_schedule schedule) { return {CLOTHC_BACKEND_CPU, 0, schedule}; }

std::vector<Configuration> find_configurations() {
  const World world(cpu_target);
  auto info = initialised<clothc_device_info>();
  require(clothc_device_get_info(world.device, &info));
  std::vector<Configuration> found;
  const char* const names[] = {"auto", "scalar", "sse4_1", "avx2", "avx512", "neon"};
  for (clothc_isa isa = CLOTHC_ISA_SSE4_1; isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((info.isa_mask & 1u << isa) == 0) continue;
    found.push_back({std::string("cpu_") + names[isa], processor(CLOTHC_SCHEDULE_CLOTH), isa, 1});
  }
  found.push_back({"cpu_1_pass", processor(CLOTHC_SCHEDULE_PASS), CLOTHC_ISA_AUTO, 1});
  found.push_back({"cpu_3_pass", processor(CLOTHC_SCHEDULE_PASS), CLOTHC_ISA_AUTO, 3});
  found.push_back({"cpu_4_cloth", processor(CLOTHC_SCHEDULE_CLOTH), CLOTHC_ISA_AUTO, 4});
  for (const Target& target : all_targets()) {
    if (target.backend == CLOTHC_BACKEND_CPU) continue;
    found.push_back({name_of(testing::TestParamInfo<Target>(target, 0)), target});
  }
  return found;
}

}  // namespace

Configuration plainest_configuration() {
  return {"cpu_scalar", processor(CLOTHC_SCHEDULE_CLOTH), CLOTHC_ISA_SCALAR, 1};
}

const std::vector<Configuration>& other_configurations() {
  static const std::vector<Configuration> configurations = find_configurations();
  return configurations;
}

std::string name_of_configuration(const testing::TestParamInfo<Configuration>& info) { return info.param.name; }

std::ostream& operator<<(std::ostream& stream, const Configuration& configuration) {
  return stream << configuration.name;
}

ConfiguredWorld::ConfiguredWorld(const Configuration& configuration) : World(configuration.target) {
  if (configuration.target.backend != CLOTHC_BACKEND_CPU) return;
  require(clothc_solver_destroy(solver));
  solver = nullptr;
  auto desc = initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  desc.isa = configuration.isa;
  desc.worker_count = configuration.threads;
  if (configuration.threads > 1) desc.flags = CLOTHC_DEVICE_TASKS_ONLY;
  own_device_ = clothc_test::create_device(desc);
  device = own_device_;
  auto solver_desc = initialised<clothc_solver_desc>();
  solver_desc.schedule = configuration.target.schedule;
  solver = clothc_test::create_solver(device, solver_desc);
}

ConfiguredWorld::~ConfiguredWorld() {
  if (own_device_ == nullptr) return;
  clothc_solver_destroy(solver);
  solver = nullptr;
  clothc_device_destroy(own_device_);
}

}  // namespace physics
