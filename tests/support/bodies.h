// bodies.h - one shape of every kind, a mesh instance and SDF instances, each about as large as a ball of radius 0.5,
// for tests that drop cloth on them or throw them at cloth. Each has a function that tells how far inside a point is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/world.h"

namespace physics {

struct Body {
  std::string name;
  // Makes the shapes with the body's centre at the given position.
  std::function<Shapes(Vertex)> at;
  // Returns the approximate signed distance of a point, relative to the centre, from the surface; negative inside.
  std::function<double(double, double, double)> distance;
};

// Adds a closed mesh of a ball: an icosahedron whose faces are split in four, `depth` times. Its vertices lie at the
// radius and its triangles' corners are counter-clockwise when seen from outside.
void add_ball(float radius, uint32_t depth, std::vector<Vertex>& vertices, std::vector<uint32_t>& triangles);

const std::vector<Body>& all_bodies();

}  // namespace physics
