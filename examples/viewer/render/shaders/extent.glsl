// extent.glsl - floats as unsigned integers with the same order.

const uint FIRST = 0, LAST = 0xffffffffu;

uint ordered(float x) {
  const uint bits = floatBitsToUint(x);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

float unordered(uint key) { return uintBitsToFloat((key & 0x80000000u) != 0 ? key & 0x7fffffffu : ~key); }
