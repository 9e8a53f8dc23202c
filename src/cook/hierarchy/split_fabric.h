// split_fabric.h - a fabric some of whose particles have been split since it was cooked, as at a cut, and the surface
// that it has now. What levels are cooked from is not stored in fabrics, so it is recovered from their layout.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/fabric_layout.h"
#include "cook/topology/faces.h"

namespace clothc::cook {

struct SplitFabric {
  // particle_count and the arrays over particles include those that were split off, which are behind the others. No
  // constraints are in rings.
  const FabricLayout& layout;
  const std::vector<uint32_t>& words;
  // The particle of the fabric that each of them was split off, by storage index.
  const std::vector<uint32_t>& origins;
};

// Faces and particles are by the numbers of particles, not by storage indices.
struct SplitSurface {
  // The faces that the fabric was cooked from. Two triangles are the halves of a quad if their common side is no edge: no
  // stretch constraint of the fabric is there. Halves that have come apart are faces of their own.
  std::vector<Face> faces;
  // [][3] the triangles of the fabric.
  std::vector<uint32_t> triangles;
  // [particles] whether all stretch constraints at a particle are soft, or empty if there is no soft constraint.
  std::vector<bool> is_soft;
};

SplitSurface find_surface(const SplitFabric& fabric);

}  // namespace clothc::cook
