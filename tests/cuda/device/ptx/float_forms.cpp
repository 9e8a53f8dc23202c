// float_forms.cpp - arithmetic of single precision. A result that is no number is always the same one, 0x7fffffff.
#include <cstring>

#include "cuda/device/ptx/lanes.h"

namespace ptx {
namespace {

PTX_INLINE float real_of(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

PTX_INLINE uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

PTX_INLINE float canonical(float value) { return value != value ? real_of(0x7fffffffu) : value; }

PTX_INLINE float add(float a, float b) { return canonical(a + b); }
PTX_INLINE float subtract(float a, float b) { return canonical(a - b); }
PTX_INLINE float multiply(float a, float b) { return canonical(a * b); }
PTX_INLINE float divide(float a, float b) { return canonical(a / b); }
PTX_INLINE float reciprocal(float a) { return canonical(1.0f / a); }
PTX_INLINE float square_root(float a) { return canonical(__builtin_sqrtf(a)); }
PTX_INLINE float multiply_add(float a, float b, float c) { return canonical(__builtin_fmaf(a, b, c)); }

PTX_INLINE uint32_t negate(uint32_t a) { return a ^ 0x80000000u; }
PTX_INLINE uint32_t absolute(uint32_t a) { return a & 0x7fffffffu; }
// The sign of the first operand with the value of the second one.
PTX_INLINE uint32_t copy_sign(uint32_t a, uint32_t b) { return (a & 0x80000000u) | (b & 0x7fffffffu); }

// Min and max return the other operand if one is no number, and order -0 below +0.
PTX_INLINE float minimum(float a, float b) {
  const uint32_t smaller = a < b ? bits_of(a) : bits_of(b);
  const uint32_t ordered = a == b ? bits_of(a) | bits_of(b) : smaller;
  const uint32_t numeric = a != a ? bits_of(b) : ordered;
  return canonical(real_of(b != b ? bits_of(a) : numeric));
}
PTX_INLINE float maximum(float a, float b) {
  const uint32_t larger = a > b ? bits_of(a) : bits_of(b);
  const uint32_t ordered = a == b ? bits_of(a) & bits_of(b) : larger;
  const uint32_t numeric = a != a ? bits_of(b) : ordered;
  return canonical(real_of(b != b ? bits_of(a) : numeric));
}

}  // namespace

void add_float_forms(FormTable& table) {
  for (const char* name : {"add.f32", "add.rn.f32"}) table.add<add>(name);
  for (const char* name : {"sub.f32", "sub.rn.f32"}) table.add<subtract>(name);
  for (const char* name : {"mul.f32", "mul.rn.f32"}) table.add<multiply>(name);
  table.add<divide>("div.rn.f32");
  table.add<reciprocal>("rcp.rn.f32");
  table.add<square_root>("sqrt.rn.f32");
  table.add<multiply_add>("fma.rn.f32");
  table.add<minimum>("min.f32");
  table.add<maximum>("max.f32");
  table.add<negate>("neg.f32");
  table.add<absolute>("abs.f32");
  table.add<copy_sign>("copysign.f32");
}

}  // namespace ptx
