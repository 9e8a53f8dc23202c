// shadow.cpp - renders the shadow map and evaluates it with soft edges that widen with the distance. Sources: Reeves,
// Salesin and Cook 1987, "Rendering antialiased shadows with depth maps"; Fernando 2005, "Percentage-closer soft
// shadows"; Isidoro 2006, "Shadow mapping: GPU-based tips and techniques" (the plane's slope).
#include "picture/shadow.h"

#include <algorithm>
#include <cmath>

#include "picture/threads.h"

namespace clothc_tool {
namespace {

constexpr uint32_t SIZE = 2048;
constexpr uint32_t TAP_COUNT = 16;

// Radius of the light divided by its distance.
constexpr float LIGHT_SIZE = 0.03f;

// Range of the radius of the discs of taps, in pixels of the map.
constexpr float SMALLEST_DISC = 1.3f;
constexpr float LARGEST_DISC = 18;

// Distance of the tested point from its surface, in pixels of the map.
constexpr float OFFSET = 1.5f;

// Distance in pixels of the map by which an occluder must be nearer to the light than the surface.
constexpr float BIAS = 1.5f;

// Largest slope of a surface.
constexpr float STEEPEST = 3;

ParallelProjection projection_for(Vector3 towards_light, const std::vector<SurfaceMesh>& meshes) {
  Box box;
  for (const SurfaceMesh& mesh : meshes) {
    for (const Vector3& p : mesh.positions) box.add(p);
  }
  if (box.is_empty()) return ParallelProjection(-towards_light, {}, 1, SIZE);
  // Radius and centre are rounded to steps, so that shadows of resting things do not shimmer from frame to frame.
  const float smallest = std::max(length(box.size()) * 0.5f, 1e-3f);
  const float radius = std::exp2(std::ceil(4 * std::log2(smallest) + 0.5f) / 4), step = radius / 16;
  const auto rounded = [step](float x) { return step * std::round(x / step); };
  const Vector3 centre = {rounded(box.centre().x), rounded(box.centre().y), rounded(box.centre().z)};
  return ParallelProjection(-towards_light, centre, radius, SIZE);
}

}  // namespace

ShadowMap::ShadowMap(Vector3 towards_light, const std::vector<SurfaceMesh>& meshes, std::vector<float>& depths)
    : projection_(projection_for(towards_light, meshes)), depths_(depths) {
  // The taps form a spiral of even density. Source: Vogel 1979.
  for (uint32_t i = 0; i < PATTERN_COUNT * TAP_COUNT; ++i) {
    const float distance = std::sqrt((static_cast<float>(i % TAP_COUNT) + 0.5f) / TAP_COUNT);
    const uint32_t pattern = i / TAP_COUNT;
    const float angle =
        2.3999632f * static_cast<float>(i % TAP_COUNT) + 6.2831853f * static_cast<float>(pattern) / PATTERN_COUNT;
    taps_.push_back({distance * std::cos(angle), distance * std::sin(angle), 0});
  }
  std::vector<std::vector<Vector3>> projected;
  for (const SurfaceMesh& mesh : meshes) {
    std::vector<Vector3>& points = projected.emplace_back(mesh.positions.size());
    std::transform(mesh.positions.begin(), mesh.positions.end(), points.begin(),
                   [this](Vector3 p) { return projection_.project(p); });
  }
  depths_.resize(size_t{SIZE} * SIZE);
  for_each_band(SIZE, 256, [&](uint32_t begin, uint32_t end, uint32_t) {
    std::fill(&depths_[size_t{SIZE} * begin], depths_.data() + size_t{SIZE} * end, INFINITY);
    for (size_t m = 0; m < meshes.size(); ++m) {
      const std::vector<uint32_t>& triangles = meshes[m].triangles;
      for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
        const Vector3 a = projected[m][triangles[i]], b = projected[m][triangles[i + 1]],
                      c = projected[m][triangles[i + 2]];
        fill_triangle(a, b, c, {SIZE, begin, end}, [&](uint32_t x, uint32_t y, float w0, float w1, float w2) {
          float& depth = depths_[size_t{y} * SIZE + x];
          depth = std::min(depth, w0 * a.z + w1 * b.z + w2 * c.z);
        });
      }
    }
  });
}

template <typename Visit>
void ShadowMap::visit_disc(const Plane& plane, float radius, uint32_t pattern, Visit visit) const {
  const Vector3* taps = &taps_[size_t{pattern} * TAP_COUNT];
  for (uint32_t i = 0; i < TAP_COUNT; ++i) {
    const float dx = taps[i].x * radius, dy = taps[i].y * radius, x = plane.at.x + dx, y = plane.at.y + dy;
    const bool inside = x >= 0 && y >= 0 && x < float{SIZE} && y < float{SIZE};
    const float depth = inside ? depths_[static_cast<size_t>(y) * SIZE + static_cast<size_t>(x)] : INFINITY;
    visit(depth, plane.at.z + dx * plane.slope_x + dy * plane.slope_y);
  }
}

float ShadowMap::light_at(Vector3 p, Vector3 normal, uint32_t pattern) const {
  const float pixel = projection_.unit_per_pixel(), bias = BIAS * pixel;
  const Vector3 at = projection_.project(p + normal * (OFFSET * pixel));
  if (!(at.x > -LARGEST_DISC && at.y > -LARGEST_DISC && at.x < SIZE + LARGEST_DISC && at.y < SIZE + LARGEST_DISC)) {
    return 1;
  }
  const Vector3 facing = projection_.direction(normal);
  const float down = std::min(facing.z, -1e-3f);
  const auto slope = [&](float x) { return std::max(-STEEPEST, std::min(STEEPEST, -x / down)) * pixel; };
  const Plane plane = {at, slope(facing.x), slope(facing.y)};
  float gap_sum = 0;
  uint32_t count = 0;
  visit_disc(plane, LARGEST_DISC, pattern, [&](float depth, float own) {
    if (depth >= own - bias) return;
    gap_sum += own - depth;
    ++count;
  });
  if (count == 0) return 1;
  const float wanted = LIGHT_SIZE * gap_sum / static_cast<float>(count) / pixel;
  uint32_t lit = 0;
  visit_disc(plane, std::max(SMALLEST_DISC, std::min(LARGEST_DISC, wanted)), pattern,
             [&](float depth, float own) { lit += depth >= own - bias; });
  return static_cast<float>(lit) / TAP_COUNT;
}

}  // namespace clothc_tool
