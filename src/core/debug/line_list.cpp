// line_list.cpp - see line_list.h.
#include "core/debug/line_list.h"

#include <cstring>
#include <new>

namespace clothc {
namespace {

void store_point(Vector point, float* target) {
  target[0] = static_cast<float>(point.x);
  target[1] = static_cast<float>(point.y);
  target[2] = static_cast<float>(point.z);
}

}  // namespace

void LineList::add(Vector from, Vector to, LineColour colour) {
  // Callers count lines by 32 bits.
  if (lines_.size() == UINT32_MAX) throw std::bad_alloc();
  clothc_debug_line line;
  store_point(placement_(from), line.first);
  store_point(placement_(to), line.second);
  const uint8_t bytes[4] = {colour.red, colour.green, colour.blue, 255};
  std::memcpy(&line.first_colour, bytes, sizeof(bytes));
  line.second_colour = line.first_colour;
  lines_.push_back(line);
}

void LineList::add_cross(Vector centre, double width, LineColour colour) {
  const double half = width / 2;
  for (const Vector arm : {Vector{half, 0, 0}, Vector{0, half, 0}, Vector{0, 0, half}})
    add(centre - arm, centre + arm, colour);
}

}  // namespace clothc
