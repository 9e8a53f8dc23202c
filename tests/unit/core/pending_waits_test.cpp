// pending_waits_test.cpp - what a stream knows of the timelines that its lists wait for.
#include "core/backend/pending_waits.h"

#include <gtest/gtest.h>

#include "core/objects/fence.h"

namespace clothc::pending_waits_test {
namespace {

std::shared_ptr<Fence> make_fence() { return std::make_shared<Fence>(nullptr, 0); }

TEST(PendingWaits, are_over_when_the_timelines_of_all_lists_up_to_the_value_have_been_raised) {
  PendingWaits waits;
  EXPECT_TRUE(waits.are_over(UINT64_MAX));
  waits.reserve(3);
  EXPECT_TRUE(waits.are_over(UINT64_MAX));
  const auto first = make_fence(), second = make_fence();
  waits.add(2, first, 7);
  waits.add(4, second, 1);
  EXPECT_TRUE(waits.are_over(1));
  EXPECT_FALSE(waits.are_over(2));
  EXPECT_FALSE(waits.are_over(5));
  second->signal(1);
  EXPECT_FALSE(waits.are_over(5)) << "lists wait for those before them";
  first->signal(6);
  EXPECT_FALSE(waits.are_over(3));
  first->signal(8);
  EXPECT_TRUE(waits.are_over(5));
}

TEST(PendingWaits, of_lists_that_have_ended_are_forgotten) {
  PendingWaits waits;
  waits.reserve(2);
  const auto never = make_fence();
  waits.add(1, never, 1);
  waits.add(2, make_fence(), 1);
  EXPECT_FALSE(waits.are_over(2));
  waits.add(3, make_fence(), 1);
  EXPECT_TRUE(waits.are_over(3)) << "the list before was replaced, and nobody has the other timelines any more";
}

}  // namespace
}  // namespace clothc::pending_waits_test
