// nodes.h - chooses the nodes of a coarse level from those of the next finer one.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/hierarchy/border.h"
#include "cook/hierarchy/graph.h"

namespace clothc::cook {

// Returns nodes of the graph, ascending, of which any two are at least three links apart and no node of the graph could
// be added: every third node of a lattice in both directions. places: [nodes]. kept: nodes that are chosen in any case.
// Corners are chosen next, then the border, then the inside. A node without neighbours is chosen too if alone is set.
std::vector<uint32_t> choose_nodes(const Graph& graph, const std::vector<Place>& places, bool alone,
                                   const std::vector<uint32_t>& kept = {});

}  // namespace clothc::cook
