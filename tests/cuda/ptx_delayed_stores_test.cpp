// Stores that other blocks see late.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_delayed_stores_test {
namespace {

using namespace ptx::testing;

const Covers covers_fences(
    "membar.cta membar.gl membar.sys fence.acq_rel.cta fence.acq_rel.gpu fence.acq_rel.sys "
    "fence.sc.cta fence.sc.gpu fence.sc.sys");

// Block 0 stores 7, after which something happens. Block 1 reads the value and stores it at the second number.
std::string across_blocks(const std::string& between) {
  return "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra READ;\nst.global.u64 [%rd0], 7;\n" + between +
         "ret;\nREAD:\nld.global.u64 %rd2, [%rd0];\nst.global.u64 [%rd0+8], %rd2;\n";
}

// Returns what is in the buffer in the end.
std::vector<uint64_t> run_delayed(const std::string& text, uint32_t blocks, ptx::Order order = ptx::Order::forward) {
  Device device(8);
  device.launch.delays_stores = true;
  device.launch.order = order;
  device.run(kernel(text), 1, blocks);
  return device.buffer;
}

TEST(PtxDelayedStores, other_blocks_see_stores_when_the_kernel_has_ended) {
  const std::vector<uint64_t> buffer = run_delayed(across_blocks(""), 2);
  EXPECT_EQ(buffer[0], 7u);
  EXPECT_EQ(buffer[1], 0u);
  EXPECT_EQ(run_delayed(across_blocks("membar.cta;\n"), 2)[1], 0u);
}

TEST(PtxDelayedStores, other_blocks_see_stores_after_a_fence) {
  for (const char* fence :
       {"membar.gl", "membar.sys", "fence.acq_rel.gpu", "fence.sc.gpu", "fence.sc.sys", "fence.acq_rel.sys"}) {
    EXPECT_EQ(run_delayed(across_blocks(std::string(fence) + ";\n"), 2)[1], 7u) << fence;
  }
  for (const char* fence : {"fence.acq_rel.cta", "fence.sc.cta"}) {
    EXPECT_EQ(run_delayed(across_blocks(std::string(fence) + ";\n"), 2)[1], 0u) << fence;
  }
}

TEST(PtxDelayedStores, without_delays_other_blocks_see_stores_at_once) {
  Device device(8);
  device.run(kernel(across_blocks("")), 1, 2);
  EXPECT_EQ(device.buffer[1], 7u);
}

TEST(PtxDelayedStores, the_block_itself_sees_its_stores_at_once) {
  const std::vector<uint64_t> buffer = run_delayed(
      "st.global.u32 [%rd0], 0x11223344;\nst.global.u8 [%rd0+1], 0x55;\n"
      "ld.global.u64 %rd2, [%rd0];\nst.global.u64 [%rd0+8], %rd2;\n"
      "ld.global.u16 %h1, [%rd0];\nst.u16 [%rd0+16], %h1;\nld.u64 %rd3, [%rd0+16];\n"
      "st.global.v2.u64 [%rd0+32], {%rd2, %rd3};\n",
      1);
  EXPECT_EQ(buffer[0], 0x11225544u);
  EXPECT_EQ(buffer[1], 0x11225544u);
  EXPECT_EQ(buffer[2], 0x5544u);
  EXPECT_EQ(buffer[4], 0x11225544u);
  EXPECT_EQ(buffer[5], 0x5544u);
}

TEST(PtxDelayedStores, atomic_changes_take_what_the_block_has_stored) {
  const std::vector<uint64_t> buffer = run_delayed(
      "st.global.u32 [%rd0], 40;\nst.global.u32 [%rd0+4], 50;\n"
      "atom.global.add.u32 %r2, [%rd0], 2;\nst.global.u32 [%rd0+8], %r2;\n",
      1);
  EXPECT_EQ(buffer[0], (uint64_t{50} << 32) + 42);
  EXPECT_EQ(buffer[1], 40u);
}

TEST(PtxDelayedStores, the_last_block_wins_in_every_order) {
  for (const ptx::Order order : orders) {
    const std::vector<uint64_t> buffer = run_delayed("st.global.u32 [%rd0], %r1;\n", 5, order);
    EXPECT_EQ(buffer[0], 4u);
  }
}

TEST(PtxDelayedStores, shared_and_local_memory_have_no_delays) {
  const std::vector<uint64_t> buffer = run_delayed(
      ".shared .align 8 .b8 tile[8];\n.local .align 8 .b8 depot[8];\n"
      "st.shared.u64 [tile], 3;\nst.local.u64 [depot], 4;\nld.shared.u64 %rd2, [tile];\n"
      "ld.local.u64 %rd3, [depot];\nst.global.v2.u64 [%rd0], {%rd2, %rd3};\n",
      1);
  EXPECT_EQ(buffer[0], 3u);
  EXPECT_EQ(buffer[1], 4u);
}

}  // namespace
}  // namespace ptx_delayed_stores_test
