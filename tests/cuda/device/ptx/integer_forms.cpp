// integer_forms.cpp - arithmetic of integers, which wraps around. A division by zero gives all ones, and its remainder
// is the dividend, as GPUs have it; the manual leaves both open.
#include "cuda/device/ptx/lanes.h"

namespace ptx {
namespace {

__extension__ using Wide128 = unsigned __int128;

template <class T>
PTX_INLINE T add(T a, T b) {
  return static_cast<T>(a + b);
}
template <class T>
PTX_INLINE T subtract(T a, T b) {
  return static_cast<T>(a - b);
}
template <class T>
PTX_INLINE T negate(T a) {
  return static_cast<T>(T{0} - a);
}
template <class T>
PTX_INLINE T multiply(T a, T b) {
  return static_cast<T>(uint64_t{a} * b);
}
template <>
PTX_INLINE uint32_t multiply(uint32_t a, uint32_t b) {
  return a * b;
}
template <class T>
PTX_INLINE T multiply_add(T a, T b, T c) {
  return static_cast<T>(multiply(a, b) + c);
}
template <class T>
PTX_INLINE T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
PTX_INLINE T maximum(T a, T b) {
  return a > b ? a : b;
}
PTX_INLINE uint32_t absolute(uint32_t a) { return a >> 31 ? 0u - a : a; }
PTX_INLINE uint64_t absolute_wide(uint64_t a) { return a >> 63 ? 0u - a : a; }

PTX_INLINE uint32_t multiply_high(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }
PTX_INLINE int32_t multiply_high_signed(int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} * b >> 32); }
PTX_INLINE uint64_t multiply_high_wide(uint64_t a, uint64_t b) { return static_cast<uint64_t>(Wide128{a} * b >> 64); }

PTX_INLINE uint64_t widen(uint32_t a, uint32_t b) { return uint64_t{a} * b; }
PTX_INLINE int64_t widen_signed(int32_t a, int32_t b) { return int64_t{a} * b; }
PTX_INLINE uint32_t widen_16(uint16_t a, uint16_t b) { return uint32_t{a} * b; }
PTX_INLINE int32_t widen_signed_16(int16_t a, int16_t b) { return int32_t{a} * b; }
PTX_INLINE uint64_t widen_add(uint32_t a, uint32_t b, uint64_t c) { return uint64_t{a} * b + c; }
PTX_INLINE uint64_t widen_add_signed(int32_t a, int32_t b, uint64_t c) {
  return static_cast<uint64_t>(int64_t{a} * b) + c;
}

template <class T>
PTX_INLINE T divide(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  // The negative of the smallest value is that value again.
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(a));
  return static_cast<T>(a / b);
}
template <class T>
PTX_INLINE T remainder(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

// The absolute difference of a and b, plus c.
PTX_INLINE uint32_t sum_difference(uint32_t a, uint32_t b, uint32_t c) { return c + (a < b ? b - a : a - b); }
PTX_INLINE uint32_t sum_difference_signed(int32_t a, int32_t b, uint32_t c) {
  const uint32_t difference = static_cast<uint32_t>(a) - static_cast<uint32_t>(b);
  return c + (a < b ? 0u - difference : difference);
}

void add_sums(FormTable& table) {
  for (const char* name : {"add.s16", "add.u16"}) table.add<add<uint16_t>>(name);
  for (const char* name : {"add.s32", "add.u32"}) table.add<add<uint32_t>>(name);
  for (const char* name : {"add.s64", "add.u64"}) table.add<add<uint64_t>>(name);
  for (const char* name : {"sub.s16", "sub.u16"}) table.add<subtract<uint16_t>>(name);
  for (const char* name : {"sub.s32", "sub.u32"}) table.add<subtract<uint32_t>>(name);
  for (const char* name : {"sub.s64", "sub.u64"}) table.add<subtract<uint64_t>>(name);
  table.add<negate<uint16_t>>("neg.s16");
  table.add<negate<uint32_t>>("neg.s32");
  table.add<negate<uint64_t>>("neg.s64");
  table.add<absolute>("abs.s32");
  table.add<absolute_wide>("abs.s64");
  table.add<sum_difference>("sad.u32");
  table.add<sum_difference_signed>("sad.s32");
}

void add_products(FormTable& table) {
  for (const char* name : {"mul.lo.s16", "mul.lo.u16"}) table.add<multiply<uint16_t>>(name);
  for (const char* name : {"mul.lo.s32", "mul.lo.u32"}) table.add<multiply<uint32_t>>(name);
  for (const char* name : {"mul.lo.s64", "mul.lo.u64"}) table.add<multiply<uint64_t>>(name);
  for (const char* name : {"mad.lo.s16", "mad.lo.u16"}) table.add<multiply_add<uint16_t>>(name);
  for (const char* name : {"mad.lo.s32", "mad.lo.u32"}) table.add<multiply_add<uint32_t>>(name);
  for (const char* name : {"mad.lo.s64", "mad.lo.u64"}) table.add<multiply_add<uint64_t>>(name);
  table.add<multiply_high>("mul.hi.u32");
  table.add<multiply_high_signed>("mul.hi.s32");
  table.add<multiply_high_wide>("mul.hi.u64");
  table.add<widen>("mul.wide.u32");
  table.add<widen_signed>("mul.wide.s32");
  table.add<widen_16>("mul.wide.u16");
  table.add<widen_signed_16>("mul.wide.s16");
  table.add<widen_add>("mad.wide.u32");
  table.add<widen_add_signed>("mad.wide.s32");
}

void add_quotients(FormTable& table) {
  table.add_rare<divide<uint16_t>>("div.u16");
  table.add_rare<divide<int16_t>>("div.s16");
  table.add_rare<divide<uint32_t>>("div.u32");
  table.add_rare<divide<int32_t>>("div.s32");
  table.add_rare<divide<uint64_t>>("div.u64");
  table.add_rare<divide<int64_t>>("div.s64");
  table.add_rare<remainder<uint16_t>>("rem.u16");
  table.add_rare<remainder<int16_t>>("rem.s16");
  table.add_rare<remainder<uint32_t>>("rem.u32");
  table.add_rare<remainder<int32_t>>("rem.s32");
  table.add_rare<remainder<uint64_t>>("rem.u64");
  table.add_rare<remainder<int64_t>>("rem.s64");
}

void add_extrema(FormTable& table) {
  table.add_rare<minimum<uint16_t>>("min.u16");
  table.add_rare<minimum<int16_t>>("min.s16");
  table.add<minimum<uint32_t>>("min.u32");
  table.add<minimum<int32_t>>("min.s32");
  table.add<minimum<uint64_t>>("min.u64");
  table.add<minimum<int64_t>>("min.s64");
  table.add_rare<maximum<uint16_t>>("max.u16");
  table.add_rare<maximum<int16_t>>("max.s16");
  table.add<maximum<uint32_t>>("max.u32");
  table.add<maximum<int32_t>>("max.s32");
  table.add<maximum<uint64_t>>("max.u64");
  table.add<maximum<int64_t>>("max.s64");
}

}  // namespace

void add_integer_forms(FormTable& table) {
  add_sums(table);
  add_products(table);
  add_quotients(table);
  add_extrema(table);
}

}  // namespace ptx
