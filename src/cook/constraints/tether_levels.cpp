// tether_levels.cpp - owns the levels of tethers. Only particles with a tether to another particle move. A particle
// that is tethered to one of them must read the anchor's new position if the anchor has the lower index, and its old
// position if it has the higher index. In both cases the particle with the higher index gets the higher level, so one
// sweep over the indices finds all levels. Particles that never move are in no level, so no worker writes to an anchor
// while another worker reads it.
#include "cook/constraints/tether_levels.h"

#include <algorithm>
#include <cstddef>

namespace clothc::cook {
namespace {

std::vector<bool> find_movers(const FabricData& fabric) {
  std::vector<bool> moves(fabric.particle_count, false);
  for (size_t i = 0; i < fabric.tether_anchors.size(); ++i) {
    const size_t particle = i % fabric.particle_count;
    if (fabric.tether_anchors[i] != particle) moves[particle] = true;
  }
  return moves;
}

std::vector<uint32_t> find_levels(const FabricData& fabric, const std::vector<bool>& moves) {
  std::vector<uint32_t> level(fabric.particle_count, 0);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    const auto anchor = [&](uint32_t t) { return fabric.tether_anchors[size_t{t} * fabric.particle_count + p]; };
    for (uint32_t t = 0; t < fabric.tethers_per_particle; ++t) {
      if (anchor(t) < p && moves[anchor(t)]) level[p] = std::max(level[p], level[anchor(t)] + 1);
    }
    for (uint32_t t = 0; t < fabric.tethers_per_particle; ++t) {
      if (anchor(t) > p && moves[anchor(t)]) level[anchor(t)] = std::max(level[anchor(t)], level[p] + 1);
    }
  }
  return level;
}

}  // namespace

TetherLevels find_tether_levels(const FabricData& fabric) {
  if (fabric.tethers_per_particle == 0) return {};
  const std::vector<bool> moves = find_movers(fabric);
  const std::vector<uint32_t> level = find_levels(fabric, moves);
  TetherLevels levels(size_t{*std::max_element(level.begin(), level.end())} + 1);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    if (moves[p]) levels[level[p]].push_back(p);
  }
  if (fabric.storage_order.empty()) return levels;
  // No tether connects two particles of a level, so their order within the level is free.
  for (std::vector<uint32_t>& particles : levels) {
    std::sort(particles.begin(), particles.end(),
              [&](uint32_t a, uint32_t b) { return fabric.storage_order[a] < fabric.storage_order[b]; });
  }
  return levels;
}

}  // namespace clothc::cook
