// tethers.cpp - owns tethers: who holds whom, and how far. A tether is never shorter than the straight distance in the
// rest pose (it would pull a cloth at rest) and never longer than the path along the edges.
// Source: Kim, Chentanez, Mueller-Fischer 2012, "Long range attachments - a method to simulate inextensible clothing".
#include "cook/tethers.h"

#include <algorithm>
#include <cstddef>

#include "cook/geodesics.h"
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

// Pins that a particle may know beyond those that hold it: where the regions of pins meet, paths need them.
constexpr uint32_t extra_pins = 2;

bool nearer(const Reach& a, const Reach& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.source < b.source;
}

// Leaves of sorted reaches the nearest of every source, and returns how many these are.
uint32_t keep_sources_once(Reach* reaches, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count && reaches[i].source != no_index; ++i) {
    const bool met =
        std::any_of(reaches, reaches + kept, [&](const Reach& r) { return r.source == reaches[i].source; });
    if (!met) reaches[kept++] = reaches[i];
  }
  return kept;
}

}  // namespace

Tethers find_tethers(const std::vector<float>& positions, const std::vector<Pair>& edges,
                     const std::vector<Pair>& diagonals, const std::vector<uint32_t>& triangles,
                     uint32_t per_particle) {
  const uint32_t particle_count = static_cast<uint32_t>(positions.size() / 4);
  const std::vector<uint32_t> pinned = find_pinned(positions);
  Tethers tethers;
  if (pinned.empty()) {
    tethers.untethered_count = particle_count;
    return tethers;
  }
  std::vector<Pair> neighbours = edges;
  neighbours.insert(neighbours.end(), diagonals.begin(), diagonals.end());
  GeodesicSearch search(positions, neighbours, triangles, per_particle,
                        std::min(per_particle + extra_pins, static_cast<uint32_t>(pinned.size())));
  const uint32_t width = search.width();
  std::vector<Reach> reaches = search.run(pinned);

  tethers.anchors.resize(size_t{per_particle} * particle_count);
  tethers.lengths.assign(size_t{per_particle} * particle_count, 0.0f);
  for (uint32_t p = 0; p < particle_count; ++p) {
    Reach* const first = &reaches[size_t{p} * width];
    std::sort(first, first + width, nearer);
    const uint32_t source_count = keep_sources_once(first, width);
    const bool free = positions[size_t{p} * 4 + 3] != 0;
    const bool held = free && first->source != no_index;
    tethers.untethered_count += free && !held;
    for (uint32_t t = 0; t < per_particle; ++t) {
      const size_t entry = size_t{t} * particle_count + p;
      const Reach& reach = t < source_count ? first[t] : first[0];
      tethers.anchors[entry] = held ? reach.source : p;
      if (!held) continue;
      const double straight = distance(positions, p, reach.source);
      tethers.lengths[entry] = static_cast<float>(std::max(reach.distance, straight));
    }
  }
  return tethers;
}

}  // namespace clothc::cook
