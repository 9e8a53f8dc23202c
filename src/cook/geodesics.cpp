// geodesics.cpp - owns distances along the surface: Dijkstra over the edges, shortened across triangles by unfolding,
// which makes them exact on flat pieces. A particle drops all but its nearest sources, so n particles cost n log n
// times the sources wanted, however many there are.
// Sources: Dijkstra 1959; Novotni and Klein 2002, "Computing geodesic distances on triangular meshes" (unfolding).
#include "cook/geodesics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "cook/geometry.h"

namespace clothc::cook {
namespace {

constexpr double worth_reopening = 1e-5;
constexpr uint32_t most_reopenings = 8;

}  // namespace

GeodesicSearch::GeodesicSearch(const std::vector<float>& positions, const std::vector<Pair>& edges,
                               const std::vector<uint32_t>& triangles, uint32_t wanted, uint32_t width)
    : positions_(positions), triangles_(triangles), wanted_(wanted), width_(width) {
  const uint32_t particle_count = static_cast<uint32_t>(positions.size() / 4);
  neighbours_ = find_incidence(particle_count, static_cast<uint32_t>(edges.size()), 2,
                               [&](uint32_t e, uint32_t i) { return i == 0 ? edges[e].first : edges[e].second; });
  longest_edge_.assign(particle_count, 0.0f);
  for (uint32_t p = 0; p < particle_count; ++p) {
    for (uint32_t i = neighbours_.begin[p]; i < neighbours_.begin[p + 1]; ++i) {
      neighbours_.item[i] = edges[neighbours_.item[i]].other(p);
      const float edge = static_cast<float>(distance(positions, p, neighbours_.item[i]));
      longest_edge_[p] = std::max(longest_edge_[p], edge);
    }
  }
  triangles_at_ = find_incidence(particle_count, static_cast<uint32_t>(triangles.size() / 3), 3,
                                 [&](uint32_t t, uint32_t i) { return triangles[size_t{t} * 3 + i]; });
}

// Nearest first; ties by particle, then source, so that the result never depends on the heap.
bool GeodesicSearch::Later::operator()(const Visit& a, const Visit& b) const {
  if (a.distance != b.distance) return a.distance > b.distance;
  return a.particle != b.particle ? a.particle > b.particle : a.source > b.source;
}

std::vector<Reach> GeodesicSearch::run(const std::vector<uint32_t>& sources) {
  reaches_.assign(positions_.size() / 4 * width_, Reach{std::numeric_limits<double>::infinity(), no_index, 0, 0});
  for (const uint32_t source : sources) offer(source, source, 0);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), Later());
    const Visit visit = queue_.back();
    queue_.pop_back();
    Reach* reach = find(visit.particle, visit.source);
    if (!reach || reach->settled || reach->distance != visit.distance) continue;
    reach->settled = 1;
    for (uint32_t i = neighbours_.begin[visit.particle]; i < neighbours_.begin[visit.particle + 1]; ++i) {
      const uint32_t neighbour = neighbours_.item[i];
      offer(neighbour, visit.source, visit.distance + distance(positions_, visit.particle, neighbour));
    }
    cross_triangles(visit);
  }
  return std::move(reaches_);
}

// Notes that the particle is this near to the source, unless it has better: this source nearer, or enough nearer ones.
void GeodesicSearch::offer(uint32_t particle, uint32_t source, double distance) {
  Reach* reach = find(particle, source);
  if (!reach && !is_too_far(particle, distance)) reach = furthest(particle);
  if (!reach || reach->distance <= distance) return;
  uint32_t reopened = 0;
  if (reach->settled) {
    if (distance > reach->distance * (1 - worth_reopening) || reach->reopened == most_reopenings) return;
    reopened = reach->reopened + 1;
  }
  *reach = {distance, source, 0, reopened};
  queue_.push_back({distance, particle, source});
  std::push_heap(queue_.begin(), queue_.end(), Later());
}

bool GeodesicSearch::is_settled(uint32_t particle, uint32_t source) {
  const Reach* reach = find(particle, source);
  return reach && reach->settled;
}

// A path unfolds across a triangle only where both corners of its base know the source, so sources beyond those wanted
// are kept too, but only as far as matters: a corner of a triangle on the path of a wanted source is within an edge of
// that path, so there it is further than the wanted ones by no more than two edges.
bool GeodesicSearch::is_too_far(uint32_t particle, double distance) const {
  const double limit = distance - 3 * double{longest_edge_[particle]};
  uint32_t nearer = 0;
  for (uint32_t i = 0; i < width_; ++i) nearer += reaches_[size_t{particle} * width_ + i].distance < limit;
  return nearer >= wanted_;
}

// The one to give up for a nearer source; null if all are settled.
Reach* GeodesicSearch::furthest(uint32_t particle) {
  Reach* found = nullptr;
  for (uint32_t i = 0; i < width_; ++i) {
    Reach* reach = &reaches_[size_t{particle} * width_ + i];
    if (!reach->settled && (!found || reach->distance > found->distance)) found = reach;
  }
  return found;
}

Reach* GeodesicSearch::find(uint32_t particle, uint32_t source) {
  for (uint32_t i = 0; i < width_; ++i) {
    Reach* reach = &reaches_[size_t{particle} * width_ + i];
    if (reach->source == source) return reach;
  }
  return nullptr;
}

void GeodesicSearch::cross_triangles(const Visit& visit) {
  for (uint32_t i = triangles_at_.begin[visit.particle]; i < triangles_at_.begin[visit.particle + 1]; ++i) {
    const uint32_t* corner = &triangles_[size_t{triangles_at_.item[i]} * 3];
    const uint32_t at = corner[0] == visit.particle ? 0 : corner[1] == visit.particle ? 1 : 2;
    const uint32_t a = corner[(at + 1) % 3], b = corner[(at + 2) % 3];
    cross(visit, a, b);
    cross(visit, b, a);
  }
}

// Lays the triangle in a plane with its base (the visited particle at 0, the other end at x = size) on the x axis and
// the apex above. The source then lies below at (x, -y) with x = (d0^2 - d1^2 + size^2) / 2 size, y^2 = d0^2 - x^2, and
// where its line to the apex passes through the base, that line's length is the apex's distance.
void GeodesicSearch::cross(const Visit& visit, uint32_t base, uint32_t apex) {
  const Reach* end = find(base, visit.source);
  if (!end || !end->settled) return;
  const Vector origin = position_of(positions_, visit.particle);
  const Vector along = position_of(positions_, base) - origin;
  const Vector up = position_of(positions_, apex) - origin;
  const double size = length(along);
  if (!(size > 0)) return;
  const double apex_x = dot(up, along) / size;
  const double apex_y = length(cook::cross(up, along)) / size;
  const double d0 = visit.distance, d1 = end->distance;
  const double x = ((d0 - d1) * (d0 + d1) + size * size) / (2 * size);
  const double y_squared = d0 * d0 - x * x;
  if (!(y_squared >= 0) || !(apex_y > 0)) return;
  const double y = std::sqrt(y_squared);
  const double crossing = x + (apex_x - x) * (y / (y + apex_y));
  if (!(crossing >= 0 && crossing <= size)) return;
  const double unfolded = length({apex_x - x, apex_y + y, 0});
  // On a curved surface the unfolded line can come out shorter than is possible at all.
  offer(apex, visit.source, std::max(unfolded, distance(positions_, visit.source, apex)));
}

}  // namespace clothc::cook
