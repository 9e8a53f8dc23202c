// Races: pairs of accesses that nothing orders are found in every order of threads, and no others.
#include "cuda/device/ptx/testing/texts.h"

namespace ptx_race_test {
namespace {

using namespace ptx::testing;

std::vector<std::string> races_of(Device& device, const std::string& text, uint32_t threads, uint32_t blocks) {
  ptx::take_races();
  device.finds_races = true;
  device.run(kernel(text), threads, blocks);
  return ptx::take_races();
}

void expect_race(const std::string& text, uint32_t threads, uint32_t blocks, const std::vector<std::string>& parts) {
  SCOPED_TRACE(text);
  for (const ptx::Order order : orders) {
    Device device(4096);
    device.launch.order = order;
    const std::vector<std::string> races = races_of(device, text, threads, blocks);
    ASSERT_FALSE(races.empty());
    for (const std::string& part : parts) EXPECT_TRUE(contains(races[0], part)) << races[0] << "\nlacks " << part;
  }
}

void expect_none(const std::string& text, uint32_t threads, uint32_t blocks) {
  SCOPED_TRACE(text);
  for (const ptx::Order order : orders) {
    Device device(4096);
    device.launch.order = order;
    for (const std::string& race : races_of(device, text, threads, blocks)) ADD_FAILURE() << race;
  }
}

// Each thread writes its word of shared memory and reads that of its neighbour.
std::string neighbours(const std::string& between) {
  return ".shared .align 4 .b8 tile[256];\nmov.u32 %r2, tile;\nshl.b32 %r3, %r0, 2;\nadd.s32 %r3, %r3, %r2;\n"
         "xor.b32 %r4, %r0, 1;\nshl.b32 %r4, %r4, 2;\nadd.s32 %r4, %r4, %r2;\nst.shared.u32 [%r3], %r0;\n" +
         between + "ld.shared.u32 %r5, [%r4];\n";
}

TEST(PtxRace, shared_memory_without_a_barrier_is_a_race) {
  expect_race(neighbours(""), 64, 1, {"shared memory", "writes it", "reads it", "nothing orders the two", "k (thread"});
  expect_race(neighbours("membar.cta;\n"), 64, 1, {"shared memory"});
  expect_race(neighbours("bar.warp.sync -1;\n"), 64, 1, {"shared memory"});
}

TEST(PtxRace, a_barrier_orders_the_threads_of_a_block) { expect_none(neighbours("bar.sync 0;\n"), 64, 3); }

TEST(PtxRace, a_missing_barrier_at_the_end_of_a_loop_is_a_race) {
  const std::string loop = "mov.u32 %r9, 0;\nLOOP:\n" + neighbours("bar.sync 0;\n");
  const std::string again = "add.s32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 3000;\n@%p1 bra LOOP;\n";
  expect_race(loop + again, 64, 1, {"reads it", "writes it"});
  expect_none(loop + "bar.sync 0;\n" + again, 64, 1);
}

// What was read before thousands of barriers is ordered, whatever the number of barriers.
TEST(PtxRace, many_barriers_order_too) {
  expect_none(
      "st.global.u32 [%rd1], %r0;\nmov.u32 %r9, 0;\nLOOP:\nbar.sync 0;\nadd.s32 %r9, %r9, 1;\nxor.b32 %r2, %r0, 1;\n"
      "mul.wide.u32 %rd2, %r2, 8;\nadd.s64 %rd2, %rd2, %rd0;\nsetp.lt.u32 %p1, %r9, 1024;\n@%p1 bra LOOP;\n"
      "ld.global.u32 %r3, [%rd2];\n",
      64, 1);
}

TEST(PtxRace, two_blocks_that_write_a_word_are_a_race) {
  expect_race("st.global.u32 [%rd0+16], %r1;\n", 1, 2,
              {"word 4 (byte 16) of buffer", "block 0", "block 1", "k (thread 0 of block"});
  expect_race("bar.sync 0;\nst.global.u32 [%rd0], %r1;\nbar.sync 0;\n", 1, 2, {"word 0"});
}

TEST(PtxRace, a_block_that_reads_what_another_writes_is_a_race) {
  expect_race("setp.eq.s32 %p1, %r1, 0;\n@%p1 st.global.u32 [%rd0], %r1;\n@!%p1 ld.global.u32 %r2, [%rd0];\n", 1, 2,
              {"reads it", "writes it"});
}

TEST(PtxRace, threads_of_a_warp_that_write_a_word_are_a_race) {
  expect_race("st.global.u32 [%rd0], %r0;\n", 2, 1, {"thread 0", "thread 1", "writes it"});
}

TEST(PtxRace, reading_is_no_race_and_neither_are_words_of_their_own) {
  expect_none("ld.global.u32 %r2, [%rd0];\n", 64, 4);
  expect_none(
      "mad.lo.s32 %r2, %r1, 64, %r0;\nmul.wide.u32 %rd2, %r2, 8;\nadd.s64 %rd2, %rd2, %rd0;\n"
      "ld.global.u32 %r3, [%rd2];\nst.global.u32 [%rd2], %r3;\nld.global.u32 %r3, [%rd2];\n",
      64, 4);
}

TEST(PtxRace, bytes_of_a_word_are_apart) {
  const std::string address = "cvt.u64.u32 %rd2, %r0;\nadd.s64 %rd2, %rd2, %rd0;\n";
  expect_none(address + "st.global.u8 [%rd2], %r0;\n", 4, 1);
  expect_race("st.global.u8 [%rd0+1], %r0;\n", 4, 1, {"word 0"});
  expect_race("setp.eq.s32 %p1, %r0, 1;\n@%p1 st.global.u8 [%rd0], %r0;\n@!%p1 ld.global.u32 %r2, [%rd0];\n", 2, 1,
              {"word 0"});
}

TEST(PtxRace, atomic_changes_race_with_others_only) {
  expect_none("red.global.add.u32 [%rd0], 1;\natom.global.max.u32 %r2, [%rd0], 1;\n", 64, 4);
  expect_race("red.global.add.u32 [%rd0], 1;\nld.global.u32 %r2, [%rd0];\n", 2, 1,
              {"changes it atomically", "reads it"});
  expect_race("red.global.add.u32 [%rd0], 1;\nst.global.u32 [%rd0], 7;\n", 2, 1,
              {"changes it atomically", "writes it"});
  expect_none("red.global.add.u32 [%rd0], 1;\nbar.sync 0;\nld.global.u32 %r2, [%rd0];\n", 64, 1);
}

// Runs a text as an operation of a stream that has seen others.
void run_as(Device& device, const ptx::Operation& operation, const std::string& text) {
  device.finds_races = true;
  device.operation = operation;
  device.run(kernel(text), 1);
}

constexpr char writes[] = "st.global.u32 [%rd0+4], %r0;\n";
constexpr char reads[] = "ld.global.u32 %r2, [%rd0+4];\n";

TEST(PtxRace, operations_of_streams_that_nothing_orders_are_a_race) {
  for (const bool first_writes : {true, false}) {
    Device device(4);
    ptx::take_races();
    run_as(device, {0, 3, {}, "first"}, first_writes ? writes : reads);
    run_as(device, {1, 1, {2}, "second"}, first_writes ? reads : writes);
    const std::vector<std::string> races = ptx::take_races();
    ASSERT_EQ(races.size(), 1u);
    EXPECT_TRUE(contains(races[0], "first (thread 0 of block 0) " + std::string(first_writes ? "writes" : "reads")))
        << races[0];
    EXPECT_TRUE(contains(races[0], "second (thread 0 of block 0) " + std::string(first_writes ? "reads" : "writes")))
        << races[0];
  }
}

TEST(PtxRace, operations_that_are_ordered_are_none) {
  Device device(4);
  ptx::take_races();
  run_as(device, {0, 3, {}, "first"}, writes);
  run_as(device, {0, 4, {}, "same stream"}, writes);
  run_as(device, {1, 1, {4}, "has seen it"}, writes);
  run_as(device, {2, 1, {0, 1}, "has seen the last"}, reads);
  run_as(device, {3, 1, {0, 1}, "reads too"}, reads);
  for (const std::string& race : ptx::take_races()) ADD_FAILURE() << race;
}

TEST(PtxRace, copies_race_with_kernels) {
  Device device(4);
  ptx::take_races();
  run_as(device, {0, 1, {}, "kernel"}, writes);
  const uint64_t begin = reinterpret_cast<uint64_t>(device.buffer.data());
  const ptx::Operation operation{1, 1, {}, "copy"};
  ptx::Checker checker(device.space, operation, true);
  checker.access_range(begin + 8, 8, false);
  EXPECT_TRUE(ptx::take_races().empty());
  checker.access_range(begin, 8, false);
  const std::vector<std::string> races = ptx::take_races();
  ASSERT_EQ(races.size(), 1u);
  EXPECT_TRUE(contains(races[0], "word 1 (byte 4) of buffer")) << races[0];
  EXPECT_TRUE(contains(races[0], "copy")) << races[0];
}

TEST(PtxRace, a_pair_of_operations_is_reported_once) {
  Device device(4096);
  const std::string text = "mul.wide.u32 %rd2, %r0, 4;\nadd.s64 %rd2, %rd2, %rd0;\nst.global.u32 [%rd2], %r1;\n";
  EXPECT_EQ(races_of(device, text, 64, 8).size(), 1u);
}

}  // namespace
}  // namespace ptx_race_test
