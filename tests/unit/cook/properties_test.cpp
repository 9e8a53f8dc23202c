// properties_test.cpp - properties of the fabrics of all meshes. fabric_checks.h has those that can be checked without
// the mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "cook/cook.h"
#include "unit/cook/edge_paths.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"

namespace clothc::properties_test {
namespace {

using test::NamedMesh;
using test::PairSet;

PairSet edges_of(const MeshData& mesh, const FabricData& fabric) {
  PairSet edges;
  const auto add = [&](const std::vector<uint32_t>& faces, size_t size) {
    for (size_t i = 0; i < faces.size(); ++i) {
      const uint32_t a = fabric.vertex_map[faces[i]];
      const uint32_t b = fabric.vertex_map[i % size == size - 1 ? faces[i + 1 - size] : faces[i + 1]];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  };
  add(mesh.triangles, 3);
  add(mesh.quads, 4);
  return edges;
}

double straight(const std::vector<float>& positions, uint32_t a, uint32_t b) {
  double sum = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double d = double{positions[a * 4 + axis]} - double{positions[b * 4 + axis]};
    sum += d * d;
  }
  return std::sqrt(sum);
}

TEST(Properties, every_edge_is_in_exactly_one_stretch_phase_or_a_merged_diagonal) {
  for (const NamedMesh& named : test::all_meshes()) {
    SCOPED_TRACE(named.name);
    const FabricData fabric = test::cook_checked(named.mesh);
    PairSet stretch, shear;
    size_t count = 0;
    for (size_t phase = 0; phase < fabric.phase_types.size(); ++phase) {
      const uint32_t type = fabric.phase_types[phase];
      const auto pairs = test::pairs_of_set(fabric, fabric.phase_sets[phase]);
      EXPECT_FALSE(pairs.empty());
      if (type == 2) shear.insert(pairs.begin(), pairs.end());
      if (type == 2 || type == 3) continue;
      stretch.insert(pairs.begin(), pairs.end());
      count += pairs.size();
    }
    EXPECT_EQ(stretch.size(), count);
    const PairSet edges = edges_of(named.mesh, fabric);
    EXPECT_EQ(stretch.size() + fabric.report.merged_triangle_count, edges.size());
    for (const auto& edge : edges) EXPECT_EQ(stretch.count(edge) + shear.count(edge), 1u);
    for (const auto& pair : stretch) EXPECT_EQ(edges.count(pair), 1u);
  }
}

// Three in four constraints of a set are in colours of at least half the size of the largest one, if they are not in rings:
// those with a stiffness of their own are not.
TEST(Properties, most_constraints_of_sheets_are_in_large_colours) {
  for (const NamedMesh& named : test::all_meshes()) {
    if (named.mesh.positions.size() < 150 || named.name.find("fan") == 0 ||
        named.name.find("sphere") != std::string::npos || named.name.find("book") != std::string::npos) {
      continue;
    }
    SCOPED_TRACE(named.name);
    MeshData mesh = named.mesh;
    mesh.stiffness.assign(mesh.positions.size() / 3, 0.5f);
    const FabricData fabric = test::cook_checked(mesh);
    const LaidOutFabric laid_out = lay_out(fabric);
    for (const ConstraintLayout& set : test::pair_sets(fabric, laid_out)) {
      std::vector<uint32_t> sizes = test::colour_sizes(laid_out, set);
      std::sort(sizes.rbegin(), sizes.rend());
      uint32_t total = 0, in_large = 0;
      for (const uint32_t size : sizes) {
        total += size;
        if (size * 2 >= sizes[0]) in_large += size;
      }
      EXPECT_GE(in_large * 4, total * 3) << "of " << total;
      EXPECT_LE(sizes.size(), 14u);
    }
  }
}

TEST(Properties, tethers_lie_between_the_straight_line_and_the_shortest_path_of_edges) {
  for (const NamedMesh& named : test::all_meshes()) {
    SCOPED_TRACE(named.name);
    const FabricData fabric = test::cook_checked(named.mesh);
    ASSERT_EQ(fabric.tethers_per_particle, named.mesh.tethers_per_particle);
    std::map<uint32_t, std::vector<double>> paths;
    for (size_t entry = 0; entry < fabric.tether_anchors.size(); ++entry) {
      const uint32_t p = static_cast<uint32_t>(entry % fabric.particle_count), anchor = fabric.tether_anchors[entry];
      if (anchor == p) {
        EXPECT_EQ(fabric.tether_lengths[entry], 0.0f);
        continue;
      }
      ASSERT_EQ(fabric.positions[anchor * 4 + 3], 0.0f);
      auto& path = paths[anchor];
      if (path.empty()) path = test::edge_paths(fabric.positions, edges_of(named.mesh, fabric), anchor);
      EXPECT_GE(fabric.tether_lengths[entry], static_cast<float>(straight(fabric.positions, p, anchor)));
      EXPECT_LE(fabric.tether_lengths[entry], static_cast<float>(path[p]) * (1 + 2e-7f));
    }
  }
}

TEST(Properties, cooking_twice_gives_the_same_arrays) {
  for (const NamedMesh& named : test::all_meshes()) {
    SCOPED_TRACE(named.name);
    const FabricData a = test::cook_checked(named.mesh), b = test::cook_checked(named.mesh);
    EXPECT_EQ(a.indices, b.indices);
    EXPECT_EQ(a.rest_lengths, b.rest_lengths);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.stiffness, b.stiffness);
    EXPECT_EQ(a.tether_anchors, b.tether_anchors);
    EXPECT_EQ(a.tether_lengths, b.tether_lengths);
    EXPECT_EQ(a.triangles, b.triangles);
    test::expect_same_layout(lay_out(a), lay_out(b));
    EXPECT_EQ(a.diagnostics.size(), b.diagnostics.size());
  }
}

TEST(Properties, triangles_cover_the_area_of_the_mesh_and_keep_its_winding) {
  for (const NamedMesh& named : test::all_meshes()) {
    SCOPED_TRACE(named.name);
    const FabricData fabric = test::cook_checked(named.mesh);
    // Half the sum of the cross products is a vector that a quad has in common with its two triangles, whether bent or
    // not.
    std::array<double, 3> wanted{}, got{};
    const auto add = [&](std::array<double, 3>& sum, const uint32_t* corner, size_t size, bool of_mesh) {
      const auto at = [&](size_t i, size_t axis) {
        return double{of_mesh ? named.mesh.positions[corner[i % size] * 3 + axis]
                              : fabric.positions[corner[i % size] * 4 + axis]};
      };
      for (size_t i = 0; i < size; ++i) {
        for (size_t axis = 0; axis < 3; ++axis) {
          const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
          sum[axis] += 0.5 * (at(i, u) * at(i + 1, v) - at(i, v) * at(i + 1, u));
        }
      }
    };
    for (size_t i = 0; i < named.mesh.triangles.size(); i += 3) add(wanted, &named.mesh.triangles[i], 3, true);
    for (size_t i = 0; i < named.mesh.quads.size(); i += 4) add(wanted, &named.mesh.quads[i], 4, true);
    for (size_t i = 0; i < fabric.triangles.size(); i += 3) add(got, &fabric.triangles[i], 3, false);
    for (size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(got[axis], wanted[axis], 1e-9);
    EXPECT_EQ(fabric.triangle_count(), named.mesh.triangles.size() / 3 + named.mesh.quads.size() / 2);
  }
}

// Returns the pairs of a type with their rest lengths, using the vertex numbers from before the shuffle.
std::map<std::pair<uint32_t, uint32_t>, float> constraints(const FabricData& fabric, uint32_t type,
                                                           const std::vector<uint32_t>& old_vertex) {
  std::map<std::pair<uint32_t, uint32_t>, float> result;
  for (size_t phase = 0; phase < fabric.phase_types.size(); ++phase) {
    if (fabric.phase_types[phase] != type) continue;
    const uint32_t set = fabric.phase_sets[phase];
    for (size_t i = set == 0 ? 0 : fabric.set_ends[set - 1]; i < fabric.set_ends[set]; ++i) {
      const uint32_t a = old_vertex[fabric.indices[i * 2]], b = old_vertex[fabric.indices[i * 2 + 1]];
      result[{std::min(a, b), std::max(a, b)}] = fabric.rest_lengths[i];
    }
  }
  return result;
}

void expect_same_cloth(const FabricData& a, const FabricData& b, const std::vector<uint32_t>& vertex_in_a) {
  std::vector<uint32_t> same(a.particle_count);
  for (uint32_t p = 0; p < a.particle_count; ++p) same[p] = p;
  EXPECT_EQ(a.phase_types, b.phase_types);
  for (uint32_t type = 1; type <= 7; ++type) EXPECT_EQ(constraints(a, type, same), constraints(b, type, vertex_in_a));
  for (uint32_t p = 0; p < b.particle_count; ++p) {
    const uint32_t q = vertex_in_a[p];
    EXPECT_NEAR(b.positions[p * 4 + 3], a.positions[q * 4 + 3], 1e-6 * double{a.positions[q * 4 + 3]});
    for (uint32_t t = 0; t < b.tethers_per_particle; ++t) {
      const float length = a.tether_lengths[t * a.particle_count + q];
      EXPECT_NEAR(b.tether_lengths[t * b.particle_count + p], length, 1e-6f * length) << "particle " << q;
    }
  }
}

TEST(Properties, cooking_commutes_with_renumbering_vertices) {
  for (const NamedMesh& named : test::all_meshes()) {
    if (!named.is_generic) continue;
    SCOPED_TRACE(named.name);
    const FabricData plain = test::cook_checked(named.mesh),
                     renumbered = test::cook_checked(test::shuffled(named.mesh));
    // Shuffling a mesh with vertex numbers in place of positions gives the renumbering.
    MeshData numbers = named.mesh;
    for (size_t v = 0; v < numbers.positions.size() / 3; ++v) numbers.positions[v * 3] = static_cast<float>(v);
    const MeshData moved = test::shuffled(numbers);
    std::vector<uint32_t> old_vertex;
    for (size_t v = 0; v < moved.positions.size(); v += 3)
      old_vertex.push_back(static_cast<uint32_t>(moved.positions[v]));
    expect_same_cloth(plain, renumbered, old_vertex);
  }
}

TEST(Properties, cooking_commutes_with_reordering_faces) {
  for (const NamedMesh& named : test::all_meshes()) {
    if (!named.is_generic) continue;
    SCOPED_TRACE(named.name);
    MeshData backwards = named.mesh;
    for (const size_t size : {size_t{3}, size_t{4}}) {
      std::vector<uint32_t>& faces = size == 3 ? backwards.triangles : backwards.quads;
      for (size_t low = 0, high = faces.size(); low + size < high; low += size, high -= size) {
        std::swap_ranges(faces.begin() + static_cast<std::ptrdiff_t>(low),
                         faces.begin() + static_cast<std::ptrdiff_t>(low + size),
                         faces.begin() + static_cast<std::ptrdiff_t>(high - size));
      }
    }
    std::vector<uint32_t> same(named.mesh.positions.size() / 3);
    for (uint32_t v = 0; v < same.size(); ++v) same[v] = v;
    expect_same_cloth(test::cook_checked(named.mesh), test::cook_checked(backwards), same);
  }
}

}  // namespace
}  // namespace clothc::properties_test
