// circles.h - curves as lines: circles, ellipses and arcs. Their points come from tables and square roots, which have
// the same bits on every machine, as those of sin and cos of the standard library do not.
#pragma once

#include "core/debug/line_list.h"

namespace clothc {

// Number of lines in a circle around a shape, and around the constraint of a particle.
constexpr uint32_t circle_lines = 32;
constexpr uint32_t small_circle_lines = 16;

// Returns a vector of the same direction and length 1; the vector must not be 0.
Vector unit_of(Vector vector);
// Returns a vector of length 1 that is perpendicular to one of length 1.
Vector perpendicular_to(Vector unit);

// Adds the ellipse of the points centre + cos t a + sin t b, for perpendicular a and b. line_count: one of the two
// above.
void add_ellipse(Vector centre, Vector a, Vector b, uint32_t line_count, LineColour colour, LineList& lines);
// Adds three circles around a sphere, each perpendicular to an axis.
void add_sphere(Vector centre, double radius, uint32_t line_count, LineColour colour, LineList& lines);
// Number of lines in an arc: a power of two.
constexpr uint32_t arc_lines = 8;
// Adds the points centre + cos t a + sin t b for t from 0 to the angle with this cosine and sine, which is below pi.
void add_arc(Vector centre, Vector a, Vector b, double cosine, double sine, LineColour colour, LineList& lines);

}  // namespace clothc
