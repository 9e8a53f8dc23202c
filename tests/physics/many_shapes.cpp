// many_shapes.cpp - see many_shapes.h.
#include "physics/many_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ostream>

#include "support/bodies.h"

namespace physics {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Position {
  double x, y, z;
};
double dot(const Position& a, const Position& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Position between(const Point& p, const Position& centre) {
  return {static_cast<double>(p.x) - centre.x, static_cast<double>(p.y) - centre.y,
          static_cast<double>(p.z) - centre.z};
}
float narrow(double value) { return static_cast<float>(value); }

// Returns directions spread evenly over a sphere or its lower half, along a Fibonacci spiral.
std::vector<Position> directions(uint32_t count, bool lower_half) {
  std::vector<Position> found;
  for (uint32_t k = 0; k < count; ++k) {
    const double y = lower_half ? -(k + 0.5) / count : 1 - 2 * (k + 0.5) / count;
    const double r = std::sqrt(1 - y * y), angle = k * pi * (3 - std::sqrt(5.0));
    found.push_back({r * std::cos(angle), y, r * std::sin(angle)});
  }
  return found;
}

// Moves back and forth by 6 cm with a period of 1.5 s.
Position sway(double time) { return {0.06 * std::sin(time * 2 * pi / 1.5), 0.02 * std::sin(time * 2 * pi), 0}; }

// Returns a plane with n (p - centre) + d >= 0 outside.
Point plane(const Position& n, const Position& centre, double d) {
  return {narrow(n.x), narrow(n.y), narrow(n.z), narrow(d - dot(n, centre))};
}

Plan sheet_of(uint32_t n, float width, float height) {
  Plan plan = sheet({n, width, 0.2f, true});
  for (Point& p : plan.points) p.y = height;
  return plan;
}

// A bed of 40 x 25 spheres that touch their neighbours, on a wavy ground.
constexpr double ball_radius = 0.025;
Position ball_centre(uint32_t k, double time) {
  const double x = 0.05 * (k % 40 - 19.5), z = 0.05 * (k / 40 - 12.0);
  const Position by = sway(time);
  return {x + by.x, 0.03 * std::sin(7 * x) + 0.02 * std::cos(9 * z) + by.y, z};
}

Crowd spheres() {
  return {"1,000 spheres",
          [](double time) {
            Shapes shapes;
            for (uint32_t k = 0; k < 1000; ++k) {
              const Position c = ball_centre(k, time);
              shapes.spheres.push_back({narrow(c.x), narrow(c.y), narrow(c.z), narrow(ball_radius)});
            }
            return shapes;
          },
          [](const Point& p, double time) {
            double nearest = infinity;
            for (uint32_t k = 0; k < 1000; ++k) {
              const Position d = between(p, ball_centre(k, time));
              nearest = std::min(nearest, dot(d, d));
            }
            return std::sqrt(nearest) - ball_radius;
          },
          sheet_of(45, 1.1f, 0.074f),
          {{0, 0, 0}},
          -0.06f,
          100};
}

// The cloth lies in a bowl, the lower half of a ball of radius 0.5. Where half-spaces overlap, the average of their
// displacements is applied, so the cloth lags behind a moving bowl by a few millimetres.
Crowd half_spaces() {
  const std::vector<Position> outwards = directions(1000, true);
  return {"1,000 half-spaces",
          [=](double time) {
            Shapes shapes;
            for (const Position& d : outwards) shapes.planes.push_back(plane({-d.x, -d.y, -d.z}, sway(time), 0.5));
            return shapes;
          },
          [=](const Point& p, double time) {
            const Position from = between(p, sway(time));
            double nearest = infinity;
            for (const Position& d : outwards) nearest = std::min(nearest, 0.5 - dot(d, from));
            return nearest;
          },
          sheet_of(41, 0.5f, -0.348f),
          {{0, 0, 0}},
          -0.54f,
          100,
          60,
          5e-3};
}

// A polyhedron of 1,000 faces around a ball of radius 0.3.
Crowd one_convex() {
  const std::vector<Position> normals = directions(1000, false);
  return {"a convex of 1,000 planes",
          [=](double time) {
            Shapes shapes;
            shapes.convexes.resize(1);
            for (const Position& n : normals) {
              shapes.convexes[0].push_back(static_cast<uint32_t>(shapes.planes.size()));
              shapes.planes.push_back(plane(n, sway(time), -0.3));
            }
            return shapes;
          },
          [=](const Point& p, double time) {
            const Position from = between(p, sway(time));
            double furthest = -infinity;
            for (const Position& n : normals) furthest = std::max(furthest, dot(n, from) - 0.3);
            return furthest;
          },
          sheet_of(41, 0.8f, 0.301f),
          {{0, 0, 0}},
          -0.6f,
          100};
}

// 25 x 5 octahedra side by side.
// From the centre to a corner.
constexpr double octahedron_size = 0.05;
Position octahedron_centre(uint32_t k, double time) {
  const Position by = sway(time);
  return {0.1 * (k % 5 - 2.0) + by.x, 0.01 * (k % 3) + by.y, 0.1 * (k / 5 - 12.0)};
}

Crowd many_convexes() {
  return {"125 convexes of 8 planes each",
          [](double time) {
            Shapes shapes;
            const double n = std::sqrt(1 / 3.0);
            for (uint32_t k = 0; k < 125; ++k) {
              std::vector<uint32_t>& convex = shapes.convexes.emplace_back();
              for (uint32_t f = 0; f < 8; ++f) {
                const Position normal = {(f & 1) != 0 ? n : -n, (f & 2) != 0 ? n : -n, (f & 4) != 0 ? n : -n};
                convex.push_back(static_cast<uint32_t>(shapes.planes.size()));
                shapes.planes.push_back(plane(normal, octahedron_centre(k, time), -octahedron_size * n));
              }
            }
            return shapes;
          },
          [](const Point& p, double time) {
            double nearest = infinity;
            for (uint32_t k = 0; k < 125; ++k) {
              const Position d = between(p, octahedron_centre(k, time));
              nearest = std::min(nearest, std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z) - octahedron_size);
            }
            return nearest / std::sqrt(3.0);
          },
          sheet_of(33, 0.45f, 0.061f),
          {{0, 0, 0}, {0, 0, -0.7f}, {0, 0, 0.7f}},
          -0.3f,
          30};
}

// Waves that run over a ground of 250 x 200 squares of 8 mm.
constexpr uint32_t ground_columns = 251, ground_rows = 201;
constexpr double square = 0.008;
double ground_height(uint32_t column, uint32_t row, double time) {
  const double x = square * column, z = square * row;
  return 0.04 * std::sin(8 * x - 2 * time) * std::cos(6 * z) + 0.01 * std::sin(23 * (x + z));
}

Vertex ground_vertex(uint32_t column, uint32_t row, double time) {
  return {narrow(square * (column - 125.0)), narrow(ground_height(column, row, time)), narrow(square * (row - 100.0))};
}

// Returns the distance from the plane of the triangle below or above the point, perpendicular to it. Squares are split
// from lower left to upper right.
double above_ground(const Point& p, double time) {
  const double u = static_cast<double>(p.x) / square + 125, v = static_cast<double>(p.z) / square + 100;
  const auto column = static_cast<uint32_t>(std::clamp(u, 0.0, ground_columns - 2.0));
  const auto row = static_cast<uint32_t>(std::clamp(v, 0.0, ground_rows - 2.0));
  const auto height = [&](uint32_t dx, uint32_t dz) {
    return static_cast<double>(ground_vertex(column + dx, row + dz, time).y);
  };
  const double s = u - column, t = v - row, h = height(0, 0), diagonal = height(1, 1);
  const double along_x = s > t ? height(1, 0) - h : diagonal - height(0, 1);
  const double along_z = s > t ? diagonal - height(1, 0) : height(0, 1) - h;
  const double slope2 = (along_x * along_x + along_z * along_z) / (square * square);
  return (static_cast<double>(p.y) - h - along_x * s - along_z * t) / std::sqrt(1 + slope2);
}

Crowd terrain() {
  return {"100,000 triangles",
          [](double time) {
            Shapes shapes;
            for (uint32_t row = 0; row < ground_rows; ++row) {
              for (uint32_t column = 0; column < ground_columns; ++column) {
                shapes.vertices.push_back(ground_vertex(column, row, time));
                if (row + 1 == ground_rows || column + 1 == ground_columns) continue;
                const uint32_t a = row * ground_columns + column, b = a + ground_columns;
                shapes.triangles.insert(shapes.triangles.end(), {a, b + 1, a + 1, a, b, b + 1});
              }
            }
            return shapes;
          },
          above_ground,
          sheet_of(45, 1.1f, 0.05f),
          {{0, 0, 0}},
          -0.06f,
          100};
}

// ------------------------------------------------------------------------------------------------ a thousand cloths

constexpr double body_radius = 0.3, arm_radius = 0.05, arm_length = 0.55;

Position arm(uint32_t k, double time) {
  const double angle = 0.5 * pi * k + 0.3 * std::sin(2 * time);
  const Position by = sway(time);
  return {arm_length * std::cos(angle) + by.x, 0.1 + by.y, arm_length * std::sin(angle)};
}

Shapes body_with_arms(double time) {
  const Position by = sway(time);
  Shapes shapes;
  add_ball(narrow(body_radius), 3, shapes.vertices, shapes.triangles);
  for (Vertex& v : shapes.vertices) v = {v.x + narrow(by.x), v.y + narrow(by.y), v.z};
  shapes.spheres.push_back({narrow(by.x), narrow(0.1 + by.y), 0, narrow(arm_radius)});
  for (uint32_t k = 0; k < 4; ++k) {
    const Position end = arm(k, time);
    shapes.spheres.push_back({narrow(end.x), narrow(end.y), narrow(end.z), narrow(arm_radius)});
    shapes.capsules.insert(shapes.capsules.end(), {0, k + 1});
  }
  return shapes;
}

// Edges of the ball are at most 0.051 long, so its faces lie at most 0.0015 below the sphere.
double outside_body_with_arms(const Point& p, double time) {
  const Position by = sway(time);
  const Position from = between(p, by), along = between(p, {by.x, 0.1 + by.y, 0});
  double nearest = std::sqrt(dot(from, from)) - body_radius + 0.0015;
  for (uint32_t k = 0; k < 4; ++k) {
    const Position end = arm(k, time), axis = {end.x - by.x, 0, end.z};
    const double t = std::clamp(dot(along, axis) / dot(axis, axis), 0.0, 1.0);
    const Position off = {along.x - t * axis.x, along.y, along.z - t * axis.z};
    nearest = std::min(nearest, std::sqrt(dot(off, off)) - arm_radius);
  }
  return nearest;
}

}  // namespace

Crowd thousand_cloths() {
  Crowd crowd = {
      "1,000 cloths on one body", body_with_arms, outside_body_with_arms, sheet_of(5, 0.25f, 0.302f), {}, -1, 4000, 45};
  for (uint32_t k = 0; k < 1000; ++k) {
    const double angle = k % 10 * 0.2 * pi, r = k % 10 == 0 ? 0 : 0.08;
    crowd.positions.push_back({narrow(r * std::cos(angle)), 0, narrow(r * std::sin(angle))});
  }
  return crowd;
}

std::vector<Crowd> all_crowds() {
  return {spheres(), half_spaces(), one_convex(), many_convexes(), terrain(), thousand_cloths()};
}

std::ostream& operator<<(std::ostream& stream, const Crowd& crowd) { return stream << crowd.name; }

CrowdRun::CrowdRun(World& in_world, const Crowd& of_crowd, const std::vector<Vertex>& positions)
    : world(in_world), crowd(of_crowd), set_(in_world.add_colliders(of_crowd.shapes(0))) {
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 240;
  parameters.friction = 0.5f;
  for (const Vertex& position : positions) {
    Plan plan = crowd.plan;
    for (Point& p : plan.points) p = {p.x + position.x, p.y + position.y, p.z + position.z, p.w};
    cloths.push_back(world.add(plan, parameters, {}, {set_}));
  }
}

void CrowdRun::step() {
  ++frame;
  world.write(set_, crowd.shapes(time()));
  world.update(1 / 60.0f);
}

}  // namespace physics
