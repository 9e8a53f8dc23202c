// drawn_shapes.h - debug lines of the colliders of a scene's cloth.
#pragma once

#include "support/debug_lines.h"
#include "support/every_shape.h"

namespace clothc_test {

constexpr Colour colour_of_colliders = {0, 176, 144, 255};

inline std::vector<clothc_debug_line> draw(const Scene& scene) {
  return debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_COLLIDERS));
}

// Draws shapes that the cloth of the scene collides with.
inline std::vector<clothc_debug_line> draw(const Scene& scene, const Shapes& shapes) {
  const clothc_collider_set_id set = make_set(scene, shapes);
  list(scene, {set});
  const std::vector<clothc_debug_line> lines = draw(scene);
  EXPECT_OK(clothc_collider_set_destroy(scene.solver, set));
  for (const clothc_debug_line& line : lines) {
    EXPECT_EQ(colour_of(line.first_colour), colour_of_colliders);
    EXPECT_EQ(colour_of(line.second_colour), colour_of_colliders);
  }
  return lines;
}

// Expects both ends of every line to be at a distance of 0.
template <class Distance>
void expect_on(const std::vector<clothc_debug_line>& lines, Distance distance, double tolerance = 1e-6) {
  for (const clothc_debug_line& line : lines) {
    EXPECT_NEAR(distance(from(line)), 0, tolerance);
    EXPECT_NEAR(distance(to(line)), 0, tolerance);
  }
}

}  // namespace clothc_test
