// Logic, shifts, counting and moving of bits, and moves between registers.
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
    {"or.pred", {0, 0}, 0},
    {"or.pred", {0, 1}, 1},
    {"xor.pred", {1, 1}, 0},
    {"xor.pred", {0, 1}, 1},
    {"not.pred", {0}, 1},
    {"not.pred", {1}, 0},
    {"and.b16", {0xff0f, 0x0fff}, 0x0f0f},
    {"and.b32", {0xff00ff0f, 0x0ff00fff}, 0x0f000f0f},
    {"and.b64", {0xff00000000000001, 0xf00000000000000f}, 0xf000000000000001},
    {"or.b16", {0xf000, 0x000f}, 0xf00f},
    {"or.b32", {0xf0000000, 0x0000000f}, 0xf000000f},
    {"or.b64", {wide_sign, 1}, 0x8000000000000001},
    {"xor.b16", {0xffff, 0x0ff0}, 0xf00f},
    {"xor.b32", {ones, 0x0ff0}, 0xfffff00f},
    {"xor.b64", {wide_ones, 0x0ff0}, 0xfffffffffffff00f},
    {"not.b16", {0x00ff}, 0xff00},
    {"not.b32", {0x00ff}, 0xffffff00},
    {"not.b64", {0}, wide_ones},
};
const Covers covers_logic(logic);

const std::vector<TableRow> shifts = {
    {"shl.b16", {1, 15}, 0x8000},
    {"shl.b16", {0xffff, 16}, 0},
    {"shl.b16", {0xffff, 32}, 0},
    {"shl.b32", {1, 31}, sign},
    {"shl.b32", {ones, 0}, ones},
    {"shl.b32", {ones, 32}, 0},
    {"shl.b32", {ones, 33}, 0},
    {"shl.b32", {ones, 255}, 0},
    {"shl.b32", {ones, ones}, 0},
    {"shl.b64", {1, 63}, wide_sign},
    {"shl.b64", {1, 33}, 0x200000000},
    {"shl.b64", {wide_ones, 64}, 0},
    {"shr.u16 shr.b16", {0x8000, 15}, 1},
    {"shr.u16 shr.b16", {0xffff, 16}, 0},
    {"shr.u32 shr.b32", {sign, 31}, 1},
    {"shr.u32 shr.b32", {ones, 32}, 0},
    {"shr.u32 shr.b32", {ones, 33}, 0},
    {"shr.u32 shr.b32", {ones, 255}, 0},
    {"shr.u64 shr.b64", {wide_sign, 63}, 1},
    {"shr.u64 shr.b64", {wide_ones, 64}, 0},
    {"shr.s16", {0x8000, 3}, 0xf000},
    {"shr.s16", {0x8000, 16}, 0xffff},
    {"shr.s16", {0x7fff, 99}, 0},
    {"shr.s32", {sign, 31}, ones},
    {"shr.s32", {sign, 32}, ones},
    {"shr.s32", {sign, 33}, ones},
    {"shr.s32", {sign, 255}, ones},
    {"shr.s32", {0x7fffffff, 255}, 0},
    {"shr.s32", {0xffffff00, 4}, 0xfffffff0},
    {"shr.s64", {wide_sign, 63}, wide_ones},
    {"shr.s64", {wide_sign, 64}, wide_ones},
    {"shr.s64", {0x4000000000000000, 64}, 0},
    {"shf.l.wrap.b32", {0x89abcdef, 0x01234567, 8}, 0x23456789},
    {"shf.l.wrap.b32", {0x89abcdef, 0x01234567, 32}, 0x01234567},
    {"shf.l.clamp.b32", {0x89abcdef, 0x01234567, 32}, 0x89abcdef},
    {"shf.l.clamp.b32", {0x89abcdef, 0x01234567, 255}, 0x89abcdef},
    {"shf.r.wrap.b32", {0x89abcdef, 0x01234567, 8}, 0x6789abcd},
    {"shf.r.wrap.b32", {0x89abcdef, 0x01234567, 32}, 0x89abcdef},
    {"shf.r.clamp.b32", {0x89abcdef, 0x01234567, 32}, 0x01234567},
    {"shf.r.clamp.b32", {0x89abcdef, 0x01234567, 4}, 0x789abcde},
};
const Covers covers_shifts(shifts);

const std::vector<TableRow> counts = {
    {"brev.b32", {1}, sign},
    {"brev.b32", {0x12345678}, 0x1e6a2c48},
    {"popc.b32", {0}, 0},
    {"popc.b32", {ones}, 32},
    {"popc.b32", {0x80000001}, 2},
    {"popc.b64", {wide_ones}, 64},
    {"popc.b64", {0x8000000000000001}, 2},
    {"clz.b32", {0}, 32},
    {"clz.b32", {1}, 31},
    {"clz.b32", {sign}, 0},
    {"clz.b64", {0}, 64},
    {"clz.b64", {0x80000000}, 32},
    {"bfind.u32", {0}, ones},
    {"bfind.u32", {1}, 0},
    {"bfind.u32", {sign}, 31},
    {"bfind.s32", {0}, ones},
    {"bfind.s32", {ones}, ones},
    {"bfind.s32", {0xfffffff0}, 3},
    {"bfind.s32", {0x40000000}, 30},
    {"bfind.shiftamt.u32", {0}, ones},
    {"bfind.shiftamt.u32", {1}, 31},
    {"bfind.shiftamt.u32", {sign}, 0},
    {"bfind.shiftamt.s32", {ones}, ones},
    {"bfind.shiftamt.s32", {0xfffffff0}, 28},
};
const Covers covers_counts(counts);

const std::vector<TableRow> fields = {
    {"bfi.b32", {0x5, 0, 4, 4}, 0x50},
    {"bfi.b32", {ones, 0, 28, 8}, 0xf0000000},
    {"bfi.b32", {ones, 0x12345678, 0, 0}, 0x12345678},
    {"bfi.b32", {0, ones, 8, 8}, 0xffff00ff},
    {"bfi.b32", {0x12345678, ones, 0, 32}, 0x12345678},
    {"bfi.b32", {0x12345678, ones, 0, 255}, 0x12345678},
    {"bfi.b32", {0x5, 0x77, 32, 4}, 0x77},
    {"bfi.b32", {0x5, 0, 0x104, 0x104}, 0x50},
    {"bfe.u32", {0x12345678, 8, 8}, 0x56},
    {"bfe.u32", {0x12345678, 28, 8}, 0x1},
    {"bfe.u32", {0x12345678, 32, 8}, 0},
    {"bfe.u32", {0x12345678, 0, 32}, 0x12345678},
    {"bfe.u32", {0x12345678, 4, 0}, 0},
    {"bfe.s32", {0x0000f000, 12, 4}, ones},
    {"bfe.s32", {0x00007000, 12, 4}, 7},
    {"bfe.s32", {sign, 28, 8}, 0xfffffff8},
    {"bfe.s32", {sign, 32, 8}, ones},
    {"bfe.s32", {sign, 4, 0}, 0},
    {"prmt.b32", {0x33221100, 0x77665544, 0x3210}, 0x33221100},
    {"prmt.b32", {0x33221100, 0x77665544, 0x7654}, 0x77665544},
    {"prmt.b32", {0x33221100, 0x77665544, 0x0246}, 0x00224466},
    {"prmt.b32", {0x80ff7f00, 0x00000000, 0xba98}, 0xffff0000},
    {"prmt.b32", {0x33221100, 0x77665544, 0xffff3333}, 0x33333333},
};
const Covers covers_fields(fields);

const std::vector<TableRow> moves = {
    {"mov.pred", {1}, 1},
    {"mov.pred", {0}, 0},
    {"mov.b16 mov.u16 mov.s16", {0x8001}, 0x8001},
    {"mov.b32 mov.u32 mov.s32 mov.f32", {0x80000001}, 0x80000001},
    {"mov.b64 mov.u64 mov.s64", {0x8000000000000001}, 0x8000000000000001},
    {"mov.b64.pack", {0x89abcdef, 0x01234567}, 0x0123456789abcdef},
    {"mov.b32.pack", {0xcdef, 0x89ab}, 0x89abcdef},
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
TEST(PtxBits, bits_are_counted_and_found) { run_rows(counts); }
TEST(PtxBits, fields_and_bytes_are_moved) { run_rows(fields); }
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
