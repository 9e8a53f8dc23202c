// Single precision: what the manual says about rounding, infinities, NaN, zeros with signs, and subnormal numbers.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_float_test {
namespace {

using namespace ptx::testing;

constexpr uint64_t one = 0x3f800000, two = 0x40000000, three = 0x40400000, six = 0x40c00000;
constexpr uint64_t minus_one = 0xbf800000, minus_two = 0xc0000000;
constexpr uint64_t zero = 0, minus_zero = 0x80000000;
constexpr uint64_t infinity = 0x7f800000, minus_infinity = 0xff800000;
constexpr uint64_t nan = 0x7fffffff, other_nan = 0x7fc00000, minus_nan = 0xffc12345;
constexpr uint64_t least = 1, least_normal = 0x00800000, greatest = 0x7f7fffff;
// The spacing of numbers from 1 on is 2^-23; half of it is a tie.
constexpr uint64_t half_spacing = 0x33800000, after_one = 0x3f800001, after_after_one = 0x3f800002;

const std::vector<TableRow> sums = {
    {"add.f32 add.rn.f32", {one, two}, three},
    {"add.f32 add.rn.f32", {one, half_spacing}, one},
    {"add.f32 add.rn.f32", {after_one, half_spacing}, after_after_one},
    {"add.f32 add.rn.f32", {one, minus_one}, zero},
    {"add.f32 add.rn.f32", {minus_zero, minus_zero}, minus_zero},
    {"add.f32 add.rn.f32", {minus_zero, zero}, zero},
    {"add.f32 add.rn.f32", {infinity, minus_infinity}, nan},
    {"add.f32 add.rn.f32", {infinity, one}, infinity},
    {"add.f32 add.rn.f32", {greatest, greatest}, infinity},
    {"add.f32 add.rn.f32", {other_nan, one}, nan},
    {"add.f32 add.rn.f32", {one, minus_nan}, nan},
    {"add.f32 add.rn.f32", {least, least}, 2},
    {"sub.f32 sub.rn.f32", {three, two}, one},
    {"sub.f32 sub.rn.f32", {one, one}, zero},
    {"sub.f32 sub.rn.f32", {minus_zero, zero}, minus_zero},
    {"sub.f32 sub.rn.f32", {infinity, infinity}, nan},
    {"sub.f32 sub.rn.f32", {least_normal, least}, 0x007fffff},
    {"sub.f32 sub.rn.f32", {minus_nan, one}, nan},
};
const Covers covers_sums(sums);

const std::vector<TableRow> products = {
    {"mul.f32 mul.rn.f32", {two, three}, six},
    {"mul.f32 mul.rn.f32", {minus_one, zero}, minus_zero},
    {"mul.f32 mul.rn.f32", {infinity, zero}, nan},
    {"mul.f32 mul.rn.f32", {greatest, two}, infinity},
    {"mul.f32 mul.rn.f32", {least_normal, 0x3f000000}, 0x00400000},
    {"mul.f32 mul.rn.f32", {least, 0x3f000000}, zero},
    {"mul.f32 mul.rn.f32", {other_nan, zero}, nan},
    {"div.rn.f32", {six, two}, three},
    {"div.rn.f32", {one, three}, 0x3eaaaaab},
    {"div.rn.f32", {one, zero}, infinity},
    {"div.rn.f32", {one, minus_zero}, minus_infinity},
    {"div.rn.f32", {zero, zero}, nan},
    {"div.rn.f32", {infinity, infinity}, nan},
    {"div.rn.f32", {one, minus_infinity}, minus_zero},
    {"div.rn.f32", {least, two}, zero},
    {"div.rn.f32", {3, two}, 2},
    {"div.rn.f32", {minus_nan, two}, nan},
    {"rcp.rn.f32", {two}, 0x3f000000},
    {"rcp.rn.f32", {three}, 0x3eaaaaab},
    {"rcp.rn.f32", {minus_zero}, minus_infinity},
    {"rcp.rn.f32", {infinity}, zero},
    {"rcp.rn.f32", {other_nan}, nan},
    {"sqrt.rn.f32", {0x40800000}, two},
    {"sqrt.rn.f32", {two}, 0x3fb504f3},
    {"sqrt.rn.f32", {minus_zero}, minus_zero},
    {"sqrt.rn.f32", {minus_one}, nan},
    {"sqrt.rn.f32", {infinity}, infinity},
    // The square root of 2^-149 is 2^-74.5.
    {"sqrt.rn.f32", {least}, 0x1a3504f3},
    {"sqrt.rn.f32", {minus_nan}, nan},
    {"fma.rn.f32", {two, three, one}, 0x40e00000},
    // The square of 1 + 2^-23 less 1 + 2^-22 is 2^-46, which is lost if the product is rounded.
    {"fma.rn.f32", {after_one, after_one, 0xbf800002}, 0x28800000},
    {"fma.rn.f32", {infinity, zero, one}, nan},
    {"fma.rn.f32", {infinity, one, minus_infinity}, nan},
    {"fma.rn.f32", {minus_one, zero, minus_zero}, minus_zero},
    {"fma.rn.f32", {one, one, minus_nan}, nan},
};
const Covers covers_products(products);

const std::vector<TableRow> extrema = {
    {"min.f32", {one, two}, one},
    {"min.f32", {two, one}, one},
    {"min.f32", {minus_zero, zero}, minus_zero},
    {"min.f32", {zero, minus_zero}, minus_zero},
    {"min.f32", {other_nan, two}, two},
    {"min.f32", {two, minus_nan}, two},
    {"min.f32", {minus_nan, other_nan}, nan},
    {"min.f32", {minus_infinity, least}, minus_infinity},
    {"min.f32", {infinity, other_nan}, infinity},
    {"min.f32", {zero, least}, zero},
    {"max.f32", {one, two}, two},
    {"max.f32", {two, one}, two},
    {"max.f32", {minus_zero, zero}, zero},
    {"max.f32", {zero, minus_zero}, zero},
    {"max.f32", {minus_zero, minus_zero}, minus_zero},
    {"max.f32", {other_nan, minus_two}, minus_two},
    {"max.f32", {minus_two, minus_nan}, minus_two},
    {"max.f32", {other_nan, other_nan}, nan},
    {"max.f32", {infinity, greatest}, infinity},
    {"max.f32", {zero, least}, least},
};
const Covers covers_extrema(extrema);

const std::vector<TableRow> signs = {
    {"neg.f32", {one}, minus_one},
    {"neg.f32", {minus_zero}, zero},
    {"neg.f32", {zero}, minus_zero},
    {"neg.f32", {minus_infinity}, infinity},
    {"neg.f32", {least}, 0x80000001},
    {"abs.f32", {minus_two}, two},
    {"abs.f32", {minus_zero}, zero},
    {"abs.f32", {minus_infinity}, infinity},
    {"abs.f32", {0x80000001}, least},
    // The sign of the first with the value of the second.
    {"copysign.f32", {minus_zero, one}, minus_one},
    {"copysign.f32", {one, minus_two}, two},
    {"copysign.f32", {minus_nan, infinity}, minus_infinity},
};
const Covers covers_signs(signs);

TEST(PtxFloat, sums_round_to_nearest_even_and_give_one_nan) { run_rows(sums); }
TEST(PtxFloat, products_quotients_and_roots_are_rounded_correctly) { run_rows(products); }
TEST(PtxFloat, extrema_prefer_numbers_and_order_zeros) { run_rows(extrema); }
TEST(PtxFloat, signs_change_alone) { run_rows(signs); }

}  // namespace
}  // namespace ptx_float_test
