// waiting_habit_test.cpp - what a stream of the CPU backend expects of programs that wait at once, late, or elsewhere.
#include "backend_cpu/waiting_habit.h"

#include <gtest/gtest.h>

namespace clothc::cpu::waiting_habit_test {
namespace {

constexpr uint64_t at_once = 200;
constexpr uint64_t soon = WaitingHabit::longest_pause_ns;
constexpr uint64_t late = soon + 1;

// A program whose calls are some time apart, all in one thread unless it says otherwise.
struct Program {
  void queue(uint64_t pause) {
    habit.queuing_begins(after(pause));
    habit.queuing_ends(after(300'000));
  }
  void wait(uint64_t pause) { habit.wait_begins(after(pause)); }
  void wait_elsewhere(uint64_t pause) {
    Moment moment = after(pause);
    moment.thread = std::thread::id();
    habit.wait_begins(moment);
  }
  Moment after(uint64_t pause) { return {time += pause, std::this_thread::get_id()}; }

  WaitingHabit habit;
  uint64_t time = 1'000'000'000;
};

// A frame of 16 ms ends before the work is queued.
constexpr uint64_t frame = 16'000'000;

TEST(WaitingHabit, is_expected_after_two_waits_at_once) {
  Program program;
  program.queue(frame);
  program.wait(at_once);
  EXPECT_FALSE(program.habit.expects_wait());
  program.queue(frame);
  EXPECT_FALSE(program.habit.expects_wait());
  program.wait(soon);
  EXPECT_TRUE(program.habit.expects_wait());
  for (int k = 0; k < 10; ++k) {
    program.queue(frame);
    EXPECT_TRUE(program.habit.expects_wait());
    program.wait(at_once);
    program.wait(frame / 2);
    EXPECT_TRUE(program.habit.expects_wait()) << "a second wait for the same work says nothing";
  }
}

Program with_habit() {
  Program program;
  for (int k = 0; k < 2; ++k) {
    program.queue(frame);
    program.wait(at_once);
  }
  EXPECT_TRUE(program.habit.expects_wait());
  return program;
}

TEST(WaitingHabit, ends_with_one_late_wait) {
  Program program = with_habit();
  program.queue(frame);
  program.wait(late);
  EXPECT_FALSE(program.habit.expects_wait());
}

TEST(WaitingHabit, ends_when_nothing_was_waited_for_until_the_next_frame) {
  Program program = with_habit();
  program.queue(frame);
  EXPECT_TRUE(program.habit.expects_wait());
  program.queue(frame);
  EXPECT_FALSE(program.habit.expects_wait());
}

TEST(WaitingHabit, goes_on_with_several_calls_that_queue_before_a_wait) {
  Program program = with_habit();
  for (int k = 0; k < 3; ++k) program.queue(k == 0 ? frame : at_once);
  EXPECT_TRUE(program.habit.expects_wait());
  program.wait(at_once);
  EXPECT_TRUE(program.habit.expects_wait());
}

TEST(WaitingHabit, ends_with_a_wait_for_an_older_part) {
  Program program = with_habit();
  program.habit.wait_for_part_begins();
  EXPECT_FALSE(program.habit.expects_wait());
}

TEST(WaitingHabit, is_not_that_of_a_program_that_waits_in_another_thread) {
  Program program = with_habit();
  program.queue(frame);
  program.wait_elsewhere(at_once);
  EXPECT_FALSE(program.habit.expects_wait());
}

}  // namespace
}  // namespace clothc::cpu::waiting_habit_test
