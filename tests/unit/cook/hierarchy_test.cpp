// hierarchy_test.cpp - which nodes the coarse levels of a cloth have, how far apart they may be, and whose motion follows
// theirs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "cook/constraint_types.h"
#include "cook/constraints/pairs.h"
#include "cook/geometry.h"
#include "cook/hierarchy/levels.h"
#include "cook/topology/faces.h"
#include "unit/cook/mesh_list.h"

namespace clothc::hierarchy_test {
namespace {

using cook::Hierarchy;
using cook::HierarchyLevel;

struct Cooked {
  FabricData fabric;
  std::vector<cook::Pair> edges, diagonals;
  Hierarchy levels;
};

Cooked cook_levels(const MeshData& mesh, const std::vector<bool>& is_soft = {}) {
  Cooked cooked;
  cooked.fabric = cook_mesh(mesh);
  cook::DiagnosticList diagnostics;
  const FabricData& fabric = cooked.fabric;
  const auto faces = cook::collect_faces(mesh, fabric.vertex_map, fabric.positions, diagnostics).faces;
  const cook::EdgeList edges = cook::find_edges(faces, fabric.particle_count);
  cooked.edges = edges.pairs;
  cooked.diagonals = cook::find_quad_diagonals(faces, edges);
  cooked.levels = cook::find_hierarchy({fabric.positions, cooked.edges, cooked.diagonals, fabric.triangles, is_soft});
  return cooked;
}

// Makes a sheet of irregular triangles with straight borders.
MeshData make_irregular_sheet(uint32_t columns, uint32_t rows) {
  const MeshData regular = test::make_triangle_sheet(columns, rows);
  MeshData mesh = test::noisy(regular, 0.06f, true);
  for (uint32_t v = 0; v < columns * rows; ++v) {
    const uint32_t x = v % columns, y = v / columns;
    if (x > 0 && y > 0 && x + 1 < columns && y + 1 < rows) continue;
    std::copy_n(&regular.positions[v * 3], 3, &mesh.positions[v * 3]);
  }
  return mesh;
}

struct Neighbour {
  uint32_t node;
  float length, edge_length;
};

std::vector<Neighbour> neighbours_of(const HierarchyLevel& level, uint32_t node) {
  std::vector<Neighbour> found;
  for (uint32_t k = 0; k < level.neighbours_per_node; ++k) {
    const size_t at = size_t{k} * level.node_count + node;
    if (level.neighbours[at] != node) {
      found.push_back({level.neighbours[at], level.lengths[at], level.edge_lengths[at]});
    } else {
      EXPECT_EQ(level.lengths[at], longest_length);
      EXPECT_EQ(level.edge_lengths[at], longest_length);
    }
  }
  return found;
}

cook::Vector centre_of(const HierarchyLevel& level, uint32_t node) {
  const float* at = &level.centres[size_t{node} * 3];
  return {double{at[0]}, double{at[1]}, double{at[2]}};
}

double distance_of(const HierarchyLevel& level, uint32_t a, uint32_t b) {
  return cook::length(centre_of(level, a) - centre_of(level, b));
}

// Returns where a finer node was chosen: the position of its particle.
cook::Vector finer_position(const Cooked& cooked, size_t level, uint32_t finer) {
  const uint32_t particle = level == 0 ? finer : cooked.levels[level - 1].particles[finer];
  return cook::position_of(cooked.fabric.positions, particle);
}

// A point at which the motion of the parents is the point's own, if they move by a linear function of their positions.
cook::Vector interpolated(const Cooked& cooked, size_t index, uint32_t finer) {
  const HierarchyLevel& level = cooked.levels[index];
  cook::Vector sum = {0, 0, 0};
  for (uint32_t k = 0; k < cook::parents_per_node; ++k) {
    const size_t at = size_t{k} * level.finer_count + finer;
    const auto parent = cook::position_of(cooked.fabric.positions, level.particles[level.parents[at]]);
    sum = sum + double{level.weights[at]} * parent;
  }
  return sum;
}

TEST(Hierarchy, has_every_third_node_of_a_grid_in_both_directions) {
  const Cooked cooked = cook_levels(test::make_quad_sheet(28, 28));
  ASSERT_EQ(cooked.levels.size(), 3u);
  for (uint32_t step = 3, i = 0; i < 3; step *= 3, ++i) {
    std::vector<uint32_t> lattice;
    for (uint32_t y = 0; y < 28; y += step) {
      for (uint32_t x = 0; x < 28; x += step) lattice.push_back(y * 28 + x);
    }
    EXPECT_EQ(cooked.levels[i].particles, lattice);
  }
}

// Its nodes are on the border all around, wherever the lattice ends.
TEST(Hierarchy, has_nodes_at_the_corners_of_every_grid) {
  for (const uint32_t size : {5u, 20u, 21u, 23u, 50u}) {
    for (const MeshData& mesh :
         {test::make_quad_sheet(size, size), test::shuffled(test::make_quad_sheet(size, size))}) {
      const Cooked cooked = cook_levels(mesh);
      ASSERT_FALSE(cooked.levels.empty());
      std::set<std::pair<float, float>> corners;
      for (const uint32_t p : cooked.levels[0].particles) {
        const float x = cooked.fabric.positions[p * 4], y = cooked.fabric.positions[p * 4 + 1];
        const float end = 0.25f * static_cast<float>(size - 1);
        if ((x == 0 || x == end) && (y == 0 || y == end)) corners.insert({x, y});
      }
      EXPECT_EQ(corners.size(), 4u) << size;
    }
  }
}

TEST(Hierarchy, divides_the_particles_into_clusters_whose_means_are_the_centres) {
  for (const test::NamedMesh& named : test::all_meshes()) {
    const Cooked cooked = cook_levels(named.mesh);
    std::vector<uint32_t> finer_sizes(cooked.fabric.particle_count, 1);
    std::vector<cook::Vector> finer_centres;
    for (uint32_t p = 0; p < cooked.fabric.particle_count; ++p) {
      finer_centres.push_back(cook::position_of(cooked.fabric.positions, p));
    }
    for (const HierarchyLevel& level : cooked.levels) {
      std::vector<cook::Vector> centres;
      for (uint32_t i = 0; i < level.node_count; ++i) {
        cook::Vector sum = {0, 0, 0};
        uint32_t size = 0;
        for (uint32_t k = level.member_begin[i]; k < level.member_begin[i + 1]; ++k) {
          const uint32_t finer = level.members[k];
          EXPECT_EQ(level.clusters[finer], i);
          sum = sum + static_cast<double>(finer_sizes[finer]) * finer_centres[finer];
          size += finer_sizes[finer];
        }
        ASSERT_GT(size, 0u) << named.name;
        EXPECT_EQ(level.sizes[i], size);
        centres.push_back(1.0 / size * sum);
        EXPECT_LT(cook::length(centres[i] - centre_of(level, i)), 1e-5) << named.name;
      }
      finer_sizes = level.sizes;
      finer_centres = centres;
    }
  }
}

TEST(Hierarchy, has_mutual_neighbours_that_may_be_as_far_apart_as_at_rest) {
  for (const test::NamedMesh& named : test::all_meshes()) {
    const Cooked cooked = cook_levels(named.mesh);
    for (const HierarchyLevel& level : cooked.levels) {
      size_t link_count = 0;
      for (uint32_t i = 0; i < level.node_count; ++i) {
        for (const Neighbour& one : neighbours_of(level, i)) {
          ++link_count;
          const auto others = neighbours_of(level, one.node);
          const auto back = std::find_if(others.begin(), others.end(), [&](const Neighbour& n) { return n.node == i; });
          ASSERT_NE(back, others.end()) << named.name;
          EXPECT_EQ(back->length, one.length);
          EXPECT_EQ(back->edge_length, one.edge_length);
          EXPECT_GE(one.edge_length, one.length);
          EXPECT_LE(one.edge_length, one.length * level.edge_ratios[i] * 1.000001f);
          EXPECT_GE(double{one.length}, distance_of(level, i, one.node) * 0.999999) << named.name;
        }
      }
      EXPECT_GT(link_count, 0u) << named.name;
    }
  }
}

TEST(Hierarchy, has_straight_lengths_on_a_flat_sheet) {
  for (const MeshData& mesh : {test::make_quad_sheet(40, 31), test::make_triangle_sheet(40, 31),
                               test::shuffled(test::make_quad_sheet(30, 30)), make_irregular_sheet(40, 31)}) {
    const Cooked cooked = cook_levels(mesh);
    for (const HierarchyLevel& level : cooked.levels) {
      for (uint32_t i = 0; i < level.node_count; ++i) {
        for (const Neighbour& one : neighbours_of(level, i)) {
          const double straight = distance_of(level, i, one.node);
          EXPECT_NEAR(double{one.length}, straight, 0.001 * straight);
        }
      }
    }
  }
}

// Quads that shear can be pulled out along a diagonal until their edges are in one line.
TEST(Hierarchy, has_edge_lengths_that_go_along_rows_and_columns) {
  const Cooked cooked = cook_levels(test::make_quad_sheet(28, 28));
  const HierarchyLevel& level = cooked.levels[0];
  for (uint32_t i = 0; i < level.node_count; ++i) {
    for (const Neighbour& one : neighbours_of(level, i)) {
      // Clusters at the border are smaller, and their centres are not at nodes of the lattice.
      if (level.sizes[i] < 9 || level.sizes[one.node] < 9) continue;
      const cook::Vector along = centre_of(level, i) - centre_of(level, one.node);
      EXPECT_NEAR(double{one.edge_length}, std::fabs(along.x) + std::fabs(along.y), 1e-5);
    }
  }
  const Cooked triangles = cook_levels(test::make_triangle_sheet(28, 28));
  for (const HierarchyLevel& one : triangles.levels) EXPECT_EQ(one.edge_lengths, one.lengths);
}

TEST(Hierarchy, goes_around_a_hole) {
  const uint32_t n = 60;
  const MeshData mesh = test::without_quads(test::make_quad_sheet(n + 1, n + 1), n + 1, 27, 33);
  const Cooked cooked = cook_levels(mesh);
  // The hole is a square of 1.5 m around (7.5, 7.5).
  const auto cuts = [](cook::Vector a, cook::Vector b) {
    for (int k = 1; k < 100; ++k) {
      const cook::Vector x = a + k / 100.0 * (b - a);
      if (std::fabs(x.x - 7.5) < 0.5 && std::fabs(x.y - 7.5) < 0.5) return true;
    }
    return false;
  };
  uint32_t cut_count = 0;
  // The third level has nodes 6.75 m apart, and finds its way through the hole.
  for (size_t index = 0; index < 2; ++index) {
    const HierarchyLevel& level = cooked.levels[index];
    for (uint32_t i = 0; i < level.node_count; ++i) {
      for (const Neighbour& one : neighbours_of(level, i)) {
        const cook::Vector a = centre_of(level, i), b = centre_of(level, one.node);
        if (!cuts(a, b)) continue;
        ++cut_count;
        EXPECT_GT(double{one.length}, cook::length(a - b) * 1.005);
      }
    }
  }
  EXPECT_GT(cut_count, 0u);
}

TEST(Hierarchy, joins_no_pieces) {
  const MeshData sheet = test::make_quad_sheet(20, 20);
  const Cooked cooked = cook_levels(test::joined(sheet, test::make_quad_sheet(9, 4), 0.001f));
  for (const HierarchyLevel& level : cooked.levels) {
    const auto piece = [&](uint32_t node) { return level.particles[node] >= 400; };
    uint32_t node_count[2] = {0, 0};
    for (uint32_t i = 0; i < level.node_count; ++i) {
      ++node_count[piece(i)];
      for (const Neighbour& one : neighbours_of(level, i)) EXPECT_EQ(piece(i), piece(one.node));
    }
    EXPECT_GT(node_count[0], 0u);
    EXPECT_GT(node_count[1], 0u);
    for (uint32_t k = 0; k < cook::parents_per_node; ++k) {
      for (uint32_t finer = 0; finer < level.finer_count; ++finer) {
        EXPECT_EQ(piece(level.parents[size_t{k} * level.finer_count + finer]), piece(level.clusters[finer]));
      }
    }
  }
}

TEST(Hierarchy, has_weights_that_add_up_to_one) {
  for (const test::NamedMesh& named : test::all_meshes()) {
    const Cooked cooked = cook_levels(named.mesh);
    double particle_count = 0;
    for (const HierarchyLevel& level : cooked.levels) {
      for (uint32_t finer = 0; finer < level.finer_count; ++finer) {
        double sum = 0;
        for (uint32_t k = 0; k < cook::parents_per_node; ++k) {
          const size_t at = size_t{k} * level.finer_count + finer;
          ASSERT_LT(level.parents[at], level.node_count);
          EXPECT_GE(level.weights[at], 0.0f);
          sum += double{level.weights[at]};
        }
        EXPECT_NEAR(sum, level.clusters[finer] == no_index ? 0 : 1, 1e-6) << named.name;
      }
      double shares = 0;
      for (const float share : level.shares) shares += double{share};
      if (particle_count == 0) particle_count = shares;
      EXPECT_NEAR(shares, particle_count, 1e-4 * particle_count) << named.name;
    }
  }
}

// A sheet that turns or is pulled evenly turns the same way after interpolation.
TEST(Hierarchy, interpolates_linear_functions_between_its_nodes) {
  for (const MeshData& mesh :
       {test::make_quad_sheet(28, 28), test::make_quad_sheet(50, 23), make_irregular_sheet(40, 31)}) {
    const Cooked cooked = cook_levels(mesh);
    uint32_t off_count = 0;
    const HierarchyLevel& level = cooked.levels[0];
    for (uint32_t finer = 0; finer < level.finer_count; ++finer) {
      const double off = cook::length(interpolated(cooked, 0, finer) - finer_position(cooked, 0, finer));
      off_count += off > 1e-3;
      // A quarter of the distance between nodes.
      EXPECT_LT(off, 0.2);
    }
    EXPECT_LT(off_count, level.finer_count / 20);
  }
  const Cooked lattice = cook_levels(test::make_quad_sheet(28, 28));
  for (size_t i = 0; i < lattice.levels.size(); ++i) {
    for (uint32_t finer = 0; finer < lattice.levels[i].finer_count; ++finer) {
      EXPECT_LT(cook::length(interpolated(lattice, i, finer) - finer_position(lattice, i, finer)), 1e-5);
    }
  }
}

TEST(Hierarchy, knows_how_far_each_particle_may_be_from_its_nodes) {
  const Cooked cooked = cook_levels(test::make_quad_sheet(40, 31));
  for (uint32_t p = 0; p < cooked.fabric.particle_count; ++p) {
    uint32_t node = p;
    for (const HierarchyLevel& level : cooked.levels) {
      node = level.clusters[node];
      const double straight = cook::length(centre_of(level, node) - cook::position_of(cooked.fabric.positions, p));
      EXPECT_NEAR(double{level.particle_lengths[p]}, straight, 0.01 * straight + 1e-5);
    }
  }
}

// The mean square of the distances of n points in a row, one apart, from their middle is (n^2 - 1) / 12.
TEST(Hierarchy, knows_how_far_the_particles_of_a_node_spread) {
  const Cooked cooked = cook_levels(test::make_quad_sheet(28, 28));
  for (uint32_t i = 0, n = 3; i < 2; ++i, n *= 3) {
    const HierarchyLevel& level = cooked.levels[i];
    uint32_t whole_count = 0;
    for (uint32_t node = 0; node < level.node_count; ++node) {
      if (level.sizes[node] != n * n) continue;
      ++whole_count;
      EXPECT_NEAR(double{level.spreads[node]}, 0.25 * std::sqrt(2 * (n * n - 1) / 12.0), 1e-5);
    }
    EXPECT_GT(whole_count, 0u);
  }
}

TEST(Hierarchy, has_no_neighbours_where_the_cloth_is_soft) {
  const MeshData mesh = test::make_quad_sheet(40, 40);
  std::vector<bool> is_soft(1600, false);
  is_soft[20 * 40 + 20] = true;
  const Cooked cooked = cook_levels(mesh, is_soft);
  uint32_t node = 20 * 40 + 20;
  for (const HierarchyLevel& level : cooked.levels) {
    node = level.clusters[node];
    EXPECT_TRUE(neighbours_of(level, node).empty());
    for (uint32_t i = 0; i < level.node_count; ++i) {
      for (const Neighbour& one : neighbours_of(level, i)) EXPECT_NE(one.node, node);
    }
    EXPECT_EQ(level.particle_lengths[20 * 40 + 20], longest_length);
  }
  EXPECT_FALSE(neighbours_of(cooked.levels[0], 0).empty());
}

// Particles that no weld has joined lie on each other, in groups larger than the distance between nodes.
TEST(Hierarchy, stays_finite_where_many_particles_are_at_one_place) {
  MeshData mesh = test::make_quad_sheet(30, 30);
  mesh.weld_distance = -1;
  for (uint32_t v = 0; v < 900; ++v) {
    const uint32_t x = v % 30, y = v / 30;
    if (x % 10 == 0 || y % 10 == 0) continue;
    const uint32_t to = y / 10 * 300 + x / 10 * 10 + 5 * 31;
    std::copy_n(&mesh.positions[size_t{to} * 3], 3, &mesh.positions[size_t{v} * 3]);
  }
  const Cooked cooked = cook_levels(mesh);
  ASSERT_FALSE(cooked.levels.empty());
  for (const HierarchyLevel& level : cooked.levels) {
    for (const auto* values : {&level.centres, &level.lengths, &level.edge_lengths, &level.edge_ratios, &level.weights,
                               &level.spreads, &level.particle_lengths}) {
      for (const float value : *values) ASSERT_TRUE(std::isfinite(value));
    }
    for (uint32_t i = 0; i < level.node_count; ++i) {
      EXPECT_GT(level.sizes[i], 0u);
      EXPECT_GT(level.shares[i], 0.0f);
    }
  }
}

TEST(Hierarchy, of_particles_without_faces_is_empty_there) {
  EXPECT_TRUE(cook_levels(test::make_points(10, 10)).levels.empty());
  EXPECT_TRUE(cook_levels(MeshData()).levels.empty());
  MeshData mesh = test::make_quad_sheet(12, 12);
  mesh.positions.insert(mesh.positions.end(), {9, 9, 9});
  const Cooked cooked = cook_levels(mesh);
  const HierarchyLevel& level = cooked.levels[0];
  EXPECT_EQ(level.clusters[144], no_index);
  EXPECT_EQ(level.particle_lengths[144], longest_length);
  for (uint32_t k = 0; k < cook::parents_per_node; ++k) EXPECT_EQ(level.weights[k * 145 + 144], 0.0f);
  EXPECT_EQ(std::count(level.particles.begin(), level.particles.end(), 144u), 0);
}

}  // namespace
}  // namespace clothc::hierarchy_test
