// topology.cpp - reads what is drawn from a fabric.
#include "cloth/topology.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "scene/cloth/phases.h"

namespace clothc_viewer {
namespace {

template <class T>
std::vector<T> read(const clothc::Fabric& fabric, clothc_fabric_array array) {
  return fabric.read<T>(array).value();
}

// Constraints of two particles each.
struct PairSet {
  std::vector<uint32_t> particles;
  std::vector<float> rest_lengths;
  bool only_longer = false;
};

// The sets that phases name by numbers below set_count.
std::vector<PairSet> read_pair_sets(const clothc::Fabric& fabric) {
  const auto ends = read<uint32_t>(fabric, CLOTHC_FABRIC_SET_ENDS);
  const auto indices = read<uint32_t>(fabric, CLOTHC_FABRIC_INDICES);
  const auto rest_lengths = read<float>(fabric, CLOTHC_FABRIC_REST_LENGTHS);
  std::vector<PairSet> sets;
  uint32_t begin = 0;
  for (uint32_t end : ends) {
    PairSet& set = sets.emplace_back();
    set.particles.assign(indices.begin() + 2 * begin, indices.begin() + 2 * end);
    set.rest_lengths.assign(rest_lengths.begin() + begin, rest_lengths.begin() + end);
    begin = end;
  }
  return sets;
}

// Particles and parameters of a constraint of a type.
struct Shape {
  size_t particle_count, parameter_count;
};

Shape shape_of(clothc_constraint_type type) {
  switch (type) {
    case CLOTHC_CONSTRAINT_STIFF_DISTANCE:
      return {2, 2};
    case CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE:
      return {3, 3};
    case CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE:
      return {4, 2};
    case CLOTHC_CONSTRAINT_TRIANGLE_AREA:
      return {3, 2};
    default:
      return {2, 1};
  }
}

// The sets of any type, which phases name by the numbers from set_count on. Those that are no pairs stay empty.
std::vector<PairSet> read_typed_sets(const clothc::Fabric& fabric) {
  const auto types = read<uint32_t>(fabric, CLOTHC_FABRIC_CONSTRAINT_TYPES);
  const auto counts = read<uint32_t>(fabric, CLOTHC_FABRIC_CONSTRAINT_COUNTS);
  const auto particles = read<uint32_t>(fabric, CLOTHC_FABRIC_CONSTRAINT_PARTICLES);
  const auto parameters = read<float>(fabric, CLOTHC_FABRIC_CONSTRAINT_PARAMETERS);
  std::vector<PairSet> sets(types.size());
  size_t particle = 0, parameter = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    const Shape shape = shape_of(types[i]);
    for (uint32_t k = 0; k < counts[i]; ++k, particle += shape.particle_count, parameter += shape.parameter_count) {
      if (shape.particle_count != 2) continue;
      sets[i].particles.insert(sets[i].particles.end(), {particles[particle], particles[particle + 1]});
      sets[i].rest_lengths.push_back(parameters[parameter]);
    }
    sets[i].only_longer = types[i] == CLOTHC_CONSTRAINT_LONG_RANGE;
  }
  return sets;
}

// vertex_of_particle: one of the vertices of each particle.
std::vector<Topology::Phase> read_phases(const clothc::Fabric& fabric,
                                         const std::vector<uint32_t>& vertex_of_particle) {
  std::vector<PairSet> sets = read_pair_sets(fabric);
  for (PairSet& set : read_typed_sets(fabric)) sets.push_back(std::move(set));
  const auto phase_sets = read<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_SETS);
  const auto types = read<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_TYPES);
  std::vector<Topology::Phase> edges, others;
  for (size_t i = 0; i < phase_sets.size(); ++i) {
    const PairSet& set = sets[phase_sets[i]];
    if (set.particles.empty()) continue;
    Topology::Phase& phase = (clothc_tool::holds_edges(types[i]) ? edges : others).emplace_back();
    phase.name = std::to_string(i) + " " + clothc_tool::phase_type_name(types[i]);
    for (uint32_t particle : set.particles) phase.pairs.push_back(vertex_of_particle[particle]);
    phase.rest_lengths = set.rest_lengths;
    phase.only_longer = set.only_longer || types[i] == CLOTHC_PHASE_LONG_RANGE;
  }
  edges.insert(edges.end(), others.begin(), others.end());
  return edges;
}

// Vertices of one particle count as the same, so that the sides of seams are drawn once.
std::vector<uint32_t> edges_of(const std::vector<uint32_t>& triangles, const std::vector<uint32_t>& particle_of_vertex,
                               const std::vector<uint32_t>& vertex_of_particle) {
  std::vector<std::pair<uint32_t, uint32_t>> sides;
  for (size_t i = 0; i < triangles.size(); ++i) {
    const size_t next = i % 3 == 2 ? i - 2 : i + 1;
    const uint32_t a = particle_of_vertex[triangles[i]], b = particle_of_vertex[triangles[next]];
    sides.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(sides.begin(), sides.end());
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  std::vector<uint32_t> edges;
  for (const auto& [a, b] : sides) edges.insert(edges.end(), {vertex_of_particle[a], vertex_of_particle[b]});
  return edges;
}

float mean_side_of(const clothc::Fabric& fabric, const std::vector<uint32_t>& particle_triangles) {
  const auto positions = read<float>(fabric, CLOTHC_FABRIC_POSITIONS);
  if (positions.empty() || particle_triangles.empty()) return 0;
  double sum = 0;
  for (size_t i = 0; i < particle_triangles.size(); ++i) {
    const size_t next = i % 3 == 2 ? i - 2 : i + 1;
    const float *a = &positions[size_t{4} * particle_triangles[i]],
                *b = &positions[size_t{4} * particle_triangles[next]];
    sum += static_cast<double>(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
  return static_cast<float>(sum / static_cast<double>(particle_triangles.size()));
}

Topology make(const clothc::Fabric& fabric, const std::vector<uint32_t>& triangles,
              const std::vector<uint32_t>& particle_of_vertex) {
  const uint32_t particle_count = fabric.info()->particle_count;
  std::vector<uint32_t> vertex_of_particle(particle_count, 0);
  for (uint32_t vertex = 0; vertex < particle_of_vertex.size(); ++vertex)
    vertex_of_particle[particle_of_vertex[vertex]] = vertex;
  Topology topology;
  topology.vertex_count = static_cast<uint32_t>(particle_of_vertex.size());
  topology.triangles = triangles;
  for (uint32_t vertex : triangles) topology.particle_triangles.push_back(particle_of_vertex[vertex]);
  topology.edges = edges_of(triangles, particle_of_vertex, vertex_of_particle);
  topology.phases = read_phases(fabric, vertex_of_particle);
  topology.mean_side = mean_side_of(fabric, topology.particle_triangles);
  return topology;
}

}  // namespace

Topology vertex_topology(const clothc::Fabric& fabric, const std::vector<uint32_t>& vertex_triangles) {
  return make(fabric, vertex_triangles, read<uint32_t>(fabric, CLOTHC_FABRIC_VERTEX_MAP));
}

Topology particle_topology(const clothc::Fabric& fabric) {
  std::vector<uint32_t> identity(fabric.info()->particle_count);
  std::iota(identity.begin(), identity.end(), 0u);
  return make(fabric, read<uint32_t>(fabric, CLOTHC_FABRIC_TRIANGLES), identity);
}

Topology group_topology(uint32_t particle_count) {
  Topology topology;
  topology.vertex_count = particle_count;
  return topology;
}

}  // namespace clothc_viewer
