// Counting and finding of bits, and fields of bits and bytes.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_field_test {
namespace {

using namespace ptx::testing;

constexpr uint64_t ones = 0xffffffff, sign = 0x80000000;
constexpr uint64_t wide_ones = 0xffffffffffffffff, wide_sign = 0x8000000000000000;

const std::vector<TableRow> counts = {
    {"brev.b32", {1}, sign},
    {"brev.b32", {0x12345678}, 0x1e6a2c48},
    {"brev.b32", {0}, 0},
    {"brev.b32", {sign}, 1},
    {"brev.b32", {ones}, ones},
    {"brev.b32", {0x0000ffff}, 0xffff0000},
    {"popc.b32", {0}, 0},
    {"popc.b32", {ones}, 32},
    {"popc.b32", {0x80000001}, 2},
    {"popc.b32", {sign}, 1},
    {"popc.b64", {0}, 0},
    {"popc.b64", {wide_sign}, 1},
    {"popc.b64", {0xffffffff00000000}, 32},
    {"popc.b64", {wide_ones}, 64},
    {"popc.b64", {0x8000000000000001}, 2},
    {"clz.b32", {0}, 32},
    {"clz.b32", {1}, 31},
    {"clz.b32", {sign}, 0},
    {"clz.b32", {0x7fffffff}, 1},
    {"clz.b32", {ones}, 0},
    {"clz.b64", {0}, 64},
    {"clz.b64", {0x80000000}, 32},
    {"clz.b64", {1}, 63},
    {"clz.b64", {0x100000000}, 31},
    {"clz.b64", {wide_sign}, 0},
    {"bfind.u32", {0}, ones},
    {"bfind.u32", {1}, 0},
    {"bfind.u32", {sign}, 31},
    {"bfind.u32", {ones}, 31},
    {"bfind.s32", {0}, ones},
    {"bfind.s32", {ones}, ones},
    {"bfind.s32", {0xfffffff0}, 3},
    {"bfind.s32", {0x40000000}, 30},
    {"bfind.s32", {1}, 0},
    {"bfind.s32", {0xfffffffe}, 0},
    {"bfind.s32", {sign}, 30},
    {"bfind.u32 bfind.s32", {0x7fffffff}, 30},
    {"bfind.shiftamt.u32", {0}, ones},
    {"bfind.shiftamt.u32", {1}, 31},
    {"bfind.shiftamt.u32", {sign}, 0},
    {"bfind.shiftamt.u32", {ones}, 0},
    {"bfind.shiftamt.s32", {0}, ones},
    {"bfind.shiftamt.s32", {ones}, ones},
    {"bfind.shiftamt.s32", {0xfffffff0}, 28},
    {"bfind.shiftamt.s32", {1}, 31},
    {"bfind.shiftamt.s32", {0xfffffffe}, 31},
    {"bfind.shiftamt.s32", {sign}, 1},
    {"bfind.shiftamt.u32 bfind.shiftamt.s32", {0x7fffffff}, 1},
};
const Covers covers_counts(counts);

// Of the position and the length only 8 bits count.
const std::vector<TableRow> fields = {
    {"bfi.b32", {0x5, 0, 4, 4}, 0x50},
    {"bfi.b32", {ones, 0, 28, 8}, 0xf0000000},
    {"bfi.b32", {ones, 0x12345678, 0, 0}, 0x12345678},
    {"bfi.b32", {0, ones, 8, 8}, 0xffff00ff},
    {"bfi.b32", {0x12345678, ones, 0, 32}, 0x12345678},
    {"bfi.b32", {0x12345678, ones, 0, 255}, 0x12345678},
    {"bfi.b32", {0x5, 0x77, 32, 4}, 0x77},
    {"bfi.b32", {0x5, 0, 0x104, 0x104}, 0x50},
    {"bfi.b32", {ones, 0, 0x80000004, 0xffffff04}, 0xf0},
    {"bfi.b32", {0xffffff05, 0, 8, 4}, 0x500},
    {"bfi.b32", {ones, 0, 31, 1}, sign},
    {"bfi.b32", {ones, 0, 31, 255}, sign},
    {"bfi.b32", {2, ones, 1, 31}, 5},
    {"bfi.b32", {ones, 0x77, 0, 33}, ones},
    {"bfi.b32", {ones, 0x77, 255, 255}, 0x77},
    {"bfi.b32", {ones, 0x77, 31, 0}, 0x77},
    {"bfe.u32", {0x12345678, 8, 8}, 0x56},
    {"bfe.u32", {0x12345678, 28, 8}, 0x1},
    {"bfe.u32", {0x12345678, 32, 8}, 0},
    {"bfe.u32", {0x12345678, 0, 32}, 0x12345678},
    {"bfe.u32", {0x12345678, 4, 0}, 0},
    {"bfe.u32", {0x12345678, 0, 255}, 0x12345678},
    {"bfe.u32", {0x12345678, 0x108, 0x108}, 0x56},
    {"bfe.u32", {ones, 0x80000000, 4}, 0xf},
    {"bfe.u32", {ones, 31, 1}, 1},
    {"bfe.u32", {ones, 31, 255}, 1},
    {"bfe.u32", {ones, 0, 31}, 0x7fffffff},
    {"bfe.u32", {ones, 16, 32}, 0xffff},
    {"bfe.u32", {ones, 255, 255}, 0},
    {"bfe.s32", {0x0000f000, 12, 4}, ones},
    {"bfe.s32", {0x00007000, 12, 4}, 7},
    {"bfe.s32", {sign, 28, 8}, 0xfffffff8},
    {"bfe.s32", {sign, 32, 8}, ones},
    {"bfe.s32", {sign, 4, 0}, 0},
    {"bfe.s32", {sign, 32, 0}, 0},
    {"bfe.s32", {sign, 31, 1}, ones},
    {"bfe.s32", {0x7fffffff, 31, 1}, 0},
    {"bfe.s32", {0x7fffffff, 30, 1}, ones},
    {"bfe.s32", {0x7fffffff, 0, 31}, ones},
    {"bfe.s32", {0x7fffffff, 0, 32}, 0x7fffffff},
    {"bfe.s32", {0x7fffffff, 255, 255}, 0},
    {"bfe.s32", {sign, 255, 255}, ones},
    {"bfe.s32", {sign, 0, 255}, sign},
    {"bfe.s32", {0x5600, 0x108, 0x107}, 0xffffffd6},
    {"prmt.b32", {0x33221100, 0x77665544, 0x3210}, 0x33221100},
    {"prmt.b32", {0x33221100, 0x77665544, 0x7654}, 0x77665544},
    {"prmt.b32", {0x33221100, 0x77665544, 0x0246}, 0x00224466},
    {"prmt.b32", {0x80ff7f00, 0x00000000, 0xba98}, 0xffff0000},
    {"prmt.b32", {0x33221100, 0x77665544, 0xffff3333}, 0x33333333},
    {"prmt.b32", {0x33221100, 0x77665544, 0}, 0},
    {"prmt.b32", {0x33221100, 0x77665544, 0x7777}, 0x77777777},
    {"prmt.b32", {0x00000000, 0x80ff7f01, 0xfedc}, 0xffff0000},
    {"prmt.b32", {0x33221100, 0x87665544, 0x7f8f}, 0x87ff00ff},
};
const Covers covers_fields(fields);

TEST(PtxField, bits_are_counted_and_found) { run_rows(counts); }
TEST(PtxField, fields_and_bytes_are_moved) { run_rows(fields); }

}  // namespace
}  // namespace ptx_field_test
