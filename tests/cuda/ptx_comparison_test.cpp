// Comparisons and selections.
#include "cuda/device/ptx/testing/rows.h"

namespace ptx_comparison_test {
namespace {

using namespace ptx::testing;

// A comparison, and its results for the pairs of a list, as a string of zeros and ones.
struct Comparison {
  const char* forms;
  const char* results;
};
using Pairs = std::vector<std::vector<uint64_t>>;

std::vector<TableRow> rows_of(const Pairs& pairs, const std::vector<Comparison>& comparisons) {
  std::vector<TableRow> rows;
  for (const Comparison& comparison : comparisons) {
    for (size_t k = 0; k < pairs.size(); ++k) {
      rows.push_back({comparison.forms, pairs[k], comparison.results[k] == '1' ? uint64_t{1} : 0});
    }
  }
  return rows;
}

constexpr uint64_t zero = 0, minus_zero = 0x80000000, one = 0x3f800000, after_one = 0x3f800001, two = 0x40000000;
constexpr uint64_t nan = 0x7fffffff, minus_nan = 0xffc00000, signaling_nan = 0x7f800001;
constexpr uint64_t infinity = 0x7f800000, minus_infinity = 0xff800000;
constexpr uint64_t greatest = 0x7f7fffff, minus_greatest = 0xff7fffff;
constexpr uint64_t least = 1, minus_least = 0x80000001, greatest_subnormal = 0x007fffff, least_normal = 0x00800000;

const Pairs floats = {{one, two},
                      {two, one},
                      {one, one},
                      {minus_zero, zero},
                      {nan, one},
                      {one, minus_nan},
                      {nan, nan},
                      {minus_infinity, one},
                      {infinity, infinity},
                      {zero, least},
                      {minus_least, least},
                      {minus_zero, minus_least},
                      {greatest_subnormal, least_normal},
                      {greatest, infinity},
                      {minus_infinity, minus_greatest},
                      {minus_infinity, infinity},
                      {minus_infinity, minus_infinity},
                      {infinity, nan},
                      {minus_nan, minus_infinity},
                      {signaling_nan, signaling_nan},
                      {minus_zero, nan},
                      {after_one, one},
                      {least, least}};
const std::vector<TableRow> float_rows = rows_of(floats, {{"setp.eq.f32", "00110000100000001000001"},
                                                          {"setp.ne.f32", "11000001011111110000010"},
                                                          {"setp.lt.f32", "10000001011011110000000"},
                                                          {"setp.le.f32", "10110001111011111000001"},
                                                          {"setp.gt.f32", "01000000000100000000010"},
                                                          {"setp.ge.f32", "01110000100100001000011"},
                                                          {"setp.equ.f32", "00111110100000001111101"},
                                                          {"setp.neu.f32", "11001111011111110111110"},
                                                          {"setp.ltu.f32", "10001111011011110111100"},
                                                          {"setp.leu.f32", "10111111111011111111101"},
                                                          {"setp.gtu.f32", "01001110000100000111110"},
                                                          {"setp.geu.f32", "01111110100100001111111"},
                                                          {"setp.num.f32", "11110001111111111000011"},
                                                          {"setp.nan.f32", "00001110000000000111100"}});
const Covers covers_floats(float_rows);

// Less, greater, equal, and pairs whose order depends on the sign or on the high bits.
const Pairs halves = {{1, 2},           {2, 1},           {7, 7},           {0xffff, 1},     {0, 0x8000},
                      {0x7fff, 0x8000}, {0x8000, 0x7fff}, {0xffff, 0xffff}, {0x8000, 0xffff}};
const Pairs words = {{1, 2},
                     {2, 1},
                     {0x80000000, 0x80000000},
                     {0xffffffff, 1},
                     {0, 0x80000000},
                     {0x7fffffff, 0x80000000},
                     {0x80000000, 0x7fffffff},
                     {0xffffffff, 0xffffffff},
                     {0x80000000, 0xffffffff}};
const Pairs wides = {{1, 0x100000000},
                     {0x100000000, 1},
                     {5, 5},
                     {0xffffffffffffffff, 1},
                     {0, 0x8000000000000000},
                     {0x7fffffffffffffff, 0x8000000000000000},
                     {0x8000000000000000, 0x7fffffffffffffff},
                     {0xffffffffffffffff, 0xffffffffffffffff},
                     {0x8000000000000000, 0xffffffffffffffff},
                     {0x100000001, 1},
                     {0x8000000000000000, 0x80000000}};

const std::vector<TableRow> half_rows = rows_of(halves, {{"setp.eq.u16 setp.eq.s16 setp.eq.b16", "001000010"},
                                                         {"setp.ne.u16 setp.ne.s16 setp.ne.b16", "110111101"},
                                                         {"setp.lt.u16", "100011001"},
                                                         {"setp.le.u16", "101011011"},
                                                         {"setp.gt.u16", "010100100"},
                                                         {"setp.ge.u16", "011100110"},
                                                         {"setp.lt.s16", "100100101"},
                                                         {"setp.le.s16", "101100111"},
                                                         {"setp.gt.s16", "010011000"},
                                                         {"setp.ge.s16", "011011010"}});
const std::vector<TableRow> word_rows = rows_of(words, {{"setp.eq.u32 setp.eq.s32 setp.eq.b32", "001000010"},
                                                        {"setp.ne.u32 setp.ne.s32 setp.ne.b32", "110111101"},
                                                        {"setp.lt.u32", "100011001"},
                                                        {"setp.le.u32", "101011011"},
                                                        {"setp.gt.u32", "010100100"},
                                                        {"setp.ge.u32", "011100110"},
                                                        {"setp.lt.s32", "100100101"},
                                                        {"setp.le.s32", "101100111"},
                                                        {"setp.gt.s32", "010011000"},
                                                        {"setp.ge.s32", "011011010"}});
const std::vector<TableRow> wide_rows = rows_of(wides, {{"setp.eq.u64 setp.eq.s64 setp.eq.b64", "00100001000"},
                                                        {"setp.ne.u64 setp.ne.s64 setp.ne.b64", "11011110111"},
                                                        {"setp.lt.u64", "10001100100"},
                                                        {"setp.le.u64", "10101101100"},
                                                        {"setp.gt.u64", "01010010011"},
                                                        {"setp.ge.u64", "01110011011"},
                                                        {"setp.lt.s64", "10010010101"},
                                                        {"setp.le.s64", "10110011101"},
                                                        {"setp.gt.s64", "01001100010"},
                                                        {"setp.ge.s64", "01101101010"}});
const Covers covers_halves(half_rows), covers_words(word_rows), covers_wides(wide_rows);

const std::vector<TableRow> selections = {
    {"selp.b16 selp.u16 selp.s16", {0x8001, 2, 1}, 0x8001},
    {"selp.b16 selp.u16 selp.s16", {0x8001, 2, 0}, 2},
    {"selp.b32 selp.u32 selp.s32 selp.f32", {0x80000001, 2, 1}, 0x80000001},
    {"selp.b32 selp.u32 selp.s32 selp.f32", {0x80000001, 2, 0}, 2},
    // Selections keep the bits of NaN.
    {"selp.b32 selp.u32 selp.s32 selp.f32", {0x7f800001, 0xffc12345, 1}, 0x7f800001},
    {"selp.b32 selp.u32 selp.s32 selp.f32", {0x7f800001, 0xffc12345, 0}, 0xffc12345},
    {"selp.b64 selp.u64 selp.s64", {0x8000000000000001, 2, 1}, 0x8000000000000001},
    {"selp.b64 selp.u64 selp.s64", {0x8000000000000001, 2, 0}, 2},
};
const Covers covers_selections(selections);

TEST(PtxComparison, comparisons_of_floats_treat_nan_as_the_name_says) { run_rows(float_rows); }
TEST(PtxComparison, comparisons_of_integers_take_the_sign_into_account) {
  run_rows(half_rows);
  run_rows(word_rows);
  run_rows(wide_rows);
}
TEST(PtxComparison, selections_take_what_the_predicate_says) { run_rows(selections); }

}  // namespace
}  // namespace ptx_comparison_test
