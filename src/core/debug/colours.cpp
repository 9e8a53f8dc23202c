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

LineColour colour_of_strain(const StrainColours& colours, double strain, double full_strain) {
  return strain < 0 ? mixed_colour(colours.at_rest, colours.compressed, -strain / full_strain)
                    : mixed_colour(colours.at_rest, colours.stretched, strain / full_strain);
}

}  // namespace clothc
