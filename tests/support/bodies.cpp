// bodies.cpp - see bodies.h.
#include "support/bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace physics {
namespace {

using Function = std::function<double(double, double, double)>;

double length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

Point moved(Point p, Vertex by) { return {p.x + by.x, p.y + by.y, p.z + by.z, p.w}; }

// Moves a plane n x + d = 0, given relative to the origin, to another centre.
Point moved_plane(Point p, Vertex by) { return {p.x, p.y, p.z, p.w - p.x * by.x - p.y * by.y - p.z * by.z}; }

Body ball() {
  return {"sphere",
          [](Vertex c) {
            Shapes shapes;
            shapes.spheres = {moved({0, 0, 0, 0.5f}, c)};
            return shapes;
          },
          [](double x, double y, double z) { return length(x, y, z) - 0.5; }};
}

// Three spheres along x, joined by two tapered capsules.
constexpr float radii[3] = {0.3f, 0.5f, 0.25f};
constexpr float centres[3] = {-0.4f, 0, 0.45f};

// Returns the distance to the cone between two spheres on the x axis, measured to the line that is tangent to both
// circles.
double cone_distance(double x, double across, int k) {
  const double a = static_cast<double>(centres[k]), b = static_cast<double>(centres[k + 1]);
  const double r = static_cast<double>(radii[k]), s = static_cast<double>(radii[k + 1]);
  const double sine = (r - s) / (b - a), cosine = std::sqrt(1 - sine * sine);
  // Position along the tangent, measured from the first sphere's centre.
  const double along = (x - a) * cosine - across * sine;
  const double tangent_length = (b - a) * cosine;
  if (along < 0) return std::hypot(x - a, across) - r;
  if (along > tangent_length) return std::hypot(x - b, across) - s;
  return (x - a) * sine + across * cosine - r;
}

Body capsules() {
  return {"capsules",
          [](Vertex c) {
            Shapes shapes;
            for (int k = 0; k < 3; ++k) shapes.spheres.push_back(moved({centres[k], 0, 0, radii[k]}, c));
            shapes.capsules = {0, 1, 2, 1};
            return shapes;
          },
          [](double x, double y, double z) {
            return std::min(cone_distance(x, std::hypot(y, z), 0), cone_distance(x, std::hypot(y, z), 1));
          }};
}

Body ellipsoid() {
  return {"ellipsoid",
          [](Vertex c) {
            // The ellipsoid is turned about y by 90 degrees: its radii are 0.4 along x and 0.7 along z.
            Shapes shapes;
            shapes.ellipsoids = {{{c.x, c.y, c.z}, {0, std::sqrt(0.5f), 0, std::sqrt(0.5f)}, {0.7f, 0.5f, 0.4f}}};
            return shapes;
          },
          [](double x, double y, double z) {
            const double size = length(x / 0.4, y / 0.5, z / 0.7);
            return (size - 1) * size / length(x / 0.16, y / 0.25, z / 0.49);
          }};
}

Body half_space() {
  return {"plane",
          [](Vertex c) {
            Shapes shapes;
            shapes.planes = {moved_plane({0, 1, 0, -0.5f}, c)};
            return shapes;
          },
          [](double, double y, double) { return y - 0.5; }};
}

// Returns the faces of an octahedron as planes n x = d.
std::vector<Point> octahedron_faces() {
  std::vector<Point> faces;
  const float n = 1 / std::sqrt(3.0f);
  for (int k = 0; k < 8; ++k) {
    faces.push_back({(k & 1) != 0 ? n : -n, (k & 2) != 0 ? n : -n, (k & 4) != 0 ? n : -n, -0.45f});
  }
  return faces;
}

Body convex() {
  return {"convex",
          [](Vertex c) {
            Shapes shapes;
            shapes.convexes.resize(1);
            for (const Point& face : octahedron_faces()) {
              shapes.convexes[0].push_back(static_cast<uint32_t>(shapes.planes.size()));
              shapes.planes.push_back(moved_plane(face, c));
            }
            return shapes;
          },
          [](double x, double y, double z) {
            return (std::fabs(x) + std::fabs(y) + std::fabs(z)) / std::sqrt(3.0) - static_cast<double>(0.45f);
          }};
}

// Makes a box that is turned about z by 30 degrees.
Body box() {
  const double sine = 0.5, cosine = std::sqrt(0.75);
  return {"box",
          [](Vertex c) {
            Shapes shapes;
            const double half = std::acos(-1.0) / 12;
            shapes.boxes = {{{c.x, c.y, c.z},
                             {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))},
                             {0.5f, 0.3f, 0.4f}}};
            return shapes;
          },
          [=](double x, double y, double z) {
            const double u = std::fabs(cosine * x + sine * y), v = std::fabs(cosine * y - sine * x);
            return std::max({u - 0.5, v - static_cast<double>(0.3f), std::fabs(z) - static_cast<double>(0.4f)});
          }};
}

Body mesh() {
  return {"triangles",
          [](Vertex c) {
            Shapes shapes;
            add_ball(0.5f, 3, shapes.vertices, shapes.triangles);
            for (Vertex& v : shapes.vertices) v = {v.x + c.x, v.y + c.y, v.z + c.z};
            return shapes;
          },
          // The ball's edges are at most 0.085 long, so its faces lie at most 0.0013 below the sphere.
          [](double x, double y, double z) { return length(x, y, z) - 0.4975; }};
}

// Makes an instance that is turned about an axis without symmetry.
Instance shown(const AssetPointer& asset, Vertex c, float scale) {
  return {asset, {c.x, c.y, c.z}, {0.48f, 0.36f, 0.48f, 0.64f}, scale};
}

Body mesh_instance() {
  return {"mesh instance",
          [asset = ball_mesh(0.125f)](Vertex c) {
            Shapes shapes;
            shapes.instances = {shown(asset, c, 4)};
            return shapes;
          },
          [](double x, double y, double z) { return length(x, y, z) - 0.4975; }};
}

Body sdf() {
  const AssetPointer asset = ball_sdf(2);
  return {
      "SDF",
      [asset](Vertex c) {
        Shapes shapes;
        shapes.instances = {shown(asset, c, 0.25f)};
        return shapes;
      },
      [error = deepest_error(*asset, 2) / 4](double x, double y, double z) { return length(x, y, z) - 0.5 + error; }};
}

Body cooked_sdf() {
  return {"cooked SDF",
          [asset = cooked(*ball_mesh(0.25f), 64, 0.0625f)](Vertex c) {
            Shapes shapes;
            shapes.instances = {shown(asset, c, 2)};
            return shapes;
          },
          // The error is that of the triangles; where two faces meet, distances between nodes are slightly larger
          // still.
          [](double x, double y, double z) { return length(x, y, z) - 0.497; }};
}

}  // namespace

void add_ball(float radius, uint32_t depth, std::vector<Vertex>& vertices, std::vector<uint32_t>& triangles) {
  const float golden = (1 + std::sqrt(5.0f)) / 2;
  const auto first = static_cast<uint32_t>(vertices.size());
  const auto add = [&](float x, float y, float z) {
    const float scale = radius / std::sqrt(x * x + y * y + z * z);
    vertices.push_back({x * scale, y * scale, z * scale});
    return static_cast<uint32_t>(vertices.size()) - 1;
  };
  for (const float a : {-1.0f, 1.0f}) {
    for (const float b : {-golden, golden}) {
      add(0, a, b);
      add(a, b, 0);
      add(b, 0, a);
    }
  }
  // The faces are the triples of vertices whose mutual distances are all the shortest one, which is 2 before scaling.
  const auto distance2 = [&](uint32_t i, uint32_t j) {
    const Vertex &p = vertices[first + i], &q = vertices[first + j];
    return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
  };
  const float edge2 = 4.2f * radius * radius / (1 + golden * golden);
  std::vector<std::array<uint32_t, 3>> faces;
  for (uint32_t i = 0; i < 12; ++i) {
    for (uint32_t j = i + 1; j < 12; ++j) {
      for (uint32_t k = j + 1; k < 12; ++k) {
        if (distance2(i, j) > edge2 || distance2(j, k) > edge2 || distance2(k, i) > edge2) continue;
        const Vertex &p = vertices[first + i], &q = vertices[first + j], &r = vertices[first + k];
        const float volume =
            p.x * (q.y * r.z - q.z * r.y) + p.y * (q.z * r.x - q.x * r.z) + p.z * (q.x * r.y - q.y * r.x);
        faces.push_back({first + i, volume > 0 ? first + j : first + k, volume > 0 ? first + k : first + j});
      }
    }
  }
  for (uint32_t level = 0; level < depth; ++level) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> middles;
    const auto midpoint = [&](uint32_t i, uint32_t j) {
      const auto key = std::minmax(i, j);
      const auto found = middles.find(key);
      if (found != middles.end()) return found->second;
      const Vertex p = vertices[i], q = vertices[j];
      return middles[key] = add(p.x + q.x, p.y + q.y, p.z + q.z);
    };
    std::vector<std::array<uint32_t, 3>> finer;
    for (const auto& [a, b, c] : faces) {
      const uint32_t ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
      for (const auto& face :
           {std::array{a, ab, ca}, std::array{ab, b, bc}, std::array{ca, bc, c}, std::array{ab, bc, ca}})
        finer.push_back(face);
    }
    faces.swap(finer);
  }
  for (const auto& face : faces) triangles.insert(triangles.end(), face.begin(), face.end());
}

const std::vector<Body>& all_bodies() {
  static const std::vector<Body> all = {ball(), capsules(), ellipsoid(),     half_space(), convex(),
                                        box(),  mesh(),     mesh_instance(), sdf(),        cooked_sdf()};
  return all;
}

}  // namespace physics
