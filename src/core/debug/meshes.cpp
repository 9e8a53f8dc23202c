// meshes.cpp - draws the triangles of a set, and its instances of meshes and signed distance fields.
#include <algorithm>

#include "core/debug/shapes.h"

namespace clothc {
namespace {

// Draws each edge of the triangles once, in ascending order of its vertices.
// vertices: [][3]; place: returns the point at which a vertex is drawn.
template <class Place>
void draw_edges(const std::vector<uint32_t>& triangles, const std::vector<float>& vertices, Place place,
                LineList& lines) {
  std::vector<uint64_t> edges;
  edges.reserve(triangles.size());
  for (size_t k = 0; k < triangles.size(); ++k) {
    const uint32_t a = triangles[k], b = triangles[k % 3 < 2 ? k + 1 : k - 2];
    edges.push_back(uint64_t{std::min(a, b)} << 32 | std::max(a, b));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto point = [&](uint64_t vertex) { return place(vector_at(&vertices[vertex * 3])); };
  for (const uint64_t edge : edges) lines.add(point(edge >> 32), point(edge & UINT32_MAX), colour_of_colliders);
}

}  // namespace

void draw_triangles(const ColliderSet& set, LineList& lines) {
  draw_edges(
      set.triangles, set.shapes[ColliderSet::vertices].starts, [](Vector vertex) { return vertex; }, lines);
}

void draw_instances(const ColliderSet& set, LineList& lines) {
  for (size_t k = 0; k < set.assets.size(); ++k) {
    const ColliderAsset& asset = *set.assets[k];
    const float* pose = &set.shapes[ColliderSet::instances].starts[k * ColliderSet::widths[ColliderSet::instances]];
    const Placement placement(pose, pose + 3, double{pose[7]});
    if (asset.is_sdf) {
      const Vector least = vector_at(asset.origin);
      const auto side = [&](uint32_t count) { return double{asset.spacing} * (count - 1); };
      add_box(placement, least, least + Vector{side(asset.counts[0]), side(asset.counts[1]), side(asset.counts[2])},
              lines);
    } else {
      draw_edges(asset.triangles, asset.vertices, placement, lines);
    }
  }
}

}  // namespace clothc
