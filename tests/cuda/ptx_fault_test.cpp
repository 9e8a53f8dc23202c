// Accesses that no kernel may make, and what the messages say.
#include "cuda/device/ptx/testing/texts.h"

namespace ptx_fault_test {
namespace {

using namespace ptx::testing;
using Kind = ptx::Fault::Kind;

void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_TRUE(contains(message, part)) << message << "\nlacks " << part;
}

TEST(PtxFault, loads_behind_an_allocation_name_it_and_the_thread) {
  Device device(16);
  const std::string text = kernel("ld.global.u32 %r2, [%rd1];");
  expect_parts(device.fault(Kind::illegal_address, text, 20),
               {"kernel k", "thread (16, 0, 0)", "block (0, 0, 0)", "line", "ld.global.u32", "reads 4 bytes at 0x",
                "0 bytes behind the end of 'buffer' (128 bytes at 0x"});
}

TEST(PtxFault, stores_before_an_allocation_say_how_far) {
  Device device(16);
  const std::string text = kernel("st.global.u32 [%rd0+-8], %r2;");
  expect_parts(device.fault(Kind::illegal_address, text, 1),
               {"st.global.u32", "writes 4 bytes", "8 bytes before the begin of 'buffer'"});
}

TEST(PtxFault, accesses_across_the_end_say_how_many_bytes_are_outside) {
  Device device(3);
  const uint64_t address = reinterpret_cast<uint64_t>(device.buffer.data());
  const uint64_t first = address % 16 == 0 ? 16 : 8;
  const std::string text = kernel("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd0+" + std::to_string(first) + "];");
  const std::string message = device.fault(Kind::illegal_address, text, 1);
  if (first == 16) expect_parts(message, {"reads 16 bytes", "the last 8 bytes are behind the end of 'buffer'"});
}

TEST(PtxFault, the_block_is_named) {
  Device device(16);
  const std::string text = kernel("setp.ne.s32 %p1, %r1, 2;\n@%p1 bra END;\nld.global.u32 %r2, [8];\nEND:\n");
  for (const ptx::Order order : orders) {
    device.launch.order = order;
    expect_parts(device.fault(Kind::illegal_address, text, 1, 4), {"block (2, 0, 0)", "at 0x8"});
  }
}

TEST(PtxFault, the_nearest_of_several_allocations_is_named) {
  std::vector<uint64_t> memory(100);
  const uint64_t begin = reinterpret_cast<uint64_t>(memory.data());
  ptx::AddressSpace space;
  EXPECT_EQ(space.describe(begin, 4), "there are no allocations");
  space.add(begin, 80, "left");
  space.add(begin + 400, 80, "right");
  EXPECT_TRUE(contains(space.describe(begin + 100, 4), "20 bytes behind the end of 'left'"));
  EXPECT_TRUE(contains(space.describe(begin + 390, 4), "10 bytes before the begin of 'right'"));
  EXPECT_TRUE(contains(space.describe(begin + 500, 4), "20 bytes behind the end of 'right'"));
  EXPECT_TRUE(contains(space.describe(begin + 76, 8), "the last 4 bytes are behind the end of 'left'"));
}

TEST(PtxFault, addresses_that_are_no_multiple_of_the_size_are_misaligned) {
  Device device(16);
  expect_parts(device.fault(Kind::misaligned_address, kernel("ld.global.u32 %r2, [%rd0+2];"), 1),
               {"which is not a multiple of 4"});
  expect_parts(device.fault(Kind::misaligned_address, kernel("st.global.u16 [%rd0+1], %r2;"), 1), {"multiple of 2"});
  expect_parts(device.fault(Kind::misaligned_address, kernel("atom.global.add.u64 %rd2, [%rd0+4], 1;"), 1),
               {"multiple of 8"});
  const std::string vector = "and.b64 %rd2, %rd0, -16;\nld.global.v2.u64 {%rd3, %rd4}, [%rd2+24];";
  expect_parts(device.fault(Kind::misaligned_address, kernel(vector), 1), {"multiple of 16"});
  const std::string shared = ".shared .align 4 .b8 tile[64];\nld.shared.u32 %r2, [tile+1];";
  expect_parts(device.fault(Kind::misaligned_address, kernel(shared), 1), {"multiple of 4"});
}

TEST(PtxFault, memory_that_may_only_be_read_is_not_written) {
  std::vector<uint64_t> constants(16);
  for (const char* access : {"st.global.u32 [%rd3], %r2;", "red.global.add.u32 [%rd3], %r2;", "st.u32 [%rd3], 1;"}) {
    Device device(16);
    device.add(constants, "constants", false);
    device.buffer[0] = reinterpret_cast<uint64_t>(constants.data());
    const std::string text = "ld.global.u64 %rd3, [%rd0];\nld.global.u32 %r2, [%rd3];\n";
    expect_parts(device.fault(Kind::illegal_address, kernel(text + access), 32), {"'constants' may only be read"});
  }
}

TEST(PtxFault, shared_local_and_parameter_memory_have_bounds) {
  Device device(16);
  device.launch.dynamic_shared_size = 64;
  const std::string shared = ".shared .align 4 .b8 tile[64];\nld.shared.u32 %r2, [tile+128];";
  expect_parts(device.fault(Kind::illegal_address, kernel(shared), 1), {"shared memory has 128 bytes"});
  const std::string local = ".local .align 4 .b8 depot[16];\nst.local.u32 [depot+16], %r2;";
  expect_parts(device.fault(Kind::illegal_address, kernel(local), 1), {"local memory has 16 bytes"});
  expect_parts(device.fault(Kind::illegal_address, kernel("ld.param.u32 %r2, [buffer+8];"), 1),
               {"the parameters have 8 bytes"});
  const std::string generic = "mov.u64 %rd2, 4096;\ncvta.shared.u64 %rd2, %rd2;\nld.u32 %r2, [%rd2];";
  expect_parts(device.fault(Kind::illegal_address, kernel(generic), 1), {"shared memory has 64 bytes"});
  const std::string parameter = "mov.b64 %rd2, buffer;\ncvta.param.u64 %rd2, %rd2;\nst.u32 [%rd2], 1;";
  expect_parts(device.fault(Kind::illegal_address, kernel(parameter), 1), {"parameters may only be read"});
}

TEST(PtxFault, inactive_lanes_may_have_any_address) {
  Device device(8);
  device.run(kernel("setp.lt.u32 %p1, %r0, 8;\n@%p1 st.global.u64 [%rd1], %rd0;\n@!%p1 bra END;\nld.global.u64 %rd2, "
                    "[%rd1];\nEND:\n"),
             32);
  EXPECT_NE(device.buffer[7], 0u);
}

TEST(PtxFault, memory_that_is_gone_is_not_accessed) {
  Device device(8);
  EXPECT_NE(device.space.find(reinterpret_cast<uint64_t>(device.buffer.data()) + 63), nullptr);
  EXPECT_EQ(device.space.find(reinterpret_cast<uint64_t>(device.buffer.data()) + 64), nullptr);
  const uint64_t generation = device.space.generation();
  EXPECT_TRUE(device.space.remove(reinterpret_cast<uint64_t>(device.buffer.data())));
  EXPECT_FALSE(device.space.remove(reinterpret_cast<uint64_t>(device.buffer.data())));
  EXPECT_NE(device.space.generation(), generation);
  expect_parts(device.fault(Kind::illegal_address, kernel("ld.global.u32 %r2, [%rd0];"), 1),
               {"there are no allocations"});
}

TEST(PtxFault, copies_are_checked) {
  Device device(8);
  std::vector<uint64_t> constants(8);
  device.add(constants, "constants", false);
  const uint64_t begin = reinterpret_cast<uint64_t>(device.buffer.data());
  const uint64_t fixed = reinterpret_cast<uint64_t>(constants.data());
  device.operation.name = "a copy";
  ptx::Checker checker(device.space, device.operation, false);
  EXPECT_NO_THROW(checker.access_range(begin, 64, true));
  EXPECT_NO_THROW(checker.access_range(begin + 3, 5, false));
  EXPECT_NO_THROW(checker.access_range(1, 0, true));
  EXPECT_NO_THROW(checker.access_range(fixed, 64, false));
  EXPECT_THROW(checker.access_range(fixed, 64, true), ptx::Fault);
  try {
    checker.access_range(begin + 8, 64, true);
    ADD_FAILURE();
  } catch (const ptx::Fault& fault) {
    expect_parts(fault.what(), {"a copy writes 64 bytes", "the last 8 bytes are behind the end of 'buffer'"});
  }
}

}  // namespace
}  // namespace ptx_fault_test
