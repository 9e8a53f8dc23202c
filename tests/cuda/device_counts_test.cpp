// device_counts_test.cpp - the text of what kernels have executed.
#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_counts_test {
namespace {

class DeviceCounts : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    cuda().reset_counts();
  }

  static std::string counts() {
    std::vector<char> text(cuda().kernel_counts(nullptr, 0) + 1);
    EXPECT_EQ(cuda().kernel_counts(text.data(), text.size()), text.size() - 1);
    return text.data();
  }
  void run(const char* name) {
    ASSERT_EQ(launch(name, allocate(), 5, make_stream()), CUDA_SUCCESS);
    ASSERT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
  }
};

// Four blocks of 64 threads set a word each.
TEST_F(DeviceCounts, each_instruction_has_a_line) {
  ASSERT_EQ(cuda().control("counts=on"), 0);
  run("fill");
  const std::string expected =
      "kernel fill 1 4 256 0 32\n"
      "8 ld.param.u64 8 256 0 0\n8 ld.param.u32 8 256 0 0\n8 ld.param.u32 8 256 0 0\n"
      "9 mov.u32 8 256 0 0\n9 mov.u32 8 256 0 0\n9 mov.u32 8 256 0 0\n"
      "10 mad.lo.s32 8 256 0 0\n11 setp.ge.u32 8 256 0 0\n12 bra 8 0 0 0\n"
      "13 cvta.to.global.u64 8 256 0 0\n13 mul.wide.u32 8 256 0 0\n13 add.s64 8 256 0 0\n"
      "14 st.global.u32 8 256 32 0\n16 ret 8 256 0 0\n";
  EXPECT_EQ(counts(), expected);
}

TEST_F(DeviceCounts, kernels_are_counted_while_the_rule_is_in_force) {
  run("fill");
  EXPECT_EQ(counts(), "");
  ASSERT_EQ(cuda().control("counts=on"), 0);
  run("add");
  run("add");
  ASSERT_EQ(cuda().control("counts=off"), 0);
  run("add");
  EXPECT_EQ(counts().find("kernel add 2 8 512 64 64\n"), 0u) << counts();
  cuda().reset_counts();
  EXPECT_EQ(counts(), "");
}

TEST_F(DeviceCounts, a_launch_that_fails_is_not_counted) {
  ASSERT_EQ(cuda().control("counts=on"), 0);
  EXPECT_EQ(launch("fill", 512, 5, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(counts(), "");
  EXPECT_NE(report().find("wrong access"), std::string::npos);
}

TEST_F(DeviceCounts, a_text_that_does_not_fit_is_cut_off) {
  ASSERT_EQ(cuda().control("counts=on"), 0);
  run("fill");
  char text[8];
  EXPECT_EQ(cuda().kernel_counts(text, sizeof text), counts().size());
  EXPECT_STREQ(text, "kernel ");
}

}  // namespace
}  // namespace clothc::cuda_device::device_counts_test
