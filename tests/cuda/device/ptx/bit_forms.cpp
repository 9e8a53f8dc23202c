// bit_forms.cpp - logic, shifts, and the counting and moving of bits.
#include "cuda/device/ptx/lanes.h"

namespace ptx {
namespace {

template <class T>
PTX_INLINE T both(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
PTX_INLINE T either(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
PTX_INLINE T differ(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
PTX_INLINE T invert(T a) {
  return static_cast<T>(~a);
}
PTX_INLINE bool negate(bool a) { return !a; }

// Shifts by more than the size give what shifts by the size would: zero, or the sign.
template <class T>
PTX_INLINE T shift_left(T a, uint32_t by) {
  constexpr uint32_t last = sizeof(T) * 8 - 1;
  return by > last ? T{0} : static_cast<T>(a << (by & last));
}
template <class T>
PTX_INLINE T shift_right(T a, uint32_t by) {
  constexpr uint32_t last = sizeof(T) * 8 - 1;
  return by > last ? T{0} : static_cast<T>(a >> (by & last));
}
template <class T>
PTX_INLINE T shift_right_signed(T a, uint32_t by) {
  constexpr uint32_t last = sizeof(T) * 8 - 1;
  return static_cast<T>(a >> (by > last ? last : by));
}

// Funnel shifts of the 64 bits that b and a make, by the low 5 bits of c, or by c up to 32.
PTX_INLINE uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t by) {
  const uint64_t pair = uint64_t{b} << 32 | a;
  return static_cast<uint32_t>(pair << by >> 32);
}
PTX_INLINE uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t by) {
  const uint64_t pair = uint64_t{b} << 32 | a;
  return static_cast<uint32_t>(pair >> by);
}
PTX_INLINE uint32_t funnel_left_wrap(uint32_t a, uint32_t b, uint32_t c) { return funnel_left(a, b, c & 31); }
PTX_INLINE uint32_t funnel_left_clamp(uint32_t a, uint32_t b, uint32_t c) { return funnel_left(a, b, c > 32 ? 32 : c); }
PTX_INLINE uint32_t funnel_right_wrap(uint32_t a, uint32_t b, uint32_t c) { return funnel_right(a, b, c & 31); }
PTX_INLINE uint32_t funnel_right_clamp(uint32_t a, uint32_t b, uint32_t c) {
  return funnel_right(a, b, c > 32 ? 32 : c);
}

PTX_INLINE uint32_t reverse(uint32_t a) {
  a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
  a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
  a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(a);
}
PTX_INLINE uint32_t count_ones(uint32_t a) { return static_cast<uint32_t>(__builtin_popcount(a)); }
PTX_INLINE uint32_t count_ones_wide(uint64_t a) { return static_cast<uint32_t>(__builtin_popcountll(a)); }
PTX_INLINE uint32_t count_leading_zeros(uint32_t a) { return a == 0 ? 32 : static_cast<uint32_t>(__builtin_clz(a)); }
PTX_INLINE uint32_t count_leading_zeros_wide(uint64_t a) {
  return a == 0 ? 64 : static_cast<uint32_t>(__builtin_clzll(a));
}

// The number of the highest bit that is not the sign, or all ones if there is none; shiftamt counts from the top.
PTX_INLINE uint32_t find_top_shift(uint32_t a) { return a == 0 ? UINT32_MAX : static_cast<uint32_t>(__builtin_clz(a)); }
PTX_INLINE uint32_t find_top(uint32_t a) { return a == 0 ? UINT32_MAX : 31 - static_cast<uint32_t>(__builtin_clz(a)); }
PTX_INLINE uint32_t find_top_signed(int32_t a) { return find_top(static_cast<uint32_t>(a < 0 ? ~a : a)); }
PTX_INLINE uint32_t find_top_shift_signed(int32_t a) { return find_top_shift(static_cast<uint32_t>(a < 0 ? ~a : a)); }

// Puts the low bits of a into b, as many as length says, from the position on.
PTX_INLINE uint32_t insert(uint32_t a, uint32_t b, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  if (length > 32) length = 32;
  const uint64_t mask = position > 31 ? 0 : ((uint64_t{1} << length) - 1) << position;
  return static_cast<uint32_t>((b & ~mask) | (uint64_t{a} << (position & 31) & mask));
}

PTX_INLINE uint32_t extract(uint32_t a, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  const uint32_t shifted = position > 31 ? 0 : a >> position;
  return length > 31 ? shifted : shifted & ((1u << length) - 1);
}
// What lies beyond the top is the sign, which is that of the field's highest bit or of a.
PTX_INLINE int32_t extract_signed(int32_t a, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  if (length == 0) return 0;
  const int32_t shifted = a >> (position > 31 ? 31 : position);
  const uint32_t unused = length > 31 ? 0 : 32 - length;
  return static_cast<int32_t>(static_cast<uint32_t>(shifted) << unused) >> unused;
}

// Each of four selectors of 4 bits takes a byte of the 8 of b and a, or if its high bit is set, that byte's sign.
PTX_INLINE uint32_t permute(uint32_t a, uint32_t b, uint32_t selectors) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  for (uint32_t k = 0; k < 4; ++k) {
    const uint32_t selector = selectors >> (4 * k);
    const uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 0xffu;
    const uint32_t sign = byte & 0x80u ? 0xffu : 0;
    result |= (selector & 8 ? sign : byte) << (8 * k);
  }
  return result;
}

void add_logic(FormTable& table) {
  table.add<both<bool>>("and.pred");
  table.add<both<uint16_t>>("and.b16");
  table.add<both<uint32_t>>("and.b32");
  table.add<both<uint64_t>>("and.b64");
  table.add<either<bool>>("or.pred");
  table.add<either<uint16_t>>("or.b16");
  table.add<either<uint32_t>>("or.b32");
  table.add<either<uint64_t>>("or.b64");
  table.add<differ<bool>>("xor.pred");
  table.add<differ<uint16_t>>("xor.b16");
  table.add<differ<uint32_t>>("xor.b32");
  table.add<differ<uint64_t>>("xor.b64");
  table.add<negate>("not.pred");
  table.add<invert<uint16_t>>("not.b16");
  table.add<invert<uint32_t>>("not.b32");
  table.add<invert<uint64_t>>("not.b64");
}

void add_shifts(FormTable& table) {
  table.add<shift_left<uint16_t>>("shl.b16");
  table.add<shift_left<uint32_t>>("shl.b32");
  table.add<shift_left<uint64_t>>("shl.b64");
  for (const char* name : {"shr.u16", "shr.b16"}) table.add<shift_right<uint16_t>>(name);
  for (const char* name : {"shr.u32", "shr.b32"}) table.add<shift_right<uint32_t>>(name);
  for (const char* name : {"shr.u64", "shr.b64"}) table.add<shift_right<uint64_t>>(name);
  table.add<shift_right_signed<int16_t>>("shr.s16");
  table.add<shift_right_signed<int32_t>>("shr.s32");
  table.add<shift_right_signed<int64_t>>("shr.s64");
  table.add<funnel_left_wrap>("shf.l.wrap.b32");
  table.add<funnel_left_clamp>("shf.l.clamp.b32");
  table.add<funnel_right_wrap>("shf.r.wrap.b32");
  table.add<funnel_right_clamp>("shf.r.clamp.b32");
}

}  // namespace

void add_bit_forms(FormTable& table) {
  add_logic(table);
  add_shifts(table);
  table.add<reverse>("brev.b32");
  table.add<count_ones>("popc.b32");
  table.add<count_ones_wide>("popc.b64");
  table.add<count_leading_zeros>("clz.b32");
  table.add<count_leading_zeros_wide>("clz.b64");
  table.add<find_top>("bfind.u32");
  table.add<find_top_signed>("bfind.s32");
  table.add<find_top_shift>("bfind.shiftamt.u32");
  table.add<find_top_shift_signed>("bfind.shiftamt.s32");
  table.add<insert>("bfi.b32");
  table.add<extract>("bfe.u32");
  table.add<extract_signed>("bfe.s32");
  table.add<permute>("prmt.b32");
}

}  // namespace ptx
