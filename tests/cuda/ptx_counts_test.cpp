// The counts of what launches execute and access.
#include "cuda/device/ptx/testing/texts.h"

namespace ptx_counts_test {
namespace {

using namespace ptx::testing;
using ptx::Counts;
using ptx::InstructionCounts;

// %rd2 is the first multiple of 128 in the buffer.
const std::string align_buffer = "add.s64 %rd2, %rd0, 127;\nand.b64 %rd2, %rd2, -128;\n";
const std::string shared_words = ".shared .align 16 .b8 words[8192];\n";

Counts count(const std::string& body, uint32_t threads, uint32_t blocks = 1, ptx::Order order = ptx::Order::forward) {
  Device device(1024);
  Counts counts;
  device.launch.counts = &counts;
  device.launch.order = order;
  device.run(kernel(body), threads, blocks);
  return counts;
}

// Returns the counts of the first instruction of that form.
InstructionCounts of(const Counts& counts, const std::string& form) {
  for (const InstructionCounts& i : counts.instructions) {
    if (i.form == form) return i;
  }
  ADD_FAILURE() << "there is no " << form;
  return {};
}

// Each thread loads from the aligned address + its number times the stride.
uint64_t sectors_of(const std::string& load, uint32_t stride, uint32_t threads, ptx::Order order) {
  const std::string body = align_buffer + "mul.wide.u32 %rd3, %r0, " + std::to_string(stride) +
                           ";\nadd.s64 %rd3, %rd3, %rd2;\n" + load + ";\n";
  const Counts counts = count(body, threads, 1, order);
  return of(counts, load.substr(0, load.find(' '))).sectors;
}

TEST(PtxCounts, sectors_are_those_that_the_lanes_need_together) {
  for (const ptx::Order order : orders) {
    EXPECT_EQ(sectors_of("ld.global.u32 %r2, [%rd3]", 4, 32, order), 4u);
    EXPECT_EQ(sectors_of("ld.global.u32 %r2, [%rd3+4]", 4, 32, order), 5u);
    EXPECT_EQ(sectors_of("ld.global.u32 %r2, [%rd3]", 8, 32, order), 8u);
    EXPECT_EQ(sectors_of("ld.global.u32 %r2, [%rd3]", 32, 32, order), 32u);
    EXPECT_EQ(sectors_of("ld.global.u32 %r2, [%rd3]", 128, 32, order), 32u);
    EXPECT_EQ(sectors_of("ld.global.u32 %r2, [%rd3]", 0, 32, order), 1u);
    EXPECT_EQ(sectors_of("ld.global.u8 %r2, [%rd3]", 1, 32, order), 1u);
    EXPECT_EQ(sectors_of("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd3]", 16, 32, order), 16u);
    EXPECT_EQ(sectors_of("ld.u32 %r2, [%rd3]", 4, 32, order), 4u);
  }
  // Two full warps, and 8 lanes of a third.
  EXPECT_EQ(sectors_of("ld.global.u32 %r2, [%rd3]", 4, 72, ptx::Order::forward), 9u);
}

TEST(PtxCounts, lanes_that_part_execute_one_after_the_other) {
  for (const ptx::Order order : orders) {
    const Counts counts = count(
        "setp.lt.u32 %p1, %r0, 7;\n@%p1 bra FEW;\nneg.s32 %r9, %r0;\nbra.uni DONE;\n"
        "FEW:\nnot.b32 %r9, %r0;\nDONE:\npopc.b32 %r9, %r9;\n",
        32, 1, order);
    EXPECT_EQ(of(counts, "setp.lt.u32").warps, 1u);
    EXPECT_EQ(of(counts, "bra").lanes, 7u);
    EXPECT_EQ(of(counts, "neg.s32").warps, 1u);
    EXPECT_EQ(of(counts, "neg.s32").lanes, 25u);
    EXPECT_EQ(of(counts, "not.b32").warps, 1u);
    EXPECT_EQ(of(counts, "not.b32").lanes, 7u);
    EXPECT_EQ(of(counts, "popc.b32").warps, 1u);
    EXPECT_EQ(of(counts, "popc.b32").lanes, 32u);
  }
}

TEST(PtxCounts, a_branch_that_a_warp_takes_together_is_executed_by_it_once) {
  const Counts counts = count(
      "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra FEW;\nneg.s32 %r9, %r0;\nbra.uni DONE;\n"
      "FEW:\nnot.b32 %r9, %r0;\nDONE:\npopc.b32 %r9, %r9;\n",
      96);
  EXPECT_EQ(of(counts, "neg.s32").warps, 2u);
  EXPECT_EQ(of(counts, "not.b32").warps, 1u);
  EXPECT_EQ(of(counts, "popc.b32").warps, 3u);
}

TEST(PtxCounts, loops_count_each_turn) {
  const Counts counts = count(
      "mov.u32 %r2, 0;\nLOOP:\nadd.s32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r0;\n@%p1 bra LOOP;\nneg.s32 %r9, %r2;\n",
      32);
  // The lane with number n has n + 1 turns.
  EXPECT_EQ(of(counts, "add.s32").warps, 32u);
  EXPECT_EQ(of(counts, "add.s32").lanes, 32u * 33u / 2u);
  EXPECT_EQ(of(counts, "neg.s32").lanes, 32u);
}

TEST(PtxCounts, instructions_without_effect_are_executed) {
  const Counts counts = count(
      "setp.lt.u32 %p1, %r0, 5;\n@%p1 neg.s32 %r9, %r0;\n@%p1 st.global.u32 [%rd1], %r0;\n"
      "setp.lt.u32 %p1, %r0, 0;\n@%p1 not.b32 %r9, %r0;\n",
      32);
  EXPECT_EQ(of(counts, "neg.s32").warps, 1u);
  EXPECT_EQ(of(counts, "neg.s32").lanes, 5u);
  EXPECT_EQ(of(counts, "st.global.u32").lanes, 5u);
  EXPECT_EQ(of(counts, "not.b32").warps, 1u);
  EXPECT_EQ(of(counts, "not.b32").lanes, 0u);
}

// Each thread accesses shared memory at its number times the stride.
uint64_t turns_of(const std::string& access, uint32_t stride, uint32_t threads, ptx::Order order) {
  const std::string body = shared_words + "mul.lo.u32 %r2, %r0, " + std::to_string(stride) +
                           ";\nmov.u32 %r3, words;\nadd.s32 %r3, %r3, %r2;\n" + access + ";\n";
  return of(count(body, threads, 1, order), access.substr(0, access.find(' '))).bank_turns;
}

TEST(PtxCounts, banks_serve_one_word_at_a_time) {
  const std::string vector_load = "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3]";
  for (const ptx::Order order : orders) {
    EXPECT_EQ(turns_of("st.shared.u32 [%r3], %r0", 4, 32, order), 1u);
    EXPECT_EQ(turns_of("st.shared.u32 [%r3], %r0", 8, 32, order), 2u);
    EXPECT_EQ(turns_of("st.shared.u32 [%r3], %r0", 128, 32, order), 32u);
    EXPECT_EQ(turns_of("ld.shared.u32 %r4, [%r3]", 0, 32, order), 1u);
    EXPECT_EQ(turns_of("ld.shared.u8 %r4, [%r3]", 1, 32, order), 1u);
    EXPECT_EQ(turns_of(vector_load, 16, 32, order), 4u);
    EXPECT_EQ(turns_of(vector_load, 32, 32, order), 8u);
    // Quarters of the warp, of which the last two have no lanes.
    EXPECT_EQ(turns_of(vector_load, 16, 16, order), 2u);
    EXPECT_EQ(turns_of("ld.shared.v2.u32 {%r4, %r5}, [%r3]", 8, 32, order), 2u);
  }
}

TEST(PtxCounts, barriers_are_executed_by_each_warp) {
  const Counts counts = count("bar.sync 0;\nbar.sync 0;\n", 96, 2);
  EXPECT_EQ(of(counts, "bar.sync").warps, 6u);
  EXPECT_EQ(counts.launches, 1u);
  EXPECT_EQ(counts.blocks, 2u);
  EXPECT_EQ(counts.threads, 192u);
}

TEST(PtxCounts, a_launch_reads_and_writes_each_sector_once) {
  // All threads of two blocks load the same word. Each block writes a sector of its own, which it then loads.
  const Counts counts = count(align_buffer +
                                  "ld.global.u32 %r2, [%rd2];\nmul.wide.u32 %rd3, %r1, 32;\nadd.s64 %rd3, %rd3, %rd2;\n"
                                  "st.global.u32 [%rd3+64], %r2;\nld.global.u32 %r3, [%rd3+64];\n",
                              64, 2);
  EXPECT_EQ(counts.read_sectors, 1u);
  EXPECT_EQ(counts.written_sectors, 2u);
  const Counts atomics = count(align_buffer + "red.global.add.u32 [%rd2], 1;\n", 64);
  EXPECT_EQ(atomics.read_sectors, 1u);
  EXPECT_EQ(atomics.written_sectors, 1u);
}

TEST(PtxCounts, launches_add_up) {
  Device device(64);
  Counts counts;
  device.launch.counts = &counts;
  const std::string text = kernel("neg.s32 %r9, %r0;\nld.global.u64 %rd5, [%rd0];\n");
  for (int k = 0; k < 3; ++k) device.run(text, 40, 2);
  EXPECT_EQ(counts.launches, 3u);
  EXPECT_EQ(counts.blocks, 6u);
  EXPECT_EQ(of(counts, "neg.s32").warps, 12u);
  EXPECT_EQ(of(counts, "neg.s32").lanes, 240u);
  EXPECT_EQ(of(counts, "ld.global.u64").sectors, 12u);
  EXPECT_EQ(counts.read_sectors, 3u);
}

TEST(PtxCounts, counts_of_another_kernel_are_not_added) {
  Counts counts = count("neg.s32 %r9, %r0;\n", 32);
  EXPECT_FALSE(counts.add(count("not.b32 %r9, %r0;\n", 32)));
  EXPECT_EQ(counts.launches, 1u);
  EXPECT_TRUE(counts.add(count("neg.s32 %r9, %r0;\n", 64)));
  EXPECT_EQ(of(counts, "neg.s32").warps, 3u);
}

// All instructions of all threads.
TEST(PtxCounts, lanes_agree_with_what_run_returns) {
  Device device(1024);
  Counts counts;
  device.launch.counts = &counts;
  const std::string text = kernel(
      "mov.u32 %r2, 0;\nLOOP:\nadd.s32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r0;\n@%p1 bra.uni LOOP;\nneg.s32 %r9, "
      "%r2;\n");
  const uint64_t executed = device.run(text, 70, 3);
  uint64_t lanes = 0, branches = 0;
  for (const InstructionCounts& i : counts.instructions) {
    lanes += i.lanes;
    if (i.form == "bra.uni") branches = i.lanes;
  }
  // The branch is executed by as many threads as the addition before it; the last time without effect.
  EXPECT_EQ(lanes - branches + of(counts, "add.s32").lanes, executed);
}

}  // namespace
}  // namespace ptx_counts_test
