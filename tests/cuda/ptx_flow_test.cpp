// Branches, ends of threads, and barriers of blocks.
#include <functional>

#include "cuda/device/ptx/testing/rows.h"

namespace ptx_flow_test {
namespace {

using namespace ptx::testing;

const Covers covers_all(
    "bra bra.uni ret exit trap bar.sync barrier.sync bar.red.popc.u32 bar.red.and.pred "
    "bar.red.or.pred");

const std::string store_result = "cvt.u64.u32 %rd9, %r9;\nst.global.u64 [%rd1], %rd9;\n";

void expect_results(const std::string& text, uint32_t threads, const std::function<uint64_t(uint32_t)>& expected) {
  SCOPED_TRACE(text);
  for (const ptx::Order order : orders) {
    Device device(threads);
    device.launch.order = order;
    device.launch.seed = 3;
    device.run(kernel(text), threads);
    for (uint32_t n = 0; n < threads; ++n) EXPECT_EQ(device.buffer[n], expected(n)) << "thread " << n;
  }
}

TEST(PtxFlow, lanes_that_part_come_together_again) {
  const std::string text =
      "setp.lt.u32 %p1, %r0, 7;\n@%p1 bra FEW;\nmov.u32 %r9, 1;\nbra.uni DONE;\n"
      "FEW:\nmov.u32 %r9, 2;\nDONE:\nactivemask.b32 %r2;\npopc.b32 %r2, %r2;\n"
      "mad.lo.s32 %r9, %r2, 10, %r9;\n" +
      store_result;
  expect_results(text, 32, [](uint32_t n) { return n < 7 ? 322 : 321; });
}

// The sum of i * j for i < thread and j < thread % 5.
TEST(PtxFlow, nested_loops_have_as_many_turns_as_each_lane_wants) {
  const std::string text =
      "mov.u32 %r9, 0;\nmov.u32 %r2, 0;\nrem.u32 %r5, %r0, 5;\n"
      "OUTER:\nsetp.ge.u32 %p1, %r2, %r0;\n@%p1 bra DONE;\nmov.u32 %r3, 0;\n"
      "INNER:\nsetp.ge.u32 %p2, %r3, %r5;\n@%p2 bra NEXT;\nmad.lo.s32 %r9, %r2, %r3, %r9;\n"
      "add.s32 %r3, %r3, 1;\nbra INNER;\nNEXT:\nadd.s32 %r2, %r2, 1;\nbra OUTER;\nDONE:\n" +
      store_result;
  expect_results(text, 70, [](uint32_t n) {
    const uint32_t inner = n % 5;
    return uint64_t{n * (n - 1) / 2} * (inner * (inner - 1) / 2);
  });
}

// What is executed last is at the begin of the text.
TEST(PtxFlow, branches_go_backward_to_code_that_lanes_share) {
  const std::string text = "bra START;\nEND:\n" + store_result +
                           "ret;\nSTART:\nand.b32 %r2, %r0, 3;\nmov.u32 %r9, %r2;\n"
                           "setp.eq.s32 %p1, %r2, 2;\n@%p1 bra END;\nadd.s32 %r9, %r9, 10;\n@!%p1 bra END;\n";
  expect_results(text, 40, [](uint32_t n) { return n % 4 == 2 ? 2 : n % 4 + 10; });
}

TEST(PtxFlow, threads_end_one_by_one) {
  const std::string text = "mov.u32 %r9, 5;\nsetp.eq.s32 %p1, %r0, 4;\n@%p1 exit;\n" + store_result +
                           "setp.lt.u32 %p1, %r0, 9;\n@!%p1 ret;\nmov.u32 %r9, 6;\n" + store_result;
  expect_results(text, 34, [](uint32_t n) { return n == 4 ? 0 : n < 9 ? 6 : 5; });
}

TEST(PtxFlow, threads_know_their_place) {
  for (const ptx::Order order : orders) {
    const ptx::Module module(kernel(
        "mov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\nmov.u32 %r4, %ctaid.y;\nmov.u32 %r5, %ctaid.z;\n"
        "mad.lo.s32 %r6, %r3, 3, %r2;\nmad.lo.s32 %r6, %r6, 5, %r0;\nmov.u32 %r7, %nctaid.y;\nmov.u32 %r8, %nctaid.x;\n"
        "mad.lo.s32 %r10, %r5, %r7, %r4;\nmad.lo.s32 %r10, %r10, %r8, %r1;\nmul.lo.s32 %r11, %r10, 30;\n"
        "add.s32 %r11, %r11, %r6;\nmul.wide.u32 %rd2, %r11, 8;\nadd.s64 %rd2, %rd2, %rd0;\n"
        "mov.u32 %r12, %laneid;\nmov.u32 %r13, %warpid;\nmad.lo.s32 %r12, %r13, 32, %r12;\n"
        "mov.u32 %r14, %lanemask_lt;\npopc.b32 %r14, %r14;\nmov.u32 %r15, %lanemask_ge;\npopc.b32 %r15, %r15;\n"
        "mad.lo.s32 %r12, %r14, 1000, %r12;\nmad.lo.s32 %r12, %r15, 100000, %r12;\nst.u32 [%rd2], %r12;\n"));
    Device device(30 * 24);
    const uint64_t address = reinterpret_cast<uint64_t>(device.buffer.data());
    const ptx::Launch launch{module.find("k"), {2, 3, 4}, {5, 3, 2}, 0, &address, order, 7, false};
    ptx::Checker checker(device.space, device.operation, false);
    ptx::run(launch, checker);
    for (uint32_t n = 0; n < device.buffer.size(); ++n) {
      const uint64_t thread = n % 30;
      EXPECT_EQ(device.buffer[n], (32 - thread) * 100000 + thread * 1000 + thread);
    }
  }
}

// Each thread reads what its neighbour has written before the barrier, many times.
TEST(PtxFlow, barriers_let_threads_see_what_others_have_written) {
  const std::string text =
      ".shared .align 4 .b8 tile[512];\nmov.u32 %r9, %r0;\nmov.u32 %r2, 0;\n"
      "mul.lo.s32 %r3, %r0, 4;\nadd.s32 %r4, %r0, 1;\nrem.u32 %r4, %r4, 100;\n"
      "mul.lo.s32 %r4, %r4, 4;\nmov.u32 %r5, tile;\nadd.s32 %r3, %r3, %r5;\nadd.s32 %r4, %r4, %r5;\n"
      "LOOP:\nst.shared.u32 [%r3], %r9;\nbar.sync 0;\nld.shared.u32 %r9, [%r4];\nbarrier.sync 0;\n"
      "add.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 30;\n@%p1 bra LOOP;\n" +
      store_result;
  expect_results(text, 100, [](uint32_t n) { return (n + 30) % 100; });
}

TEST(PtxFlow, barriers_do_not_wait_for_threads_that_have_ended) {
  const std::string text =
      "mov.u32 %r9, 1;\nsetp.lt.u32 %p1, %r0, 20;\n@%p1 bra WAIT;\nexit;\nWAIT:\nbar.sync 0;\n" + store_result;
  expect_results(text, 80, [](uint32_t n) { return n < 20 ? 1 : 0; });
}

TEST(PtxFlow, barriers_count_and_combine_predicates) {
  const std::string odd = "and.b32 %r2, %r0, 1;\nsetp.eq.s32 %p1, %r2, 1;\nsetp.lt.u32 %p2, %r0, 99;\n";
  expect_results(odd + "bar.red.popc.u32 %r9, 0, %p1;\n" + store_result, 70, [](uint32_t) { return 35; });
  const auto combine = [&](const std::string& form, const std::string& predicate) {
    return odd + "bar.red." + form + ".pred %p3, 0, " + predicate + ";\nselp.u32 %r9, 1, 0, %p3;\n" + store_result;
  };
  expect_results(combine("and", "%p1"), 70, [](uint32_t) { return 0; });
  expect_results(combine("and", "%p2"), 70, [](uint32_t) { return 1; });
  expect_results(combine("or", "%p1"), 70, [](uint32_t) { return 1; });
  expect_results(combine("or", "0"), 70, [](uint32_t) { return 0; });
}

TEST(PtxFlow, different_barriers_are_a_fault) {
  Device device(64);
  const std::string lanes = "setp.lt.u32 %p1, %r0, 5;\n@%p1 bra OTHER;\nbar.sync 0;\nret;\nOTHER:\nbar.sync 0;\n";
  const std::string warps = "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra OTHER;\nbar.sync 0;\nret;\nOTHER:\nbar.sync 0;\n";
  for (const std::string& text : {lanes, warps}) {
    const std::string message = device.fault(ptx::Fault::Kind::illegal_instruction, kernel(text), 64);
    EXPECT_TRUE(contains(message, "another barrier")) << message;
  }
}

TEST(PtxFlow, traps_are_a_fault) {
  Device device(64);
  const std::string text = "setp.eq.s32 %p1, %r0, 33;\n@%p1 trap;";
  const std::string message = device.fault(ptx::Fault::Kind::illegal_instruction, kernel(text), 64);
  EXPECT_TRUE(contains(message, "thread (33, 0, 0)")) << message;
  EXPECT_TRUE(contains(message, "trapped")) << message;
}

TEST(PtxFlow, blocks_and_warps_run_in_the_order_of_the_launch) {
  for (const ptx::Order order : orders) {
    Device device(1 + 300);
    device.launch.order = order;
    // Every thread takes a number.
    device.run(
        kernel("atom.global.add.u32 %r2, [%rd0], 1;\nmad.lo.s32 %r3, %r1, 100, %r0;\nmul.wide.u32 %rd2, %r3, 8;\n"
               "add.s64 %rd2, %rd2, %rd0;\nst.global.u32 [%rd2+8], %r2;"),
        100, 3);
    EXPECT_EQ(device.buffer[0], 300u);
    const std::set<uint64_t> turns(device.buffer.begin() + 1, device.buffer.end());
    EXPECT_EQ(turns.size(), 300u);
    for (uint32_t n = 0; n < 300 && order != ptx::Order::permuted; ++n) {
      EXPECT_EQ(device.buffer[1 + n], order == ptx::Order::forward ? n : 299 - n);
    }
  }
}

TEST(PtxFlow, instructions_are_counted_per_thread) {
  Device device(32);
  const uint64_t of_none = device.run(kernel("ret;"), 10);
  EXPECT_EQ(device.run(kernel("mov.u32 %r9, 1;\nret;"), 10), of_none + 10);
}

}  // namespace
}  // namespace ptx_flow_test
