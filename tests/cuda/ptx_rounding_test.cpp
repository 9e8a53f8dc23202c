// Conversions from single precision to integers and to whole numbers of single precision.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_rounding_test {
namespace {

using namespace ptx::testing;

// The bits of a number, and what becomes of it toward zero, to nearest, down and up.
struct Rounding {
  uint64_t value;
  uint64_t toward_zero, to_nearest, down, up;
};

std::vector<TableRow> rows_of(const std::string& type, const std::vector<Rounding>& roundings) {
  const auto form = [&](const std::string& mode) { return "cvt." + mode + "." + type + ".f32"; };
  std::vector<TableRow> rows;
  for (const Rounding& rounding : roundings) {
    rows.push_back({form("rzi"), {rounding.value}, rounding.toward_zero});
    rows.push_back({form("rni"), {rounding.value}, rounding.to_nearest});
    rows.push_back({form("rmi"), {rounding.value}, rounding.down});
    rows.push_back({form("rpi"), {rounding.value}, rounding.up});
  }
  return rows;
}

constexpr uint64_t zero = 0, minus_zero = 0x80000000;
constexpr uint64_t half = 0x3f000000, after_half = 0x3f000001, before_one = 0x3f7fffff, one = 0x3f800000;
constexpr uint64_t one_and_half = 0x3fc00000, two = 0x40000000, two_and_half = 0x40200000, three = 0x40400000;
constexpr uint64_t minus_half = 0xbf000000, minus_after_half = 0xbf000001, minus_before_one = 0xbf7fffff;
constexpr uint64_t minus_one = 0xbf800000, minus_one_and_half = 0xbfc00000, minus_two = 0xc0000000;
constexpr uint64_t minus_two_and_half = 0xc0200000, minus_three = 0xc0400000;
constexpr uint64_t least = 1, minus_least = 0x80000001, greatest_subnormal = 0x007fffff;
constexpr uint64_t greatest = 0x7f7fffff, minus_greatest = 0xff7fffff;
constexpr uint64_t infinity = 0x7f800000, minus_infinity = 0xff800000;
constexpr uint64_t nan = 0x7fffffff, minus_nan = 0xffc00001, signaling_nan = 0x7f800001;
// From 2^22 to 2^23 numbers are half a unit apart, and from 2^23 on they are whole.
constexpr uint64_t above_two_to_22 = 0x4a800001, below_two_to_23 = 0x4affffff, two_to_23 = 0x4b000000;
constexpr uint64_t two_to_31 = 0x4f000000, below_two_to_31 = 0x4effffff, above_two_to_31 = 0x4f000001;
constexpr uint64_t minus_two_to_31 = 0xcf000000, below_minus_two_to_31 = 0xcf000001, above_minus_two_to_31 = 0xceffffff;
constexpr uint64_t two_to_32 = 0x4f800000, below_two_to_32 = 0x4f7fffff;
constexpr uint64_t two_to_63 = 0x5f000000, below_two_to_63 = 0x5effffff;
constexpr uint64_t minus_two_to_63 = 0xdf000000, below_minus_two_to_63 = 0xdf000001, above_minus_two_to_63 = 0xdeffffff;
constexpr uint64_t two_to_64 = 0x5f800000, below_two_to_64 = 0x5f7fffff;

// What 32 bits without sign hold, of either sign.
const std::vector<Rounding> small = {
    {zero, 0, 0, 0, 0},
    {minus_zero, 0, 0, 0, 0},
    {least, 0, 0, 0, 1},
    {greatest_subnormal, 0, 0, 0, 1},
    {half, 0, 0, 0, 1},
    {after_half, 0, 1, 0, 1},
    {before_one, 0, 1, 0, 1},
    {one, 1, 1, 1, 1},
    {one_and_half, 1, 2, 1, 2},
    {two_and_half, 2, 2, 2, 3},
    {above_two_to_22, 4194304, 4194304, 4194304, 4194305},
    {below_two_to_23, 8388607, 8388608, 8388607, 8388608},
    {two_to_23, 8388608, 8388608, 8388608, 8388608},
    {below_two_to_31, 0x7fffff80, 0x7fffff80, 0x7fffff80, 0x7fffff80},
};

constexpr uint64_t ones = 0xffffffff, sign = 0x80000000, most = 0x7fffffff;
const std::vector<Rounding> to_s32 = {
    {minus_least, 0, 0, ones, 0},
    {minus_half, 0, 0, ones, 0},
    {minus_after_half, 0, ones, ones, 0},
    {minus_before_one, 0, ones, ones, 0},
    {minus_one, ones, ones, ones, ones},
    {minus_one_and_half, ones, 0xfffffffe, 0xfffffffe, ones},
    {minus_two_and_half, 0xfffffffe, 0xfffffffe, 0xfffffffd, 0xfffffffe},
    {above_minus_two_to_31, 0x80000080, 0x80000080, 0x80000080, 0x80000080},
    {minus_two_to_31, sign, sign, sign, sign},
    {below_minus_two_to_31, sign, sign, sign, sign},
    {minus_greatest, sign, sign, sign, sign},
    {minus_infinity, sign, sign, sign, sign},
    {two_to_31, most, most, most, most},
    {two_to_32, most, most, most, most},
    {greatest, most, most, most, most},
    {infinity, most, most, most, most},
    {nan, 0, 0, 0, 0},
    {minus_nan, 0, 0, 0, 0},
    {signaling_nan, 0, 0, 0, 0},
};
const std::vector<Rounding> to_u32 = {
    {minus_least, 0, 0, 0, 0},
    {minus_half, 0, 0, 0, 0},
    {minus_one, 0, 0, 0, 0},
    {minus_one_and_half, 0, 0, 0, 0},
    {minus_two_to_31, 0, 0, 0, 0},
    {minus_greatest, 0, 0, 0, 0},
    {minus_infinity, 0, 0, 0, 0},
    {two_to_31, sign, sign, sign, sign},
    {above_two_to_31, 0x80000100, 0x80000100, 0x80000100, 0x80000100},
    {below_two_to_32, 0xffffff00, 0xffffff00, 0xffffff00, 0xffffff00},
    {two_to_32, ones, ones, ones, ones},
    {greatest, ones, ones, ones, ones},
    {infinity, ones, ones, ones, ones},
    {nan, 0, 0, 0, 0},
    {minus_nan, 0, 0, 0, 0},
    {signaling_nan, 0, 0, 0, 0},
};

constexpr uint64_t wide_ones = 0xffffffffffffffff, wide_sign = 0x8000000000000000, wide_most = 0x7fffffffffffffff;
constexpr uint64_t wide_minus_two = 0xfffffffffffffffe, wide_minus_three = 0xfffffffffffffffd;
// 2^39 and 2^40 are the spacings of numbers below 2^63 and 2^64.
constexpr uint64_t most_less = 0x7fffff8000000000, sign_more = 0x8000008000000000, ones_less = 0xffffff0000000000;
const std::vector<Rounding> to_s64 = {
    {minus_least, 0, 0, wide_ones, 0},
    {minus_half, 0, 0, wide_ones, 0},
    {minus_after_half, 0, wide_ones, wide_ones, 0},
    {minus_one, wide_ones, wide_ones, wide_ones, wide_ones},
    {minus_one_and_half, wide_ones, wide_minus_two, wide_minus_two, wide_ones},
    {minus_two_and_half, wide_minus_two, wide_minus_two, wide_minus_three, wide_minus_two},
    {minus_two_to_31, 0xffffffff80000000, 0xffffffff80000000, 0xffffffff80000000, 0xffffffff80000000},
    {above_minus_two_to_63, sign_more, sign_more, sign_more, sign_more},
    {minus_two_to_63, wide_sign, wide_sign, wide_sign, wide_sign},
    {below_minus_two_to_63, wide_sign, wide_sign, wide_sign, wide_sign},
    {minus_greatest, wide_sign, wide_sign, wide_sign, wide_sign},
    {minus_infinity, wide_sign, wide_sign, wide_sign, wide_sign},
    {two_to_31, sign, sign, sign, sign},
    {two_to_32, 0x100000000, 0x100000000, 0x100000000, 0x100000000},
    {below_two_to_63, most_less, most_less, most_less, most_less},
    {two_to_63, wide_most, wide_most, wide_most, wide_most},
    {greatest, wide_most, wide_most, wide_most, wide_most},
    {infinity, wide_most, wide_most, wide_most, wide_most},
    {nan, wide_sign, wide_sign, wide_sign, wide_sign},
    {minus_nan, wide_sign, wide_sign, wide_sign, wide_sign},
    {signaling_nan, wide_sign, wide_sign, wide_sign, wide_sign},
};
const std::vector<Rounding> to_u64 = {
    {minus_least, 0, 0, 0, 0},
    {minus_half, 0, 0, 0, 0},
    {minus_one_and_half, 0, 0, 0, 0},
    {minus_two_to_63, 0, 0, 0, 0},
    {minus_infinity, 0, 0, 0, 0},
    {two_to_32, 0x100000000, 0x100000000, 0x100000000, 0x100000000},
    {below_two_to_63, most_less, most_less, most_less, most_less},
    {two_to_63, wide_sign, wide_sign, wide_sign, wide_sign},
    {below_two_to_64, ones_less, ones_less, ones_less, ones_less},
    {two_to_64, wide_ones, wide_ones, wide_ones, wide_ones},
    {greatest, wide_ones, wide_ones, wide_ones, wide_ones},
    {infinity, wide_ones, wide_ones, wide_ones, wide_ones},
    {nan, wide_sign, wide_sign, wide_sign, wide_sign},
    {minus_nan, wide_sign, wide_sign, wide_sign, wide_sign},
    {signaling_nan, wide_sign, wide_sign, wide_sign, wide_sign},
};

const std::vector<TableRow> whole_floats =
    rows_of("f32", {
                       {zero, zero, zero, zero, zero},
                       {minus_zero, minus_zero, minus_zero, minus_zero, minus_zero},
                       {least, zero, zero, zero, one},
                       {minus_least, minus_zero, minus_zero, minus_one, minus_zero},
                       {half, zero, zero, zero, one},
                       {minus_half, minus_zero, minus_zero, minus_one, minus_zero},
                       {after_half, zero, one, zero, one},
                       {before_one, zero, one, zero, one},
                       {minus_before_one, minus_zero, minus_one, minus_one, minus_zero},
                       {one_and_half, one, two, one, two},
                       {minus_one_and_half, minus_one, minus_two, minus_two, minus_one},
                       {two_and_half, two, two, two, three},
                       {minus_two_and_half, minus_two, minus_two, minus_three, minus_two},
                       {below_two_to_23, 0x4afffffe, two_to_23, 0x4afffffe, two_to_23},
                       {two_to_23, two_to_23, two_to_23, two_to_23, two_to_23},
                       {greatest, greatest, greatest, greatest, greatest},
                       {minus_greatest, minus_greatest, minus_greatest, minus_greatest, minus_greatest},
                       {infinity, infinity, infinity, infinity, infinity},
                       {minus_infinity, minus_infinity, minus_infinity, minus_infinity, minus_infinity},
                       {nan, nan, nan, nan, nan},
                       {minus_nan, nan, nan, nan, nan},
                       {signaling_nan, nan, nan, nan, nan},
                   });
const std::vector<TableRow> saturated = {
    {"cvt.sat.f32.f32", {two_and_half}, one},
    {"cvt.sat.f32.f32", {minus_half}, zero},
    {"cvt.sat.f32.f32", {half}, half},
    {"cvt.sat.f32.f32", {one}, one},
    {"cvt.sat.f32.f32", {before_one}, before_one},
    {"cvt.sat.f32.f32", {0x3f800001}, one},
    {"cvt.sat.f32.f32", {least}, least},
    {"cvt.sat.f32.f32", {minus_least}, zero},
    {"cvt.sat.f32.f32", {greatest}, one},
    {"cvt.sat.f32.f32", {minus_greatest}, zero},
    {"cvt.sat.f32.f32", {infinity}, one},
    {"cvt.sat.f32.f32", {minus_infinity}, zero},
    {"cvt.sat.f32.f32", {zero}, zero},
    {"cvt.sat.f32.f32", {minus_zero}, zero},
    {"cvt.sat.f32.f32", {nan}, zero},
    {"cvt.sat.f32.f32", {minus_nan}, zero},
    {"cvt.sat.f32.f32", {signaling_nan}, zero},
};

const std::vector<TableRow> small_rows[] = {rows_of("s32", small), rows_of("u32", small), rows_of("s64", small),
                                            rows_of("u64", small)};
const std::vector<TableRow> rows[] = {rows_of("s32", to_s32), rows_of("u32", to_u32), rows_of("s64", to_s64),
                                      rows_of("u64", to_u64)};
const Covers covers_integers[] = {Covers(rows[0]), Covers(rows[1]), Covers(rows[2]), Covers(rows[3])};
const Covers covers_whole(whole_floats), covers_saturated(saturated);

TEST(PtxRounding, numbers_are_rounded_as_the_form_says) {
  for (const std::vector<TableRow>& of_type : small_rows) run_rows(of_type);
}
TEST(PtxRounding, numbers_outside_of_the_type_give_its_nearest_value_and_nan_a_fixed_one) {
  for (const std::vector<TableRow>& of_type : rows) run_rows(of_type);
}
TEST(PtxRounding, whole_numbers_of_single_precision_keep_the_sign) { run_rows(whole_floats); }
TEST(PtxRounding, saturation_keeps_what_is_between_zero_and_one) { run_rows(saturated); }

}  // namespace
}  // namespace ptx_rounding_test
