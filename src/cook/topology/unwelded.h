// unwelded.h - vertices so close together that they may be meant as one.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/inspect.h"

namespace clothc::cook {

struct EdgeLengths {
  double mean = 0;                 // m, of all edges
  std::vector<float> mean_at;      // [particles] m, of the edges at each; 0 without edges
  std::vector<uint32_t> count_at;  // [particles]
};
EdgeLengths measure_edges(const Inspected& mesh);

void find_unwelded(const Inspected& mesh, const EdgeLengths& lengths, DiagnosticList& diagnostics);

}  // namespace clothc::cook
