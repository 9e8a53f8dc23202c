// intersections_test.cpp - the intersections of edges and triangles of a cloth are those that a comparison of all pairs
// in whole numbers finds, on every backend, for any shape, mesh and order of particles.
#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>

#include "support/groups.h"
#include "support/scene.h"

using namespace clothc_test;

namespace intersections_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Intersections);

using Counts = std::vector<uint32_t>;
using Point = std::array<int64_t, 3>;

// Positions are multiples of this, and so small that floats hold all products of differences exactly.
constexpr float unit = 1.0f / 64;
constexpr int most = 32;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
// The sign of the volume that three vectors span.
int side(const Point& a, const Point& b, const Point& c) {
  const int64_t volume =
      (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] + (a[0] * b[1] - a[1] * b[0]) * c[2];
  return volume < 0 ? -1 : volume > 0 ? 1 : 0;
}

// Whether the segment from p to q crosses the inside of a triangle.
bool crosses(const Point& p, const Point& q, const Point& a, const Point& b, const Point& c) {
  const int from = side(minus(b, a), minus(c, a), minus(p, a)), to = side(minus(b, a), minus(c, a), minus(q, a));
  if (from * to >= 0) return false;
  const int first = side(minus(a, p), minus(b, p), minus(q, p));
  return first != 0 && first == side(minus(b, p), minus(c, p), minus(q, p)) &&
         first == side(minus(c, p), minus(a, p), minus(q, p));
}

// Compares edges with triangles: all that have a particle for which `may` holds with all others.
template <class May>
Counts compare(const std::vector<uint32_t>& triangles, const std::vector<float>& positions, May may) {
  std::vector<Point> points(positions.size() / 4);
  for (size_t k = 0; k < points.size() * 3; ++k)
    points[k / 3][k % 3] = static_cast<int64_t>(positions[k / 3 * 4 + k % 3] / unit);
  std::set<std::array<uint32_t, 2>> edges;
  std::vector<size_t> all, possible;
  for (size_t k = 0; k < triangles.size(); k += 3) {
    const uint32_t* corner = &triangles[k];
    for (size_t j = 0; j < 3; ++j) {
      const uint32_t a = corner[j], b = corner[(j + 1) % 3];
      if (a != b) edges.insert({std::min(a, b), std::max(a, b)});
    }
    all.push_back(k);
    if (std::any_of(corner, corner + 3, may)) possible.push_back(k);
  }
  Counts counts(points.size(), 0);
  for (const auto& [p, q] : edges) {
    for (const size_t k : may(p) || may(q) ? all : possible) {
      const uint32_t *corner = &triangles[k], *end = corner + 3;
      if (std::find(corner, end, p) != end || std::find(corner, end, q) != end) continue;
      if (!crosses(points[p], points[q], points[corner[0]], points[corner[1]], points[corner[2]])) continue;
      for (const uint32_t particle : {p, q, corner[0], corner[1], corner[2]}) ++counts[particle];
    }
  }
  return counts;
}

struct Tangle : Scene {
  explicit Tangle(clothc_backend backend, uint32_t columns = 6, uint32_t rows = 5)
      : Scene(options(backend, columns, rows)) {}
  static SceneOptions options(clothc_backend backend, uint32_t columns, uint32_t rows) {
    SceneOptions made(backend);
    made.columns = columns;
    made.rows = rows;
    made.solver.particle_capacity = 4096;
    return made;
  }
  Counts counts(clothc_cloth_id id) const { return get_words(device, solver, id, CLOTHC_CHANNEL_INTERSECTION_COUNT); }
  // Puts the particles for which `may` holds at positions in a cube.
  template <class May>
  void scatter_some(clothc_cloth_id id, uint32_t seed, int range, May may) const {
    std::mt19937 random(seed);
    std::vector<float> values = get(CLOTHC_CHANNEL_POSITION, id);
    for (size_t k = 0; k < values.size(); ++k) {
      const int number = static_cast<int>(random() % static_cast<uint32_t>(2 * range)) - range;
      if (k % 4 != 3 && may(static_cast<uint32_t>(k / 4))) values[k] = static_cast<float>(number) * unit;
    }
    set(CLOTHC_CHANNEL_POSITION, id, values);
  }
  void scatter(clothc_cloth_id id, uint32_t seed, int range = most) const { scatter_some(id, seed, range, any); }
  template <class May>
  Counts expected_if(clothc_cloth_id id, May may) const {
    return compare(read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_TRIANGLES), get(CLOTHC_CHANNEL_POSITION, id), may);
  }
  Counts expected(clothc_cloth_id id) const { return expected_if(id, any); }
  static bool any(uint32_t) { return true; }
};

uint64_t sum(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

TEST_P(Intersections, of_a_cloth_that_is_not_tangled_are_none) {
  Tangle scene(GetParam());
  EXPECT_EQ(scene.counts(scene.cloth), Counts(30, 0));
  scene.step(20);
  EXPECT_EQ(scene.counts(scene.cloth), Counts(30, 0));
}

TEST_P(Intersections, of_two_squares_that_cross_are_where_they_cross) {
  Tangle scene(GetParam());
  // Two squares of two triangles each. The second one stands upright in the plane z = 1 and goes through the first one.
  const float positions[] = {-4, 0, -4, 4, 0, -4, 4, 0, 4, -4, 0, 4, -1, -1, 1, 2, -1, 1, 2, 3, 1, -1, 3, 1};
  const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
  clothc_mesh_desc mesh = initialised<clothc_mesh_desc>();
  mesh.vertex_count = 8;
  mesh.positions = positions;
  mesh.triangle_count = 4;
  mesh.triangles = triangles;
  scene.replace_fabric(mesh);
  const clothc_cloth_id cloth = scene.add();
  // Its left side at x = -1 and its diagonal at x = -0.25 meet triangle 0 2 3, its right side at x = 2 meets triangle
  // 0 1 2, and the diagonal of the first square meets triangle 4 5 6 at x = 1.
  EXPECT_EQ(scene.counts(cloth), (Counts{4, 1, 4, 2, 3, 2, 3, 1}));
  // The same after a turn of the order of corners, which turns all normals around.
  const uint32_t turned[] = {2, 1, 0, 3, 2, 0, 6, 5, 4, 7, 6, 4};
  mesh.triangles = turned;
  scene.replace_fabric(mesh);
  EXPECT_EQ(scene.counts(scene.add()), (Counts{4, 1, 4, 2, 3, 2, 3, 1}));
}

TEST_P(Intersections, are_those_of_all_pairs) {
  for (const auto& [columns, rows] : {std::pair{2u, 2u}, {3u, 7u}, {17u, 16u}, {20u, 22u}}) {
    Tangle scene(GetParam(), columns, rows);
    for (const int range : {most, 6}) {
      scene.scatter(scene.cloth, columns, range);
      const Counts expected = scene.expected(scene.cloth);
      EXPECT_EQ(scene.counts(scene.cloth), expected) << columns << " x " << rows;
      if (columns > 2) {
        EXPECT_GT(sum(expected), 0u) << columns << " x " << rows;
      }
      EXPECT_EQ(sum(expected) % 5, 0u);
    }
  }
}

// The BVHs of so many edges and triangles have three levels. A part of the sheet is crumpled and goes through the rest.
TEST_P(Intersections, of_a_large_cloth_are_those_of_all_pairs) {
  constexpr uint32_t columns = 64, rows = 48;
  Tangle scene(GetParam(), columns, rows);
  std::vector<float> flat = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (uint32_t p = 0; p < columns * rows; ++p) {
    const float column = static_cast<float>(p % columns), row = static_cast<float>(p / columns);
    const float position[] = {column - columns / 2.0f, 0, row - rows / 2.0f};
    for (size_t k = 0; k < 3; ++k) flat[p * 4 + k] = position[k] * unit;
  }
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, flat);
  EXPECT_EQ(sum(scene.counts(scene.cloth)), 0u);
  const auto is_crumpled = [](uint32_t p) { return p % columns % 21 < 3 && p / columns % 15 < 3; };
  scene.scatter_some(scene.cloth, 4, 20, is_crumpled);
  const Counts expected = scene.expected_if(scene.cloth, is_crumpled);
  EXPECT_GT(sum(expected), 10000u);
  EXPECT_EQ(scene.counts(scene.cloth), expected);
}

TEST_P(Intersections, do_not_depend_on_the_order_in_which_particles_are_stored) {
  Tangle scene(GetParam());
  Sheet sheet(20, 13), shuffled = sheet;
  for (uint32_t v = 0; v < 260; ++v) std::copy_n(&sheet.positions[v * 3], 3, &shuffled.positions[v * 37 % 260 * 3]);
  std::transform(sheet.quads.begin(), sheet.quads.end(), shuffled.quads.begin(),
                 [](uint32_t v) { return v * 37 % 260; });
  scene.replace_fabric(shuffled.desc());
  clothc_fabric_info info = initialised<clothc_fabric_info>();
  require(clothc_fabric_get_info(scene.fabric, &info));
  ASSERT_EQ(info.reordered, 1u) << "the test is of no use otherwise";
  const clothc_cloth_id cloth = scene.add();
  scene.scatter(cloth, 5);
  EXPECT_EQ(scene.counts(cloth), scene.expected(cloth));
}

// Raw fabrics may have triangles whose corners are the same particle, and no positions.
TEST_P(Intersections, of_raw_fabrics_are_those_of_all_pairs) {
  Tangle scene(GetParam());
  constexpr uint32_t particle_count = 70;
  std::mt19937 random(3);
  std::vector<uint32_t> triangles;
  for (int k = 0; k < 3 * 150; ++k) triangles.push_back(static_cast<uint32_t>(random() % particle_count));
  for (size_t k = 0; k < 30; k += 3) triangles[k + 1] = triangles[k + 2];
  triangles[3] = triangles[4] = triangles[5];
  const std::vector<float> positions(particle_count * 4, 1.0f);
  clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
  desc.particle_count = particle_count;
  desc.triangle_count = triangles.size() / 3;
  desc.triangles = triangles.data();
  scene.replace_fabric(desc);
  clothc_cloth_desc cloth_desc = scene.cloth_desc();
  cloth_desc.positions = positions.data();
  const clothc_cloth_id cloth = scene.add(cloth_desc);
  EXPECT_EQ(scene.counts(cloth), Counts(particle_count, 0)) << "all particles are in one place";
  scene.scatter(cloth, 4);
  const Counts expected = scene.expected(cloth);
  EXPECT_GT(sum(expected), 1000u);
  EXPECT_EQ(scene.counts(cloth), expected);
}

TEST_P(Intersections, of_several_cloths_are_those_of_each_alone) {
  Tangle scene(GetParam());
  const clothc_cloth_id first = scene.cloth, second = scene.add(), third = scene.add();
  const clothc_group_id group = add_group(scene.solver, group_desc({0, 0, 0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(scene.counts(group), Counts(2, 0)) << "a group has no triangles";
  scene.scatter(first, 1);
  scene.scatter(second, 2);
  scene.scatter(third, 3);
  const Counts counts[] = {scene.expected(first), scene.expected(second), scene.expected(third)};
  EXPECT_NE(counts[0], counts[1]);
  require(clothc_cloth_remove(scene.solver, second));
  // One region over both cloths and the gap between them, and one that begins and ends within a cloth.
  const clothc_buffer buffer = scene.buffer(200, CLOTHC_FORMAT_UINT);
  const clothc_region regions[] = {{scene.info(first).first_particle, 0, 150},
                                   {scene.info(third).first_particle + 11, 160, 7}};
  require(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_INTERSECTION_COUNT, buffer, nullptr, regions, 2, 0));
  Counts got(200), wanted(200, 0);
  require(clothc_buffer_read(buffer, 0, 800, got.data()));
  for (const auto& [id, expected] : {std::pair{first, &counts[0]}, {third, &counts[2]}}) {
    const uint32_t begin = scene.info(id).first_particle - scene.info(first).first_particle;
    std::copy(expected->begin(), expected->end(), wanted.begin() + static_cast<int>(begin));
  }
  std::copy_n(counts[2].begin() + 11, 7, wanted.begin() + 160);
  for (size_t k = 150; k < 160; ++k) got[k] = 0;
  for (size_t k = 167; k < 200; ++k) got[k] = 0;
  EXPECT_EQ(got, wanted);
}

TEST_P(Intersections, are_no_part_of_the_state_and_outlive_what_happens_to_cloths) {
  Tangle scene(GetParam()), other(GetParam());
  for (Tangle* s : {&scene, &other}) s->scatter(s->cloth, 8);
  const Counts expected = scene.expected(scene.cloth);
  EXPECT_EQ(scene.counts(scene.cloth), expected);
  EXPECT_EQ(scene.snapshot(), other.snapshot());
  EXPECT_EQ(scene.hash(), other.hash());
  const std::vector<uint8_t> bytes = scene.snapshot();
  clothc_cloth_id clone = 0;
  require(clothc_cloth_clone(scene.solver, scene.cloth, &clone));
  EXPECT_EQ(scene.counts(clone), expected);
  require(clothc_cloth_remove(scene.solver, scene.cloth));
  uint32_t moved = 1;
  clothc_move move;
  require(clothc_solver_compact(scene.solver, &move, &moved));
  EXPECT_EQ(scene.counts(clone), expected);
  require(clothc_cloth_reset(scene.solver, clone, nullptr));
  EXPECT_EQ(sum(scene.counts(clone)), 0u);
  require(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
  EXPECT_EQ(scene.counts(scene.cloth), expected);
}

// What the channel is for: it tells whether collisions of a cloth with itself keep it from tangling.
TEST_P(Intersections, tell_whether_a_falling_cloth_is_tangled) {
  // Returns the most intersections at any time.
  const auto tangled = [&](float distance) {
    Tangle scene(GetParam(), 16, 24);
    const float plane[] = {0, 1, 0, 0};
    const uint32_t own_plane = 0, end = 1;
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.plane_count = shapes.convex_count = 1;
    shapes.planes = plane;
    shapes.convex_ends = &end;
    shapes.convex_planes = &own_plane;
    clothc_collider_set_id set = 0;
    require(clothc_collider_set_create(scene.solver, &set));
    require(clothc_collider_set_write(scene.solver, set, &shapes));
    require(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
    scene.change_parameters(scene.cloth, [&](auto& p) {
      p.self_collision_distance = distance;
      p.friction = 0.4f;
    });
    // Stands the sheet on its edge, and frees it.
    std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    for (size_t k = 0; k < positions.size(); k += 4) {
      positions[k + 1] = 0.05f + positions[k + 2];
      positions[k + 2] = 0.05f * positions[k + 1] * positions[k + 1];
      positions[k + 3] = 1;
    }
    scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, positions, CLOTHC_SET_AT_REST);
    uint64_t most_tangled = 0;
    for (int k = 0; k < 20; ++k) {
      scene.step(6);
      most_tangled = std::max(most_tangled, sum(scene.counts(scene.cloth)) / 5);
    }
    return most_tangled;
  };
  EXPECT_GT(tangled(0), 20u);
  EXPECT_EQ(tangled(0.24f), 0u);
}

TEST_P(Intersections, can_be_got_as_words_only) {
  Tangle scene(GetParam());
  const clothc_result bad = CLOTHC_ERROR_INVALID_ARGUMENT;
  const clothc_buffer words = scene.buffer(30, CLOTHC_FORMAT_UINT), floats = scene.buffer(30);
  EXPECT_FAILS(bad, clothc_solver_set(scene.solver, CLOTHC_CHANNEL_INTERSECTION_COUNT, words, nullptr, nullptr, 0, 0),
               "intersection_count", "not set");
  EXPECT_FAILS(bad, clothc_solver_get(scene.solver, CLOTHC_CHANNEL_INTERSECTION_COUNT, floats, nullptr, nullptr, 0, 0),
               "intersection_count", "UINT", "FLOAT4");
  EXPECT_FAILS(bad, clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_INTERSECTION_COUNT, words, nullptr),
               "channel 18 cannot be bound");
  EXPECT_FAILS(bad, clothc_cloth_clear(scene.solver, scene.cloth, CLOTHC_CHANNEL_INTERSECTION_COUNT),
               "channel 18 cannot be cleared");
}

}  // namespace
}  // namespace intersections_test
