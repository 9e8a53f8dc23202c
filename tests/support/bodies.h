// bodies.h - one shape of every kind, and a mesh and fields shown by instances, about as large as a ball of radius 0.5 around a
// centre, for tests that drop cloth on them or throw them at it: with a measure of how far inside a point is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/world.h"

namespace physics {

struct Body {
  std::string name;
  // The shapes with the body's centre at the given place.
  std::function<Shapes(Vertex)> at;
  // How far outside the surface a point is, about, relative to the centre; negative inside.
  std::function<double(double, double, double)> distance;
};

// A closed mesh of a ball: an icosahedron whose faces are split in four, depth times; vertices at the radius, corners
// counter-clockwise seen from outside.
void add_ball(float radius, uint32_t depth, std::vector<Vertex>& vertices, std::vector<uint32_t>& triangles);

const std::vector<Body>& all_bodies();

}  // namespace physics
