// tone.glsl - how light becomes the brightness of a pixel: highlights are compressed smoothly above KNEE.

const float KNEE = 0.6;

vec3 compressed(vec3 x) { return mix(x, 1 - (1 - KNEE) * exp(-(x - KNEE) / (1 - KNEE)), greaterThan(x, vec3(KNEE))); }

// What `compressed` makes to y.
vec3 uncompressed(vec3 y) {
  const vec3 above = KNEE - (1 - KNEE) * log((1 - min(y, vec3(0.999))) / (1 - KNEE));
  return mix(y, above, greaterThan(y, vec3(KNEE)));
}

vec3 encoded(vec3 linear) {
  return mix(12.92 * linear, 1.055 * pow(linear, vec3(1 / 2.4)) - 0.055, greaterThan(linear, vec3(0.0031308)));
}

vec3 decoded(vec3 srgb) {
  return mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), greaterThan(srgb, vec3(0.04045)));
}
