// inspect.h - looks for what may trouble a cloth in a mesh whose bad faces have been dropped.
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
  const std::vector<float>& positions;              // [particles][4]
  const std::vector<uint32_t>& vertex_of_particle;  // what diagnostics call a particle
};

// Adds diagnostics about edges, vertices and pieces, and counts them in the report.
void inspect(const Inspected& mesh, DiagnosticList& diagnostics, CookReport& report);

}  // namespace clothc::cook
