// wrong_arithmetic.glsl - imitates a device whose division and square root are up to two units in the last place off,
// depending on the operands' bits. Include it before glsl.h. Zero, subnormal, infinite and NaN results, and numbers
// next to these, are left unchanged.

int error_of(uint key) {
  uint h = (key ^ (key >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return int((h ^ (h >> 15)) % 5u) - 2;
}

float off_by(float right, int error) {
  uint bits = floatBitsToUint(right);
  uint magnitude = bits & 0x7fffffffu;
  if (magnitude <= 0x00800002u || 0x7f7ffffcu < magnitude) return right;
  return uintBitsToFloat(bits + uint(error));
}

float wrong_quotient(float a, float b) {
  precise float right = a / b;
  return off_by(right, error_of(floatBitsToUint(a) * 3u ^ floatBitsToUint(b)));
}

float wrong_root(float a) {
  precise float right = sqrt(a);
  return off_by(right, error_of(floatBitsToUint(a)));
}

#define CLOTHC_NATIVE_DIVIDE(a, b) wrong_quotient(a, b)
#define CLOTHC_NATIVE_SQUARE_ROOT(a) wrong_root(a)
