// checks.cpp - checks what must hold for the arrays of every fabric, whatever they were made from.
#include "core/fabric/checks.h"

#include <clothc.h>

#include <algorithm>

#include "cook/hierarchy/level_arrays.h"

namespace clothc {
namespace {

using ull = unsigned long long;

// A node of a coarse level follows itself.
constexpr float least_share = 0.5f;

// Largest difference between 1 and the sum of the weights of a virtual particle.
constexpr double weight_tolerance = 1e-3;
bool is_weight_sum(double sum) { return sum >= 1 - weight_tolerance && sum <= 1 + weight_tolerance; }

// Each function checks one property and fails with INVALID_ARGUMENT, naming the first bad element.
class ArrayChecker {
 public:
  explicit ArrayChecker(const char* name) : name_(name) {}

  template <class Array>
  void size(const Array& array, uint64_t wanted, const char* what) const {
    CLOTHC_REQUIRE(array.size() == wanted, "%s.%s has %zu entries; want %llu", name_, what, array.size(),
                   static_cast<ull>(wanted));
  }

  void indices(const std::vector<uint32_t>& values, uint32_t limit, const char* what, const char* limit_name) const {
    for (size_t k = 0; k < values.size(); ++k) {
      CLOTHC_REQUIRE(values[k] < limit, "%s.%s[%zu] is %u; want below %s %u", name_, what, k, values[k], limit_name,
                     limit);
    }
  }

  void floats(const std::vector<float>& values, float low, float high, const char* what) const {
    for (size_t k = 0; k < values.size(); ++k) {
      CLOTHC_REQUIRE(in_range(values[k], low, high), "%s.%s[%zu] is %g; want %g to %g", name_, what, k,
                     static_cast<double>(values[k]), static_cast<double>(low), static_cast<double>(high));
    }
  }

  void sets(const FabricData& fabric) const {
    uint32_t before = 0;
    for (size_t k = 0; k < fabric.set_ends.size(); ++k) {
      CLOTHC_REQUIRE(fabric.set_ends[k] >= before,
                     "%s.set_ends[%zu] is %u, below the one before it, %u; want inclusive prefix sums", name_, k,
                     fabric.set_ends[k], before);
      before = fabric.set_ends[k];
    }
    CLOTHC_REQUIRE(before == fabric.constraint_count(), "%s.set_ends ends with %u; want constraint_count %llu", name_,
                   before, static_cast<ull>(fabric.constraint_count()));
    for (size_t k = 0; k + 1 < fabric.indices.size(); k += 2) {
      CLOTHC_REQUIRE(fabric.indices[k] != fabric.indices[k + 1], "constraint %zu connects particle %u with itself",
                     k / 2, fabric.indices[k]);
    }
  }

  void positions(const std::vector<float>& values) const {
    for (size_t k = 0; k < values.size(); ++k) {
      const double value = static_cast<double>(values[k]);
      if (k % 4 == 3) {
        CLOTHC_REQUIRE(is_inverse_mass(values[k]),
                       "particle %zu has inverse mass %g; want 0 to 1e9, 0 for a pinned one", k / 4, value);
      } else {
        CLOTHC_REQUIRE(is_coordinate(values[k]), "particle %zu has a coordinate of %g; want finite values within +-1e9",
                       k / 4, value);
      }
    }
  }

  // A fabric has either both or neither of texture coordinates and the vertices of triangles.
  void texture(const FabricData& fabric) const {
    if (fabric.triangle_vertices.empty() && fabric.texture_coordinates.empty()) return;
    size(fabric.texture_coordinates, uint64_t{fabric.vertex_count} * 2, "texture_coordinates");
    size(fabric.triangle_vertices, fabric.triangles.size(), "triangle_vertices");
    floats(fabric.texture_coordinates, -largest_value, largest_value, "texture_coordinates");
    indices(fabric.triangle_vertices, fabric.vertex_count, "triangle_vertices", "vertex_count");
    for (size_t k = 0; k < fabric.triangles.size(); ++k) {
      const uint32_t vertex = fabric.triangle_vertices[k];
      CLOTHC_REQUIRE(fabric.vertex_map[vertex] == fabric.triangles[k],
                     "%s.triangle_vertices[%zu] is %u, a vertex of particle %u; want one of particle %u", name_, k,
                     vertex, fabric.vertex_map[vertex], fabric.triangles[k]);
    }
  }

  void virtual_weights(const std::vector<float>& weights) const {
    size(weights, weights.size() / 3 * 3, "virtual_weights");
    floats(weights, 0, 1, "virtual_weights");
    for (size_t k = 0; k < weights.size(); k += 3) {
      const double sum = double{weights[k]} + double{weights[k + 1]} + double{weights[k + 2]};
      CLOTHC_REQUIRE(
          is_weight_sum(sum),
          "row %zu of %s.virtual_weights has the sum %g; want 1 within 1e-3: divide its weights by their sum", k / 3,
          name_, sum);
    }
  }

  void virtual_particles(const FabricData& fabric) const {
    const std::vector<uint32_t>& entries = fabric.virtual_particles;
    const uint64_t rows = fabric.virtual_weights.size() / 3;
    size(entries, fabric.virtual_particle_count() * 4, "virtual_particles");
    CLOTHC_REQUIRE(fabric.virtual_particle_count() <= most_particles && rows <= most_particles,
                   "%s has %llu virtual particles and %llu rows of weights; want at most 2^24 of each", name_,
                   static_cast<ull>(fabric.virtual_particle_count()), static_cast<ull>(rows));
    for (size_t k = 0; k < entries.size(); k += 4) {
      const uint32_t a = entries[k], b = entries[k + 1], c = entries[k + 2];
      const uint32_t highest = std::max({a, b, c});
      CLOTHC_REQUIRE(highest < fabric.particle_count,
                     "virtual particle %zu of %s is on particle %u; want below particle_count %u", k / 4, name_,
                     highest, fabric.particle_count);
      CLOTHC_REQUIRE(a != b && b != c && c != a,
                     "virtual particle %zu of %s is on the particles %u, %u and %u; want three different ones", k / 4,
                     name_, a, b, c);
      CLOTHC_REQUIRE(entries[k + 3] < rows,
                     "virtual particle %zu of %s has row %u of the weights; want below virtual_weight_count %llu",
                     k / 4, name_, entries[k + 3], static_cast<ull>(rows));
    }
  }

  // The counts of the sets fit the arrays, and each constraint its type.
  void constraint_sets(const FabricData& fabric) const {
    size(fabric.constraint_counts, fabric.constraint_types.size(), "constraint_counts");
    uint64_t particles = 0, parameters = 0;
    for (size_t s = 0; s < fabric.constraint_types.size(); ++s) {
      const ConstraintTypeInfo* type = find_constraint_type(fabric.constraint_types[s]);
      CLOTHC_REQUIRE(type != nullptr, "set %zu of %s has constraints of type %u; want 1 to %u", s, name_,
                     fabric.constraint_types[s], last_constraint_type());
      particles += uint64_t{fabric.constraint_counts[s]} * type->arity;
      parameters += uint64_t{fabric.constraint_counts[s]} * type->width;
    }
    size(fabric.constraint_particles, particles, "constraint_particles");
    size(fabric.constraint_parameters, parameters, "constraint_parameters");
    const uint32_t* particle = fabric.constraint_particles.data();
    const float* parameter = fabric.constraint_parameters.data();
    for (size_t s = 0; s < fabric.constraint_types.size(); ++s) {
      const ConstraintTypeInfo& type = *find_constraint_type(fabric.constraint_types[s]);
      for (size_t c = 0; c < fabric.constraint_counts[s]; ++c, particle += type.arity, parameter += type.width)
        constraint(type, s, c, particle, parameter, fabric.particle_count);
    }
  }

  void constraint(const ConstraintTypeInfo& type, size_t set, size_t index, const uint32_t* particles,
                  const float* parameters, uint32_t particle_count) const {
    for (uint32_t k = 0; k < type.arity; ++k) {
      CLOTHC_REQUIRE(particles[k] < particle_count,
                     "constraint %zu of constraint_set[%zu] is on particle %u; want below particle_count %u", index,
                     set, particles[k], particle_count);
      CLOTHC_REQUIRE(std::find(particles, particles + k, particles[k]) == particles + k,
                     "constraint %zu of constraint_set[%zu] has particle %u twice; want %u different ones", index, set,
                     particles[k], type.arity);
    }
    for (uint32_t k = 0; k < type.width; ++k) {
      const ConstraintParameterInfo& info = type.parameters[k];
      CLOTHC_REQUIRE(in_range(parameters[k], info.least, info.most),
                     "constraint %zu of constraint_set[%zu] has %s %g; want %g to %g", index, set, info.name,
                     static_cast<double>(parameters[k]), static_cast<double>(info.least),
                     static_cast<double>(info.most));
    }
    if (type.type != ConstraintType::virtual_particle) return;
    const double sum = double{parameters[0]} + double{parameters[1]} + double{parameters[2]};
    CLOTHC_REQUIRE(is_weight_sum(sum),
                   "constraint %zu of constraint_set[%zu] has weights with the sum %g; want 1 within 1e-3: divide them "
                   "by their sum",
                   index, set, sum);
  }

  // Phases name sets that phases solve.
  void phase_sets(const FabricData& fabric) const {
    for (size_t k = 0; k < fabric.phase_sets.size(); ++k) {
      const uint32_t set = fabric.phase_sets[k];
      CLOTHC_REQUIRE(set < fabric.set_count(), "%s.phase_sets[%zu] is %u; want below set_count %llu", name_, k, set,
                     static_cast<ull>(fabric.set_count()));
      if (set < fabric.set_ends.size()) continue;
      const ConstraintTypeInfo& type = *find_constraint_type(fabric.constraint_types[set - fabric.set_ends.size()]);
      CLOTHC_REQUIRE(type.stage == ConstraintStage::phase,
                     "%s.phase_sets[%zu] is %u, a set of type %s, which no phase solves; leave it out of the phases",
                     name_, k, set, type.name);
    }
  }

  // The arrays of coarse levels are as long as their counts say, and name nodes that exist.
  void levels(const FabricData& fabric) const {
    size(fabric.level_counts, fabric.level_count() * 2, "level_counts");
    CLOTHC_REQUIRE(fabric.level_count() == 0 || !fabric.positions.empty(), "%s has coarse levels but no positions",
                   name_);
    uint64_t nodes = 0, values = 0;
    uint32_t finer_count = fabric.particle_count;
    for (size_t k = 0; k < fabric.level_count(); ++k) {
      cook::LevelArrays level;
      level.node_count = fabric.level_counts[2 * k];
      level.finer_count = finer_count;
      level.neighbours_per_node = fabric.level_counts[2 * k + 1];
      CLOTHC_REQUIRE(level.node_count >= 1 && level.node_count < finer_count && level.neighbours_per_node < finer_count,
                     "level %zu of %s has %u nodes with %u neighbours each over %u finer nodes; want fewer than these",
                     k, name_, level.node_count, level.neighbours_per_node, finer_count);
      nodes += level.node_elements();
      values += level.value_elements(fabric.particle_count);
      finer_count = level.node_count;
    }
    size(fabric.level_nodes, nodes, "level_nodes");
    size(fabric.level_values, values, "level_values");
    floats(fabric.level_values, -largest_value, longest_length, "level_values");
    for (const cook::LevelArrays& level : cook::levels_of(fabric))
      level_nodes(level, level.finer_count == fabric.particle_count);
  }

  void level_nodes(const cook::LevelArrays& level, bool is_first) const {
    std::vector<bool> has_member(level.node_count, false);
    const auto node = [&](uint32_t index, const char* what) {
      CLOTHC_REQUIRE(index < level.node_count, "%s.level_nodes names %s %u; want below the level's node count %u",
                     name_, what, index, level.node_count);
    };
    for (uint32_t i = 0; i < level.finer_count; ++i) {
      // Particles without faces belong to no node.
      if (is_first && level.clusters[i] == no_index) continue;
      node(level.clusters[i], "the cluster");
      has_member[level.clusters[i]] = true;
    }
    for (uint64_t k = 0; k < uint64_t{cook::parents_per_node} * level.finer_count; ++k) {
      node(level.parents[k], "the parent");
      CLOTHC_REQUIRE(in_range(level.weights[k], 0, 1), "%s.level_values has the weight %g; want 0 to 1", name_,
                     static_cast<double>(level.weights[k]));
    }
    for (uint64_t k = 0; k < level.link_count(); ++k) {
      node(level.neighbours[k], "the neighbour");
      CLOTHC_REQUIRE(level.lengths[k] >= 0 && level.edge_lengths[k] >= 0, "%s.level_values has a length below 0",
                     name_);
    }
    for (uint32_t i = 0; i < level.node_count; ++i) {
      CLOTHC_REQUIRE(has_member[i], "node %u of a coarse level of %s has no members", i, name_);
      CLOTHC_REQUIRE(level.shares[i] >= least_share, "%s.level_values has the share %g; want at least %g", name_,
                     static_cast<double>(level.shares[i]), static_cast<double>(least_share));
    }
  }

  void storage_order(const FabricData& fabric) const {
    if (fabric.storage_order.empty()) return;
    size(fabric.storage_order, fabric.particle_count, "storage_order");
    std::vector<bool> taken(fabric.particle_count, false);
    for (const uint32_t index : fabric.storage_order) {
      CLOTHC_REQUIRE(index < fabric.particle_count && !taken[index], "%s.storage_order has %u twice or out of range",
                     name_, index);
      taken[index] = true;
    }
  }

 private:
  const char* name_;
};

}  // namespace

void check_arrays(const FabricData& fabric, const char* name) {
  const ArrayChecker check(name);
  const uint64_t particles = fabric.particle_count;
  const uint64_t tethers = particles * fabric.tethers_per_particle;
  check.size(fabric.vertex_map, fabric.vertex_count, "vertex_map");
  if (!fabric.positions.empty()) check.size(fabric.positions, particles * 4, "positions");
  check.size(fabric.phase_types, fabric.phase_sets.size(), "phase_types");
  check.size(fabric.indices, fabric.constraint_count() * 2, "indices");
  if (!fabric.stiffness.empty()) check.size(fabric.stiffness, fabric.constraint_count(), "stiffness_values");
  check.size(fabric.tether_anchors, tethers, "tether_anchors");
  check.size(fabric.tether_lengths, tethers, "tether_lengths");
  check.size(fabric.triangles, fabric.triangle_count() * 3, "triangles");

  check.indices(fabric.vertex_map, fabric.particle_count, "vertex_map", "particle_count");
  check.constraint_sets(fabric);
  check.phase_sets(fabric);
  check.indices(fabric.phase_types, CLOTHC_PHASE_LONG_RANGE + 1, "phase_types", "the number of phase types");
  check.indices(fabric.indices, fabric.particle_count, "indices", "particle_count");
  check.indices(fabric.tether_anchors, fabric.particle_count, "tether_anchors", "particle_count");
  check.indices(fabric.triangles, fabric.particle_count, "triangles", "particle_count");
  check.floats(fabric.rest_lengths, 0, longest_length, "rest_lengths");
  check.floats(fabric.stiffness, 0, 1, "stiffness_values");
  check.floats(fabric.tether_lengths, 0, longest_length, "tether_lengths");
  check.sets(fabric);
  check.positions(fabric.positions);
  check.texture(fabric);
  check.virtual_weights(fabric.virtual_weights);
  check.virtual_particles(fabric);
  check.storage_order(fabric);
  check.levels(fabric);
}

}  // namespace clothc
