// Conversions between types.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_conversion_test {
namespace {

using namespace ptx::testing;

constexpr uint64_t wide_ones = 0xffffffffffffffff;

// From 8 bits: whatever is above them is ignored, and the sign is that of the source.
const std::vector<TableRow> from_bytes = {
    {"cvt.u16.u8 cvt.s16.u8", {0x1280}, 0x80},
    {"cvt.u16.s8 cvt.s16.s8", {0x1280}, 0xff80},
    {"cvt.u16.s8 cvt.s16.s8", {0xff7f}, 0x7f},
    {"cvt.u32.u8 cvt.s32.u8", {0x1280}, 0x80},
    {"cvt.u32.s8 cvt.s32.s8", {0x1280}, 0xffffff80},
    {"cvt.u32.s8 cvt.s32.s8", {0xff7f}, 0x7f},
    {"cvt.u64.u8 cvt.s64.u8", {0x1280}, 0x80},
    {"cvt.u64.s8 cvt.s64.s8", {0x1280}, 0xffffffffffffff80},
    {"cvt.u16.u8.wide cvt.s16.u8.wide", {0x1234567812345680}, 0x80},
    {"cvt.u16.s8.wide cvt.s16.s8.wide", {0x1234567812345680}, 0xff80},
    {"cvt.u32.u8.wide cvt.s32.u8.wide", {0x1234567812345680}, 0x80},
    {"cvt.u32.s8.wide cvt.s32.s8.wide", {0x1234567812345680}, 0xffffff80},
    {"cvt.u64.u8.wide cvt.s64.u8.wide", {0x1234567812345680}, 0x80},
    {"cvt.u64.s8.wide cvt.s64.s8.wide", {0x1234567812345680}, 0xffffffffffffff80},
};
const Covers covers_bytes(from_bytes);

const std::vector<TableRow> from_halves = {
    {"cvt.u16.u16 cvt.s16.u16 cvt.u16.s16 cvt.s16.s16", {0x8001}, 0x8001},
    {"cvt.u32.u16 cvt.s32.u16", {0x8001}, 0x8001},
    {"cvt.u32.s16 cvt.s32.s16", {0x8001}, 0xffff8001},
    {"cvt.u64.u16 cvt.s64.u16", {0x8001}, 0x8001},
    {"cvt.u64.s16 cvt.s64.s16", {0x8001}, 0xffffffffffff8001},
    {"cvt.u16.u16.wide cvt.s16.u16.wide cvt.u16.s16.wide cvt.s16.s16.wide", {0x1234567812348001}, 0x8001},
    {"cvt.u32.u16.wide cvt.s32.u16.wide", {0x1234567812348001}, 0x8001},
    {"cvt.u32.s16.wide cvt.s32.s16.wide", {0x1234567812348001}, 0xffff8001},
    {"cvt.u64.u16.wide cvt.s64.u16.wide", {0x1234567812348001}, 0x8001},
    {"cvt.u64.s16.wide cvt.s64.s16.wide", {0x1234567812348001}, 0xffffffffffff8001},
};
const Covers covers_halves(from_halves);

const std::vector<TableRow> from_words = {
    {"cvt.u16.u32 cvt.s16.u32 cvt.u16.s32 cvt.s16.s32", {0x12348001}, 0x8001},
    {"cvt.u32.u32 cvt.s32.u32 cvt.u32.s32 cvt.s32.s32", {0x80000001}, 0x80000001},
    {"cvt.u64.u32 cvt.s64.u32", {0x80000001}, 0x80000001},
    {"cvt.u64.s32 cvt.s64.s32", {0x80000001}, 0xffffffff80000001},
    {"cvt.u64.s32 cvt.s64.s32", {0x7fffffff}, 0x7fffffff},
    {"cvt.u16.u32.wide cvt.s16.u32.wide cvt.u16.s32.wide cvt.s16.s32.wide", {0x1234567812348001}, 0x8001},
    {"cvt.u32.u32.wide cvt.s32.u32.wide cvt.u32.s32.wide cvt.s32.s32.wide", {0x1234567880000001}, 0x80000001},
    {"cvt.u64.u32.wide cvt.s64.u32.wide", {0x1234567880000001}, 0x80000001},
    {"cvt.u64.s32.wide cvt.s64.s32.wide", {0x1234567880000001}, 0xffffffff80000001},
    {"cvt.u16.u64 cvt.s16.u64 cvt.u16.s64 cvt.s16.s64", {0x1234567812348001}, 0x8001},
    {"cvt.u32.u64 cvt.s32.u64 cvt.u32.s64 cvt.s32.s64", {0x1234567880000001}, 0x80000001},
    {"cvt.u64.u64 cvt.s64.u64 cvt.u64.s64 cvt.s64.s64", {0x8000000000000001}, 0x8000000000000001},
};
const Covers covers_words(from_words);

const std::vector<TableRow> to_float = {
    {"cvt.rn.f32.u8", {0x12ff}, 0x437f0000},
    {"cvt.rn.f32.s8", {0x12ff}, 0xbf800000},
    {"cvt.rn.f32.u16", {0xffff}, 0x477fff00},
    {"cvt.rn.f32.s16", {0xffff}, 0xbf800000},
    {"cvt.rn.f32.u32", {0xffffffff}, 0x4f800000},
    {"cvt.rn.f32.u32", {0x01000001}, 0x4b800000},
    {"cvt.rn.f32.u32", {0x01000003}, 0x4b800002},
    {"cvt.rn.f32.u32", {0}, 0},
    {"cvt.rn.f32.s32", {0xffffffff}, 0xbf800000},
    {"cvt.rn.f32.s32", {0x80000000}, 0xcf000000},
    {"cvt.rn.f32.s32", {0x7fffffff}, 0x4f000000},
    {"cvt.rn.f32.u64", {wide_ones}, 0x5f800000},
    {"cvt.rn.f32.u64", {0x8000008000000000}, 0x5f000000},
    {"cvt.rn.f32.u64", {0x8000008000000001}, 0x5f000001},
    {"cvt.rn.f32.s64", {wide_ones}, 0xbf800000},
    {"cvt.rn.f32.s64", {0x8000000000000000}, 0xdf000000},
};
const Covers covers_to_float(to_float);

constexpr uint64_t half = 0x3f000000, one_and_half = 0x3fc00000, two_and_half = 0x40200000;
constexpr uint64_t minus_half = 0xbf000000, minus_one_and_half = 0xbfc00000;
constexpr uint64_t nan = 0x7fffffff, minus_nan = 0xffc00001, infinity = 0x7f800000, minus_infinity = 0xff800000;
constexpr uint64_t two_to_31 = 0x4f000000, minus_two_to_31 = 0xcf000000, two_to_31_less_128 = 0x4effffff;
constexpr uint64_t two_to_32 = 0x4f800000, two_to_63 = 0x5f000000, two_to_64 = 0x5f800000;
constexpr uint64_t minus_two_to_63 = 0xdf000000, below_minus_two_to_31 = 0xcf000001;

const std::vector<TableRow> rounded = {
    {"cvt.rzi.s32.f32", {minus_one_and_half}, 0xffffffff},
    {"cvt.rni.s32.f32", {minus_one_and_half}, 0xfffffffe},
    {"cvt.rmi.s32.f32", {minus_half}, 0xffffffff},
    {"cvt.rpi.s32.f32", {minus_half}, 0},
    {"cvt.rzi.s32.f32", {two_and_half}, 2},
    {"cvt.rni.s32.f32", {two_and_half}, 2},
    {"cvt.rmi.s32.f32", {two_and_half}, 2},
    {"cvt.rpi.s32.f32", {two_and_half}, 3},
    {"cvt.rni.s32.f32", {one_and_half}, 2},
    {"cvt.rni.s32.f32", {half}, 0},
    {"cvt.rzi.u32.f32", {one_and_half}, 1},
    {"cvt.rni.u32.f32", {one_and_half}, 2},
    {"cvt.rmi.u32.f32", {one_and_half}, 1},
    {"cvt.rpi.u32.f32", {one_and_half}, 2},
    {"cvt.rzi.s64.f32", {minus_one_and_half}, wide_ones},
    {"cvt.rni.s64.f32", {one_and_half}, 2},
    {"cvt.rmi.s64.f32", {minus_half}, wide_ones},
    {"cvt.rpi.s64.f32", {half}, 1},
    {"cvt.rzi.u64.f32", {one_and_half}, 1},
    {"cvt.rni.u64.f32", {one_and_half}, 2},
    {"cvt.rmi.u64.f32", {one_and_half}, 1},
    {"cvt.rpi.u64.f32", {half}, 1},
};
const Covers covers_rounded(rounded);

const std::vector<TableRow> saturated = {
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {nan}, 0},
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {minus_nan}, 0},
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {infinity}, 0x7fffffff},
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {minus_infinity}, 0x80000000},
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {two_to_31}, 0x7fffffff},
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {two_to_31_less_128}, 0x7fffff80},
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {minus_two_to_31}, 0x80000000},
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {below_minus_two_to_31}, 0x80000000},
    {"cvt.rzi.s32.f32 cvt.rni.s32.f32 cvt.rmi.s32.f32 cvt.rpi.s32.f32", {0x80000000}, 0},
    {"cvt.rzi.s32.f32", {1}, 0},
    {"cvt.rpi.s32.f32", {1}, 1},
    {"cvt.rzi.u32.f32", {nan}, 0},
    {"cvt.rzi.u32.f32", {0xbf800000}, 0},
    {"cvt.rzi.u32.f32", {minus_half}, 0},
    {"cvt.rzi.u32.f32", {two_to_31}, 0x80000000},
    {"cvt.rzi.u32.f32", {two_to_32}, 0xffffffff},
    {"cvt.rzi.u32.f32", {0x4f7fffff}, 0xffffff00},
    {"cvt.rzi.s64.f32 cvt.rzi.u64.f32", {nan}, 0x8000000000000000},
    {"cvt.rni.s64.f32 cvt.rmi.u64.f32 cvt.rpi.s64.f32", {minus_nan}, 0x8000000000000000},
    {"cvt.rzi.s64.f32", {two_to_63}, 0x7fffffffffffffff},
    {"cvt.rzi.s64.f32", {minus_two_to_63}, 0x8000000000000000},
    {"cvt.rzi.s64.f32", {minus_infinity}, 0x8000000000000000},
    {"cvt.rzi.u64.f32", {two_to_64}, wide_ones},
    {"cvt.rzi.u64.f32", {two_to_63}, 0x8000000000000000},
    {"cvt.rzi.u64.f32", {minus_infinity}, 0},
};

const std::vector<TableRow> whole_floats = {
    {"cvt.rzi.f32.f32", {minus_one_and_half}, 0xbf800000},
    {"cvt.rni.f32.f32", {two_and_half}, 0x40000000},
    {"cvt.rmi.f32.f32", {minus_half}, 0xbf800000},
    {"cvt.rpi.f32.f32", {minus_half}, 0x80000000},
    {"cvt.rzi.f32.f32", {minus_half}, 0x80000000},
    {"cvt.rni.f32.f32", {infinity}, infinity},
    {"cvt.rmi.f32.f32", {minus_nan}, nan},
    {"cvt.rpi.f32.f32", {0x80000000}, 0x80000000},
    {"cvt.sat.f32.f32", {two_and_half}, 0x3f800000},
    {"cvt.sat.f32.f32", {minus_half}, 0},
    {"cvt.sat.f32.f32", {half}, half},
    {"cvt.sat.f32.f32", {nan}, 0},
    {"cvt.sat.f32.f32", {0x80000000}, 0},
};
const Covers covers_whole(whole_floats);

TEST(PtxConversion, integers_are_cut_or_extended_by_the_sign_of_the_source) {
  run_rows(from_bytes);
  run_rows(from_halves);
  run_rows(from_words);
}
TEST(PtxConversion, integers_become_the_nearest_float) { run_rows(to_float); }
TEST(PtxConversion, floats_are_rounded_as_the_form_says) { run_rows(rounded); }
TEST(PtxConversion, floats_outside_of_the_type_give_its_nearest_value_and_nan_a_fixed_one) { run_rows(saturated); }
TEST(PtxConversion, floats_become_whole_floats) { run_rows(whole_floats); }

}  // namespace
}  // namespace ptx_conversion_test
