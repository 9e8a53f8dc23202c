// blocks.cpp - decides where blocks of particles begin, and which constraints of a colour belong to each block.
#include "core/fabric/blocks.h"

#include <algorithm>
#include <cstddef>

namespace clothc {
namespace {

// The lowest and the highest storage index in one batch of lane_padding constraints of a colour. Padding particles
// count as being behind all others, so that batches with padding are in the last block, which no two colours solve at
// the same time.
struct Batch {
  uint32_t low;
  uint32_t high;
};

// A colour of a set of constraints. The set is null if no phase solves it.
struct SolvedColour {
  const ConstraintLayout* set = nullptr;
  const uint32_t* words = nullptr;
  uint32_t particle_count = 0;
  bool of_rings = false;
  Range range;

  Batch particles(uint32_t item) const {
    Batch batch{UINT32_MAX, 0};
    for (uint32_t k = 0; k < (of_rings ? ring_size : set->arity); ++k) {
      const uint32_t index =
          words[of_rings ? set->rings.particle(k, item) : set->rows.particles + k * set->rows.stride + item];
      const uint32_t particle = is_padding_particle(index) ? particle_count : index;
      batch.low = std::min(batch.low, particle);
      batch.high = std::max(batch.high, particle);
    }
    return batch;
  }
};

std::vector<SolvedColour> colours_of(const FabricLayout& fabric, const uint32_t* words) {
  std::vector<SolvedColour> colours(fabric.colours.size());
  for (const ConstraintLayout& set : fabric.sets) {
    if (info_of(set.type).stage != ConstraintStage::phase) continue;
    for (uint32_t c = set.colours.begin; c < set.colours.end; ++c)
      colours[c] = {&set, words, fabric.particle_count, fabric.colours[c].of_rings, fabric.colours[c].items};
  }
  return colours;
}

std::vector<Batch> batches_of(const SolvedColour& colour) {
  std::vector<Batch> batches;
  for (uint32_t begin = colour.range.begin; begin < colour.range.end; begin += lane_padding) {
    Batch batch{UINT32_MAX, 0};
    for (uint32_t k = begin; k < begin + lane_padding; ++k) {
      const Batch one = colour.particles(k);
      batch.low = std::min(batch.low, one.low);
      batch.high = std::max(batch.high, one.high);
    }
    batches.push_back(batch);
  }
  return batches;
}

// Returns the largest difference between the storage indices of the particles of a constraint.
uint32_t largest_index_distance(const std::vector<SolvedColour>& colours) {
  uint32_t distance = 0;
  for (const SolvedColour& colour : colours) {
    for (uint32_t k = colour.range.begin; k < colour.range.end; ++k) {
      const Batch one = colour.particles(k);
      distance = std::max(distance, one.high - one.low);
    }
  }
  return distance;
}

// Returns where the constraints of each block begin: at the first batch from which on all particles are in this block
// or a later one. Returns an empty array if a batch has a particle beyond the block that follows its own block.
std::vector<uint32_t> divide_colour(const SolvedColour& colour, uint32_t block_size, uint32_t count) {
  const std::vector<Batch> batches = batches_of(colour);
  std::vector<uint32_t> begins(count + 1, colour.range.end);
  uint32_t block = count;
  uint32_t lowest = UINT32_MAX;
  for (size_t k = batches.size(); k-- > 0;) {
    lowest = std::min(lowest, batches[k].low);
    while (block > lowest / block_size) --block;
    if (batches[k].high / block_size > block + 1) return {};
    begins[block] = colour.range.begin + static_cast<uint32_t>(k) * lane_padding;
  }
  // A block without constraints begins where the next block begins.
  for (uint32_t k = count; k-- > 0;) begins[k] = std::min(begins[k], begins[k + 1]);
  return begins;
}

}  // namespace

ParticleBlocks divide_into_blocks(const FabricLayout& fabric, const uint32_t* words, uint32_t particles_in_cache) {
  const uint32_t colour_count = fabric.phase_colour_count();
  if (fabric.particle_count <= particles_in_cache || colour_count < 2) return {};
  const std::vector<SolvedColour> colours = colours_of(fabric, words);
  // All colours are solved at the same time, each using two blocks, and half of the cache is left for data that only
  // streams through it.
  const uint32_t size_for_cache = particles_in_cache / (4 * colour_count);
  for (uint32_t size = std::max(size_for_cache, largest_index_distance(colours) + 1);; size *= 2) {
    ParticleBlocks blocks;
    blocks.count = fabric.particle_count / size + 1;
    if (blocks.count < 4 * colour_count) return {};
    bool is_divided = true;
    for (const SolvedColour& colour : colours) {
      blocks.parts.emplace_back();
      if (colour.set == nullptr) continue;
      blocks.parts.back() = divide_colour(colour, size, blocks.count);
      is_divided = !blocks.parts.back().empty();
      if (!is_divided) break;
    }
    if (is_divided) return blocks;
  }
}

}  // namespace clothc
