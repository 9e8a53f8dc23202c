// edge_colouring.h - a colouring of pairs with at most 32 main colours that can be repaired and evened out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// Invariant: no two pairs of a main colour share a particle. Pairs may be without a main colour.
class EdgeColouring {
 public:
  EdgeColouring(const std::vector<Pair>& pairs, uint32_t particle_count, uint32_t colour_count);

  // Gives the pair the lowest main colour free at both ends, if need be freeing one; false if there is none.
  bool colour(uint32_t pair);

  // Evens out the sizes of the main colours.
  void balance();

  uint32_t colour_of(uint32_t pair) const { return colour_of_[pair]; }

 private:
  uint32_t& pair_at(uint32_t particle, uint32_t colour);
  void assign(uint32_t pair, uint32_t colour);
  bool colour_once(uint32_t pair);
  uint32_t free_colours(uint32_t particle) const;  // bit per colour
  bool free_colour(uint32_t particle, uint32_t other, uint32_t wanted, uint32_t exchange);
  bool collect_chain(uint32_t particle, uint32_t wanted, uint32_t exchange, uint32_t forbidden, size_t limit);
  void flip_chain(uint32_t wanted, uint32_t exchange);
  void even_out(uint32_t large, uint32_t small);

  const std::vector<Pair>& pairs_;
  uint32_t particle_count_;
  uint32_t colour_count_;
  size_t step_budget_;               // of chain steps, so that repair stays linear
  std::vector<uint32_t> pair_at_;    // [particles][colours] the pair of that colour, or no_index
  std::vector<uint32_t> used_;       // [particles] bit per colour
  std::vector<uint32_t> colour_of_;  // [pairs] or no_index
  std::vector<uint32_t> size_;       // [colours]
  std::vector<uint32_t> chain_;      // the chain last collected
};

}  // namespace clothc::cook
