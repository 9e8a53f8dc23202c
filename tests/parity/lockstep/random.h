// random.h - the random numbers that scripts are made of. They use integers and exact operations only, so a seed means
// the same script on every machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lockstep {

class Random {
 public:
  // Each stream of a seed is a sequence of its own.
  Random(uint64_t seed, uint64_t stream) : state_(seed * 0xd1342543de82ef95u + stream * 0xaf251af3b0f025b5u) { next(); }

  // Source: Steele, Lea and Flood 2014, Fast Splittable Pseudorandom Number Generators (SplitMix64).
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  // 0 .. count - 1; count is above 0.
  uint32_t below(uint32_t count) { return static_cast<uint32_t>((next() >> 32) * count >> 32); }
  uint32_t between(uint32_t least, uint32_t most) { return least + below(most - least + 1); }
  bool one_in(uint32_t count) { return below(count) == 0; }
  float real(float least, float most) {
    return least + (most - least) * (static_cast<float>(next() >> 40) * (1.0f / 16777216));
  }
  template <class T>
  T pick(const std::vector<T>& values) {
    return values[below(static_cast<uint32_t>(values.size()))];
  }
  // A value that a careful program would not pass.
  float odd() {
    using Limits = std::numeric_limits<float>;
    const float values[] = {Limits::quiet_NaN(),
                            Limits::infinity(),
                            -Limits::infinity(),
                            1e38f,
                            -1e38f,
                            1e9f,
                            1e-30f,
                            -1e-42f,
                            -0.0f,
                            1e20f};
    return values[below(10)];
  }
  // A quaternion x y z w of length 1.
  void rotation(float* quaternion) {
    float square = 0;
    for (int k = 0; k < 4; ++k) {
      quaternion[k] = real(-1, 1);
      square += quaternion[k] * quaternion[k];
    }
    const float length = std::sqrt(square);
    for (int k = 0; k < 4; ++k) quaternion[k] = square > 0.01f ? quaternion[k] / length : k == 3 ? 1.0f : 0.0f;
  }

 private:
  uint64_t state_;
};

}  // namespace lockstep
