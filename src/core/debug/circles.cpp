// circles.cpp - see circles.h.
#include "core/debug/circles.h"

#include <algorithm>
#include <cmath>

namespace clothc {
namespace {

constexpr uint32_t quarter = circle_lines / 4;
// cos(k pi / 16)
constexpr double cosines[quarter + 1] = {1,
                                         0.98078528040323044913,
                                         0.92387953251128675613,
                                         0.83146961230254523708,
                                         0.70710678118654752440,
                                         0.55557023301960222474,
                                         0.38268343236508977173,
                                         0.19509032201612826785,
                                         0};

// The same for any k.
double cosine_of_part(uint32_t k) {
  const uint32_t part = k % circle_lines;
  const uint32_t from_start = std::min(part, circle_lines - part);
  return from_start <= quarter ? cosines[from_start] : -cosines[2 * quarter - from_start];
}

Vector on_ellipse(Vector centre, Vector a, Vector b, uint32_t k) {
  return centre + cosine_of_part(k) * a + cosine_of_part(k + 3 * quarter) * b;
}

}  // namespace

Vector unit_of(Vector vector) { return (1 / length(vector)) * vector; }

Vector perpendicular_to(Vector unit) {
  const double x = std::fabs(unit.x), y = std::fabs(unit.y), z = std::fabs(unit.z);
  const Vector least = x <= y && x <= z ? Vector{1, 0, 0} : y <= z ? Vector{0, 1, 0} : Vector{0, 0, 1};
  return unit_of(cross(unit, least));
}

void add_ellipse(Vector centre, Vector a, Vector b, uint32_t line_count, LineColour colour, LineList& lines) {
  const uint32_t step = circle_lines / line_count;
  Vector before = on_ellipse(centre, a, b, 0);
  for (uint32_t k = step; k <= circle_lines; k += step) {
    const Vector next = on_ellipse(centre, a, b, k);
    lines.add(before, next, colour);
    before = next;
  }
}

void add_sphere(Vector centre, double radius, uint32_t line_count, LineColour colour, LineList& lines) {
  const Vector x{radius, 0, 0}, y{0, radius, 0}, z{0, 0, radius};
  add_ellipse(centre, y, z, line_count, colour, lines);
  add_ellipse(centre, z, x, line_count, colour, lines);
  add_ellipse(centre, x, y, line_count, colour, lines);
}

void add_arc(Vector centre, Vector a, Vector b, double cosine, double sine, LineColour colour, LineList& lines) {
  // cos(t / 2) = sqrt((1 + cos t) / 2), and sin t = 2 sin(t / 2) cos(t / 2).
  double step_cosine = cosine, step_sine = sine;
  for (uint32_t part = 1; part < arc_lines; part *= 2) {
    step_cosine = std::sqrt((1 + step_cosine) / 2);
    step_sine = step_sine / (2 * step_cosine);
  }
  double c = 1, s = 0;
  Vector before = centre + a;
  for (uint32_t k = 0; k < arc_lines; ++k) {
    const double turned = c * step_cosine - s * step_sine;
    s = s * step_cosine + c * step_sine;
    c = turned;
    const Vector next = centre + c * a + s * b;
    lines.add(before, next, colour);
    before = next;
  }
}

}  // namespace clothc
