// edge_colouring.h - colours pairs with at most 32 main colours. It repairs the colouring where a pair finds no free
// colour, and can even out the sizes of the colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// Invariant: no two pairs of a main colour share a particle. A pair need not have a main colour.
class EdgeColouring {
 public:
  EdgeColouring(const std::vector<Pair>& pairs, uint32_t particle_count, uint32_t colour_count);

  // Gives the pair the lowest main colour that is free at both ends, or else tries to free one. Returns false if that
  // fails, and the pair has no main colour then.
  bool colour(uint32_t pair);

  // Evens out the sizes of the main colours.
  void balance();

  // Returns the main colour of the pair, or no_index.
  uint32_t colour_of(uint32_t pair) const { return colour_of_[pair]; }

 private:
  uint32_t& pair_at(uint32_t particle, uint32_t colour);
  void assign(uint32_t pair, uint32_t colour);
  bool colour_once(uint32_t pair);
  // Returns one bit per colour.
  uint32_t free_colours(uint32_t particle) const;
  bool free_colour(uint32_t particle, uint32_t other, uint32_t wanted, uint32_t exchange);
  bool collect_chain(uint32_t particle, uint32_t wanted, uint32_t exchange, uint32_t forbidden, size_t limit);
  void flip_chain(uint32_t wanted, uint32_t exchange);
  void even_out(uint32_t large, uint32_t small);

  const std::vector<Pair>& pairs_;
  uint32_t particle_count_;
  uint32_t colour_count_;
  // Number of chain steps that repairs may still take. It keeps the total time linear.
  size_t step_budget_;
  // [particles][colours] the pair of each colour at each particle, or no_index.
  std::vector<uint32_t> pair_at_;
  // [particles] the used colours, one bit per colour.
  std::vector<uint32_t> used_;
  // [pairs] the colour of each pair, or no_index.
  std::vector<uint32_t> colour_of_;
  // [colours] number of pairs of each colour.
  std::vector<uint32_t> size_;
  // The pairs of the chain that was collected last.
  std::vector<uint32_t> chain_;
};

}  // namespace clothc::cook
