// wrong_driver.h - software devices that run chosen kernels as a wrong driver would: Vulkan's under the fault layer, and the
// software CUDA device. A test is skipped with an explanation if what it needs is missing.
#pragma once

#include <string>
#include <vector>

#include "cuda/backend_fixture.h"
#include "vulkan/fixture.h"
#include "vulkan/planted_modules.h"

namespace clothc_test {

struct PlantedFault {
  const char* kernel;
  // One that the fault layer and the CUDA device both know: contract, divide_up, no_barriers.
  const char* fault;
};

// Parameter: CLOTHC_BACKEND_VULKAN or CLOTHC_BACKEND_CUDA.
class WrongDriver : public testing::TestWithParam<clothc_backend> {
 protected:
  void SetUp() override {
    if (GetParam() == CLOTHC_BACKEND_CUDA) {
      SKIP_WITHOUT_SOFTWARE_DEVICE();
      software_device().report();
    } else {
      ASSERT_EQ(layer().set(""), 0);
      static const std::string missing = what_is_missing();
      if (!missing.empty()) GTEST_SKIP() << missing;
    }
  }
  void TearDown() override { plant({}); }

  // Devices that are made from now on have these faults and no others.
  static void plant(const std::vector<PlantedFault>& faults) {
    std::string rules;
    for (const PlantedFault& planted : faults) {
      if (!rules.empty()) rules += ",";
      rules += GetParam() == CLOTHC_BACKEND_CUDA ? std::string(planted.fault) + "=clothc_" + planted.kernel
                                                 : planted_in(planted.kernel, planted.fault);
    }
    if (GetParam() == CLOTHC_BACKEND_CUDA)
      software_device().set(rules);
    else
      set_faults(rules);
  }
};

}  // namespace clothc_test
