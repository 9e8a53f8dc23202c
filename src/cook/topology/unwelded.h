// unwelded.h - finds vertices that are so close together that they may be meant as one.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/inspect.h"

namespace clothc::cook {

struct EdgeLengths {
  // Mean length of all edges, in m.
  double mean = 0;
  // [particles] mean length of the edges at each particle in m, 0 if there are none, and their number.
  std::vector<float> mean_at;
  std::vector<uint32_t> count_at;
};
EdgeLengths measure_edges(const Inspected& mesh);

// For every particle with such a vertex near it, adds a diagnostic that names the nearest one. Reports each pair once.
void find_unwelded(const Inspected& mesh, const EdgeLengths& lengths, DiagnosticList& diagnostics);

}  // namespace clothc::cook
