// scene_fabrics.cpp - see scene_fabrics.h. Vertices are a little displaced from a regular grid, so that every constraint
// has an error to correct from the first iteration on.
#include "core/verify/scene_fabrics.h"

#include <array>
#include <vector>

#include "core/base/structs.h"

namespace clothc {
namespace {

struct Grid {
  std::vector<float> positions;
  std::vector<float> inverse_masses;
  std::vector<float> texture_coordinates;
  std::vector<float> stiffness;
  std::vector<uint32_t> quads;
};

Grid make_grid(const GridSpec& spec) {
  Grid grid;
  SceneNumbers numbers(spec.columns * 31 + spec.rows);
  for (uint32_t row = 0; row < spec.rows; ++row) {
    for (uint32_t column = 0; column < spec.columns; ++column) {
      const float x = static_cast<float>(column), z = static_cast<float>(row);
      const float shift = 0.1f * spec.spacing;
      grid.positions.push_back(spec.origin[0] + spec.spacing * x + numbers.next(-shift, shift));
      grid.positions.push_back(spec.origin[1] + 0.2f * spec.spacing * z + numbers.next(-shift, shift));
      grid.positions.push_back(spec.origin[2] + spec.spacing * z + numbers.next(-shift, shift));
      grid.inverse_masses.push_back(row == 0 ? 0.0f : numbers.next(0.5f, 2.0f));
      grid.texture_coordinates.insert(grid.texture_coordinates.end(), {0.3f * x + 0.1f * z, 0.2f * z});
      grid.stiffness.push_back(numbers.next(0.5f, 1.0f));
      if (column + 1 == spec.columns || row + 1 == spec.rows) continue;
      const uint32_t a = row * spec.columns + column;
      grid.quads.insert(grid.quads.end(), {a, a + 1, a + spec.columns + 1, a + spec.columns});
    }
  }
  return grid;
}

// The particles of the net, and its triangles.
constexpr uint32_t net_columns = 6, net_rows = 6, net_particles = net_columns * net_rows;
constexpr float net_spacing = 0.06f;

// Particles and parameters of constraints of one type.
struct TypedSet {
  clothc_constraint_type type;
  std::vector<uint32_t> particles;
  std::vector<float> parameters;
  uint64_t count = 0;

  void add(std::initializer_list<uint32_t> of, std::initializer_list<float> with) {
    particles.insert(particles.end(), of);
    parameters.insert(parameters.end(), with);
    ++count;
  }
  clothc_constraint_set set() const {
    clothc_constraint_set set = make_default<clothc_constraint_set>();
    set.type = type;
    set.constraint_count = count;
    set.particles = particles.data();
    set.parameters = parameters.data();
    return set;
  }
};

// Calls visit(a, b, c, d) for each square of the net, whose corners a b c d go around it.
template <class Visit>
void for_each_square(Visit visit) {
  for (uint32_t row = 0; row + 1 < net_rows; ++row) {
    for (uint32_t column = 0; column + 1 < net_columns; ++column) {
      const uint32_t a = row * net_columns + column;
      visit(a, a + 1, a + net_columns + 1, a + net_columns);
    }
  }
}

// Angles across the diagonals of the squares, areas of half of the triangles, and some pairs with a stiffness.
std::array<TypedSet, 3> net_sets() {
  std::array<TypedSet, 3> sets = {TypedSet{CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, {}, {}},
                                  TypedSet{CLOTHC_CONSTRAINT_TRIANGLE_AREA, {}, {}},
                                  TypedSet{CLOTHC_CONSTRAINT_STIFF_DISTANCE, {}, {}}};
  SceneNumbers numbers(5);
  for_each_square([&](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    sets[0].add({a, c, d, b}, {numbers.next(-0.5f, 0.5f), numbers.next(0.3f, 1.0f)});
    sets[1].add({a, b, c}, {0.4f * net_spacing * net_spacing, numbers.next(0.3f, 1.0f)});
    sets[2].add({a, c}, {1.3f * net_spacing, numbers.next(0.3f, 1.0f)});
  });
  return sets;
}

}  // namespace

std::shared_ptr<Fabric> cook_grid(const std::shared_ptr<Device>& device, const GridSpec& spec) {
  const Grid grid = make_grid(spec);
  clothc_mesh_desc mesh = make_default<clothc_mesh_desc>();
  mesh.vertex_count = grid.inverse_masses.size();
  mesh.positions = grid.positions.data();
  mesh.inverse_masses = grid.inverse_masses.data();
  mesh.quad_count = grid.quads.size() / 4;
  mesh.quads = grid.quads.data();
  mesh.tethers_per_particle = 2;
  mesh.virtual_particles_per_triangle = spec.virtual_particles_per_triangle;
  mesh.long_range_edges[0] = spec.long_range_edges;
  if (spec.has_texture_coordinates) mesh.texture_coordinates = grid.texture_coordinates.data();
  if (spec.has_stiffness) mesh.stiffness = grid.stiffness.data();
  return cook_fabric(device, mesh);
}

std::shared_ptr<Fabric> make_net(const std::shared_ptr<Device>& device) {
  std::vector<float> positions, rest_lengths, tether_lengths;
  std::vector<uint32_t> pairs, triangles, anchors;
  SceneNumbers numbers(9);
  for (uint32_t k = 0; k < net_particles; ++k) {
    const float x = static_cast<float>(k % net_columns), z = static_cast<float>(k / net_columns);
    positions.insert(positions.end(), {net_spacing * x, 0.45f + numbers.next(0, 0.02f), net_spacing * z,
                                       k == 0 ? 0.0f : numbers.next(0.5f, 2.0f)});
    anchors.push_back(k < 4 ? 0 : k - 4);
    tether_lengths.push_back(net_spacing * numbers.next(0.5f, 3.0f));
  }
  for_each_square([&](uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    // A star has no rings.
    for (const uint32_t other : {b, c, d}) {
      pairs.insert(pairs.end(), {a, other});
      rest_lengths.push_back(net_spacing * numbers.next(0.8f, 1.1f));
    }
    triangles.insert(triangles.end(), {a, b, c, a, c, d});
  });
  const std::array<TypedSet, 3> typed = net_sets();
  const clothc_constraint_set sets[] = {typed[0].set(), typed[1].set(), typed[2].set()};
  // The pairs twice, so that a cloth can solve them with and without limits.
  const uint32_t phase_sets[] = {0, 0, 1, 2, 3};
  const auto pair_count = static_cast<uint32_t>(rest_lengths.size());
  clothc_fabric_desc desc = make_default<clothc_fabric_desc>();
  desc.particle_count = net_particles;
  desc.phase_count = 5;
  desc.set_count = 1;
  desc.phase_sets = phase_sets;
  desc.set_ends = &pair_count;
  desc.constraint_count = pair_count;
  desc.indices = pairs.data();
  desc.rest_lengths = rest_lengths.data();
  desc.tethers_per_particle = 1;
  desc.tether_anchors = anchors.data();
  desc.tether_lengths = tether_lengths.data();
  desc.triangle_count = static_cast<uint32_t>(triangles.size() / 3);
  desc.triangles = triangles.data();
  desc.positions = positions.data();
  desc.constraint_sets = sets;
  desc.constraint_set_count = 3;
  return create_fabric(device, desc);
}

}  // namespace clothc
