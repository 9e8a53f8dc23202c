// times_test.cpp - how a measured time is divided among stages.
#include "core/backend/times.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace clothc;

namespace times_test {
namespace {

TEST(DispatchTimes, are_divided_as_the_samples_are) {
  StageTimes samples{};
  samples[static_cast<size_t>(Stage::phases)] = 30;
  samples[static_cast<size_t>(Stage::wind)] = 10;
  DispatchTimes times;
  times.add_by_samples(DispatchTimes::repeated, samples, 400, Stage::program);
  EXPECT_EQ(times.parts[DispatchTimes::repeated], 400u);
  EXPECT_EQ(times.stages[static_cast<size_t>(Stage::phases)], 300u);
  EXPECT_EQ(times.stages[static_cast<size_t>(Stage::wind)], 100u);
  EXPECT_EQ(times.stages[static_cast<size_t>(Stage::program)], 0u);
}

// A clock may be too coarse for the samples and not for the rest.
TEST(DispatchTimes, go_to_the_other_stage_or_to_none_if_the_samples_took_no_time) {
  DispatchTimes times;
  times.add_by_samples(DispatchTimes::programs, {}, 40, Stage::program);
  EXPECT_EQ(times.stages[static_cast<size_t>(Stage::program)], 40u);
  times.add_by_samples(DispatchTimes::repeated, {}, 70, Stage::none);
  EXPECT_EQ(times.parts[DispatchTimes::repeated], 70u);
  EXPECT_EQ(std::accumulate(times.stages.begin(), times.stages.end(), uint64_t{0}), 40u);
}

}  // namespace
}  // namespace times_test
