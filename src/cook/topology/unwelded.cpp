// unwelded.cpp - owns the search for vertices that may be meant as one: no edge connects them, their distance is below
// a thousandth of the edge lengths around them, and one of them is on a border. Because of the last condition, layers
// of cloth that lie close to each other are reported at their borders at most. Border particles are in a hash grid. A
// query reads at most eight cells, and at most most_read particles of each.
#include "cook/topology/unwelded.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "cook/geometry.h"

namespace clothc::cook {
namespace {

// Fraction of the mean edge length at both vertices and in the whole mesh.
constexpr double close = 1e-3;
// Upper bound on the particles that a query reads in one cell. It keeps the time linear, but in crowded cells the
// search may miss vertices.
constexpr uint32_t most_read = 32;

class BorderGrid {
 public:
  BorderGrid(const Inspected& mesh, const EdgeLengths& lengths, const std::vector<uint32_t>& border)
      : mesh_(mesh), lengths_(lengths), radius_(close * lengths.mean), border_(border), next_(border.size(), no_index) {
    size_t size = 1;
    while (size < border.size() * 2) size *= 2;
    heads_.assign(size, no_index);
    for (uint32_t i = static_cast<uint32_t>(border.size()); i-- > 0;) {
      const Vector at = position_of(mesh.positions, border[i]);
      uint32_t& head = heads_[bucket(cell(at.x), cell(at.y), cell(at.z))];
      next_[i] = head;
      head = i;
    }
  }

  // Returns the nearest of the border particles that are close to the given particle and not connected to it by an
  // edge, or no_index.
  uint32_t find(uint32_t particle) const {
    const Vector at = position_of(mesh_.positions, particle);
    const double x[2] = {cell(at.x - radius_), cell(at.x + radius_)};
    const double y[2] = {cell(at.y - radius_), cell(at.y + radius_)};
    const double z[2] = {cell(at.z - radius_), cell(at.z + radius_)};
    Nearest nearest;
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t a = i & 1, b = i >> 1 & 1, c = i >> 2;
      const bool repeated = (a == 1 && x[1] == x[0]) || (b == 1 && y[1] == y[0]) || (c == 1 && z[1] == z[0]);
      if (!repeated) look(heads_[bucket(x[a], y[b], z[c])], particle, nearest);
    }
    return nearest.particle;
  }

 private:
  struct Nearest {
    uint32_t particle = no_index;
    double distance = 0;
  };

  void look(uint32_t index, uint32_t particle, Nearest& nearest) const {
    for (uint32_t read = 0; index != no_index && read < most_read; index = next_[index], ++read) {
      const uint32_t other = border_[index];
      if (other == particle) continue;
      const double size = distance(mesh_.positions, particle, other);
      const double around = std::min(double{lengths_.mean_at[particle]}, double{lengths_.mean_at[other]});
      if (!(size < close * around && size < radius_)) continue;
      const bool nearer = nearest.particle == no_index || size < nearest.distance ||
                          (size == nearest.distance && other < nearest.particle);
      if (!nearer || joined(particle, other)) continue;
      nearest = {other, size};
    }
  }

  bool joined(uint32_t a, uint32_t b) const {
    return std::binary_search(mesh_.edges.pairs.begin(), mesh_.edges.pairs.end(), ordered(a, b));
  }

  // Adding zero turns -0 into 0. Cell numbers are doubles because a coordinate may be any multiple of the radius.
  double cell(double x) const { return std::floor(x / (4 * radius_)) + 0.0; }

  size_t bucket(double x, double y, double z) const {
    uint64_t hash = 0;
    for (const double c : {x, y, z}) {
      uint64_t bits;
      std::memcpy(&bits, &c, sizeof bits);
      hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return static_cast<size_t>(hash) & (heads_.size() - 1);
  }

  const Inspected& mesh_;
  const EdgeLengths& lengths_;
  double radius_;
  const std::vector<uint32_t>& border_;
  // [buckets] index in border_ of the first particle of each bucket, or no_index.
  std::vector<uint32_t> heads_;
  // [border] index in border_ of the next particle in the same bucket, or no_index.
  std::vector<uint32_t> next_;
};

std::vector<uint32_t> find_border(const EdgeList& edges, uint32_t particle_count) {
  std::vector<bool> on_border(particle_count, false);
  for (uint32_t e = 0; e < edges.pairs.size(); ++e) {
    if (edges.face_count(e) == 1) on_border[edges.pairs[e].first] = on_border[edges.pairs[e].second] = true;
  }
  std::vector<uint32_t> border;
  for (uint32_t p = 0; p < particle_count; ++p) {
    if (on_border[p]) border.push_back(p);
  }
  return border;
}

}  // namespace

EdgeLengths measure_edges(const Inspected& mesh) {
  const size_t particle_count = mesh.vertex_of_particle.size();
  EdgeLengths lengths;
  lengths.mean_at.resize(particle_count, 0.0f);
  lengths.count_at.resize(particle_count, 0);
  std::vector<double> sum(particle_count, 0.0);
  double total = 0;
  for (const Pair edge : mesh.edges.pairs) {
    const double size = distance(mesh.positions, edge.first, edge.second);
    total += size;
    for (const uint32_t p : {edge.first, edge.second}) {
      sum[p] += size;
      ++lengths.count_at[p];
    }
  }
  if (!mesh.edges.pairs.empty()) lengths.mean = total / static_cast<double>(mesh.edges.pairs.size());
  for (size_t p = 0; p < particle_count; ++p) {
    if (lengths.count_at[p] > 0) lengths.mean_at[p] = static_cast<float>(sum[p] / lengths.count_at[p]);
  }
  return lengths;
}

void find_unwelded(const Inspected& mesh, const EdgeLengths& lengths, DiagnosticList& diagnostics) {
  if (!(lengths.mean > 0)) return;
  const uint32_t particle_count = static_cast<uint32_t>(mesh.vertex_of_particle.size());
  const std::vector<uint32_t> border = find_border(mesh.edges, particle_count);
  if (border.empty()) return;
  const BorderGrid grid(mesh, lengths, border);
  std::vector<Pair> pairs;
  for (uint32_t p = 0; p < particle_count; ++p) {
    if (lengths.count_at[p] == 0) continue;
    const uint32_t other = grid.find(p);
    if (other != no_index) pairs.push_back(ordered(p, other));
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const Pair pair : pairs) {
    diagnostics.add(diagnostic_unwelded_vertex, mesh.vertex_of_particle[pair.first],
                    mesh.vertex_of_particle[pair.second], distance(mesh.positions, pair.first, pair.second));
  }
}

}  // namespace clothc::cook
