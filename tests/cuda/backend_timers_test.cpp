// backend_timers_test.cpp - the times of updates by a clock that cannot tell short times apart.
#include <numeric>

#include "cuda/backend_fixture.h"
#include "support/timed.h"

using namespace clothc_test;

namespace backend_timers_test {
namespace {

class CudaTimers : public OnCuda {};

// More passes than have timestamps, so that the last repetitions are divided as the first ones were, which took no time.
TEST_F(CudaTimers, of_a_coarse_clock_add_up_and_give_no_time_to_what_does_not_run) {
  for (const char* clock : {"clock=100000", "clock=3600000000000"}) {
    SCOPED_TRACE(clock);
    SceneOptions options(CLOTHC_BACKEND_CUDA);
    options.solver.schedule = CLOTHC_SCHEDULE_PASS;
    Scene scene(options);
    scene.change_parameters(scene.cloth, [](auto& p) { p.solver_frequency = 60 * 1500.0f; });
    software_device().set(clock);
    const clothc_timers timers = timed_step(scene);
    software_device().set("");
    EXPECT_EQ(timers.iteration_count, 1500u);
    const uint64_t parts = std::accumulate(timers.part_ns, timers.part_ns + CLOTHC_PART_COUNT, uint64_t{0});
    EXPECT_LE(parts, timers.total_ns);
    EXPECT_LE(std::accumulate(timers.stage_ns, timers.stage_ns + CLOTHC_STAGE_COUNT, uint64_t{0}), parts);
    EXPECT_EQ(timers.part_ns[CLOTHC_PART_PROGRAMS], 0u);
    EXPECT_EQ(timers.stage_ns[CLOTHC_STAGE_PROGRAM], 0u);
    EXPECT_EQ(timers.stage_ns[CLOTHC_STAGE_WIND], 0u);
  }
}

}  // namespace
}  // namespace backend_timers_test
