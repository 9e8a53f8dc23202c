// conversion_forms.cpp - conversions between integers, between integers and single precision, and rounding. Registers
// may be wider than the type that is read from them: forms that end in ".wide" read a type of at most 32 bits from a
// register of 64 bits; the parser chooses them.
#include <cstring>
#include <limits>
#include <string>

#include "cuda/device/ptx/lanes.h"

namespace ptx {
namespace {

// Reads a value of type From from the low bits of a register.
template <class To, class From, class Register>
PTX_INLINE To convert(Register from) {
  return static_cast<To>(static_cast<From>(from));
}
template <class To, class From>
PTX_INLINE To convert_byte(Byte from) {
  return static_cast<To>(static_cast<From>(from.value));
}

template <class To, class From>
void add_conversion(FormTable& table, const std::string& to, const std::string& from) {
  const std::string name = "cvt." + to + "." + from;
  if constexpr (sizeof(From) == 1) {
    table.add_rare<convert_byte<To, From>>(name.c_str());
  } else if constexpr (sizeof(From) == 2 || sizeof(To) == 2) {
    table.add_rare<convert<To, From, From>>(name.c_str());
  } else {
    table.add<convert<To, From, From>>(name.c_str());
  }
  if constexpr (sizeof(From) < 8) table.add_rare<convert<To, From, uint64_t>>((name + ".wide").c_str());
}

template <class To>
void add_conversions_to(FormTable& table, const std::string& to) {
  add_conversion<To, uint8_t>(table, to, "u8");
  add_conversion<To, int8_t>(table, to, "s8");
  add_conversion<To, uint16_t>(table, to, "u16");
  add_conversion<To, int16_t>(table, to, "s16");
  add_conversion<To, uint32_t>(table, to, "u32");
  add_conversion<To, int32_t>(table, to, "s32");
  add_conversion<To, uint64_t>(table, to, "u64");
  add_conversion<To, int64_t>(table, to, "s64");
}

PTX_INLINE float toward_zero(float a) { return __builtin_truncf(a); }
PTX_INLINE float to_nearest(float a) { return __builtin_rintf(a); }
PTX_INLINE float downward(float a) { return __builtin_floorf(a); }
PTX_INLINE float upward(float a) { return __builtin_ceilf(a); }

// Values outside of the type give the nearest value of the type. NaN gives zero, or as 64 bits the highest bit alone.
template <class To>
PTX_INLINE To saturate(float a) {
  constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
  // The first float behind the type: a power of two.
  constexpr float end = static_cast<float>(most / 2 + 1) * 2.0f;
  if (a != a) return static_cast<To>(sizeof(To) == 8 ? uint64_t{1} << 63 : 0);
  if (a >= end) return most;
  if (a <= static_cast<float>(least)) return least;
  return static_cast<To>(a);
}

template <class To, float (*round)(float)>
PTX_INLINE To to_integer(float a) {
  return saturate<To>(round(a));
}

template <float (*round)(float)>
void add_rounding(FormTable& table, const std::string& mode) {
  table.add<to_integer<int32_t, round>>(("cvt." + mode + ".s32.f32").c_str());
  table.add<to_integer<uint32_t, round>>(("cvt." + mode + ".u32.f32").c_str());
  table.add_rare<to_integer<int64_t, round>>(("cvt." + mode + ".s64.f32").c_str());
  table.add_rare<to_integer<uint64_t, round>>(("cvt." + mode + ".u64.f32").c_str());
}

PTX_INLINE float canonical(float value) {
  uint32_t bits = 0x7fffffffu;
  if (value == value) std::memcpy(&bits, &value, sizeof(bits));
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

template <float (*round)(float)>
PTX_INLINE float rounded(float a) {
  return canonical(round(a));
}

// Between 0 and 1; NaN and -0 give 0.
PTX_INLINE float saturate_unit(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }

template <class From>
PTX_INLINE float to_float(From a) {
  return static_cast<float>(a);
}
template <class From>
PTX_INLINE float byte_to_float(Byte a) {
  return static_cast<float>(static_cast<From>(a.value));
}

void add_conversions_to_float(FormTable& table) {
  table.add_rare<byte_to_float<uint8_t>>("cvt.rn.f32.u8");
  table.add_rare<byte_to_float<int8_t>>("cvt.rn.f32.s8");
  table.add_rare<to_float<uint16_t>>("cvt.rn.f32.u16");
  table.add_rare<to_float<int16_t>>("cvt.rn.f32.s16");
  table.add<to_float<uint32_t>>("cvt.rn.f32.u32");
  table.add<to_float<int32_t>>("cvt.rn.f32.s32");
  table.add_rare<to_float<uint64_t>>("cvt.rn.f32.u64");
  table.add_rare<to_float<int64_t>>("cvt.rn.f32.s64");
  table.add<rounded<toward_zero>>("cvt.rzi.f32.f32");
  table.add<rounded<to_nearest>>("cvt.rni.f32.f32");
  table.add<rounded<downward>>("cvt.rmi.f32.f32");
  table.add<rounded<upward>>("cvt.rpi.f32.f32");
  table.add<saturate_unit>("cvt.sat.f32.f32");
}

}  // namespace

void add_conversion_forms(FormTable& table) {
  add_conversions_to<uint16_t>(table, "u16");
  add_conversions_to<int16_t>(table, "s16");
  add_conversions_to<uint32_t>(table, "u32");
  add_conversions_to<int32_t>(table, "s32");
  add_conversions_to<uint64_t>(table, "u64");
  add_conversions_to<int64_t>(table, "s64");
  add_rounding<toward_zero>(table, "rzi");
  add_rounding<to_nearest>(table, "rni");
  add_rounding<downward>(table, "rmi");
  add_rounding<upward>(table, "rpi");
  add_conversions_to_float(table);
}

}  // namespace ptx
