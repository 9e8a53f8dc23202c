// surface_search.cpp - owns the search for short distances. Dijkstra's search runs over the links, and unfolding
// triangles shortens its distances, which makes them exact on flat pieces. Where a path bends around the corner of a
// hole, unfolding treats it as if it came straight from farther away; over the few links of a search that makes
// distances too short by about a per cent. GeodesicSearch does without this, at several times the cost.
// Sources: Dijkstra 1959; Novotni and Klein 2002, "Computing geodesic distances on triangular meshes".
#include "cook/hierarchy/surface_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace clothc::cook {
namespace {

// Beyond an obtuse angle a node is reached along links before it is reached in a straight line. So the search goes on
// beyond the farthest wanted node by this factor, and expands a node anew if its distance has become shorter by at
// least this fraction, this number of times.
constexpr double beyond_wanted = 1.15;
constexpr double worth_another_visit = 1e-4;
constexpr uint32_t most_further_visits = 3;

}  // namespace

SurfaceSearch::SurfaceSearch(const Graph& graph)
    : graph_(graph), states_(graph.node_count, State{0, 0, 0, false, false}) {}

double SurfaceSearch::distance(uint32_t node) const {
  return states_[node].search == search_ ? states_[node].distance : std::numeric_limits<double>::infinity();
}

// The nearest visit comes first. Ties are broken by node.
bool SurfaceSearch::Later::operator()(const Visit& a, const Visit& b) const {
  return a.distance != b.distance ? a.distance > b.distance : a.node > b.node;
}

void SurfaceSearch::run(uint32_t source, const std::vector<uint32_t>& wanted, Paths paths) {
  ++search_;
  reached_.clear();
  queue_.clear();
  for (const uint32_t node : wanted) state_of(node).is_wanted = true;
  size_t missing = wanted.size();
  double limit = std::numeric_limits<double>::infinity();
  offer(source, 0);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), Later());
    const Visit visit = queue_.back();
    queue_.pop_back();
    State& state = states_[visit.node];
    if (state.is_expanded || state.distance != visit.distance) continue;
    if (visit.distance > limit) break;
    state.is_expanded = true;
    if (state.is_wanted && state.reopen_count == 0 && --missing == 0) {
      limit = visit.distance * (paths == Paths::surface ? beyond_wanted : 1);
    }
    expand(visit.node, paths);
  }
}

SurfaceSearch::State& SurfaceSearch::state_of(uint32_t node) {
  State& state = states_[node];
  if (state.search != search_) state = {std::numeric_limits<double>::infinity(), search_, 0, false, false};
  return state;
}

void SurfaceSearch::offer(uint32_t node, double distance) {
  State& state = state_of(node);
  if (!(distance < state.distance)) return;
  if (state.is_expanded) {
    if (distance > state.distance * (1 - worth_another_visit) || state.reopen_count == most_further_visits) return;
    ++state.reopen_count;
    state.is_expanded = false;
  }
  if (state.distance == std::numeric_limits<double>::infinity()) reached_.push_back(node);
  state.distance = distance;
  queue_.push_back({distance, node});
  std::push_heap(queue_.begin(), queue_.end(), Later());
}

void SurfaceSearch::expand(uint32_t node, Paths paths) {
  const double distance = states_[node].distance;
  const std::vector<double>& length = paths == Paths::surface ? graph_.length : graph_.edge_length;
  for (uint32_t i = graph_.begin[node]; i < graph_.begin[node + 1]; ++i) {
    offer(graph_.neighbour[i], distance + length[i]);
  }
  for (uint32_t i = graph_.triangles_at.begin[node]; i < graph_.triangles_at.begin[node + 1]; ++i) {
    const uint32_t t = graph_.triangles_at.item[i];
    if (paths == Paths::edges && !graph_.is_rigid[t]) continue;
    const auto& corners = graph_.triangles[t];
    const uint32_t at = corners[0] == node ? 0 : corners[1] == node ? 1 : 2;
    cross(t, at, (at + 1) % 3, (at + 2) % 3);
    cross(t, at, (at + 2) % 3, (at + 1) % 3);
  }
}

// Lays the triangle in a plane, with its base on the x axis (the expanded corner at 0, the other end at x = size) and
// the apex above it. d0 and d1 are the distances of the two ends from the source. The source then lies below the axis
// at (x, -y), where x = (d0^2 - d1^2 + size^2) / (2 size) and y^2 = d0^2 - x^2. If the straight line from the source to
// the apex passes through the base, its length is the distance of the apex.
void SurfaceSearch::cross(uint32_t triangle, uint32_t at, uint32_t base, uint32_t apex) {
  const auto& corners = graph_.triangles[triangle];
  const State& end = states_[corners[base]];
  if (end.search != search_ || !end.is_expanded) return;
  const auto& sides = graph_.sides[triangle];
  const double size = sides[apex], to_apex = sides[base], from_end = sides[at];
  if (!(size > 0)) return;
  const double apex_x = ((to_apex - from_end) * (to_apex + from_end) + size * size) / (2 * size);
  const double apex_y_squared = to_apex * to_apex - apex_x * apex_x;
  const double d0 = states_[corners[at]].distance, d1 = end.distance;
  const double x = ((d0 - d1) * (d0 + d1) + size * size) / (2 * size);
  const double y_squared = d0 * d0 - x * x;
  if (!(y_squared >= 0) || !(apex_y_squared > 0)) return;
  const double y = std::sqrt(y_squared), apex_y = std::sqrt(apex_y_squared);
  const double crossing = x + (apex_x - x) * (y / (y + apex_y));
  if (!(crossing >= 0 && crossing <= size)) return;
  offer(corners[apex], std::sqrt((apex_x - x) * (apex_x - x) + (y + apex_y) * (y + apex_y)));
}

}  // namespace clothc::cook
