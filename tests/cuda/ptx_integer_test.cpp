// Integers: wrapping around, high halves of products, divisions by zero, and signs.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_integer_test {
namespace {

using namespace ptx::testing;

constexpr uint64_t ones = 0xffffffff, sign = 0x80000000, most = 0x7fffffff;
constexpr uint64_t wide_ones = 0xffffffffffffffff, wide_sign = 0x8000000000000000, wide_most = 0x7fffffffffffffff;

const std::vector<TableRow> sums = {
    {"add.s16 add.u16", {0xffff, 1}, 0},
    {"add.s16 add.u16", {0x7fff, 2}, 0x8001},
    {"add.s32 add.u32", {ones, 1}, 0},
    {"add.s32 add.u32", {most, most}, 0xfffffffe},
    {"add.s64 add.u64", {wide_ones, 1}, 0},
    {"add.s64 add.u64", {ones, 1}, 0x100000000},
    {"sub.s16 sub.u16", {0, 1}, 0xffff},
    {"sub.s16 sub.u16", {0x8000, 1}, 0x7fff},
    {"sub.s32 sub.u32", {0, 1}, ones},
    {"sub.s32 sub.u32", {sign, 1}, most},
    {"sub.s64 sub.u64", {0, 1}, wide_ones},
    {"sub.s64 sub.u64", {0x100000000, 1}, ones},
    {"neg.s16", {1}, 0xffff},
    {"neg.s16", {0x8000}, 0x8000},
    {"neg.s32", {1}, ones},
    {"neg.s32", {sign}, sign},
    {"neg.s32", {0}, 0},
    {"neg.s64", {1}, wide_ones},
    {"neg.s64", {wide_sign}, wide_sign},
    {"abs.s32", {ones}, 1},
    {"abs.s32", {most}, most},
    {"abs.s32", {sign}, sign},
    {"abs.s64", {wide_ones}, 1},
    {"abs.s64", {wide_sign}, wide_sign},
    {"abs.s64", {5}, 5},
    {"sad.u32", {1, ones, 3}, 1},
    {"sad.u32", {7, 5, 10}, 12},
    {"sad.s32", {1, ones, 3}, 5},
    {"sad.s32", {sign, most, 0}, ones},
};
const Covers covers_sums(sums);

const std::vector<TableRow> products = {
    {"mul.lo.s16 mul.lo.u16", {0xffff, 0xffff}, 1},
    {"mul.lo.s16 mul.lo.u16", {0x100, 0x101}, 0x100},
    {"mul.lo.s32 mul.lo.u32", {ones, 5}, 0xfffffffb},
    {"mul.lo.s32 mul.lo.u32", {0x10001, 0x10001}, 0x20001},
    {"mul.lo.s64 mul.lo.u64", {wide_ones, 3}, 0xfffffffffffffffd},
    {"mul.lo.s64 mul.lo.u64", {0x100000001, 0x100000001}, 0x200000001},
    {"mad.lo.s16 mad.lo.u16", {0xffff, 2, 3}, 1},
    {"mad.lo.s32 mad.lo.u32", {ones, 2, 3}, 1},
    {"mad.lo.s32 mad.lo.u32", {0x10000, 0x10000, 7}, 7},
    {"mad.lo.s64 mad.lo.u64", {wide_ones, 2, 3}, 1},
    {"mul.hi.u32", {ones, ones}, 0xfffffffe},
    {"mul.hi.u32", {0x10000, 0x10000}, 1},
    {"mul.hi.s32", {ones, ones}, 0},
    {"mul.hi.s32", {ones, 1}, ones},
    {"mul.hi.s32", {sign, sign}, 0x40000000},
    {"mul.hi.u64", {wide_ones, wide_ones}, 0xfffffffffffffffe},
    {"mul.hi.u64", {0x100000000, 0x100000000}, 1},
    {"mul.wide.u32", {ones, ones}, 0xfffffffe00000001},
    {"mul.wide.u32", {ones, 4}, 0x3fffffffc},
    {"mul.wide.s32", {ones, ones}, 1},
    {"mul.wide.s32", {ones, 4}, 0xfffffffffffffffc},
    {"mul.wide.s32", {sign, sign}, 0x4000000000000000},
    {"mul.wide.u16", {0xffff, 0xffff}, 0xfffe0001},
    {"mul.wide.s16", {0xffff, 2}, 0xfffffffe},
    {"mul.wide.s16", {0x8000, 0x8000}, 0x40000000},
    {"mad.wide.u32", {ones, ones, 1}, 0xfffffffe00000002},
    {"mad.wide.s32", {ones, 4, 8}, 4},
};
const Covers covers_products(products);

const std::vector<TableRow> quotients = {
    {"div.u16", {0xffff, 2}, 0x7fff},
    {"div.u16", {7, 0}, 0xffff},
    {"div.s16", {0xfff9, 2}, 0xfffd},
    {"div.s16", {0x8000, 0xffff}, 0x8000},
    {"div.s16", {7, 0}, 0xffff},
    {"div.u32", {ones, 2}, most},
    {"div.u32", {7, 0}, ones},
    {"div.s32", {0xfffffff9, 2}, 0xfffffffd},
    {"div.s32", {sign, ones}, sign},
    {"div.s32", {7, 0}, ones},
    {"div.u64", {wide_ones, 2}, wide_most},
    {"div.u64", {7, 0}, wide_ones},
    {"div.s64", {0xfffffffffffffff9, 2}, 0xfffffffffffffffd},
    {"div.s64", {wide_sign, wide_ones}, wide_sign},
    {"div.s64", {7, 0}, wide_ones},
    {"rem.u16", {0xffff, 16}, 15},
    {"rem.u16", {7, 0}, 7},
    {"rem.s16", {0xfff9, 4}, 0xfffd},
    {"rem.s16", {0x8000, 0xffff}, 0},
    {"rem.u32", {ones, 16}, 15},
    {"rem.u32", {7, 0}, 7},
    {"rem.s32", {0xfffffff9, 4}, 0xfffffffd},
    {"rem.s32", {7, 0xfffffffc}, 3},
    {"rem.s32", {sign, ones}, 0},
    {"rem.u64", {wide_ones, 16}, 15},
    {"rem.s64", {0xfffffffffffffff9, 4}, 0xfffffffffffffffd},
    {"rem.s64", {wide_sign, wide_ones}, 0},
};
const Covers covers_quotients(quotients);

const std::vector<TableRow> extrema = {
    {"min.u16", {0xffff, 1}, 1},
    {"min.s16", {0xffff, 1}, 0xffff},
    {"min.u32", {ones, 1}, 1},
    {"min.s32", {ones, 1}, ones},
    {"min.s32", {sign, most}, sign},
    {"min.u64", {wide_ones, 1}, 1},
    {"min.s64", {wide_ones, 1}, wide_ones},
    {"max.u16", {0xffff, 1}, 0xffff},
    {"max.s16", {0xffff, 1}, 1},
    {"max.u32", {ones, 1}, ones},
    {"max.s32", {ones, 1}, 1},
    {"max.s32", {sign, most}, most},
    {"max.u64", {wide_ones, 1}, wide_ones},
    {"max.s64", {wide_ones, 1}, 1},
};
const Covers covers_extrema(extrema);

TEST(PtxInteger, sums_wrap_around) { run_rows(sums); }
TEST(PtxInteger, products_have_the_part_that_the_form_names) { run_rows(products); }
TEST(PtxInteger, quotients_round_toward_zero_and_survive_zero) { run_rows(quotients); }
TEST(PtxInteger, extrema_take_the_sign_into_account) { run_rows(extrema); }

}  // namespace
}  // namespace ptx_integer_test
