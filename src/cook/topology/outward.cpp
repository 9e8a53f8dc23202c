// outward.cpp - owns the orientation of the triangles of a solid. A patch is a set of triangles that are connected over
// edges with exactly two triangles. First all triangles of a patch are made to wind alike, as most of its area did.
// Then every closed patch is turned so that its volume is positive. All open patches are turned together, by the sum of
// their volumes, since one of them alone encloses nothing.
#include "cook/topology/outward.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cook/topology/edges.h"
#include "cook/topology/faces.h"
#include "cook/geometry.h"
#include "cook/topology/weld.h"

namespace clothc::cook {
namespace {

// A volume of at most this fraction of area^(3/2) is a rounding error: it is that of a flat sheet, which has no
// outside.
constexpr double least_volume = 1e-9;

struct Triangles {
  // [particles][4].
  std::vector<float> positions;
  std::vector<Face> faces;
};

Triangles collect_triangles(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                            size_t triangle_count) {
  const Welding welding = weld(std::vector<float>(vertices, vertices + vertex_count * 3), 0);
  Triangles result;
  for (const uint32_t vertex : welding.vertex_of_particle) {
    const float* p = vertices + size_t{vertex} * 3;
    result.positions.insert(result.positions.end(), {p[0], p[1], p[2], 0});
  }
  // The corners of each triangle in ascending order, and the index of the triangle.
  std::vector<std::pair<std::array<uint32_t, 3>, uint32_t>> found;
  for (uint32_t t = 0; t < triangle_count; ++t) {
    const uint32_t* corner = triangles + size_t{t} * 3;
    std::array<uint32_t, 3> particles;
    for (size_t i = 0; i < 3; ++i) particles[i] = welding.particle_of_vertex[corner[i]];
    result.faces.push_back({{particles[0], particles[1], particles[2], no_index}});
    std::sort(particles.begin(), particles.end());
    if (particles[0] != particles[1] && particles[1] != particles[2]) found.push_back({particles, t});
  }
  std::sort(found.begin(), found.end());
  std::vector<bool> is_kept(triangle_count, false);
  for (size_t i = 0; i < found.size(); ++i) is_kept[found[i].second] = i == 0 || found[i].first != found[i - 1].first;
  size_t kept_count = 0;
  for (size_t t = 0; t < triangle_count; ++t) {
    if (is_kept[t]) result.faces[kept_count++] = result.faces[t];
  }
  result.faces.resize(kept_count);
  return result;
}

class Orientation {
 public:
  explicit Orientation(const Triangles& mesh)
      : mesh_(mesh), edges_(find_edges(mesh.faces, static_cast<uint32_t>(mesh.positions.size() / 4))) {
    const uint32_t face_count = static_cast<uint32_t>(mesh.faces.size());
    edges_of_ = find_incidence_of_edges();
    patch_.assign(face_count, no_index);
    is_turned_.assign(face_count, false);
    for (uint32_t f = 0; f < face_count; ++f) {
      if (patch_[f] == no_index) walk_patch(f);
    }
    turn_inside_out(find_groups());
  }

  bool is_turned(uint32_t face) const { return is_turned_[face]; }

 private:
  std::vector<std::array<uint32_t, 3>> find_incidence_of_edges() const {
    std::vector<std::array<uint32_t, 3>> edges_of(mesh_.faces.size());
    std::vector<uint8_t> count(mesh_.faces.size(), 0);
    for (uint32_t e = 0; e < edges_.pairs.size(); ++e) {
      for (uint32_t i = edges_.face_begin[e]; i < edges_.face_begin[e + 1]; ++i) {
        edges_of[edges_.face[i]][count[edges_.face[i]]++] = e;
      }
    }
    return edges_of;
  }

  Vector corner(uint32_t face, size_t i) const { return position_of(mesh_.positions, mesh_.faces[face].corner[i]); }
  double area(uint32_t face) const {
    return 0.5 * length(cross(corner(face, 1) - corner(face, 0), corner(face, 2) - corner(face, 0)));
  }
  bool runs_forward(uint32_t face, uint32_t edge) const {
    return runs_along(mesh_.faces[face], edges_.pairs[edge]) != is_turned_[face];
  }

  // Makes the patch of the first triangle wind alike, breadth-first. Two triangles wind alike if they run along their
  // shared edge in opposite directions.
  void walk_patch(uint32_t first) {
    std::vector<uint32_t> found = {first};
    patch_[first] = patch_count_;
    double kept_area = 0, turned_area = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      const uint32_t face = found[i];
      (is_turned_[face] ? turned_area : kept_area) += area(face);
      for (const uint32_t edge : edges_of_[face]) {
        if (edges_.face_count(edge) != 2) continue;
        const uint32_t* pair = &edges_.face[edges_.face_begin[edge]];
        const uint32_t other = pair[0] == face ? pair[1] : pair[0];
        if (patch_[other] != no_index) continue;
        patch_[other] = patch_count_;
        is_turned_[other] = runs_forward(other, edge) == runs_forward(face, edge);
        found.push_back(other);
      }
    }
    ++patch_count_;
    if (turned_area <= kept_area) return;
    for (const uint32_t face : found) is_turned_[face] = !is_turned_[face];
  }

  // Returns the group of each patch. A patch is closed if it runs along every edge as often forward as backward. A
  // closed patch is a group of its own; all open patches share the group patch_count_.
  std::vector<uint32_t> find_groups() const {
    std::vector<uint32_t> group(patch_count_);
    for (uint32_t p = 0; p < patch_count_; ++p) group[p] = p;
    std::vector<int32_t> excess(patch_count_, 0);
    for (uint32_t e = 0; e < edges_.pairs.size(); ++e) {
      const uint32_t begin = edges_.face_begin[e], end = edges_.face_begin[e + 1];
      for (uint32_t i = begin; i < end; ++i) {
        excess[patch_[edges_.face[i]]] += runs_forward(edges_.face[i], e) ? 1 : -1;
      }
      for (uint32_t i = begin; i < end; ++i) {
        const uint32_t patch = patch_[edges_.face[i]];
        if (excess[patch] != 0) group[patch] = patch_count_;
        excess[patch] = 0;
      }
    }
    return group;
  }

  // Turns every group that has a negative volume. The volume of a group is the sum of those of the tetrahedra between
  // its triangles and their centre of area.
  void turn_inside_out(const std::vector<uint32_t>& group) {
    std::vector<double> areas(size_t{patch_count_} + 1, 0), volumes(areas);
    std::vector<Vector> centres(areas.size(), {0, 0, 0});
    for (uint32_t f = 0; f < mesh_.faces.size(); ++f) {
      const uint32_t g = group[patch_[f]];
      areas[g] += area(f);
      centres[g] = centres[g] + (area(f) / 3) * (corner(f, 0) + corner(f, 1) + corner(f, 2));
    }
    for (uint32_t f = 0; f < mesh_.faces.size(); ++f) {
      const uint32_t g = group[patch_[f]];
      if (!(areas[g] > 0)) continue;
      const Vector centre = (1 / areas[g]) * centres[g];
      const double volume = dot(corner(f, 0) - centre, cross(corner(f, 1) - centre, corner(f, 2) - centre)) / 6;
      volumes[g] += is_turned_[f] ? -volume : volume;
    }
    for (uint32_t f = 0; f < mesh_.faces.size(); ++f) {
      const uint32_t g = group[patch_[f]];
      if (volumes[g] < -least_volume * areas[g] * std::sqrt(areas[g])) is_turned_[f] = !is_turned_[f];
    }
  }

  const Triangles& mesh_;
  EdgeList edges_;
  // [faces] the three edges of each face, the patch it belongs to, and whether its winding is reversed.
  std::vector<std::array<uint32_t, 3>> edges_of_;
  std::vector<uint32_t> patch_;
  std::vector<bool> is_turned_;
  uint32_t patch_count_ = 0;
};

}  // namespace

std::vector<Vector> face_outward(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                                 size_t triangle_count) {
  const Triangles mesh = collect_triangles(vertices, vertex_count, triangles, triangle_count);
  const Orientation orientation(mesh);
  std::vector<Vector> corners;
  corners.reserve(mesh.faces.size() * 3);
  for (uint32_t f = 0; f < mesh.faces.size(); ++f) {
    const auto& corner = mesh.faces[f].corner;
    const bool turned = orientation.is_turned(f);
    for (const uint32_t particle : {corner[0], corner[turned ? 2 : 1], corner[turned ? 1 : 2]}) {
      corners.push_back(position_of(mesh.positions, particle));
    }
  }
  return corners;
}

}  // namespace clothc::cook
