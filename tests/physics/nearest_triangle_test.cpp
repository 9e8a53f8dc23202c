// nearest_triangle_test.cpp - compares particles among moving, overlapping, partly open triangle meshes with a search
// through all triangles in every iteration. The library's shortcuts must not change any result.
#include <array>
#include <cmath>

#include "support/bodies.h"

namespace physics::physics_nearest_triangle_test {
namespace {

using PhysicsNearestTriangle = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsNearestTriangle);

using Vector = std::array<double, 3>;

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(const Vector& a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Returns the vector to x from the closest point of a segment that starts at a and runs along ab.
Vector away_from_segment(const Vector& a, const Vector& ab, const Vector& x) {
  const double t = std::fmin(std::fmax(dot(x - a, ab) / dot(ab, ab), 0), 1);
  return x - a - ab * t;
}

Vector away_from_triangle(const Vector& a, const Vector& b, const Vector& c, const Vector& x) {
  const Vector normal = cross(b - a, c - a);
  const bool within = dot(cross(b - a, normal), x - a) <= 0 && dot(cross(c - b, normal), x - b) <= 0 &&
                      dot(cross(a - c, normal), x - c) <= 0;
  if (within) return normal * (dot(normal, x - a) / dot(normal, normal));
  Vector least = away_from_segment(a, b - a, x);
  for (const Vector& next : {away_from_segment(b, c - b, x), away_from_segment(c, a - c, x)}) {
    if (dot(next, next) < dot(least, least)) least = next;
  }
  return least;
}

struct Moving {
  Vector x, previous;

  // Set while no two equally near triangles would move the particle to different positions.
  bool known = true;
};

Vector at(const Vertex& v) { return {v.x, v.y, v.z}; }

void push(const Shapes& shapes, double time, double margin, Moving& particle) {
  // Keys of the nearest triangle, and of the nearest one that would move the particle elsewhere.
  double best = 1e30, next = 1e30;
  Vector target = particle.x;
  const auto vertex = [&](uint32_t k) {
    return at(shapes.vertex_starts[k]) + (at(shapes.vertices[k]) - at(shapes.vertex_starts[k])) * time;
  };
  for (size_t k = 0; k < shapes.triangles.size(); k += 3) {
    const Vector a = vertex(shapes.triangles[k]), b = vertex(shapes.triangles[k + 1]);
    const Vector c = vertex(shapes.triangles[k + 2]);
    const Vector away = away_from_triangle(a, b, c, particle.x), normal = cross(b - a, c - a);
    const double height = dot(normal, particle.x - a) / std::sqrt(dot(normal, normal));
    const double distance = std::sqrt(dot(away, away));
    const double key = distance * distance * (height < 0 ? 1.0001 : 1);
    Vector put = particle.x;
    if (height < 0 && distance <= double{shapes.reach})
      put = particle.x + normal * ((margin - height) / std::sqrt(dot(normal, normal)));
    if (height >= 0 && distance < margin) put = particle.x + away * (margin / distance - 1);
    if (key < std::fmin(best, next) * 1.001 + 1e-9) {
      if (std::fabs(height) < 1e-5 || std::fabs(distance - double{shapes.reach}) < 1e-5) particle.known = false;
    }
    const Vector between = put - target;
    const bool elsewhere = 1e-6 < std::sqrt(dot(between, between));
    if (key < best) {
      if (elsewhere) next = best;
      best = key;
      target = put;
    } else if (elsewhere) {
      next = std::fmin(next, key);
    }
  }
  if (next < best * 1.00005 + 1e-9) particle.known = false;
  particle.x = target;
}

// Makes two bumpy balls that pulsate and turn. One reaches into the side of the other, and the second one lacks every
// seventh triangle.
Shapes bumpy_balls(float frame) {
  Shapes shapes;
  shapes.reach = 0.2f;
  add_ball(0.5f, 2, shapes.vertices, shapes.triangles);
  const size_t first = shapes.vertices.size();
  std::vector<Vertex> others;
  std::vector<uint32_t> triangles;
  add_ball(0.4f, 2, others, triangles);
  for (const Vertex& v : others) shapes.vertices.push_back({v.x + 0.45f, v.y + 0.1f, v.z});
  for (size_t k = 0; k < triangles.size(); k += 3) {
    if (k % 21 == 0) continue;
    for (size_t corner = 0; corner < 3; ++corner)
      shapes.triangles.push_back(triangles[k + corner] + static_cast<uint32_t>(first));
  }
  for (Vertex& v : shapes.vertices) {
    const float bump = 1 + 0.08f * std::sin(13 * v.x + 0.5f * frame) * std::sin(11 * v.z + 7 * v.y);
    const float sine = std::sin(0.04f * frame), cosine = std::cos(0.04f * frame);
    v = {(v.x * cosine - v.z * sine) * bump, v.y * bump, (v.x * sine + v.z * cosine) * bump};
  }
  return shapes;
}

TEST_P(PhysicsNearestTriangle, is_that_of_a_search_over_all_in_every_iteration) {
  for (const float margin : {0.0f, 0.015f}) {
    SCOPED_TRACE(testing::Message() << "margin " << margin);
    World world(GetParam());
    Plan plan;
    std::vector<Point> velocities;
    std::vector<Moving> expected;
    constexpr int iterations = 4, frames = 4;
    constexpr double h = 1.0 / (60 * iterations);
    for (uint32_t i = 0; i < 400; ++i) {
      const auto coordinate = [i](uint32_t factor) { return static_cast<float>(i * factor % 399) / 200.0f - 1; };
      plan.points.push_back({0.2f + 0.9f * coordinate(101), 0.75f * coordinate(77), 0.75f * coordinate(331), 1});
      const Point& x = plan.points.back();
      // In m/s, roughly towards the balls.
      const float speed = i % 5 == 0 ? 0.0f : 4.0f;
      velocities.push_back({speed * (coordinate(55) - 2 * x.x), speed * (coordinate(29) - 2 * x.y),
                            speed * (coordinate(173) - 2 * x.z), 0});
      const Point& v = velocities.back();
      const Vector start = {x.x, x.y, x.z};
      expected.push_back({start, start - Vector{v.x, v.y, v.z} * h});
    }
    clothc_cloth_parameters parameters = plain_parameters(60 * iterations);
    parameters.contact_margin = margin;
    Shapes shapes = bumpy_balls(0);
    const clothc_collider_set_id set = world.add_colliders(shapes);
    const clothc_cloth_id cloth = world.add(plan, parameters, {}, {set});
    world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
    size_t moved = 0, compared = 0;
    for (int frame = 0; frame < frames; ++frame) {
      const Shapes before = bumpy_balls(static_cast<float>(frame));
      shapes = bumpy_balls(static_cast<float>(frame + 1));
      shapes.vertex_starts = before.vertices;
      world.write(set, shapes);
      world.update(1 / 60.0f);
      const std::vector<Point> found = world.get(cloth);
      for (size_t i = 0; i < expected.size(); ++i) {
        Moving& particle = expected[i];
        for (int k = 1; k <= iterations; ++k) {
          const Vector free = particle.x + (particle.x - particle.previous);
          particle.previous = particle.x;
          particle.x = free;
          push(shapes, static_cast<double>(k) / iterations, double{margin}, particle);
          const Vector pushed = particle.x - free;
          if (dot(pushed, pushed) > 0) ++moved;
        }
        if (!particle.known) continue;
        ++compared;
        const Vector error = particle.x - Vector{found[i].x, found[i].y, found[i].z};
        EXPECT_LT(std::sqrt(dot(error, error)), 2e-4) << "particle " << i << ", update " << frame;
      }
    }
    EXPECT_GT(moved, 300u) << "particles and iterations";
    EXPECT_GT(compared, 1400u) << "of 1600";
  }
}

// If there are many vertices, their positions in an iteration are not precomputed (transform_vertices.kernel.h). Each
// particle then computes them itself.
TEST_P(PhysicsNearestTriangle, vertices_that_no_triangle_has_change_no_bit) {
  std::vector<std::vector<Point>> found;
  for (const size_t unused : {0, 5000}) {
    World world(GetParam());
    Plan plan;
    for (uint32_t i = 0; i < 400; ++i) {
      const auto coordinate = [i](uint32_t factor) { return static_cast<float>(i * factor % 399) / 200.0f - 1; };
      plan.points.push_back({0.2f + 0.9f * coordinate(101), 0.75f * coordinate(77), 0.75f * coordinate(331), 1});
    }
    const auto balls = [unused](float frame) {
      Shapes shapes = bumpy_balls(frame);
      shapes.vertices.resize(shapes.vertices.size() + unused, shapes.vertices.front());
      return shapes;
    };
    const clothc_collider_set_id set = world.add_colliders(balls(0));
    const clothc_cloth_id cloth = world.add(plan, plain_parameters(240), {}, {set});
    for (int frame = 0; frame < 4; ++frame) {
      Shapes shapes = balls(static_cast<float>(frame + 1));
      shapes.vertex_starts = balls(static_cast<float>(frame)).vertices;
      world.write(set, shapes);
      world.update(1 / 60.0f);
    }
    size_t pushed = 0;
    found.push_back(world.get(cloth));
    for (size_t i = 0; i < plan.points.size(); ++i) pushed += found.back()[i].x != plan.points[i].x;
    EXPECT_GT(pushed, 50u);
  }
  ASSERT_EQ(found[0].size(), found[1].size());
  for (size_t i = 0; i < found[0].size(); ++i) {
    const Point &a = found[0][i], &b = found[1][i];
    EXPECT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z) << "particle " << i;
  }
}

}  // namespace
}  // namespace physics::physics_nearest_triangle_test
