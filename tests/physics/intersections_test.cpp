// intersections_test.cpp - the intersections that are counted are there: on every instruction set and device, a count in
// double precision over all pairs of edges and triangles finds as many in sheets that are flat, touch, lie folded on
// themselves, or go through each other.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

#include "physics/typed_set.h"
#include "support/configurations.h"
#include "support/quad_sheet.h"

namespace physics::intersections_test {
namespace {

using Counts = std::vector<uint32_t>;
using Edge = std::array<uint32_t, 2>;

constexpr uint32_t side = 7, per_sheet = side * side;
constexpr float cell = 0.04f;

std::vector<Configuration> all_configurations() {
  std::vector<Configuration> all = other_configurations();
  all.insert(all.begin(), plainest_configuration());
  return all;
}

// Random numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  double between(double low, double high) { return low + (high - low) * (engine_() / 4294967296.0); }
  Vector3 in_cube(double half) { return {between(-half, half), between(-half, half), between(-half, half)}; }

 private:
  std::mt19937 engine_;
};

Vector3 unit(const Vector3& v) { return v * (1 / length(v)); }

// A plane of any direction, in which a point is given by two coordinates and its height above the plane.
struct Plane {
  Vector3 origin, x, y, normal;

  Plane(Random& random, const Vector3& at) : origin(at) {
    normal = unit(random.in_cube(1));
    x = unit(cross(normal, random.in_cube(1)));
    y = cross(normal, x);
  }
  Point at(double u, double v, double height) const {
    const Vector3 p = origin + x * u + y * v + normal * height;
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), 1};
  }
};

enum Kind { flat, touching, folded, crossing, wavy, kinds };

// How a point (u, v) of a sheet lies in its plane.
Point lie(const Plane& plane, Kind kind, double u, double v, double turn, double amplitude) {
  const double across = u * std::cos(turn) - v * std::sin(turn), along = u * std::sin(turn) + v * std::cos(turn);
  // The fold is between two columns, at which the sheet lies back on itself.
  if (kind == folded) return plane.at(std::fabs(across - 0.1 * cell), along, 0);
  return plane.at(across, along, kind == wavy ? amplitude * std::sin(40 * across) * std::cos(31 * along) : 0);
}

std::vector<Point> pair_of_sheets(Kind kind, Random& random) {
  const double distance = std::pow(10.0, random.between(-1, 2));
  const Plane plane(random, random.in_cube(distance));
  std::vector<Point> points;
  for (int sheet = 0; sheet < 2; ++sheet) {
    Plane own = plane;
    if (sheet == 1 && kind == flat) own.origin = own.origin + own.normal * 0.5;
    if (sheet == 1 && kind > folded) own = Plane(random, plane.origin + random.in_cube(cell));
    if (kind == folded) own.origin = own.origin + own.normal * (0.5 * sheet);
    const double turn = random.between(-3, 3), amplitude = random.between(0, 0.05);
    for (uint32_t k = 0; k < per_sheet; ++k) {
      const double u = (k % side - 0.5 * (side - 1)) * cell, v = (k / side - 0.5 * (side - 1)) * cell;
      points.push_back(kind == folded ? lie(own, kind, u, v, 0, 0) : lie(own, kind, u, v, turn, amplitude));
    }
  }
  return points;
}

// Six times the volume that three vectors span, and the least that counts. positions: the largest coordinate.
struct Volume {
  double value, least;
};
double largest(const Vector3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }
Volume volume(const Vector3& a, const Vector3& b, const Vector3& c, double positions) {
  constexpr double ulp = 1 / 16777216.0;
  return {dot(cross(a, b), c), largest(a) * largest(b) * std::max(48 * ulp * largest(c), 8 * ulp * positions)};
}

// Whether an edge goes through a triangle for certain; and whether it does if what is nearly nothing is disregarded.
struct Through {
  bool certain, possible;
};
Through goes_through(const Vector3& p, const Vector3& q, const Vector3& a, const Vector3& b, const Vector3& c) {
  const double positions = std::max({largest(p), largest(q), largest(a), largest(b), largest(c)});
  const Vector3 along = q - p;
  const Volume ends[] = {volume(b - a, c - a, a - p, positions), volume(b - a, c - a, a - q, positions)};
  const Volume sides[] = {volume(a - p, b - p, along, 0), volume(b - p, c - p, along, 0),
                          volume(c - p, a - p, along, 0)};
  Through through = {true, true};
  const auto require_sign = [&](const Volume& v, double sign) {
    through.certain = through.certain && v.value * sign > 1.5 * v.least;
    through.possible = through.possible && v.value * sign > 0.5 * v.least;
  };
  const double first = ends[0].value < 0 ? -1 : 1, turn = sides[0].value < 0 ? -1 : 1;
  require_sign(ends[0], first);
  require_sign(ends[1], -first);
  for (const Volume& v : sides) require_sign(v, turn);
  return through;
}

bool boxes_are_apart(const Vector3* first, size_t first_count, const Vector3* second, size_t second_count) {
  for (const auto axis : {&Vector3::x, &Vector3::y, &Vector3::z}) {
    const auto less = [&](const Vector3& a, const Vector3& b) { return a.*axis < b.*axis; };
    const auto [a, b] = std::minmax_element(first, first + first_count, less);
    const auto [c, d] = std::minmax_element(second, second + second_count, less);
    if ((*b).*axis < (*c).*axis || (*d).*axis < (*a).*axis) return true;
  }
  return false;
}

struct Pair {
  Kind kind;
  std::vector<Point> points;
  Counts counts;
};

// The number of cases that are so near to touching that double precision does not tell what floats find.
uint64_t count_all(const std::vector<uint32_t>& triangles, const std::set<Edge>& edges, Pair& pair) {
  std::vector<Vector3> at;
  for (const Point& p : pair.points) at.push_back(place_of(p));
  pair.counts.assign(at.size(), 0);
  uint64_t doubtful = 0;
  for (size_t k = 0; k < triangles.size(); k += 3) {
    const uint32_t* corner = &triangles[k];
    const Vector3 triangle[] = {at[corner[0]], at[corner[1]], at[corner[2]]};
    for (const Edge& edge : edges) {
      const Vector3 ends[] = {at[edge[0]], at[edge[1]]};
      if (boxes_are_apart(ends, 2, triangle, 3) ||
          std::find_first_of(corner, corner + 3, edge.begin(), edge.end()) != corner + 3)
        continue;
      const Through through = goes_through(ends[0], ends[1], triangle[0], triangle[1], triangle[2]);
      doubtful += through.certain != through.possible ? 1 : 0;
      if (!through.certain) continue;
      for (const uint32_t particle : {edge[0], edge[1], corner[0], corner[1], corner[2]}) ++pair.counts[particle];
    }
  }
  return doubtful;
}

clothc_fabric cook_two_sheets(clothc_device device) {
  const clothc_test::Sheet one(side, side);
  std::vector<float> positions = one.positions;
  std::vector<uint32_t> quads = one.quads;
  for (size_t k = 0; k < one.positions.size(); ++k) positions.push_back(one.positions[k] + (k % 3 == 1 ? 5.0f : 0.0f));
  for (const uint32_t vertex : one.quads) quads.push_back(vertex + per_sheet);
  auto mesh = initialised<clothc_mesh_desc>();
  mesh.vertex_count = 2 * per_sheet;
  mesh.positions = positions.data();
  mesh.quad_count = quads.size() / 4;
  mesh.quads = quads.data();
  return clothc_test::cook_fabric(device, mesh);
}

// A thousand pairs of which no case is in doubt, which all configurations share because counting them takes longer than all else.
const std::vector<Pair>& pairs() {
  static const std::vector<Pair> made = [] {
    const World world(cpu_target);
    const clothc_fabric fabric = cook_two_sheets(world.device);
    const std::vector<uint32_t> triangles = clothc_test::read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_TRIANGLES);
    require(clothc_fabric_destroy(fabric));
    std::set<Edge> edges;
    for (size_t k = 0; k < triangles.size(); ++k) {
      const uint32_t a = triangles[k], b = triangles[k % 3 == 2 ? k - 2 : k + 1];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
    Random random(61);
    std::vector<Pair> all;
    uint64_t found = 0, in_doubt = 0;
    while (all.size() < 1000) {
      Pair pair;
      pair.kind = static_cast<Kind>(all.size() % kinds);
      pair.points = pair_of_sheets(pair.kind, random);
      const bool is_certain = count_all(triangles, edges, pair) == 0;
      in_doubt += is_certain ? 0 : 1;
      if (!is_certain) continue;
      for (const uint32_t count : pair.counts) found += count;
      all.push_back(std::move(pair));
    }
    std::printf("1000 pairs of sheets with %llu intersections; %llu other pairs were in doubt\n",
                static_cast<unsigned long long>(found / 5), static_cast<unsigned long long>(in_doubt));
    EXPECT_LT(in_doubt, 10u);
    return all;
  }();
  return made;
}

class PhysicsIntersections : public testing::TestWithParam<Configuration> {};
INSTANTIATE_TEST_SUITE_P(Configurations, PhysicsIntersections, testing::ValuesIn(all_configurations()),
                         name_of_configuration);

TEST_P(PhysicsIntersections, are_those_that_doubles_find) {
  ConfiguredWorld world(GetParam());
  const clothc_fabric fabric = cook_two_sheets(world.device);
  const clothc_cloth_id cloth = world.add(fabric, default_parameters(), pairs().front().points);
  // Software devices take milliseconds for each.
  const size_t step = is_software(GetParam().target) ? 9 : 1;
  uint64_t crossings = 0;
  for (size_t k = 0; k < pairs().size(); k += step) {
    const Pair& pair = pairs()[k];
    world.set(cloth, CLOTHC_CHANNEL_POSITION, pair.points);
    const Counts counts = clothc_test::get_words(world.device, world.solver, cloth, CLOTHC_CHANNEL_INTERSECTION_COUNT);
    ASSERT_EQ(counts, pair.counts) << "pair " << k << " of kind " << pair.kind;
    for (const uint32_t count : counts) crossings += count;
    if (pair.kind < crossing) {
      ASSERT_EQ(counts, Counts(2 * per_sheet, 0)) << "pair " << k << " of kind " << pair.kind;
    }
  }
  EXPECT_GT(crossings, 5 * 1000u);
  require(clothc_fabric_destroy(fabric));
}

}  // namespace
}  // namespace physics::intersections_test
