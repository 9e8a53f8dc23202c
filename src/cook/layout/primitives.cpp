// primitives.cpp - finds the edges of triangles, and sorts both for their BVHs by their centres.
#include "cook/layout/primitives.h"

#include <algorithm>
#include <array>

#include "cook/layout/append.h"
#include "cook/layout/fans.h"
#include "cook/order/bvh_order.h"

namespace clothc::cook {
namespace {

template <size_t corner_count>
using Primitives = std::vector<std::array<uint32_t, corner_count>>;

Primitives<3> triangles_of(const FabricLayout& fabric, const std::vector<uint32_t>& words) {
  Primitives<3> triangles(fabric.triangle_count);
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (size_t k = 0; k < 3; ++k) triangles[t][k] = words[fabric.triangle_corners + k * fabric.triangle_stride + t];
  }
  return triangles;
}

Primitives<2> edges_of(const Primitives<3>& triangles) {
  Primitives<2> edges;
  edges.reserve(triangles.size() * 3);
  for (const auto& corners : triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const uint32_t a = corners[k], b = corners[(k + 1) % 3];
      // In raw fabrics two corners may be the same.
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

// Returns the positions of a fabric by storage index, or nothing if it has none.
std::vector<float> stored_positions(const FabricLayout& fabric) {
  std::vector<float> stored(fabric.positions.size());
  for (uint32_t p = 0; p < stored.size() / 4; ++p)
    std::copy_n(&fabric.positions[size_t{p} * 4], 4, &stored[size_t{fabric.storage_index(p)} * 4]);
  return stored;
}

// Returns the order of primitives for their BVH. Without positions it is their own.
template <size_t corner_count>
std::vector<uint32_t> order_of(const Primitives<corner_count>& primitives, const std::vector<float>& positions) {
  std::vector<float> centres(primitives.size() * 4, 0.0f);
  for (size_t k = 0; k < primitives.size() && !positions.empty(); ++k) {
    for (const uint32_t particle : primitives[k]) {
      for (size_t axis = 0; axis < 3; ++axis)
        centres[k * 4 + axis] += positions[size_t{particle} * 4 + axis] / float{corner_count};
    }
  }
  return order_points_for_bvh(centres);
}

template <size_t corner_count>
PrimitiveLayout lay_out_set(const Primitives<corner_count>& primitives, const std::vector<uint32_t>& order,
                            std::vector<uint32_t>& words) {
  PrimitiveLayout layout;
  layout.count = static_cast<uint32_t>(primitives.size());
  layout.stride = padded(layout.count + 1);
  std::vector<uint32_t> rows(size_t{layout.stride} * corner_count, padding_particle);
  for (size_t k = 0; k < order.size(); ++k) {
    for (size_t corner = 0; corner < corner_count; ++corner)
      rows[corner * layout.stride + k] = primitives[order[k]][corner];
  }
  layout.corners = append(words, rows);
  return layout;
}

}  // namespace

LaidOutPrimitives lay_out_primitives(const FabricLayout& fabric, const std::vector<uint32_t>& words) {
  const Primitives<3> triangles = triangles_of(fabric, words);
  const Primitives<2> edges = edges_of(triangles);
  const std::vector<float> positions = stored_positions(fabric);
  LaidOutPrimitives out;
  out.words.resize(lane_padding, 0u);

  // Nothing else numbers the edges, so their numbers are their places in the order.
  const std::vector<uint32_t> edge_order = order_of(edges, positions);
  out.edges = lay_out_set(edges, edge_order, out.words);
  std::vector<uint32_t> ends;
  ends.reserve(edges.size() * 2);
  for (const uint32_t edge : edge_order) ends.insert(ends.end(), edges[edge].begin(), edges[edge].end());
  out.edge_fans = append(out.words, make_fans(ends, 2, padded(fabric.particle_count), out.edges.count).words);

  std::vector<uint32_t> triangle_order = order_of(triangles, positions);
  out.triangles = lay_out_set(triangles, triangle_order, out.words);
  for (uint32_t t = out.triangles.count; t < out.triangles.stride; ++t) triangle_order.push_back(t);
  out.triangles.numbers = append(out.words, triangle_order);
  trim(out.words);
  return out;
}

}  // namespace clothc::cook
