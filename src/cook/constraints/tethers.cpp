// tethers.cpp - owns the anchors and lengths of tethers. A tether is never shorter than the straight distance in the
// rest pose, since it would pull a cloth at rest, and never longer than the path along the edges.
// Source: Kim, Chentanez, Mueller-Fischer 2012, "Long range attachments - a method to simulate inextensible clothing".
#include "cook/constraints/tethers.h"

#include <algorithm>
#include <cstddef>

#include "cook/constraints/geodesics.h"
#include "cook/fabric_data.h"
#include "cook/geometry.h"

namespace clothc::cook {
namespace {

std::vector<uint32_t> find_pinned(const std::vector<float>& positions) {
  std::vector<uint32_t> pinned;
  for (size_t p = 0; p < positions.size() / 4; ++p) {
    if (positions[p * 4 + 3] == 0) pinned.push_back(static_cast<uint32_t>(p));
  }
  return pinned;
}

// Number of pins that the search keeps for a particle in addition to its anchors. Paths need them where the regions of
// pins meet.
constexpr uint32_t extra_pins = 2;

bool nearer(const PathState& a, const PathState& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.source < b.source;
}

// states: count paths of one particle, the nearest first. Moves the nearest path of every source to the front, in the
// same order, and returns their number.
uint32_t keep_sources_once(PathState* states, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count && states[i].source != no_index; ++i) {
    const bool seen =
        std::any_of(states, states + kept, [&](const PathState& r) { return r.source == states[i].source; });
    if (!seen) states[kept++] = states[i];
  }
  return kept;
}

// Returns the surface with its particles numbered by storage index.
Surface renumbered(const Surface& surface, const std::vector<uint32_t>& storage_order) {
  Surface result = surface;
  for (size_t p = 0; p < storage_order.size(); ++p)
    std::copy_n(&surface.positions[p * 4], 4, &result.positions[size_t{storage_order[p]} * 4]);
  for (auto* pairs : {&result.edges, &result.diagonals}) {
    for (Pair& pair : *pairs) pair = ordered(storage_order[pair.first], storage_order[pair.second]);
    std::sort(pairs->begin(), pairs->end());
  }
  for (uint32_t& corner : result.triangles) corner = storage_order[corner];
  return result;
}

// Converts the tethers of a renumbered surface back to the numbers of particles.
Tethers by_particle(const Tethers& tethers, const std::vector<uint32_t>& storage_order) {
  std::vector<uint32_t> particle_at(storage_order.size());
  for (uint32_t p = 0; p < storage_order.size(); ++p) particle_at[storage_order[p]] = p;
  Tethers result = tethers;
  for (size_t i = 0; i < tethers.anchors.size(); ++i) {
    const size_t first = i - i % storage_order.size();
    const size_t index = first + storage_order[i % storage_order.size()];
    result.anchors[i] = particle_at[tethers.anchors[index]];
    result.lengths[i] = tethers.lengths[index];
  }
  return result;
}

Tethers find_tethers(const Surface& surface, uint32_t per_particle) {
  const std::vector<float>& positions = surface.positions;
  const uint32_t particle_count = static_cast<uint32_t>(positions.size() / 4);
  const std::vector<uint32_t> pinned = find_pinned(positions);
  Tethers tethers;
  if (pinned.empty()) {
    tethers.untethered_count = particle_count;
    return tethers;
  }
  std::vector<Pair> neighbours = surface.edges;
  neighbours.insert(neighbours.end(), surface.diagonals.begin(), surface.diagonals.end());
  GeodesicSearch search(positions, neighbours, surface.triangles, per_particle,
                        std::min(per_particle + extra_pins, static_cast<uint32_t>(pinned.size())));
  const uint32_t width = search.width();
  std::vector<PathState> states = search.run(pinned);

  tethers.anchors.resize(size_t{per_particle} * particle_count);
  tethers.lengths.assign(size_t{per_particle} * particle_count, 0.0f);
  for (uint32_t p = 0; p < particle_count; ++p) {
    PathState* const first = &states[size_t{p} * width];
    std::sort(first, first + width, nearer);
    const uint32_t source_count = keep_sources_once(first, width);
    const bool free = positions[size_t{p} * 4 + 3] != 0;
    const bool held = free && first->source != no_index;
    tethers.untethered_count += free && !held;
    for (uint32_t t = 0; t < per_particle; ++t) {
      const size_t index = size_t{t} * particle_count + p;
      const PathState& state = t < source_count ? first[t] : first[0];
      tethers.anchors[index] = held ? state.source : p;
      if (!held) continue;
      const double straight = distance(positions, p, state.source);
      tethers.lengths[index] = static_cast<float>(std::min(std::max(state.distance, straight), double{longest_length}));
    }
  }
  return tethers;
}

}  // namespace

Tethers find_tethers(const Surface& surface, const std::vector<uint32_t>& storage_order, uint32_t per_particle) {
  if (storage_order.empty()) return find_tethers(surface, per_particle);
  return by_particle(find_tethers(renumbered(surface, storage_order), per_particle), storage_order);
}

}  // namespace clothc::cook
