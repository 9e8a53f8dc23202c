// weld.cpp - owns welding. Each vertex, in order, joins the earliest particle within the distance, or becomes the first
// vertex of a new particle. Particles are in a hash grid with cells that are four distances wide, so a query reads at
// most eight cells. Particles are more than one distance apart, which bounds how many a cell holds, so welding takes
// linear time.
#include "cook/topology/weld.h"

#include <cmath>
#include <cstddef>
#include <cstring>

namespace clothc::cook {
namespace {

constexpr uint32_t none = 0xffffffffu;

class ParticleGrid {
 public:
  ParticleGrid(const std::vector<float>& positions, float distance)
      : positions_(positions), distance_(double{distance}) {
    size_t size = 1;
    while (size < positions.size() / 3) size *= 2;
    heads_.assign(size, none);
  }

  // Returns the earliest particle within the distance of the vertex, or none.
  uint32_t find(uint32_t vertex, const std::vector<uint32_t>& vertex_of_particle) const {
    double low[3], high[3];
    for (uint32_t axis = 0; axis < 3; ++axis) {
      low[axis] = cell(coordinate(vertex, axis) - distance_);
      high[axis] = cell(coordinate(vertex, axis) + distance_);
    }
    uint32_t found = none;
    for (uint32_t corner = 0; corner < 8; ++corner) {
      double at[3];
      bool repeated = false;
      for (uint32_t axis = 0; axis < 3; ++axis) {
        const bool upper = (corner >> axis & 1) != 0;
        at[axis] = upper ? high[axis] : low[axis];
        repeated = repeated || (upper && high[axis] == low[axis]);
      }
      if (repeated) continue;
      for (uint32_t p = heads_[bucket(at)]; p != none; p = next_[p]) {
        if (p < found && near(vertex, vertex_of_particle[p])) found = p;
      }
    }
    return found;
  }

  // Adds the next particle, at the position of its first vertex.
  void add(uint32_t vertex) {
    const double at[3] = {cell(coordinate(vertex, 0)), cell(coordinate(vertex, 1)), cell(coordinate(vertex, 2))};
    uint32_t& head = heads_[bucket(at)];
    next_.push_back(head);
    head = static_cast<uint32_t>(next_.size() - 1);
  }

 private:
  // Adding zero turns -0 into 0.
  double coordinate(uint32_t vertex, uint32_t axis) const {
    return double{positions_[size_t{vertex} * 3 + axis]} + 0.0;
  }

  // Rounding is monotonic, so points within the distance fall between the cells of x - distance and x + distance,
  // whatever their magnitudes. Cell numbers are doubles because x / distance may exceed the range of every integer
  // type.
  double cell(double x) const { return distance_ > 0 ? std::floor(x / (4 * distance_)) + 0.0 : x; }

  bool near(uint32_t a, uint32_t b) const {
    double sum = 0;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const double difference = coordinate(a, axis) - coordinate(b, axis);
      sum += difference * difference;
    }
    return sum <= distance_ * distance_;
  }

  size_t bucket(const double (&at)[3]) const {
    uint64_t hash = 0;
    for (const double c : at) {
      uint64_t bits;
      std::memcpy(&bits, &c, sizeof bits);
      hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return static_cast<size_t>(hash) & (heads_.size() - 1);
  }

  const std::vector<float>& positions_;
  double distance_;
  // [buckets] the latest particle of each bucket, or none.
  std::vector<uint32_t> heads_;
  // [particles] the particle added to the same bucket before this one, or none.
  std::vector<uint32_t> next_;
};

Welding keep_all(uint32_t vertex_count) {
  Welding welding;
  welding.particle_of_vertex.resize(vertex_count);
  for (uint32_t v = 0; v < vertex_count; ++v) welding.particle_of_vertex[v] = v;
  welding.vertex_of_particle = welding.particle_of_vertex;
  return welding;
}

}  // namespace

Welding weld(const std::vector<float>& positions, float distance) {
  const uint32_t vertex_count = static_cast<uint32_t>(positions.size() / 3);
  if (distance < 0) return keep_all(vertex_count);
  Welding welding;
  welding.particle_of_vertex.resize(vertex_count);
  ParticleGrid grid(positions, distance);
  for (uint32_t v = 0; v < vertex_count; ++v) {
    uint32_t particle = grid.find(v, welding.vertex_of_particle);
    if (particle == none) {
      particle = static_cast<uint32_t>(welding.vertex_of_particle.size());
      welding.vertex_of_particle.push_back(v);
      grid.add(v);
    }
    welding.particle_of_vertex[v] = particle;
  }
  return welding;
}

}  // namespace clothc::cook
