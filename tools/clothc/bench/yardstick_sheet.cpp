// yardstick_sheet.cpp - builds the sheet of the edge yardstick.
#include "bench/yardstick_sheet.h"

#include <array>
#include <cmath>

namespace clothc_tool {
namespace {

constexpr int kSide = 50;
constexpr int kParticleCount = kSide * kSide;

// Index of a particle with inverse mass 0, so that the padding's constraints move nothing.
constexpr int kPaddingParticle = kParticleCount;

// m
constexpr float kSpacing = 0.02f;
constexpr std::size_t kPadding = 16;

struct Constraint {
  int32_t first, second;
  float rest_length;
};

// The linear congruential generator of Numerical Recipes; numbers in 0 .. 1.
class Random {
 public:
  float next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 8) * (1.0f / 16777216.0f);
  }

 private:
  uint32_t state_ = 12345;
};

std::vector<Constraint> sheet_constraints() {
  constexpr std::array<std::array<int, 2>, 6> kOffsets = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}}};
  std::vector<Constraint> constraints;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      for (const auto& [dx, dy] : kOffsets) {
        if (x + dx < 0 || x + dx >= kSide || y + dy >= kSide) continue;
        const float length = kSpacing * std::sqrt(static_cast<float>(dx * dx + dy * dy));
        constraints.push_back({y * kSide + x, (y + dy) * kSide + x + dx, length});
      }
    }
  }
  return constraints;
}

// Gives each constraint the lowest colour that neither of its particles has yet.
std::vector<std::vector<Constraint>> greedy_colours(const std::vector<Constraint>& constraints) {
  std::vector<uint32_t> used(kParticleCount, 0);
  std::vector<std::vector<Constraint>> colours;
  for (const Constraint& constraint : constraints) {
    const uint32_t taken = used[constraint.first] | used[constraint.second];
    std::size_t colour = 0;
    while (taken >> colour & 1u) ++colour;
    used[constraint.first] |= 1u << colour;
    used[constraint.second] |= 1u << colour;
    if (colour >= colours.size()) colours.resize(colour + 1);
    colours[colour].push_back(constraint);
  }
  return colours;
}

}  // namespace

YardstickSheet::YardstickSheet() : start(kParticleCount / 4 + 8) {
  Random random;
  float* values = start.data()->values;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const auto column = static_cast<float>(x), row = static_cast<float>(y);
      *values++ = column * kSpacing + 0.004f * random.next();
      *values++ = 0.3f * std::sin(0.05f * column) * std::cos(0.07f * row) + 0.002f * random.next();
      *values++ = row * kSpacing + 0.004f * random.next();
      *values++ = y == 0 && x % 16 == 0 ? 0.0f : 1.0f + 0.5f * random.next();
    }
  }
  const std::vector<Constraint> constraints = sheet_constraints();
  constraint_count = static_cast<uint32_t>(constraints.size());
  for (std::vector<Constraint>& colour : greedy_colours(constraints)) {
    colour_begins.push_back(static_cast<int32_t>(first.size()));
    while (colour.size() % kPadding != 0) colour.push_back({kPaddingParticle, kPaddingParticle, 0});
    for (const Constraint& constraint : colour) {
      first.push_back(constraint.first);
      second.push_back(constraint.second);
      rest_lengths.push_back(constraint.rest_length);
    }
  }
  colour_begins.push_back(static_cast<int32_t>(first.size()));
  reset();
}

void YardstickSheet::reset() { current = start; }

}  // namespace clothc_tool
