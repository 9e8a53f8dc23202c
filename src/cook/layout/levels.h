// levels.h - lays out the coarse levels of a fabric as the kernels read them (kernels/words/hierarchy.h). A node is a
// lane; the rows of a level have level_stride_of(node_count) elements. Particles are given by their storage indices.
//
//   members     of coarse levels: the fans (fans.h) of finer nodes that belong to each node, in the order of the mesh.
//               Missing entries name a padding particle, or the first padding node of the finer level.
//   neighbours  of coarse levels: neighbours.h describes them.
//   nodes       of coarse levels, rows: 1 / share; 1 / size; size; the part that the node is of its coarser node; x, y
//               and z of the centre. Behind them, the length from each particle to its node.
//   parents     of all levels but the coarsest: for each block of 16 nodes the number of its first row of 16 weights,
//               and of the row behind its last one, which is the first row of the next block. Row k is at word 16 k.
//   parent_nodes  the node of the next coarser level that each row of weights is about.
#pragma once

#include "cook/fabric_data.h"
#include "cook/fabric_layout.h"

namespace clothc::cook {

// Number of rows in front of the lengths from particles to their nodes.
constexpr uint32_t node_row_count = 7;

void lay_out_levels(const FabricData& fabric, LaidOutFabric& out);

}  // namespace clothc::cook
