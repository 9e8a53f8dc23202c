// Conversions from integers to integers and to single precision.
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
    {"cvt.u16.u8 cvt.s16.u8 cvt.u32.u8 cvt.s32.u8 cvt.u64.u8 cvt.s64.u8", {0xff7f}, 0x7f},
    {"cvt.u16.u8 cvt.s16.u8 cvt.u32.u8 cvt.s32.u8 cvt.u64.u8 cvt.s64.u8", {0x00ff}, 0xff},
    {"cvt.u16.u8 cvt.s16.u8 cvt.u32.u8 cvt.s32.u8 cvt.u64.u8 cvt.s64.u8", {0xff00}, 0},
    {"cvt.u16.s8 cvt.s16.s8 cvt.u32.s8 cvt.s32.s8 cvt.u64.s8 cvt.s64.s8", {0xff00}, 0},
    {"cvt.u16.s8 cvt.s16.s8", {0x00ff}, 0xffff},
    {"cvt.u32.s8 cvt.s32.s8", {0x00ff}, 0xffffffff},
    {"cvt.u64.s8 cvt.s64.s8", {0xff7f}, 0x7f},
    {"cvt.u64.s8 cvt.s64.s8", {0x00ff}, wide_ones},
    {"cvt.u16.u8.wide cvt.s16.u8.wide", {0x1234567812345680}, 0x80},
    {"cvt.u16.s8.wide cvt.s16.s8.wide", {0x1234567812345680}, 0xff80},
    {"cvt.u32.u8.wide cvt.s32.u8.wide", {0x1234567812345680}, 0x80},
    {"cvt.u32.s8.wide cvt.s32.s8.wide", {0x1234567812345680}, 0xffffff80},
    {"cvt.u64.u8.wide cvt.s64.u8.wide", {0x1234567812345680}, 0x80},
    {"cvt.u64.s8.wide cvt.s64.s8.wide", {0x1234567812345680}, 0xffffffffffffff80},
    {"cvt.u16.u8.wide cvt.s16.u8.wide cvt.u32.u8.wide cvt.s32.u8.wide", {0xffffffffffffff7f}, 0x7f},
    {"cvt.u16.s8.wide cvt.s16.s8.wide cvt.u32.s8.wide cvt.s32.s8.wide", {0xffffffffffffff7f}, 0x7f},
    {"cvt.u64.u8.wide cvt.s64.u8.wide cvt.u64.s8.wide cvt.s64.s8.wide", {0xffffffffffffff7f}, 0x7f},
};
const Covers covers_bytes(from_bytes);

const std::vector<TableRow> from_halves = {
    {"cvt.u16.u16 cvt.s16.u16 cvt.u16.s16 cvt.s16.s16", {0x8001}, 0x8001},
    {"cvt.u32.u16 cvt.s32.u16", {0x8001}, 0x8001},
    {"cvt.u32.s16 cvt.s32.s16", {0x8001}, 0xffff8001},
    {"cvt.u64.u16 cvt.s64.u16", {0x8001}, 0x8001},
    {"cvt.u64.s16 cvt.s64.s16", {0x8001}, 0xffffffffffff8001},
    {"cvt.u16.u16 cvt.s16.u16 cvt.u32.u16 cvt.s32.u16 cvt.u64.u16 cvt.s64.u16", {0x7fff}, 0x7fff},
    {"cvt.u16.s16 cvt.s16.s16 cvt.u32.s16 cvt.s32.s16 cvt.u64.s16 cvt.s64.s16", {0x7fff}, 0x7fff},
    {"cvt.u16.u16 cvt.s16.u16 cvt.u32.u16 cvt.s32.u16 cvt.u64.u16 cvt.s64.u16", {0xffff}, 0xffff},
    {"cvt.u32.s16 cvt.s32.s16", {0xffff}, 0xffffffff},
    {"cvt.u64.s16 cvt.s64.s16", {0xffff}, wide_ones},
    {"cvt.u16.u16.wide cvt.s16.u16.wide cvt.u16.s16.wide cvt.s16.s16.wide", {0x1234567812348001}, 0x8001},
    {"cvt.u32.u16.wide cvt.s32.u16.wide", {0x1234567812348001}, 0x8001},
    {"cvt.u32.s16.wide cvt.s32.s16.wide", {0x1234567812348001}, 0xffff8001},
    {"cvt.u64.u16.wide cvt.s64.u16.wide", {0x1234567812348001}, 0x8001},
    {"cvt.u64.s16.wide cvt.s64.s16.wide", {0x1234567812348001}, 0xffffffffffff8001},
    {"cvt.u16.u16.wide cvt.s16.u16.wide cvt.u16.s16.wide cvt.s16.s16.wide", {0xffffffffffff7fff}, 0x7fff},
    {"cvt.u32.u16.wide cvt.s32.u16.wide cvt.u32.s16.wide cvt.s32.s16.wide", {0xffffffffffff7fff}, 0x7fff},
    {"cvt.u64.u16.wide cvt.s64.u16.wide cvt.u64.s16.wide cvt.s64.s16.wide", {0xffffffffffff7fff}, 0x7fff},
};
const Covers covers_halves(from_halves);

const std::vector<TableRow> from_words = {
    {"cvt.u16.u32 cvt.s16.u32 cvt.u16.s32 cvt.s16.s32", {0x12348001}, 0x8001},
    {"cvt.u32.u32 cvt.s32.u32 cvt.u32.s32 cvt.s32.s32", {0x80000001}, 0x80000001},
    {"cvt.u64.u32 cvt.s64.u32", {0x80000001}, 0x80000001},
    {"cvt.u64.s32 cvt.s64.s32", {0x80000001}, 0xffffffff80000001},
    {"cvt.u64.s32 cvt.s64.s32", {0xffffffff}, wide_ones},
    {"cvt.u64.u32 cvt.s64.u32", {0xffffffff}, 0xffffffff},
    {"cvt.u64.u32 cvt.s64.u32 cvt.u64.s32 cvt.s64.s32", {0x7fffffff}, 0x7fffffff},
    {"cvt.u16.u32 cvt.s16.u32 cvt.u16.s32 cvt.s16.s32", {0xffff7fff}, 0x7fff},
    {"cvt.u16.u32 cvt.s16.u32 cvt.u16.s32 cvt.s16.s32", {0x80000000}, 0},
    {"cvt.u32.u32 cvt.s32.u32 cvt.u32.s32 cvt.s32.s32", {0xffffffff}, 0xffffffff},
    {"cvt.u16.u32.wide cvt.s16.u32.wide cvt.u16.s32.wide cvt.s16.s32.wide", {0x1234567812348001}, 0x8001},
    {"cvt.u32.u32.wide cvt.s32.u32.wide cvt.u32.s32.wide cvt.s32.s32.wide", {0x1234567880000001}, 0x80000001},
    {"cvt.u64.u32.wide cvt.s64.u32.wide", {0x1234567880000001}, 0x80000001},
    {"cvt.u64.s32.wide cvt.s64.s32.wide", {0x1234567880000001}, 0xffffffff80000001},
    {"cvt.u16.u32.wide cvt.s16.u32.wide cvt.u16.s32.wide cvt.s16.s32.wide", {0xffffffffffff7fff}, 0x7fff},
    {"cvt.u32.u32.wide cvt.s32.u32.wide cvt.u32.s32.wide cvt.s32.s32.wide", {0xffffffff7fffffff}, 0x7fffffff},
    {"cvt.u64.u32.wide cvt.s64.u32.wide cvt.u64.s32.wide cvt.s64.s32.wide", {0xffffffff7fffffff}, 0x7fffffff},
    {"cvt.u16.u64 cvt.s16.u64 cvt.u16.s64 cvt.s16.s64", {0x1234567812348001}, 0x8001},
    {"cvt.u32.u64 cvt.s32.u64 cvt.u32.s64 cvt.s32.s64", {0x1234567880000001}, 0x80000001},
    {"cvt.u64.u64 cvt.s64.u64 cvt.u64.s64 cvt.s64.s64", {0x8000000000000001}, 0x8000000000000001},
    {"cvt.u16.u64 cvt.s16.u64 cvt.u16.s64 cvt.s16.s64", {0xffffffffffff7fff}, 0x7fff},
    {"cvt.u32.u64 cvt.s32.u64 cvt.u32.s64 cvt.s32.s64", {0xffffffff7fffffff}, 0x7fffffff},
    {"cvt.u16.u64 cvt.s16.u64 cvt.u32.u64 cvt.s32.u64", {0x8000000000000000}, 0},
    {"cvt.u16.s64 cvt.s16.s64 cvt.u32.s64 cvt.s32.s64", {0x8000000000000000}, 0},
    {"cvt.u64.u64 cvt.s64.u64 cvt.u64.s64 cvt.s64.s64", {wide_ones}, wide_ones},
};
const Covers covers_words(from_words);

// Whole numbers that lie in the middle between two numbers of single precision go to the even one.
const std::vector<TableRow> to_float = {
    {"cvt.rn.f32.u8", {0x12ff}, 0x437f0000},
    {"cvt.rn.f32.u8", {0x1280}, 0x43000000},
    {"cvt.rn.f32.s8", {0x12ff}, 0xbf800000},
    {"cvt.rn.f32.s8", {0x1280}, 0xc3000000},
    {"cvt.rn.f32.u8 cvt.rn.f32.s8", {0xff7f}, 0x42fe0000},
    {"cvt.rn.f32.u8 cvt.rn.f32.s8", {0xff00}, 0},
    {"cvt.rn.f32.u16", {0xffff}, 0x477fff00},
    {"cvt.rn.f32.u16", {0x8000}, 0x47000000},
    {"cvt.rn.f32.s16", {0xffff}, 0xbf800000},
    {"cvt.rn.f32.s16", {0x8000}, 0xc7000000},
    {"cvt.rn.f32.u16 cvt.rn.f32.s16", {0x7fff}, 0x46fffe00},
    {"cvt.rn.f32.u16 cvt.rn.f32.s16", {0}, 0},
    {"cvt.rn.f32.u32", {0xffffffff}, 0x4f800000},
    {"cvt.rn.f32.u32", {0xffffff80}, 0x4f800000},
    {"cvt.rn.f32.u32", {0xffffff7f}, 0x4f7fffff},
    {"cvt.rn.f32.u32", {0x80000000}, 0x4f000000},
    {"cvt.rn.f32.u32", {0x80000080}, 0x4f000000},
    {"cvt.rn.f32.u32", {0x80000081}, 0x4f000001},
    {"cvt.rn.f32.u32", {0x80000180}, 0x4f000002},
    {"cvt.rn.f32.s32", {0xffffffff}, 0xbf800000},
    {"cvt.rn.f32.s32", {0x80000000}, 0xcf000000},
    {"cvt.rn.f32.s32", {0x80000040}, 0xcf000000},
    {"cvt.rn.f32.s32", {0x80000041}, 0xceffffff},
    {"cvt.rn.f32.s32", {0xfeffffff}, 0xcb800000},
    {"cvt.rn.f32.u32 cvt.rn.f32.s32", {0x7fffffff}, 0x4f000000},
    {"cvt.rn.f32.u32 cvt.rn.f32.s32", {0x7fffffc0}, 0x4f000000},
    {"cvt.rn.f32.u32 cvt.rn.f32.s32", {0x7fffffbf}, 0x4effffff},
    {"cvt.rn.f32.u32 cvt.rn.f32.s32", {0x01000001}, 0x4b800000},
    {"cvt.rn.f32.u32 cvt.rn.f32.s32", {0x01000003}, 0x4b800002},
    {"cvt.rn.f32.u32 cvt.rn.f32.s32 cvt.rn.f32.u64 cvt.rn.f32.s64", {0}, 0},
    {"cvt.rn.f32.u64", {wide_ones}, 0x5f800000},
    {"cvt.rn.f32.u64", {0xffffff8000000000}, 0x5f800000},
    {"cvt.rn.f32.u64", {0xffffff7fffffffff}, 0x5f7fffff},
    {"cvt.rn.f32.u64", {0x8000000000000000}, 0x5f000000},
    {"cvt.rn.f32.u64", {0x8000008000000000}, 0x5f000000},
    {"cvt.rn.f32.u64", {0x8000008000000001}, 0x5f000001},
    {"cvt.rn.f32.s64", {wide_ones}, 0xbf800000},
    {"cvt.rn.f32.s64", {0x8000000000000000}, 0xdf000000},
    {"cvt.rn.f32.s64", {0x8000004000000000}, 0xdf000000},
    {"cvt.rn.f32.s64", {0x8000004000000001}, 0xdeffffff},
    {"cvt.rn.f32.s64", {0xfffffffffeffffff}, 0xcb800000},
    {"cvt.rn.f32.u64 cvt.rn.f32.s64", {0x7fffffffffffffff}, 0x5f000000},
    {"cvt.rn.f32.u64 cvt.rn.f32.s64", {0x7fffffc000000000}, 0x5f000000},
    {"cvt.rn.f32.u64 cvt.rn.f32.s64", {0x7fffffbfffffffff}, 0x5effffff},
    // The bit that decides is lost if the number becomes one of double precision before.
    {"cvt.rn.f32.u64 cvt.rn.f32.s64", {0x4000004000000001}, 0x5e800001},
};
const Covers covers_to_float(to_float);

TEST(PtxConversion, integers_are_cut_or_extended_by_the_sign_of_the_source) {
  run_rows(from_bytes);
  run_rows(from_halves);
  run_rows(from_words);
}
TEST(PtxConversion, integers_become_the_nearest_float) { run_rows(to_float); }

}  // namespace
}  // namespace ptx_conversion_test
