// virtual_particles.cpp - owns the positions of virtual particles on a triangle. Its sides are cut into n parts each,
// which makes n^2 equal triangles, and each of these has a virtual particle at its centre.
//
// In units of 1/(3n), the weights of a centre are three whole numbers above 0 with the sum 3n. Divided by 3, all of
// them leave the remainder 1 (small triangles that point the same way as the large one) or all leave 2 (the others).
// Source: PhysX 3.4 manual, Cloth, "Adding Virtual Particles", which has the case n = 2.
#include "cook/constraints/virtual_particles.h"

#include <cstddef>

namespace clothc::cook {
namespace {

// Returns [parts * parts][3] weights.
std::vector<float> centre_weights(uint32_t parts) {
  const uint32_t whole = parts * 3;
  std::vector<float> weights;
  for (uint32_t a = whole - 1; a > 0; --a) {
    for (uint32_t b = whole - a; b-- > 1;) {
      const uint32_t c = whole - a - b;
      if (a % 3 == 0 || b % 3 != a % 3 || c % 3 != a % 3) continue;
      for (const uint32_t part : {a, b, c})
        weights.push_back(static_cast<float>(static_cast<double>(part) / static_cast<double>(whole)));
    }
  }
  return weights;
}

}  // namespace

void add_virtual_particles(uint32_t per_triangle, FabricData& fabric) {
  if (per_triangle == 0 || fabric.triangles.empty()) return;
  uint32_t parts = 1;
  while (parts * parts < per_triangle) ++parts;
  fabric.virtual_weights = centre_weights(parts);
  fabric.virtual_particles.reserve(fabric.triangle_count() * per_triangle * 4);
  for (size_t t = 0; t < fabric.triangle_count(); ++t) {
    const uint32_t* corner = &fabric.triangles[t * 3];
    for (uint32_t row = 0; row < per_triangle; ++row)
      fabric.virtual_particles.insert(fabric.virtual_particles.end(), {corner[0], corner[1], corner[2], row});
  }
}

}  // namespace clothc::cook
