// texel_view_test.cpp - texel views and the blocks below them have sizes for which Mesa's software driver compiles each
// shader only once; see texel_view_size.
#include <gtest/gtest.h>

#include "backend_vulkan/memory.h"
#include "unit/backends/vulkan_backend.h"

namespace clothc::vulkan::texel_view_test {
namespace {

TEST(TexelViews, have_room_and_a_bit_that_mesa_looks_at) {
  for (uint64_t size = 0; size < 200'000; size += 16) {
    const uint64_t padded = texel_view_size(size);
    ASSERT_GE(padded, size);
    ASSERT_LE(padded, size + 511);
    ASSERT_NE(padded & 0xff00, 0u) << size;
    ASSERT_EQ(texel_view_size(padded), padded);
  }
}

TEST(TexelViews, lie_in_vulkan_blocks_whose_sizes_are_no_powers_of_two) {
  std::string reason;
  const std::unique_ptr<Backend> backend = open_vulkan(reason);
  if (backend == nullptr) GTEST_SKIP() << reason;
  std::vector<MemoryPointer> memories;
  // Each allocation makes a block, because it is larger than what is left of those before.
  for (const uint64_t megabytes : {3, 6, 32, 64}) {
    memories.push_back(backend->allocate(megabytes << 20, MemoryVisibility::device_only));
    const uint64_t block_size = gpu_memory(memories.back()).block().size();
    EXPECT_NE(block_size & (block_size - 1), 0u) << block_size;
  }
}

}  // namespace
}  // namespace clothc::vulkan::texel_view_test
