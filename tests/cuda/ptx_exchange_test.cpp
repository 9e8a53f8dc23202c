// What lanes of a warp do together: shuffles, votes and matches.
#include <functional>

#include "cuda/device/ptx/testing/rows.h"

namespace ptx_exchange_test {
namespace {

using namespace ptx::testing;

const Covers covers_all(
    "shfl.sync.up.b32 shfl.sync.down.b32 shfl.sync.bfly.b32 shfl.sync.idx.b32 vote.sync.ballot.b32 vote.sync.any.pred "
    "vote.sync.all.pred vote.sync.uni.pred match.any.sync.b32 match.all.sync.b32 bar.warp.sync activemask.b32");

// Stores %r9 for each thread.
const std::string store_result = "cvt.u64.u32 %rd9, %r9;\nst.global.u64 [%rd1], %rd9;\n";

// Runs a text that stores a result for each of 32 threads, in every order.
void expect_results(const std::string& text, const std::function<uint64_t(uint32_t)>& expected, uint32_t threads = 32) {
  SCOPED_TRACE(text);
  for (const ptx::Order order : orders) {
    Device device(threads);
    device.launch.order = order;
    device.run(kernel(text), threads);
    for (uint32_t n = 0; n < threads; ++n) EXPECT_EQ(device.buffer[n], expected(n)) << "thread " << n;
  }
}

// A shuffle of 100 + the number of the lane; 1000 is added where the predicate is true.
std::string shuffle(const std::string& mode, const std::string& by, const std::string& clamp) {
  return "add.s32 %r2, %r0, 100;\nshfl.sync." + mode + ".b32 %r9|%p1, %r2, " + by + ", " + clamp + ", -1;\n" +
         "@%p1 add.s32 %r9, %r9, 1000;\n" + store_result;
}

TEST(PtxExchange, shuffles_get_the_value_of_another_lane) {
  expect_results(shuffle("up", "3", "0"), [](uint32_t n) { return n < 3 ? 100 + n : 1100 + n - 3; });
  expect_results(shuffle("down", "3", "31"), [](uint32_t n) { return n > 28 ? 100 + n : 1100 + n + 3; });
  expect_results(shuffle("bfly", "5", "31"), [](uint32_t n) { return 1100 + (n ^ 5); });
  expect_results(shuffle("idx", "37", "31"), [](uint32_t) { return 1105; });
}

// The clamp has 32 less the width of the segments in bits 8 to 12.
TEST(PtxExchange, shuffles_stay_in_their_segment) {
  expect_results(shuffle("up", "1", "0x1800"), [](uint32_t n) { return n % 8 == 0 ? 100 + n : 1100 + n - 1; });
  expect_results(shuffle("down", "2", "0x181f"), [](uint32_t n) { return n % 8 > 5 ? 100 + n : 1100 + n + 2; });
  expect_results(shuffle("bfly", "8", "0x181f"), [](uint32_t n) { return n / 8 % 2 == 0 ? 100 + n : 1100 + n - 8; });
  expect_results(shuffle("idx", "9", "0x181f"), [](uint32_t n) { return 1100 + n / 8 * 8 + 1; });
}

TEST(PtxExchange, shuffles_take_a_partner_per_lane) {
  expect_results("sub.s32 %r3, 31, %r0;\nshfl.sync.idx.b32 %r9, %r0, %r3, 31, -1;\n" + store_result,
                 [](uint32_t n) { return 31 - n; });
}

TEST(PtxExchange, votes_count_the_lanes_that_are_named) {
  const std::string odd = "and.b32 %r2, %r0, 1;\nsetp.eq.s32 %p1, %r2, 1;\nsetp.lt.s32 %p2, %r0, 99;\n";
  expect_results(odd + "vote.sync.ballot.b32 %r9, %p1, -1;\n" + store_result, [](uint32_t) { return 0xaaaaaaaau; });
  expect_results(
      odd + "vote.sync.ballot.b32 %r9, %p1, -1;\n" + store_result, [](uint32_t) { return 0xaau; }, 9);
  const auto vote = [&](const std::string& form, const std::string& predicate) {
    return odd + "vote.sync." + form + ".pred %p3, " + predicate + ", -1;\nselp.u32 %r9, 1, 0, %p3;\n" + store_result;
  };
  expect_results(vote("any", "%p1"), [](uint32_t) { return 1; });
  expect_results(vote("all", "%p1"), [](uint32_t) { return 0; });
  expect_results(vote("uni", "%p1"), [](uint32_t) { return 0; });
  expect_results(vote("any", "%p2"), [](uint32_t) { return 1; });
  expect_results(vote("all", "%p2"), [](uint32_t) { return 1; });
  expect_results(vote("uni", "%p2"), [](uint32_t) { return 1; });
  expect_results(vote("any", "0"), [](uint32_t) { return 0; });
  expect_results(vote("uni", "0"), [](uint32_t) { return 1; });
}

TEST(PtxExchange, matches_find_lanes_with_equal_values) {
  const std::string value = "shr.u32 %r2, %r0, 3;\n";
  expect_results(value + "match.any.sync.b32 %r9, %r2, -1;\n" + store_result,
                 [](uint32_t n) { return 0xffu << (n / 8 * 8); });
  const std::string predicate = "@!%p1 add.s32 %r9, %r9, 5;\n";
  expect_results(value + "match.all.sync.b32 %r9|%p1, %r2, -1;\n" + predicate + store_result,
                 [](uint32_t) { return 5; });
  expect_results("match.all.sync.b32 %r9|%p1, 7, -1;\n" + predicate + store_result,
                 [](uint32_t) { return 0xffffffffu; });
}

// Lanes that part before come from different branches, at different times.
TEST(PtxExchange, lanes_wait_for_those_that_are_named) {
  const std::string text =
      "setp.lt.u32 %p1, %r0, 10;\nmov.u32 %r3, 0;\n@%p1 bra LATE;\nbra VOTE;\n"
      "VOTE:\nvote.sync.ballot.b32 %r9, %p1, -1;\n" +
      store_result +
      "ret;\n"
      "LATE:\nadd.s32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, %r0;\n@%p2 bra LATE;\nbra VOTE;\n";
  expect_results(text, [](uint32_t) { return 0x3ffu; });
}

TEST(PtxExchange, groups_of_lanes_exchange_on_their_own) {
  const std::string text =
      "setp.lt.u32 %p1, %r0, 16;\nselp.b32 %r4, 0x0000ffff, 0xffff0000, %p1;\n"
      "bar.warp.sync %r4;\nshfl.sync.bfly.b32 %r9, %r0, 1, 31, %r4;\n" +
      store_result;
  expect_results(text, [](uint32_t n) { return n ^ 1; });
}

TEST(PtxExchange, lanes_that_have_ended_are_not_waited_for) {
  const std::string text = "setp.ge.u32 %p1, %r0, 4;\n@%p1 bra REST;\nmov.u32 %r9, 7;\n" + store_result + "exit;\n" +
                           "REST:\nvote.sync.ballot.b32 %r9, %p1, -1;\n" + store_result;
  expect_results(text, [](uint32_t n) { return n < 4 ? 7 : 0xfffffff0u; });
}

TEST(PtxExchange, active_mask_names_the_lanes_that_run_together) {
  const std::string text = "setp.lt.u32 %p1, %r0, 12;\n@%p1 bra FEW;\nactivemask.b32 %r9;\n" + store_result + "ret;\n" +
                           "FEW:\nactivemask.b32 %r9;\n" + store_result;
  expect_results(text, [](uint32_t n) { return n < 12 ? 0x00000fffu : 0xfffff000u; });
}

TEST(PtxExchange, lanes_that_do_not_come_are_a_fault) {
  Device device(32);
  const std::string text =
      "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra OTHER;\nbar.warp.sync -1;\nret;\n"
      "OTHER:\nvote.sync.ballot.b32 %r9, %p1, -1;\n";
  const std::string message = device.fault(ptx::Fault::Kind::illegal_instruction, kernel(text), 32);
  EXPECT_TRUE(contains(message, "do not come")) << message;
  EXPECT_TRUE(contains(message, "kernel k")) << message;
}

TEST(PtxExchange, lanes_that_wait_at_a_barrier_do_not_come) {
  Device device(32);
  const std::string text = "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra OTHER;\nbar.sync 0;\nret;\nOTHER:\nbar.warp.sync -1;\n";
  const std::string message = device.fault(ptx::Fault::Kind::illegal_instruction, kernel(text), 32);
  EXPECT_TRUE(contains(message, "do not come")) << message;
}

TEST(PtxExchange, wrong_member_masks_are_a_fault) {
  Device device(32);
  const std::string other = device.fault(ptx::Fault::Kind::illegal_instruction, kernel("bar.warp.sync 0xff;"), 32);
  EXPECT_TRUE(contains(other, "does not name the lane")) << other;
  const std::string text = "setp.lt.u32 %p1, %r0, 16;\nselp.b32 %r4, 0x0001ffff, 0xffff0000, %p1;\nbar.warp.sync %r4;";
  const std::string differ = device.fault(ptx::Fault::Kind::illegal_instruction, kernel(text), 32);
  EXPECT_TRUE(contains(differ, "different member masks")) << differ;
}

}  // namespace
}  // namespace ptx_exchange_test
