// particle_graph.h - the graph of the particles of a cloth, which the first of the coarse levels is made from.
#pragma once

#include "cook/hierarchy/graph.h"
#include "cook/hierarchy/levels.h"

namespace clothc::cook {

Graph make_particle_graph(const HierarchySource& source);

}  // namespace clothc::cook
