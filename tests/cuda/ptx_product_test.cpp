// Products, quotients and roots of single precision: what the manual says about rounding, infinities, NaN, zeros with
// signs, and subnormal numbers.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_product_test {
namespace {

using namespace ptx::testing;

constexpr uint64_t half = 0x3f000000, one = 0x3f800000, one_and_half = 0x3fc00000, two = 0x40000000;
constexpr uint64_t three = 0x40400000, six = 0x40c00000;
constexpr uint64_t minus_one = 0xbf800000, minus_two = 0xc0000000, minus_six = 0xc0c00000;
constexpr uint64_t before_one = 0x3f7fffff, after_one = 0x3f800001;
constexpr uint64_t zero = 0, minus_zero = 0x80000000;
constexpr uint64_t infinity = 0x7f800000, minus_infinity = 0xff800000;
constexpr uint64_t nan = 0x7fffffff, other_nan = 0x7fc00000, minus_nan = 0xffc12345, signaling_nan = 0x7f800001;
constexpr uint64_t least = 1, minus_least = 0x80000001, greatest_subnormal = 0x007fffff, least_normal = 0x00800000;
constexpr uint64_t greatest = 0x7f7fffff, minus_greatest = 0xff7fffff;
// Powers of two. Those of minus 127 and minus 128 are subnormal.
constexpr uint64_t two_to_23 = 0x4b000000, two_to_63 = 0x5f000000, two_to_64 = 0x5f800000, two_to_126 = 0x7e800000;
constexpr uint64_t two_to_127 = 0x7f000000, two_to_minus_127 = 0x00400000, two_to_minus_128 = 0x00200000;

const std::vector<TableRow> products = {
    {"mul.f32 mul.rn.f32", {two, three}, six},
    {"mul.f32 mul.rn.f32", {minus_one, zero}, minus_zero},
    {"mul.f32 mul.rn.f32", {minus_zero, zero}, minus_zero},
    {"mul.f32 mul.rn.f32", {minus_zero, minus_zero}, zero},
    {"mul.f32 mul.rn.f32", {infinity, zero}, nan},
    {"mul.f32 mul.rn.f32", {minus_zero, infinity}, nan},
    {"mul.f32 mul.rn.f32", {infinity, minus_infinity}, minus_infinity},
    {"mul.f32 mul.rn.f32", {minus_infinity, minus_infinity}, infinity},
    {"mul.f32 mul.rn.f32", {minus_least, infinity}, minus_infinity},
    {"mul.f32 mul.rn.f32", {greatest, two}, infinity},
    {"mul.f32 mul.rn.f32", {greatest, minus_two}, minus_infinity},
    {"mul.f32 mul.rn.f32", {greatest, after_one}, infinity},
    {"mul.f32 mul.rn.f32", {greatest, one}, greatest},
    {"mul.f32 mul.rn.f32", {two_to_64, two_to_64}, infinity},
    {"mul.f32 mul.rn.f32", {two_to_64, two_to_63}, two_to_127},
    {"mul.f32 mul.rn.f32", {least_normal, half}, two_to_minus_127},
    {"mul.f32 mul.rn.f32", {least_normal, before_one}, least_normal},
    {"mul.f32 mul.rn.f32", {0x00ffffff, half}, least_normal},
    {"mul.f32 mul.rn.f32", {least, half}, zero},
    {"mul.f32 mul.rn.f32", {minus_least, half}, minus_zero},
    {"mul.f32 mul.rn.f32", {least, 0x3f000001}, least},
    {"mul.f32 mul.rn.f32", {least, one_and_half}, 2},
    {"mul.f32 mul.rn.f32", {5, half}, 2},
    {"mul.f32 mul.rn.f32", {least, least}, zero},
    {"mul.f32 mul.rn.f32", {least, minus_least}, minus_zero},
    {"mul.f32 mul.rn.f32", {least, two_to_23}, least_normal},
    {"mul.f32 mul.rn.f32", {other_nan, zero}, nan},
    {"mul.f32 mul.rn.f32", {minus_nan, infinity}, nan},
    {"mul.f32 mul.rn.f32", {one, signaling_nan}, nan},
};
const Covers covers_products(products);

const std::vector<TableRow> quotients = {
    {"div.rn.f32", {six, two}, three},
    {"div.rn.f32", {one, three}, 0x3eaaaaab},
    {"div.rn.f32", {before_one, after_one}, 0x3f7ffffd},
    {"div.rn.f32", {one, zero}, infinity},
    {"div.rn.f32", {one, minus_zero}, minus_infinity},
    {"div.rn.f32", {minus_one, zero}, minus_infinity},
    {"div.rn.f32", {least, minus_zero}, minus_infinity},
    {"div.rn.f32", {zero, zero}, nan},
    {"div.rn.f32", {zero, minus_zero}, nan},
    {"div.rn.f32", {zero, minus_one}, minus_zero},
    {"div.rn.f32", {infinity, infinity}, nan},
    {"div.rn.f32", {infinity, minus_zero}, minus_infinity},
    {"div.rn.f32", {infinity, two}, infinity},
    {"div.rn.f32", {one, minus_infinity}, minus_zero},
    {"div.rn.f32", {minus_zero, infinity}, minus_zero},
    {"div.rn.f32", {greatest, half}, infinity},
    {"div.rn.f32", {greatest, minus_least}, minus_infinity},
    {"div.rn.f32", {least, greatest}, zero},
    {"div.rn.f32", {minus_least, greatest}, minus_zero},
    {"div.rn.f32", {least, least}, one},
    {"div.rn.f32", {least, two}, zero},
    {"div.rn.f32", {3, two}, 2},
    {"div.rn.f32", {5, two}, 2},
    {"div.rn.f32", {least, half}, 2},
    {"div.rn.f32", {least_normal, least}, two_to_23},
    {"div.rn.f32", {least_normal, two}, two_to_minus_127},
    {"div.rn.f32", {0x00ffffff, two}, least_normal},
    {"div.rn.f32", {one, two_to_127}, two_to_minus_127},
    {"div.rn.f32", {one, greatest}, two_to_minus_128},
    {"div.rn.f32", {minus_nan, two}, nan},
    {"div.rn.f32", {one, other_nan}, nan},
    {"div.rn.f32", {signaling_nan, zero}, nan},
    {"rcp.rn.f32", {one}, one},
    {"rcp.rn.f32", {two}, half},
    {"rcp.rn.f32", {three}, 0x3eaaaaab},
    {"rcp.rn.f32", {zero}, infinity},
    {"rcp.rn.f32", {minus_zero}, minus_infinity},
    {"rcp.rn.f32", {infinity}, zero},
    {"rcp.rn.f32", {minus_infinity}, minus_zero},
    {"rcp.rn.f32", {least}, infinity},
    {"rcp.rn.f32", {minus_least}, minus_infinity},
    {"rcp.rn.f32", {two_to_minus_128}, infinity},
    // The reciprocal is 2^149 / (2^21 + 1), which is nearly 2^128 - 2^107.
    {"rcp.rn.f32", {0x00200001}, 0x7f7ffff8},
    {"rcp.rn.f32", {two_to_minus_127}, two_to_127},
    {"rcp.rn.f32", {least_normal}, two_to_126},
    {"rcp.rn.f32", {two_to_126}, least_normal},
    {"rcp.rn.f32", {0x7e800001}, greatest_subnormal},
    {"rcp.rn.f32", {two_to_127}, two_to_minus_127},
    {"rcp.rn.f32", {greatest}, two_to_minus_128},
    {"rcp.rn.f32", {minus_greatest}, 0x80200000},
    {"rcp.rn.f32", {other_nan}, nan},
    {"rcp.rn.f32", {minus_nan}, nan},
    {"rcp.rn.f32", {signaling_nan}, nan},
};
const Covers covers_quotients(quotients);

const std::vector<TableRow> roots = {
    {"sqrt.rn.f32", {0x40800000}, two},
    {"sqrt.rn.f32", {two}, 0x3fb504f3},
    {"sqrt.rn.f32", {one}, one},
    // The root of 1 + 2^-23 is less than the tie 1 + 2^-24, and that of 1 - 2^-24 less than the tie 1 - 2^-25.
    {"sqrt.rn.f32", {after_one}, one},
    {"sqrt.rn.f32", {before_one}, before_one},
    {"sqrt.rn.f32", {greatest}, 0x5f7fffff},
    {"sqrt.rn.f32", {zero}, zero},
    {"sqrt.rn.f32", {minus_zero}, minus_zero},
    {"sqrt.rn.f32", {minus_one}, nan},
    {"sqrt.rn.f32", {minus_least}, nan},
    {"sqrt.rn.f32", {infinity}, infinity},
    {"sqrt.rn.f32", {minus_infinity}, nan},
    // The square root of 2^-149 is 2^-74.5.
    {"sqrt.rn.f32", {least}, 0x1a3504f3},
    {"sqrt.rn.f32", {2}, 0x1a800000},
    {"sqrt.rn.f32", {greatest_subnormal}, 0x1fffffff},
    {"sqrt.rn.f32", {least_normal}, 0x20000000},
    {"sqrt.rn.f32", {other_nan}, nan},
    {"sqrt.rn.f32", {minus_nan}, nan},
    {"sqrt.rn.f32", {signaling_nan}, nan},
};
const Covers covers_roots(roots);

const std::vector<TableRow> fused = {
    {"fma.rn.f32", {two, three, one}, 0x40e00000},
    // The square of 1 + 2^-23 less 1 + 2^-22 is 2^-46, which is lost if the product is rounded.
    {"fma.rn.f32", {after_one, after_one, 0xbf800002}, 0x28800000},
    // The product is more than the greatest number, and the sum is not.
    {"fma.rn.f32", {greatest, two, minus_greatest}, greatest},
    {"fma.rn.f32", {greatest, two, minus_infinity}, minus_infinity},
    {"fma.rn.f32", {greatest, greatest, minus_greatest}, infinity},
    {"fma.rn.f32", {two, three, minus_six}, zero},
    {"fma.rn.f32", {minus_one, one, one}, zero},
    {"fma.rn.f32", {minus_one, zero, minus_zero}, minus_zero},
    {"fma.rn.f32", {zero, zero, minus_zero}, zero},
    {"fma.rn.f32", {minus_one, zero, zero}, zero},
    {"fma.rn.f32", {infinity, zero, one}, nan},
    {"fma.rn.f32", {infinity, one, minus_infinity}, nan},
    {"fma.rn.f32", {minus_infinity, one, infinity}, nan},
    {"fma.rn.f32", {infinity, one, infinity}, infinity},
    {"fma.rn.f32", {minus_infinity, least, one}, minus_infinity},
    {"fma.rn.f32", {least, half, least}, 2},
    {"fma.rn.f32", {least, half, 2}, 2},
    {"fma.rn.f32", {least, half, zero}, zero},
    // These are not zero before they are rounded, so the sign is that of the exact value.
    {"fma.rn.f32", {least, half, minus_least}, minus_zero},
    {"fma.rn.f32", {minus_least, least, zero}, minus_zero},
    {"fma.rn.f32", {least, least, minus_zero}, zero},
    {"fma.rn.f32", {least, least, one}, one},
    // The last bit of the product decides what would be a tie.
    {"fma.rn.f32", {one, 0x33800000, one}, one},
    {"fma.rn.f32", {after_one, 0x33800000, one}, after_one},
    {"fma.rn.f32", {least, two_to_23, zero}, least_normal},
    {"fma.rn.f32", {minus_least, one, least_normal}, greatest_subnormal},
    {"fma.rn.f32", {one, one, minus_nan}, nan},
    {"fma.rn.f32", {other_nan, zero, one}, nan},
    {"fma.rn.f32", {one, signaling_nan, one}, nan},
    {"fma.rn.f32", {infinity, zero, minus_nan}, nan},
};
const Covers covers_fused(fused);

TEST(PtxProduct, products_are_rounded_correctly) { run_rows(products); }
TEST(PtxProduct, quotients_and_reciprocals_are_rounded_correctly) { run_rows(quotients); }
TEST(PtxProduct, square_roots_are_rounded_correctly) { run_rows(roots); }
TEST(PtxProduct, products_with_a_sum_are_rounded_once) { run_rows(fused); }

}  // namespace
}  // namespace ptx_product_test
