// planted_test.cpp - wrong drivers, which the fault layer imitates by changing modules: each fault keeps modules valid
// and shows in the state, and undefined values decide nothing.
#include <cstdio>
#include <fstream>

#include "support/every_shape.h"
#include "vulkan/fixture.h"
#include "vulkan/module_faults.h"
#include "vulkan/planted_modules.h"

using namespace clothc_test;
namespace faults = clothc::faults;

namespace planted_test {
namespace {

class PlantedDriver : public OnVulkan {};

// Kernels run one by one, as most of them do on GPUs where there are few cloths.
uint64_t hash_under(const std::string& rules, clothc_backend backend = CLOTHC_BACKEND_VULKAN) {
  set_faults(rules);
  SceneOptions options(backend);
  options.solver.schedule = CLOTHC_SCHEDULE_PASS;
  Scene scene(options);
  scene.step(5);
  const uint64_t hash = scene.hash();
  set_faults("");
  return hash;
}

TEST_F(PlantedDriver, computes_other_bits_than_the_processor) {
  const uint64_t right = hash_under("", CLOTHC_BACKEND_CPU);
  EXPECT_EQ(hash_under(""), right);
  for (const char* fault : {"contract", "divide_up"}) {
    EXPECT_NE(hash_under(planted_in("solve_edges", fault)), right) << fault;
    EXPECT_EQ(hash_under(planted_in("collide_curved", fault)), right) << "this scene has no shapes";
  }
}

}  // namespace
}  // namespace planted_test
