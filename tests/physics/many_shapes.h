// many_shapes.h - scenes of a thousand shapes, of a hundred thousand triangles, and of a thousand cloths that share one body; all
// shapes move, and each scene tells how far outside of them a point is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/world.h"

namespace physics {

struct Crowd {
  std::string name;
  std::function<Shapes(double time)> shapes;
  // Along the way out, about; negative inside of any shape.
  std::function<double(const Point& p, double time)> distance;
  Plan plan;                   // of every cloth
  std::vector<Vertex> places;  // of each cloth
  float lowest;                // m; what nothing holds falls far below it
  size_t fewest_contacts;      // particles of all cloths that touch shapes at the end
  int frames = 60;
  double tolerance = 1e-4;
};

std::vector<Crowd> all_crowds();
// A thousand small cloths in ten places, on a ball of triangles with four arms of capsules.
Crowd thousand_cloths();

std::ostream& operator<<(std::ostream& stream, const Crowd& crowd);

// A crowd in a world.
class CrowdRun {
 public:
  CrowdRun(World& world, const Crowd& crowd, const std::vector<Vertex>& places);
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
