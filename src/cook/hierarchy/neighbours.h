// neighbours.h - writes the neighbours of a level's nodes as rows of equal length.
#pragma once

#include <vector>

#include "cook/hierarchy/graph.h"
#include "cook/hierarchy/levels.h"

namespace clothc::cook {

// Fills the neighbours, lengths and edge_lengths of a level, whose node_count is set. links: ascending. is_soft: [nodes].
// Leaves out links of soft nodes, and the longest ones of nodes that have very many.
void add_neighbours(const std::vector<Link>& links, const std::vector<bool>& is_soft, HierarchyLevel& level);

}  // namespace clothc::cook
