// quadify.cpp - owns the choice of triangles to merge into quads. Every edge between two triangles that wind alike is a
// candidate. Its score is the largest absolute cosine at the corners of the quad (0 for a rectangle), and candidates
// are taken greedily, the lowest score first.
// Source: Remacle et al. 2012, "Blossom-Quad: a non-uniform quadrilateral mesh generator using a minimum-cost
// perfect-matching algorithm", section 2 (quality of a pair by its angles, greedy pairing).
#include "cook/topology/quadify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "cook/geometry.h"

namespace clothc::cook {
namespace {

// Corner angles of a quad are from 45 to 135 degrees.
constexpr double most_cosine = 0.70711;
// The two corners that are not on the diagonal are at least 67 degrees wide. In an equilateral triangle (60 degrees) no
// side is more of a diagonal than the others; in half a rectangle that corner has 90 degrees.
constexpr double most_cosine_off_diagonal = 0.39;
// The normals of the two triangles differ by at most 26 degrees.
constexpr double least_cosine_of_normals = 0.9;

struct Candidate {
  double score;
  uint32_t edge;
};

bool operator<(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score < b.score : a.edge < b.edge;
}

using Corners = std::array<uint32_t, 4>;

// Returns the corners of the quad that two triangles form across the edge pair. Corners 0 and 2 are the ends of the
// edge.
Corners corners_around(const Face& a, const Face& b, Pair pair) {
  const uint32_t from = runs_along(a, pair) ? pair.first : pair.second;
  const uint32_t to = pair.other(from);
  return {from, b.after(from), to, a.after(to)};
}

double cosine(Vector a, Vector b) {
  const double size = std::sqrt(dot(a, a)) * std::sqrt(dot(b, b));
  return size > 0 ? dot(a, b) / size : 1;
}

// Returns the score of the quad, or a negative number if it is not acceptable.
double rate(const Corners& corner, const std::vector<float>& positions) {
  std::array<Vector, 4> at, normal;
  for (size_t i = 0; i < 4; ++i) at[i] = position_of(positions, corner[i]);
  double worst = 0;
  for (size_t i = 0; i < 4; ++i) {
    const Vector onward = at[(i + 1) % 4] - at[i], back = at[(i + 3) % 4] - at[i];
    const double c = cosine(onward, back);
    const bool off_diagonal = i % 2 == 1;
    if (std::fabs(c) > most_cosine || (off_diagonal && c > most_cosine_off_diagonal)) return -1;
    worst = std::max(worst, std::fabs(c));
    normal[i] = cross(onward, back);
  }
  // The normals at corners 1 and 3 are those of the two triangles. A convex quad turns the same way at corners 0 and 2.
  if (cosine(normal[1], normal[3]) < least_cosine_of_normals) return -1;
  for (const size_t i : {size_t{0}, size_t{2}}) {
    if (!(dot(normal[i], normal[1]) > 0 && dot(normal[i], normal[3]) > 0)) return -1;
  }
  return worst;
}

}  // namespace

Quadified merge_triangles(const std::vector<Face>& faces, const EdgeList& edges, const std::vector<float>& positions) {
  const auto face_on = [&](uint32_t edge, uint32_t i) { return edges.face[edges.face_begin[edge] + i]; };
  const auto corners_on = [&](uint32_t edge) {
    return corners_around(faces[face_on(edge, 0)], faces[face_on(edge, 1)], edges.pairs[edge]);
  };
  std::vector<Candidate> candidates;
  for (uint32_t e = 0; e < edges.pairs.size(); ++e) {
    if (edges.face_count(e) != 2) continue;
    const Face& a = faces[face_on(e, 0)];
    const Face& b = faces[face_on(e, 1)];
    if (a.is_quad() || b.is_quad() || runs_along(a, edges.pairs[e]) == runs_along(b, edges.pairs[e])) continue;
    const double score = rate(corners_on(e), positions);
    if (score >= 0) candidates.push_back({score, e});
  }
  std::sort(candidates.begin(), candidates.end());

  Quadified result;
  result.merged.assign(edges.pairs.size(), false);
  std::vector<bool> gone(faces.size(), false);
  std::vector<uint32_t> edge_of_quad(faces.size(), no_index);
  for (const Candidate& candidate : candidates) {
    const uint32_t a = face_on(candidate.edge, 0), b = face_on(candidate.edge, 1);
    if (gone[a] || gone[b] || edge_of_quad[a] != no_index || edge_of_quad[b] != no_index) continue;
    edge_of_quad[a] = candidate.edge;
    gone[b] = true;
    result.merged[candidate.edge] = true;
    ++result.merged_count;
  }
  result.faces.reserve(faces.size() - result.merged_count);
  for (uint32_t f = 0; f < faces.size(); ++f) {
    if (gone[f]) continue;
    result.faces.push_back(edge_of_quad[f] == no_index ? faces[f] : Face{corners_on(edge_of_quad[f])});
  }
  return result;
}

}  // namespace clothc::cook
