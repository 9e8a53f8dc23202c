// border.cpp - owns the search for borders. A side of only one triangle is on the border.
#include "cook/hierarchy/border.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace clothc::cook {
namespace {

constexpr double least_cosine_of_corner = -0.5;

// Adds the angles of the triangles at the node by multiplying complex numbers of size 1. Each angle is below half a
// turn, so a sum above half a turn shows as a negative imaginary part before the sum can reach a full turn.
bool is_corner(const Graph& graph, uint32_t node) {
  double real = 1, imaginary = 0;
  for (uint32_t i = graph.triangles_at.begin[node]; i < graph.triangles_at.begin[node + 1]; ++i) {
    const uint32_t t = graph.triangles_at.item[i];
    const auto& corners = graph.triangles[t];
    const size_t at = corners[0] == node ? 0 : corners[1] == node ? 1 : 2;
    const double opposite = graph.sides[t][at], a = graph.sides[t][(at + 1) % 3], b = graph.sides[t][(at + 2) % 3];
    if (!(a * b > 0)) continue;
    const double cosine = std::min(std::max((a * a + b * b - opposite * opposite) / (2 * a * b), -1.0), 1.0);
    const double sine = std::sqrt(1 - cosine * cosine);
    const double turned = real * cosine - imaginary * sine;
    imaginary = real * sine + imaginary * cosine;
    real = turned;
    if (imaginary < 0) return false;
  }
  return real > least_cosine_of_corner;
}

}  // namespace

std::vector<Place> find_places(const Graph& graph) {
  // [neighbours of nodes] number of triangles that have this side, at the lower one of its nodes.
  std::vector<uint32_t> triangle_counts(graph.neighbour.size(), 0);
  for (const auto& corners : graph.triangles) {
    for (size_t i = 0; i < 3; ++i) {
      const Pair side = ordered(corners[i], corners[(i + 1) % 3]);
      ++triangle_counts[find_neighbour(graph, side.first, side.second)];
    }
  }
  std::vector<Place> places(graph.node_count, Place::inside);
  for (uint32_t node = 0; node < graph.node_count; ++node) {
    for (uint32_t i = graph.begin[node]; i < graph.begin[node + 1]; ++i) {
      if (triangle_counts[i] == 1) places[node] = places[graph.neighbour[i]] = Place::border;
    }
  }
  for (uint32_t node = 0; node < graph.node_count; ++node) {
    if (places[node] == Place::border && is_corner(graph, node)) places[node] = Place::corner;
  }
  return places;
}

}  // namespace clothc::cook
