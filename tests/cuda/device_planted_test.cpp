// device_planted_test.cpp - kernels that are loaded wrong by a rule compute what a wrong compiler's would, and others do
// not.
#include <array>
#include <cstring>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_planted_test {
namespace {

// Each of two warps stores what the other one reads behind a barrier. Words: a, b, c, then a * b + c, a / b, and for
// each thread that of its partner.
constexpr const char* text = R"(.version 6.3
.target sm_50
.address_size 64
.visible .entry probe(
.param .u64 words
)
{
.reg .f32 %f<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.shared .align 4 .b8 stored[256];
ld.param.u64 %rd1, [words];
cvta.to.global.u64 %rd2, %rd1;
ld.global.f32 %f1, [%rd2];
ld.global.f32 %f2, [%rd2+4];
ld.global.f32 %f3, [%rd2+8];
mul.rn.f32 %f4, %f1, %f2;
add.rn.f32 %f5, %f3, %f4;
div.rn.f32 %f6, %f1, %f2;
st.global.f32 [%rd2+12], %f5;
st.global.f32 [%rd2+16], %f6;
mov.u32 %r1, %tid.x;
mov.u32 %r2, stored;
shl.b32 %r3, %r1, 2;
add.s32 %r4, %r2, %r3;
st.shared.u32 [%r4], %r1;
bar.sync 0;
xor.b32 %r5, %r3, 252;
add.s32 %r6, %r2, %r5;
ld.shared.u32 %r7, [%r6];
mul.wide.u32 %rd3, %r3, 1;
add.s64 %rd4, %rd2, %rd3;
st.global.u32 [%rd4+20], %r7;
ret;
}
)";

using DevicePlanted = DeviceTest;

struct Results {
  uint32_t sum, quotient;
  bool partners_waited;
};

TEST_F(DevicePlanted, kernels_compute_what_the_rule_says) {
  const auto results_under = [&](const std::string& rules) {
    cuda().control(("races=off" + rules).c_str());
    CUmodule module = nullptr;
    CUfunction probe = nullptr;
    EXPECT_EQ(cuda().ModuleLoadDataEx(&module, text, 0, nullptr, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuda().ModuleGetFunction(&probe, module, "probe"), CUDA_SUCCESS);
    CUdeviceptr words = allocate();
    const std::array<float, 3> given = {1 + 0x1p-12f, 1.1f, -1.1f};
    EXPECT_EQ(cuda().MemcpyHtoD(words, given.data(), sizeof(given)), CUDA_SUCCESS);
    void* parameters[] = {&words};
    EXPECT_EQ(cuda().LaunchKernel(probe, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr), CUDA_SUCCESS);
    const std::vector<uint32_t> found = read(words, 69);
    EXPECT_EQ(cuda().ModuleUnload(module), CUDA_SUCCESS);
    cuda().control("");
    Results results{found[3], found[4], true};
    for (uint32_t thread = 0; thread < 64; ++thread)
      results.partners_waited = results.partners_waited && found[5 + thread] == 63 - thread;
    return results;
  };
  const Results right = results_under(""), elsewhere = results_under(",contract=prob,divide_up=probes,no_barriers=x");
  EXPECT_TRUE(right.partners_waited && elsewhere.partners_waited);
  EXPECT_EQ(elsewhere.sum, right.sum);
  EXPECT_EQ(elsewhere.quotient, right.quotient);
  EXPECT_NE(results_under(",contract=probe").sum, right.sum);
  EXPECT_EQ(results_under(",divide_up=probe").quotient, right.quotient + 1);
  EXPECT_FALSE(results_under(",no_barriers=probe").partners_waited);
  EXPECT_NE(cuda().control("contract="), 0);
}

}  // namespace
}  // namespace clothc::cuda_device::device_planted_test
