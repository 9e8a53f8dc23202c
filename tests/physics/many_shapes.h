// many_shapes.h - scenes of a thousand shapes, of a hundred thousand triangles, and of a thousand cloths that share one
// body. All shapes move, and each scene has a function for the distance of a point from the shapes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/world.h"

namespace physics {

struct Crowd {
  std::string name;
  std::function<Shapes(double time)> shapes;
  // Returns the approximate distance of a point from the shapes; negative inside any shape.
  std::function<double(const Point& p, double time)> distance;

  // The plan that every cloth uses.
  Plan plan;

  // One position per cloth.
  std::vector<Vertex> positions;

  // In m. A particle that nothing holds falls far below it.
  float lowest;

  // Smallest permitted number of particles, over all cloths, that are in contact with shapes at the end.
  size_t fewest_contacts;
  int frames = 60;
  double tolerance = 1e-4;
};

std::vector<Crowd> all_crowds();
// Returns a thousand small cloths in ten positions on a ball of triangles with four arms made of capsules.
Crowd thousand_cloths();

std::ostream& operator<<(std::ostream& stream, const Crowd& crowd);

// Runs a crowd in a world.
class CrowdRun {
 public:
  CrowdRun(World& world, const Crowd& crowd, const std::vector<Vertex>& positions);
  void step();
  double time() const { return frame / 60.0; }

  World& world;
  const Crowd& crowd;
  std::vector<clothc_cloth_id> cloths;
  int frame = 0;

 private:
  clothc_collider_set_id set_ = 0;
};

}  // namespace physics
