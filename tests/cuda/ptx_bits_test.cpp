// Logic, shifts, and moves between registers.
#include "cuda/device/ptx/testing/rows.h"
#include "cuda/device/ptx/windows.h"

namespace ptx_bits_test {
namespace {

using namespace ptx::testing;

constexpr uint64_t ones = 0xffffffff, sign = 0x80000000;
constexpr uint64_t wide_ones = 0xffffffffffffffff, wide_sign = 0x8000000000000000;

const std::vector<TableRow> logic = {
    {"and.pred", {1, 1}, 1},
    {"and.pred", {1, 0}, 0},
    {"and.pred", {0, 1}, 0},
    {"and.pred", {0, 0}, 0},
    {"or.pred", {0, 0}, 0},
    {"or.pred", {0, 1}, 1},
    {"or.pred", {1, 0}, 1},
    {"or.pred", {1, 1}, 1},
    {"xor.pred", {1, 1}, 0},
    {"xor.pred", {0, 1}, 1},
    {"xor.pred", {1, 0}, 1},
    {"xor.pred", {0, 0}, 0},
    {"not.pred", {0}, 1},
    {"not.pred", {1}, 0},
    {"and.b16", {0xff0f, 0x0fff}, 0x0f0f},
    {"and.b16 and.b32 and.b64", {0x8000, 0x7fff}, 0},
    {"and.b32", {0xff00ff0f, 0x0ff00fff}, 0x0f000f0f},
    {"and.b64", {0xff00000000000001, 0xf00000000000000f}, 0xf000000000000001},
    {"or.b16", {0xf000, 0x000f}, 0xf00f},
    {"or.b16 or.b32 or.b64 xor.b16 xor.b32 xor.b64", {0x8000, 0x7fff}, 0xffff},
    {"or.b32", {0xf0000000, 0x0000000f}, 0xf000000f},
    {"or.b64", {wide_sign, 1}, 0x8000000000000001},
    {"xor.b16", {0xffff, 0x0ff0}, 0xf00f},
    {"xor.b32", {ones, 0x0ff0}, 0xfffff00f},
    {"xor.b64", {wide_ones, 0x0ff0}, 0xfffffffffffff00f},
    {"xor.b16 xor.b32 xor.b64", {0xffff, 0xffff}, 0},
    {"not.b16", {0x00ff}, 0xff00},
    {"not.b16", {0xffff}, 0},
    {"not.b32", {0x00ff}, 0xffffff00},
    {"not.b32", {ones}, 0},
    {"not.b64", {0}, wide_ones},
    {"not.b64", {ones}, 0xffffffff00000000},
};
const Covers covers_logic(logic);

// All shifts of one width, and those that fill with the sign.
constexpr char halves[] = "shl.b16 shr.u16 shr.b16 shr.s16", words[] = "shl.b32 shr.u32 shr.b32 shr.s32";
constexpr char wides[] = "shl.b64 shr.u64 shr.b64 shr.s64";
constexpr char left_or_unsigned[] = "shl.b16 shr.u16 shr.b16 shl.b32 shr.u32 shr.b32 shl.b64 shr.u64 shr.b64";

const std::vector<TableRow> shifts = {
    {"shl.b16", {1, 15}, 0x8000},
    {"shl.b16", {0xffff, 1}, 0xfffe},
    {"shl.b32", {1, 31}, sign},
    {"shl.b32", {ones, 1}, 0xfffffffe},
    {"shl.b64", {1, 63}, wide_sign},
    {"shl.b64", {1, 33}, 0x200000000},
    {"shl.b64", {wide_ones, 32}, 0xffffffff00000000},
    {"shr.u16 shr.b16", {0x8000, 15}, 1},
    {"shr.u32 shr.b32", {sign, 31}, 1},
    {"shr.u64 shr.b64", {wide_sign, 63}, 1},
    {"shr.u64 shr.b64", {wide_ones, 32}, ones},
    {"shr.s16", {0x8000, 3}, 0xf000},
    {"shr.s16", {0x8000, 15}, 0xffff},
    {"shr.s16", {0x7fff, 14}, 1},
    {"shr.s32", {sign, 31}, ones},
    {"shr.s32", {0xffffff00, 4}, 0xfffffff0},
    {"shr.s32", {0x7fffffff, 30}, 1},
    {"shr.s64", {wide_sign, 63}, wide_ones},
    {"shr.s64", {wide_sign, 32}, 0xffffffff80000000},
    {"shr.s64", {0x4000000000000000, 62}, 1},
    // By nothing, by exactly the width, and by more, of which no bit is ignored.
    {halves, {0xffff, 0}, 0xffff},
    {words, {ones, 0}, ones},
    {wides, {wide_ones, 0}, wide_ones},
    {halves, {0x7fff, 16}, 0},
    {words, {0x7fffffff, 32}, 0},
    {wides, {0x7fffffffffffffff, 64}, 0},
    {left_or_unsigned, {0xffff, 65}, 0},
    {left_or_unsigned, {0xffff, 255}, 0},
    {left_or_unsigned, {0xffff, 256}, 0},
    {left_or_unsigned, {0xffff, 0x10001}, 0},
    {left_or_unsigned, {0xffff, sign}, 0},
    {left_or_unsigned, {0xffff, ones}, 0},
    {"shl.b16 shr.u16 shr.b16", {0xffff, 16}, 0},
    {"shl.b16 shr.u16 shr.b16", {0xffff, 17}, 0},
    {"shl.b16 shr.u16 shr.b16", {0xffff, 32}, 0},
    {"shl.b32 shr.u32 shr.b32", {ones, 32}, 0},
    {"shl.b32 shr.u32 shr.b32", {ones, 33}, 0},
    {"shl.b32 shr.u32 shr.b32", {ones, 64}, 0},
    {"shl.b64 shr.u64 shr.b64", {wide_ones, 64}, 0},
    {"shl.b64 shr.u64 shr.b64", {wide_ones, 128}, 0},
    {"shr.s16", {0x8000, 16}, 0xffff},
    {"shr.s16", {0x8000, 17}, 0xffff},
    {"shr.s16", {0x8000, 32}, 0xffff},
    {"shr.s16", {0x8000, 256}, 0xffff},
    {"shr.s16", {0x8000, sign}, 0xffff},
    {"shr.s32", {sign, 32}, ones},
    {"shr.s32", {sign, 33}, ones},
    {"shr.s32", {sign, 255}, ones},
    {"shr.s32", {sign, 256}, ones},
    {"shr.s32", {sign, sign}, ones},
    {"shr.s64", {wide_sign, 64}, wide_ones},
    {"shr.s64", {wide_sign, 65}, wide_ones},
    {"shr.s64", {wide_sign, 256}, wide_ones},
    {"shr.s64", {wide_sign, sign}, wide_ones},
    {"shr.s16 shr.s32 shr.s64", {0x7fff, 99}, 0},
    {"shr.s16 shr.s32 shr.s64", {0x7fff, sign}, 0},
    {"shr.s16 shr.s32 shr.s64", {0x7fff, ones}, 0},
};
const Covers covers_shifts(shifts);

// The operands are the low and the high half.
const std::vector<TableRow> funnel_shifts = {
    {"shf.l.wrap.b32", {0x89abcdef, 0x01234567, 8}, 0x23456789},
    {"shf.l.wrap.b32", {0x89abcdef, 0x01234567, 32}, 0x01234567},
    {"shf.l.wrap.b32", {0x89abcdef, 0x01234567, 33}, 0x02468acf},
    {"shf.l.wrap.b32", {0x89abcdef, 0x01234567, sign}, 0x01234567},
    {"shf.l.wrap.b32", {0x89abcdef, 0x01234567, ones}, 0xc4d5e6f7},
    {"shf.l.clamp.b32", {0x89abcdef, 0x01234567, 32}, 0x89abcdef},
    {"shf.l.clamp.b32", {0x89abcdef, 0x01234567, 33}, 0x89abcdef},
    {"shf.l.clamp.b32", {0x89abcdef, 0x01234567, 255}, 0x89abcdef},
    {"shf.l.clamp.b32", {0x89abcdef, 0x01234567, 256}, 0x89abcdef},
    {"shf.l.clamp.b32", {0x89abcdef, 0x01234567, sign}, 0x89abcdef},
    {"shf.l.wrap.b32 shf.l.clamp.b32", {0x89abcdef, 0x01234567, 0}, 0x01234567},
    {"shf.l.wrap.b32 shf.l.clamp.b32", {0x89abcdef, 0x01234567, 31}, 0xc4d5e6f7},
    {"shf.r.wrap.b32", {0x89abcdef, 0x01234567, 8}, 0x6789abcd},
    {"shf.r.wrap.b32", {0x89abcdef, 0x01234567, 32}, 0x89abcdef},
    {"shf.r.wrap.b32", {0x89abcdef, 0x01234567, 33}, 0xc4d5e6f7},
    {"shf.r.wrap.b32", {0x89abcdef, 0x01234567, sign}, 0x89abcdef},
    {"shf.r.wrap.b32", {0x89abcdef, 0x01234567, ones}, 0x02468acf},
    {"shf.r.clamp.b32", {0x89abcdef, 0x01234567, 32}, 0x01234567},
    {"shf.r.clamp.b32", {0x89abcdef, 0x01234567, 33}, 0x01234567},
    {"shf.r.clamp.b32", {0x89abcdef, 0x01234567, 256}, 0x01234567},
    {"shf.r.clamp.b32", {0x89abcdef, 0x01234567, sign}, 0x01234567},
    {"shf.r.clamp.b32", {0x89abcdef, 0x01234567, 4}, 0x789abcde},
    {"shf.r.wrap.b32 shf.r.clamp.b32", {0x89abcdef, 0x01234567, 0}, 0x89abcdef},
    {"shf.r.wrap.b32 shf.r.clamp.b32", {0x89abcdef, 0x01234567, 31}, 0x02468acf},
};
const Covers covers_funnel_shifts(funnel_shifts);

const std::vector<TableRow> moves = {
    {"mov.pred", {1}, 1},
    {"mov.pred", {0}, 0},
    {"mov.b16 mov.u16 mov.s16", {0x8001}, 0x8001},
    {"mov.b16 mov.u16 mov.s16", {0xffff}, 0xffff},
    {"mov.b32 mov.u32 mov.s32 mov.f32", {0x80000001}, 0x80000001},
    // Moves keep the bits of NaN.
    {"mov.b32 mov.u32 mov.s32 mov.f32", {0x7f800001}, 0x7f800001},
    {"mov.b32 mov.u32 mov.s32 mov.f32", {0xffc12345}, 0xffc12345},
    {"mov.b64 mov.u64 mov.s64", {0x8000000000000001}, 0x8000000000000001},
    {"mov.b64 mov.u64 mov.s64", {wide_ones}, wide_ones},
    {"mov.b64.pack", {0x89abcdef, 0x01234567}, 0x0123456789abcdef},
    {"mov.b64.pack", {ones, 0}, ones},
    {"mov.b64.pack", {0, ones}, 0xffffffff00000000},
    {"mov.b32.pack", {0xcdef, 0x89ab}, 0x89abcdef},
    {"mov.b32.pack", {0xffff, 0}, 0xffff},
    {"mov.b32.pack", {0, 0xffff}, 0xffff0000},
    {"cvta.global.u64 cvta.to.global.u64", {0x123456789a}, 0x123456789a},
    {"cvta.shared.u64", {0x40}, ptx::shared_window + 0x40},
    {"cvta.local.u64", {0x40}, ptx::local_window + 0x40},
    {"cvta.param.u64", {0x40}, ptx::parameter_window + 0x40},
    {"cvta.to.shared.u64", {ptx::shared_window + 0x40}, 0x40},
    {"cvta.to.local.u64", {ptx::local_window + 0x40}, 0x40},
    {"cvta.to.param.u64", {ptx::parameter_window + 0x40}, 0x40},
};
const Covers covers_moves(moves);

TEST(PtxBits, logic_works_bit_by_bit) { run_rows(logic); }
TEST(PtxBits, shifts_by_more_than_the_size_leave_zero_or_the_sign) { run_rows(shifts); }
TEST(PtxBits, funnel_shifts_move_bits_of_two_registers) { run_rows(funnel_shifts); }
TEST(PtxBits, moves_copy_and_put_together) { run_rows(moves); }

const Covers covers_unpack("mov.b64.unpack mov.b32.unpack");

TEST(PtxBits, moves_take_registers_apart) {
  Device device(32, 0x0123456789abcdef);
  device.run(kernel("ld.u64 %rd2, [%rd1];\nmov.b64 {%r2, %r3}, %rd2;\nmov.b32 {%h1, %h2}, %r2;\n"
                    "cvt.u64.u16 %rd3, %h1;\ncvt.u64.u16 %rd4, %h2;\nshl.b64 %rd4, %rd4, 48;\n"
                    "cvt.u64.u32 %rd5, %r3;\nshl.b64 %rd5, %rd5, 16;\nor.b64 %rd3, %rd3, %rd4;\n"
                    "or.b64 %rd3, %rd3, %rd5;\nst.u64 [%rd1], %rd3;"),
             30);
  for (uint32_t k = 0; k < 30; ++k) EXPECT_EQ(device.buffer[k], 0x89ab01234567cdefu);
  EXPECT_EQ(device.buffer[30], 0x0123456789abcdefu);
}

}  // namespace
}  // namespace ptx_bits_test
