// geodesics.cpp - owns distances along the surface. Dijkstra's search runs over the edges, and unfolding triangles
// shortens its distances, which makes them exact on flat pieces. Where a path bends at the corner of a hole, the corner
// becomes its root, from which the path is unfolded anew. A particle drops all but its nearest sources, so the cost for
// n particles is n log n times the number of sources wanted, however many sources there are.
// Sources: Dijkstra 1959; Novotni and Klein 2002, "Computing geodesic distances on triangular meshes" (unfolding).
#include "cook/constraints/geodesics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "cook/geometry.h"

namespace clothc::cook {
namespace {

// Paths bend at a border particle if the border turns inwards there by an angle with at least this sine.
constexpr double least_bend = 0.02;
// Number of paths from one source, by different roots, that a particle may know if the mesh has particles where paths
// bend. Paths can then be unfolded on either side of such a particle.
constexpr uint32_t roots_per_source = 3;
// A path that is longer than the straight distance by at most this factor may be treated as straight.
constexpr double nearly_straight = 1.01;
// A particle beyond an obtuse angle is reached along edges before it is reached in a straight line, so an expanded
// distance may still become shorter. To bound the cost, it must do so by at least this fraction, and only this number
// of times.
constexpr double worth_reopening = 1e-4;
constexpr uint32_t most_reopenings = 3;

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
  find_bends();
  if (std::find(bends_.begin(), bends_.end(), true) != bends_.end()) width_ += wanted * (roots_per_source - 1);
}

// A border turns inwards at a particle if the angles of the triangles there add up to more than 180 degrees.
void GeodesicSearch::find_bends() {
  bends_.assign(positions_.size() / 4, false);
  for (uint32_t p = 0; p < bends_.size(); ++p) {
    bends_[p] = is_on_border(p) && is_wide(p);
  }
}

// At an inner particle, every edge is a side of two of the triangles there, so the hashes of the neighbours cancel.
bool GeodesicSearch::is_on_border(uint32_t particle) const {
  uint64_t unpaired = 0;
  for (uint32_t i = triangles_at_.begin[particle]; i < triangles_at_.begin[particle + 1]; ++i) {
    const Base base = base_of(triangles_at_.item[i], particle);
    unpaired ^= (base.first + uint64_t{1}) * 0x9e3779b97f4a7c15u ^ (base.second + uint64_t{1}) * 0x9e3779b97f4a7c15u;
  }
  return unpaired != 0;
}

// Adds the angles of the triangles at the particle by multiplying complex numbers of size 1. Each angle is below half a
// turn, so a sum above half a turn shows as a negative imaginary part before the sum can reach a full turn.
bool GeodesicSearch::is_wide(uint32_t particle) const {
  const Vector origin = position_of(positions_, particle);
  double real = 1, imaginary = 0;
  for (uint32_t i = triangles_at_.begin[particle]; i < triangles_at_.begin[particle + 1]; ++i) {
    const Base base = base_of(triangles_at_.item[i], particle);
    const Vector a = position_of(positions_, base.first) - origin, b = position_of(positions_, base.second) - origin;
    const double cosine = dot(a, b), sine = length(cook::cross(a, b)), size = std::sqrt(cosine * cosine + sine * sine);
    if (!(size > 0)) continue;
    const double turned = (real * cosine - imaginary * sine) / size;
    imaginary = (real * sine + imaginary * cosine) / size;
    real = turned;
    if (imaginary < -least_bend) return true;
  }
  return false;
}

GeodesicSearch::Base GeodesicSearch::base_of(uint32_t triangle, uint32_t particle) const {
  const uint32_t* corner = &triangles_[size_t{triangle} * 3];
  const uint32_t at = corner[0] == particle ? 0 : corner[1] == particle ? 1 : 2;
  return {corner[(at + 1) % 3], corner[(at + 2) % 3]};
}

// The nearest visit comes first. Ties are broken by particle, then source, then root, so that the result never depends
// on the implementation of the heap.
bool GeodesicSearch::Later::operator()(const Visit& a, const Visit& b) const {
  if (a.distance != b.distance) return a.distance > b.distance;
  if (a.particle != b.particle) return a.particle > b.particle;
  return a.source != b.source ? a.source > b.source : a.root > b.root;
}

std::vector<PathState> GeodesicSearch::run(const std::vector<uint32_t>& sources) {
  const double infinity = std::numeric_limits<double>::infinity();
  states_.assign(positions_.size() / 4 * width_, PathState{infinity, 0, no_index, no_index, 0, 0});
  for (const uint32_t source : sources) offer(source, {0, 0, source, source, 0, 0}, 0);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), Later());
    const Visit visit = queue_.back();
    queue_.pop_back();
    PathState* state = find(visit.particle, visit.source, visit.root);
    if (!state || state->expanded || state->distance != visit.distance) continue;
    state->expanded = 1;
    expand(visit.particle, *state);
  }
  return std::move(states_);
}

// Extends a path to the neighbours of the particle and across its triangles. It works on a copy of the path, because
// calls of offer may overwrite the original.
void GeodesicSearch::expand(uint32_t particle, const PathState& original) {
  const PathState state = original;
  PathState onward = state;
  if (bends_[particle]) {
    onward.root = particle;
    onward.root_distance = state.distance;
  }
  for (uint32_t i = neighbours_.begin[particle]; i < neighbours_.begin[particle + 1]; ++i) {
    const uint32_t neighbour = neighbours_.item[i];
    offer(neighbour, onward, state.distance + distance(positions_, particle, neighbour));
  }
  cross_triangles(particle, state);
  if (const PathState* corner = find_nearest(state.root, state.source)) {
    PathState straightened = state;
    straightened.root = corner->root;
    straightened.root_distance = corner->root_distance;
    if (corner->root != state.root && is_nearly_straight(particle, straightened))
      cross_triangles(particle, straightened);
  }
}

// Stores a path of this distance for the particle, with the source and root of from, unless the particle knows a path
// from that source that is shorter, or enough nearer sources.
void GeodesicSearch::offer(uint32_t particle, const PathState& from, double distance) {
  PathState* state = find(particle, from.source, from.root);
  if (!state && !is_too_far(particle, from.source, distance)) state = slot_for(particle, from.source);
  if (!state || state->distance <= distance) return;
  uint32_t reopen_count = 0;
  if (state->expanded) {
    if (distance > state->distance * (1 - worth_reopening) || state->reopen_count == most_reopenings) return;
    reopen_count = state->reopen_count + 1;
  }
  *state = {distance, from.root_distance, from.source, from.root, 0, reopen_count};
  queue_.push_back({distance, particle, from.source, from.root});
  std::push_heap(queue_.begin(), queue_.end(), Later());
}

// Returns whether a path is too long to be of use. A path unfolds across a triangle only if both corners of its base
// know the source, so sources beyond the wanted ones are kept too, within limits. A corner of a triangle on the path of
// a wanted source is at most one edge away from that path, so at that corner the source is farther away than the wanted
// ones by at most two edges. Next to the shadow of a corner, the paths by either root are about equally long.
bool GeodesicSearch::is_too_far(uint32_t particle, uint32_t source, double distance) const {
  const double edge = double{longest_edge_[particle]}, limit = distance - 3 * edge;
  uint32_t nearer = 0;
  const PathState* first = &states_[size_t{particle} * width_];
  for (uint32_t i = 0; i < width_; ++i) {
    if (first[i].source == source && first[i].distance < distance - edge) return true;
    if (!(first[i].distance < limit)) continue;
    bool repeated = false;
    for (uint32_t j = 0; j < i; ++j)
      repeated = repeated || (first[j].source == first[i].source && first[j].distance < limit);
    nearer += !repeated;
  }
  return nearer >= wanted_;
}

// Returns the path that a new path from the source replaces: the longest of those that are not expanded, or the longest
// of the same source if the particle already knows roots_per_source paths from it. Null if all of these are expanded.
PathState* GeodesicSearch::slot_for(uint32_t particle, uint32_t source) {
  PathState *const first = &states_[size_t{particle} * width_], *const last = first + width_;
  const bool full = std::count_if(first, last, [&](const PathState& r) { return r.source == source; }) >=
                    std::ptrdiff_t{roots_per_source};
  PathState* found = nullptr;
  for (PathState* state = first; state != last; ++state) {
    if (state->expanded || (full && state->source != source)) continue;
    if (!found || state->distance > found->distance) found = state;
  }
  return found;
}

PathState* GeodesicSearch::find(uint32_t particle, uint32_t source, uint32_t root) {
  for (uint32_t i = 0; i < width_; ++i) {
    PathState* state = &states_[size_t{particle} * width_ + i];
    if (state->source == source && state->root == root) return state;
  }
  return nullptr;
}

bool GeodesicSearch::is_nearly_straight(uint32_t particle, const PathState& state) const {
  return state.distance - state.root_distance <= nearly_straight * distance(positions_, state.root, particle);
}

const PathState* GeodesicSearch::find_nearest(uint32_t particle, uint32_t source) const {
  const PathState* found = nullptr;
  for (uint32_t i = 0; i < width_; ++i) {
    const PathState* state = &states_[size_t{particle} * width_ + i];
    if (state->source == source && (!found || state->distance < found->distance)) found = state;
  }
  return found;
}

// Returns the shortest expanded path of the particle that leads from the root of the given path in a straight line, or
// by corners that hardly bend it (a frayed border has many of them). Null if there is no such path.
const PathState* GeodesicSearch::find_nearly_straight(uint32_t particle, const PathState& state) const {
  const PathState* found = nullptr;
  for (uint32_t i = 0; i < width_; ++i) {
    const PathState* other = &states_[size_t{particle} * width_ + i];
    if (other->source != state.source || !other->expanded) continue;
    if (other->root != state.root) {
      PathState straightened = *other;
      straightened.root = state.root;
      straightened.root_distance = state.root_distance;
      if (other->root_distance <= state.root_distance || !is_nearly_straight(particle, straightened)) continue;
    }
    if (!found || other->distance < found->distance) found = other;
  }
  return found;
}

void GeodesicSearch::cross_triangles(uint32_t particle, const PathState& state) {
  for (uint32_t i = triangles_at_.begin[particle]; i < triangles_at_.begin[particle + 1]; ++i) {
    const Base base = base_of(triangles_at_.item[i], particle);
    cross(particle, state, base.first, base.second);
    cross(particle, state, base.second, base.first);
  }
}

// Lays the triangle in a plane, with its base on the x axis (the visited particle at 0, the other end at x = size) and
// the apex above it. d0 and d1 are the distances of the two ends from the root. The root then lies below the axis at
// (x, -y), where x = (d0^2 - d1^2 + size^2) / (2 size) and y^2 = d0^2 - x^2. If the straight line from the root to the
// apex passes through the base, its length is the distance of the apex from the root.
void GeodesicSearch::cross(uint32_t particle, const PathState& state, uint32_t base, uint32_t apex) {
  const PathState* end = find_nearly_straight(base, state);
  if (!end) return;
  const Vector origin = position_of(positions_, particle);
  const Vector along = position_of(positions_, base) - origin;
  const Vector up = position_of(positions_, apex) - origin;
  const double size = length(along);
  if (!(size > 0)) return;
  const double apex_x = dot(up, along) / size;
  const double apex_y = length(cook::cross(up, along)) / size;
  const double d0 = state.distance - state.root_distance, d1 = end->distance - state.root_distance;
  const double x = ((d0 - d1) * (d0 + d1) + size * size) / (2 * size);
  const double y_squared = d0 * d0 - x * x;
  if (!(y_squared >= 0) || !(apex_y > 0)) return;
  const double y = std::sqrt(y_squared);
  const double crossing = x + (apex_x - x) * (y / (y + apex_y));
  if (!(crossing >= 0 && crossing <= size)) return;
  const double unfolded = length({apex_x - x, apex_y + y, 0});
  // On a curved surface the unfolded line can be shorter than the straight distance in space, which is a lower bound.
  offer(apex, state, state.root_distance + std::max(unfolded, distance(positions_, state.root, apex)));
}

}  // namespace clothc::cook
