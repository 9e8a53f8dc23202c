// known_level.h - the first level of a cloth before some of its particles changed, as at a cut. Most of a level's cost is
// the searches from its nodes, and far from what changed, they would find the same again.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/hierarchy/graph.h"

namespace clothc::cook {

struct KnownLevel {
  // The particles whose links or triangles have changed.
  std::vector<uint32_t> changed;
  // [nodes] the particle that each node was chosen from, ascending.
  std::vector<uint32_t> particles;
  // [particles] as in HierarchyLevel; no_index and weights of 0 for particles that the level did not have.
  std::vector<uint32_t> clusters;
  // [parents_per_node][particles].
  std::vector<uint32_t> parents;
  std::vector<float> weights;
  // [particles].
  std::vector<float> particle_lengths;
  // The neighbours, ascending, with the lengths between centres.
  std::vector<Link> links;
};

// Returns the particles of the nodes to keep: those whose clusters are not near what changed.
std::vector<uint32_t> nodes_to_keep(const KnownLevel& known, const Graph& graph);

// What of a level is as it was. All arrays are empty if nothing is.
struct KnownParts {
  // [known nodes] index of the same node in the level, or no_index.
  std::vector<uint32_t> node_of_known;
  // [touching pairs] the known link between the same nodes, or no_index.
  std::vector<uint32_t> links;
  // [particles] whether the parents of the particle, and its length, are known.
  std::vector<bool> has_particle;
  // [nodes] whether a search has to start at the node, for what is not known.
  std::vector<bool> is_searched;
};

// kept: from nodes_to_keep; all of them have been chosen.
KnownParts find_known_parts(const KnownLevel& known, const std::vector<uint32_t>& kept,
                            const std::vector<uint32_t>& chosen, const std::vector<uint32_t>& clusters,
                            const std::vector<Pair>& touching);

}  // namespace clothc::cook
