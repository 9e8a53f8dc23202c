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

constexpr uint64_t one = 0x3f800000, two = 0x40000000, nan = 0x7fffffff, minus_nan = 0xffc00000;
constexpr uint64_t minus_zero = 0x80000000, infinity = 0x7f800000, minus_infinity = 0xff800000;

const Pairs floats = {{one, two},           {two, one},
                      {one, one},           {minus_zero, 0},
                      {nan, one},           {one, minus_nan},
                      {nan, nan},           {minus_infinity, one},
                      {infinity, infinity}, {0, 1}};
const std::vector<TableRow> float_rows = rows_of(floats, {{"setp.eq.f32", "0011000010"},
                                                          {"setp.ne.f32", "1100000101"},
                                                          {"setp.lt.f32", "1000000101"},
                                                          {"setp.le.f32", "1011000111"},
                                                          {"setp.gt.f32", "0100000000"},
                                                          {"setp.ge.f32", "0111000010"},
                                                          {"setp.equ.f32", "0011111010"},
                                                          {"setp.neu.f32", "1100111101"},
                                                          {"setp.ltu.f32", "1000111101"},
                                                          {"setp.leu.f32", "1011111111"},
                                                          {"setp.gtu.f32", "0100111000"},
                                                          {"setp.geu.f32", "0111111010"},
                                                          {"setp.num.f32", "1111000111"},
                                                          {"setp.nan.f32", "0000111000"}});
const Covers covers_floats(float_rows);

// Less, greater, equal, and a pair whose order depends on the sign.
const Pairs halves = {{1, 2}, {2, 1}, {7, 7}, {0xffff, 1}};
const Pairs words = {{1, 2}, {2, 1}, {0x80000000, 0x80000000}, {0xffffffff, 1}};
const Pairs wides = {{1, 0x100000000}, {0x100000000, 1}, {5, 5}, {0xffffffffffffffff, 1}};

const std::vector<TableRow> half_rows = rows_of(halves, {{"setp.eq.u16 setp.eq.s16 setp.eq.b16", "0010"},
                                                         {"setp.ne.u16 setp.ne.s16 setp.ne.b16", "1101"},
                                                         {"setp.lt.u16", "1000"},
                                                         {"setp.le.u16", "1010"},
                                                         {"setp.gt.u16", "0101"},
                                                         {"setp.ge.u16", "0111"},
                                                         {"setp.lt.s16", "1001"},
                                                         {"setp.le.s16", "1011"},
                                                         {"setp.gt.s16", "0100"},
                                                         {"setp.ge.s16", "0110"}});
const std::vector<TableRow> word_rows = rows_of(words, {{"setp.eq.u32 setp.eq.s32 setp.eq.b32", "0010"},
                                                        {"setp.ne.u32 setp.ne.s32 setp.ne.b32", "1101"},
                                                        {"setp.lt.u32", "1000"},
                                                        {"setp.le.u32", "1010"},
                                                        {"setp.gt.u32", "0101"},
                                                        {"setp.ge.u32", "0111"},
                                                        {"setp.lt.s32", "1001"},
                                                        {"setp.le.s32", "1011"},
                                                        {"setp.gt.s32", "0100"},
                                                        {"setp.ge.s32", "0110"}});
const std::vector<TableRow> wide_rows = rows_of(wides, {{"setp.eq.u64 setp.eq.s64 setp.eq.b64", "0010"},
                                                        {"setp.ne.u64 setp.ne.s64 setp.ne.b64", "1101"},
                                                        {"setp.lt.u64", "1000"},
                                                        {"setp.le.u64", "1010"},
                                                        {"setp.gt.u64", "0101"},
                                                        {"setp.ge.u64", "0111"},
                                                        {"setp.lt.s64", "1001"},
                                                        {"setp.le.s64", "1011"},
                                                        {"setp.gt.s64", "0100"},
                                                        {"setp.ge.s64", "0110"}});
const Covers covers_halves(half_rows), covers_words(word_rows), covers_wides(wide_rows);

const std::vector<TableRow> selections = {
    {"selp.b16 selp.u16 selp.s16", {0x8001, 2, 1}, 0x8001},
    {"selp.b16 selp.u16 selp.s16", {0x8001, 2, 0}, 2},
    {"selp.b32 selp.u32 selp.s32 selp.f32", {0x80000001, 2, 1}, 0x80000001},
    {"selp.b32 selp.u32 selp.s32 selp.f32", {0x80000001, 2, 0}, 2},
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
