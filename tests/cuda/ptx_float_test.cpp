// Sums, extrema and signs of single precision: what the manual says about rounding, infinities, NaN, zeros with signs,
// and subnormal numbers.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_float_test {
namespace {

using namespace ptx::testing;

constexpr uint64_t one = 0x3f800000, two = 0x40000000, three = 0x40400000;
constexpr uint64_t minus_one = 0xbf800000, minus_two = 0xc0000000;
constexpr uint64_t zero = 0, minus_zero = 0x80000000;
constexpr uint64_t infinity = 0x7f800000, minus_infinity = 0xff800000;
constexpr uint64_t nan = 0x7fffffff, other_nan = 0x7fc00000, minus_nan = 0xffc12345, signaling_nan = 0x7f800001;
constexpr uint64_t least = 1, minus_least = 0x80000001, greatest_subnormal = 0x007fffff, least_normal = 0x00800000;
constexpr uint64_t greatest = 0x7f7fffff, minus_greatest = 0xff7fffff;
// The spacing of numbers from 1 on is 2^-23; half of it is a tie. Half of that of the greatest numbers is 2^103.
constexpr uint64_t half_spacing = 0x33800000, after_one = 0x3f800001, after_after_one = 0x3f800002;
constexpr uint64_t two_to_103 = 0x73000000, below_two_to_103 = 0x72ffffff;

const std::vector<TableRow> sums = {
    {"add.f32 add.rn.f32", {one, two}, three},
    {"add.f32 add.rn.f32", {one, half_spacing}, one},
    {"add.f32 add.rn.f32", {after_one, half_spacing}, after_after_one},
    {"add.f32 add.rn.f32", {one, least}, one},
    {"add.f32 add.rn.f32", {one, minus_one}, zero},
    {"add.f32 add.rn.f32", {minus_zero, minus_zero}, minus_zero},
    {"add.f32 add.rn.f32", {minus_zero, zero}, zero},
    {"add.f32 add.rn.f32", {zero, minus_zero}, zero},
    {"add.f32 add.rn.f32", {infinity, minus_infinity}, nan},
    {"add.f32 add.rn.f32", {minus_infinity, infinity}, nan},
    {"add.f32 add.rn.f32", {infinity, one}, infinity},
    {"add.f32 add.rn.f32", {infinity, minus_greatest}, infinity},
    {"add.f32 add.rn.f32", {minus_infinity, minus_infinity}, minus_infinity},
    {"add.f32 add.rn.f32", {greatest, greatest}, infinity},
    {"add.f32 add.rn.f32", {minus_greatest, minus_greatest}, minus_infinity},
    {"add.f32 add.rn.f32", {greatest, two_to_103}, infinity},
    {"add.f32 add.rn.f32", {greatest, below_two_to_103}, greatest},
    {"add.f32 add.rn.f32", {other_nan, one}, nan},
    {"add.f32 add.rn.f32", {one, minus_nan}, nan},
    {"add.f32 add.rn.f32", {signaling_nan, one}, nan},
    {"add.f32 add.rn.f32", {minus_nan, infinity}, nan},
    {"add.f32 add.rn.f32", {least, least}, 2},
    {"add.f32 add.rn.f32", {least, minus_least}, zero},
    {"add.f32 add.rn.f32", {minus_zero, minus_least}, minus_least},
    {"add.f32 add.rn.f32", {greatest_subnormal, least}, least_normal},
    {"add.f32 add.rn.f32", {least_normal, minus_least}, greatest_subnormal},
    {"sub.f32 sub.rn.f32", {three, two}, one},
    {"sub.f32 sub.rn.f32", {after_after_one, one}, 0x34800000},
    {"sub.f32 sub.rn.f32", {one, one}, zero},
    {"sub.f32 sub.rn.f32", {zero, zero}, zero},
    {"sub.f32 sub.rn.f32", {minus_zero, zero}, minus_zero},
    {"sub.f32 sub.rn.f32", {minus_zero, minus_zero}, zero},
    {"sub.f32 sub.rn.f32", {zero, minus_zero}, zero},
    {"sub.f32 sub.rn.f32", {infinity, infinity}, nan},
    {"sub.f32 sub.rn.f32", {minus_infinity, minus_infinity}, nan},
    {"sub.f32 sub.rn.f32", {infinity, minus_infinity}, infinity},
    {"sub.f32 sub.rn.f32", {one, infinity}, minus_infinity},
    {"sub.f32 sub.rn.f32", {greatest, minus_greatest}, infinity},
    {"sub.f32 sub.rn.f32", {minus_greatest, two_to_103}, minus_infinity},
    {"sub.f32 sub.rn.f32", {minus_greatest, below_two_to_103}, minus_greatest},
    {"sub.f32 sub.rn.f32", {least_normal, least}, greatest_subnormal},
    {"sub.f32 sub.rn.f32", {least, least_normal}, 0x807fffff},
    {"sub.f32 sub.rn.f32", {zero, least}, minus_least},
    {"sub.f32 sub.rn.f32", {least, minus_least}, 2},
    {"sub.f32 sub.rn.f32", {minus_nan, one}, nan},
    {"sub.f32 sub.rn.f32", {one, other_nan}, nan},
    {"sub.f32 sub.rn.f32", {signaling_nan, signaling_nan}, nan},
};
const Covers covers_sums(sums);

const std::vector<TableRow> extrema = {
    {"min.f32", {one, two}, one},
    {"min.f32", {two, one}, one},
    {"min.f32", {minus_zero, zero}, minus_zero},
    {"min.f32", {zero, minus_zero}, minus_zero},
    {"min.f32", {zero, zero}, zero},
    {"min.f32", {other_nan, two}, two},
    {"min.f32", {two, minus_nan}, two},
    {"min.f32", {minus_nan, other_nan}, nan},
    {"min.f32", {minus_infinity, least}, minus_infinity},
    {"min.f32", {infinity, minus_infinity}, minus_infinity},
    {"min.f32", {infinity, other_nan}, infinity},
    {"min.f32", {greatest, infinity}, greatest},
    {"min.f32", {zero, least}, zero},
    {"min.f32", {least, minus_least}, minus_least},
    {"min.f32", {minus_least, minus_zero}, minus_least},
    {"min.f32", {least_normal, greatest_subnormal}, greatest_subnormal},
    {"max.f32", {one, two}, two},
    {"max.f32", {two, one}, two},
    {"max.f32", {minus_zero, zero}, zero},
    {"max.f32", {zero, minus_zero}, zero},
    {"max.f32", {minus_zero, minus_zero}, minus_zero},
    {"max.f32", {other_nan, minus_two}, minus_two},
    {"max.f32", {minus_two, minus_nan}, minus_two},
    {"max.f32", {other_nan, other_nan}, nan},
    {"max.f32", {infinity, greatest}, infinity},
    {"max.f32", {minus_infinity, infinity}, infinity},
    {"max.f32", {minus_infinity, minus_greatest}, minus_greatest},
    {"max.f32", {minus_nan, minus_infinity}, minus_infinity},
    {"max.f32", {zero, least}, least},
    {"max.f32", {minus_least, minus_zero}, minus_zero},
    {"max.f32", {least, minus_least}, least},
    {"max.f32", {greatest_subnormal, least_normal}, least_normal},
    {"min.f32 max.f32", {signaling_nan, one}, one},
    {"min.f32 max.f32", {minus_zero, signaling_nan}, minus_zero},
    {"min.f32 max.f32", {nan, minus_zero}, minus_zero},
    {"min.f32 max.f32", {least, other_nan}, least},
    {"min.f32 max.f32", {signaling_nan, minus_nan}, nan},
};
const Covers covers_extrema(extrema);

const std::vector<TableRow> signs = {
    {"neg.f32", {one}, minus_one},
    {"neg.f32", {minus_zero}, zero},
    {"neg.f32", {zero}, minus_zero},
    {"neg.f32", {infinity}, minus_infinity},
    {"neg.f32", {minus_infinity}, infinity},
    {"neg.f32", {greatest}, minus_greatest},
    {"neg.f32", {least}, minus_least},
    {"neg.f32", {minus_least}, least},
    {"neg.f32", {greatest_subnormal}, 0x807fffff},
    {"abs.f32", {minus_two}, two},
    {"abs.f32", {two}, two},
    {"abs.f32", {minus_zero}, zero},
    {"abs.f32", {zero}, zero},
    {"abs.f32", {minus_infinity}, infinity},
    {"abs.f32", {infinity}, infinity},
    {"abs.f32", {minus_greatest}, greatest},
    {"abs.f32", {minus_least}, least},
    {"abs.f32", {0x807fffff}, greatest_subnormal},
    // The sign of the first with the value of the second.
    {"copysign.f32", {minus_zero, one}, minus_one},
    {"copysign.f32", {one, minus_two}, two},
    {"copysign.f32", {zero, minus_zero}, zero},
    {"copysign.f32", {minus_one, zero}, minus_zero},
    {"copysign.f32", {minus_infinity, minus_infinity}, minus_infinity},
    {"copysign.f32", {infinity, minus_greatest}, greatest},
    {"copysign.f32", {minus_least, least}, minus_least},
    {"copysign.f32", {least, minus_least}, least},
    {"copysign.f32", {minus_nan, infinity}, minus_infinity},
    {"copysign.f32", {nan, minus_one}, one},
};
const Covers covers_signs(signs);

TEST(PtxFloat, sums_round_to_nearest_even_and_give_one_nan) { run_rows(sums); }
TEST(PtxFloat, extrema_prefer_numbers_and_order_zeros) { run_rows(extrema); }
TEST(PtxFloat, signs_change_alone) { run_rows(signs); }

// The manual leaves open which NaN it is.
TEST(PtxFloat, changes_of_the_sign_keep_nan) {
  for (const uint64_t value : {nan, other_nan, minus_nan, signaling_nan}) {
    for (const char* const form : {"neg.f32", "abs.f32"}) {
      Device device(32, value);
      device.run(kernel(std::string("ld.f32 %f2, [%rd1];\n") + form + " %f3, %f2;\nsetp.nan.f32 %p1, %f3, %f3;\n" +
                        "selp.u64 %rd2, 1, 0, %p1;\nst.u64 [%rd1], %rd2;"),
                 32);
      for (const uint64_t result : device.buffer) EXPECT_EQ(result, 1u) << form << " " << value;
    }
  }
}

}  // namespace
}  // namespace ptx_float_test
