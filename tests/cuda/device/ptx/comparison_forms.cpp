// comparison_forms.cpp - comparisons, whose results are predicates, and selections by predicates.
#include <string>

#include "cuda/device/ptx/lanes.h"

namespace ptx {
namespace {

template <class T>
PTX_INLINE bool equal(T a, T b) {
  return a == b;
}
// For single precision: neither is NaN, and they are different.
template <class T>
PTX_INLINE bool not_equal(T a, T b) {
  return a < b || b < a;
}
template <class T>
PTX_INLINE bool less(T a, T b) {
  return a < b;
}
template <class T>
PTX_INLINE bool less_or_equal(T a, T b) {
  return a <= b;
}
template <class T>
PTX_INLINE bool greater(T a, T b) {
  return a > b;
}
template <class T>
PTX_INLINE bool greater_or_equal(T a, T b) {
  return a >= b;
}

// Comparisons whose names end in u are true as well if an operand is NaN.
PTX_INLINE bool equal_or_unordered(float a, float b) { return !(a < b || b < a); }
PTX_INLINE bool not_equal_or_unordered(float a, float b) { return a != b; }
PTX_INLINE bool less_or_unordered(float a, float b) { return !(a >= b); }
PTX_INLINE bool less_equal_or_unordered(float a, float b) { return !(a > b); }
PTX_INLINE bool greater_or_unordered(float a, float b) { return !(a <= b); }
PTX_INLINE bool greater_equal_or_unordered(float a, float b) { return !(a < b); }
PTX_INLINE bool are_numbers(float a, float b) { return a == a && b == b; }
PTX_INLINE bool has_nan(float a, float b) { return a != a || b != b; }

template <class T>
PTX_INLINE T select(T a, T b, bool takes_first) {
  return takes_first ? a : b;
}

template <class T>
void add_equalities(FormTable& table, const std::string& type) {
  table.add<equal<T>>(("setp.eq." + type).c_str());
  table.add<not_equal<T>>(("setp.ne." + type).c_str());
}

template <class T>
void add_comparisons(FormTable& table, const std::string& type) {
  add_equalities<T>(table, type);
  table.add<less<T>>(("setp.lt." + type).c_str());
  table.add<less_or_equal<T>>(("setp.le." + type).c_str());
  table.add<greater<T>>(("setp.gt." + type).c_str());
  table.add<greater_or_equal<T>>(("setp.ge." + type).c_str());
}

}  // namespace

void add_comparison_forms(FormTable& table) {
  add_comparisons<uint16_t>(table, "u16");
  add_comparisons<int16_t>(table, "s16");
  add_equalities<uint16_t>(table, "b16");
  add_comparisons<uint32_t>(table, "u32");
  add_comparisons<int32_t>(table, "s32");
  add_equalities<uint32_t>(table, "b32");
  add_comparisons<uint64_t>(table, "u64");
  add_comparisons<int64_t>(table, "s64");
  add_equalities<uint64_t>(table, "b64");
  add_comparisons<float>(table, "f32");
  table.add<equal_or_unordered>("setp.equ.f32");
  table.add<not_equal_or_unordered>("setp.neu.f32");
  table.add<less_or_unordered>("setp.ltu.f32");
  table.add<less_equal_or_unordered>("setp.leu.f32");
  table.add<greater_or_unordered>("setp.gtu.f32");
  table.add<greater_equal_or_unordered>("setp.geu.f32");
  table.add<are_numbers>("setp.num.f32");
  table.add<has_nan>("setp.nan.f32");
  for (const char* name : {"selp.b16", "selp.u16", "selp.s16"}) table.add<select<uint16_t>>(name);
  for (const char* name : {"selp.b32", "selp.u32", "selp.s32", "selp.f32"}) table.add<select<uint32_t>>(name);
  for (const char* name : {"selp.b64", "selp.u64", "selp.s64"}) table.add<select<uint64_t>>(name);
}

}  // namespace ptx
