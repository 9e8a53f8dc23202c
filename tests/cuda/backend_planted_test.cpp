// backend_planted_test.cpp - mistakes that the backend could make with the driver, made for it by rules of the software
// device: what the other tests look at must notice them.
#include <sys/wait.h>

#include "cuda/application.h"

using namespace clothc_test;

namespace backend_planted_test {
namespace {

class CudaPlanted : public OnCuda {
 protected:
  // The positions of a sheet after some updates, as the host gets them.
  static std::vector<float> play(clothc_backend backend, const std::string& rules) {
    if (backend == CLOTHC_BACKEND_CUDA) software_device().set(rules);
    std::vector<float> positions;
    {
      Scene scene{SceneOptions(backend)};
      scene.step(4);
      positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    }
    if (backend == CLOTHC_BACKEND_CUDA) software_device().set("");
    return positions;
  }
};

TEST_F(CudaPlanted, nothing_goes_unnoticed) {
  EXPECT_EQ(play(CLOTHC_BACKEND_CUDA, "start=late"), play(CLOTHC_BACKEND_CPU, ""));
  EXPECT_EQ(software_device().report(), "");
}

// The stream of notifications does not wait for the work, so that the host reads what is not there yet.
TEST_F(CudaPlanted, a_host_that_does_not_wait_reads_wrong_values) {
  EXPECT_NE(play(CLOTHC_BACKEND_CUDA, "start=late,cuStreamWaitEvent:1+=skip"), play(CLOTHC_BACKEND_CPU, ""));
}

TEST_F(CudaPlanted, DISABLED_an_event_that_is_not_destroyed) { play(CLOTHC_BACKEND_CUDA, "cuEventDestroy:1=skip"); }
TEST_F(CudaPlanted, DISABLED_memory_that_is_not_freed) { play(CLOTHC_BACKEND_CUDA, "cuMemFree:1=skip"); }
TEST_F(CudaPlanted, DISABLED_everything_is_freed) { play(CLOTHC_BACKEND_CUDA, ""); }

TEST_F(CudaPlanted, a_leak_ends_the_process_with_an_error) {
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
  const auto status_of = [&](const std::string& test) {
    const std::string command = std::string("env CLOTHC_CUDA_DEVICE_STRICT=1 '") + self +
                                "' --gtest_brief=1 --gtest_also_run_disabled_tests --gtest_filter=CudaPlanted." + test;
    return WEXITSTATUS(std::system(command.c_str()));
  };
  constexpr int found = 86;
  EXPECT_EQ(status_of("DISABLED_an_event_that_is_not_destroyed"), found);
  EXPECT_EQ(status_of("DISABLED_memory_that_is_not_freed"), found);
  EXPECT_EQ(status_of("DISABLED_everything_is_freed"), 0);
}

}  // namespace
}  // namespace backend_planted_test
