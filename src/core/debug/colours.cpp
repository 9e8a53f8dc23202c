// colours.cpp - mixes the colours of colours.h.
#include "core/debug/colours.h"

#include <algorithm>
#include <cmath>

namespace clothc {
namespace {

// part: 0 gives the first colour, 1 and more the second one.
LineColour mixed_colour(LineColour first, LineColour second, double part) {
  const double t = std::min(part, 1.0);
  const auto channel = [&](int from, int to) { return static_cast<uint8_t>(std::lround(from + (to - from) * t)); };
  return {channel(first.red, second.red), channel(first.green, second.green), channel(first.blue, second.blue)};
}

}  // namespace

LineColour colour_of_strain(double strain, double full_strain) {
  return strain < 0 ? mixed_colour(colour_at_rest, colour_compressed, -strain / full_strain)
                    : mixed_colour(colour_at_rest, colour_stretched, strain / full_strain);
}

LineColour colour_below_limit(double length, double limit, double full_strain) {
  if (length < limit) return mixed_colour(colour_slack, colour_taut, length / limit);
  if (length == limit) return colour_taut;
  return limit > 0 ? mixed_colour(colour_taut, colour_stretched, (length / limit - 1) / full_strain) : colour_stretched;
}

}  // namespace clothc
