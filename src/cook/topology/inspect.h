// inspect.h - looks for properties of a mesh that may cause problems in the simulation, after bad faces have been
// dropped.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/topology/faces.h"
#include "cook/diagnostic_list.h"

namespace clothc::cook {

struct Inspected {
  const std::vector<Face>& faces;
  const EdgeList& edges;
  // [particles][4].
  const std::vector<float>& positions;
  // [particles] the vertex that diagnostics name in place of each particle.
  const std::vector<uint32_t>& vertex_of_particle;
};

// Adds diagnostics about edges, vertices and pieces, and fills the report's counts of non-manifold edges, pinned and
// isolated particles and pieces.
void inspect(const Inspected& mesh, DiagnosticList& diagnostics, CookReport& report);

}  // namespace clothc::cook
