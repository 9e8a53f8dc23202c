// blocks.cpp - decides where blocks of particles begin, and which constraints of a colour belong to each block.
#include "core/fabric/blocks.h"

#include <algorithm>

namespace clothc {
namespace {

// The lowest and the highest storage index in one batch of lane_padding constraints of a colour. Padding
// constraints, which are on the padding particle, are included.
struct Batch {
  uint32_t low;
  uint32_t high;
};

std::vector<Batch> batches_of(const FabricData& fabric, Range colour) {
  std::vector<Batch> batches;
  for (uint32_t begin = colour.begin; begin < colour.end; begin += lane_padding) {
    Batch batch{UINT32_MAX, 0};
    for (uint32_t k = begin; k < begin + lane_padding; ++k) {
      const auto [low, high] = std::minmax(fabric.laid_out_first[k], fabric.laid_out_second[k]);
      batch.low = std::min(batch.low, low);
      batch.high = std::max(batch.high, high);
    }
    batches.push_back(batch);
  }
  return batches;
}

// Returns the largest difference between the storage indices of the two particles of a constraint.
uint32_t largest_index_distance(const FabricData& fabric) {
  uint32_t distance = 0;
  for (const Range& colour : fabric.colours) {
    for (uint32_t k = colour.begin; k < colour.end; ++k) {
      const auto [low, high] = std::minmax(fabric.laid_out_first[k], fabric.laid_out_second[k]);
      distance = std::max(distance, high - low);
    }
  }
  return distance;
}

// Returns where the constraints of each block begin: at the first batch from which on all particles are in this block
// or a later one. Returns an empty array if a batch has a particle beyond the block that follows its own block.
std::vector<uint32_t> divide_colour(const FabricData& fabric, Range colour, uint32_t block_size, uint32_t count) {
  const std::vector<Batch> batches = batches_of(fabric, colour);
  std::vector<uint32_t> begins(count + 1, colour.end);
  uint32_t block = count;
  uint32_t lowest = UINT32_MAX;
  for (size_t k = batches.size(); k-- > 0;) {
    lowest = std::min(lowest, batches[k].low);
    while (block > lowest / block_size) --block;
    if (batches[k].high / block_size > block + 1) return {};
    begins[block] = colour.begin + static_cast<uint32_t>(k) * lane_padding;
  }
  // A block without constraints begins where the next block begins.
  for (uint32_t k = count; k-- > 0;) begins[k] = std::min(begins[k], begins[k + 1]);
  return begins;
}

}  // namespace

ParticleBlocks divide_into_blocks(const FabricData& fabric, uint32_t particles_in_cache) {
  const auto colours = static_cast<uint32_t>(fabric.colours.size());
  if (fabric.particle_count <= particles_in_cache || colours < 2) return {};
  // All colours are solved at the same time, each using two blocks, and half of the cache is left for data that only
  // streams through it.
  const uint32_t size_for_cache = particles_in_cache / (4 * colours);
  for (uint32_t size = std::max(size_for_cache, largest_index_distance(fabric) + 1);; size *= 2) {
    ParticleBlocks blocks;
    blocks.count = fabric.particle_count / size + 1;
    if (blocks.count < 4 * colours) return {};
    for (const Range& colour : fabric.colours) {
      blocks.parts.push_back(divide_colour(fabric, colour, size, blocks.count));
      if (blocks.parts.back().empty()) break;
    }
    if (!blocks.parts.back().empty()) return blocks;
  }
}

}  // namespace clothc
