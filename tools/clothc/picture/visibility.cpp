// visibility.cpp - computes the map and reads it with a filter that stays on the sample's own surface. Source: Mittring
// 2007, "Diagnostic next gen: CryEngine 2", screen-space ambient occlusion.
#include "picture/visibility.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "picture/threads.h"

namespace clothc_tool {
namespace {

// Relative to the scene's size.
constexpr float OCCLUSION_RADIUS = 0.09f;

constexpr float OCCLUSION_STRENGTH = 1.5f;

// Pixels.
constexpr uint32_t CELL = 2;

// Neighbours are on the same surface if their depths differ by less than this part and the cosine of the angle between
// their normals is at least SAME_NORMAL.
constexpr float SAME_DEPTH = 0.012f;
constexpr float SAME_NORMAL = 0.8f;

bool same_surface(const SurfaceSample& a, const SurfaceSample& b) {
  if (a.material != b.material || a.is_back != b.is_back || dot(a.normal, b.normal) < SAME_NORMAL) return false;
  return a.material == MATERIAL_GROUND || std::fabs(a.depth - b.depth) < SAME_DEPTH * a.depth;
}

}  // namespace

VisibilityMap::VisibilityMap(const std::vector<SurfaceSample>& middles, uint32_t width, uint32_t height,
                             const PerspectiveProjection& projection, const ShadowMap& shadow, Vector3 towards_light,
                             const Box& bounds, float size, Memory& memory)
    : middles_(middles),
      width_(width),
      height_(height),
      columns_((width + CELL - 1) / CELL),
      rows_((height + CELL - 1) / CELL),
      projection_(projection),
      shadow_(shadow),
      towards_light_(towards_light),
      centre_(bounds.is_empty() ? Vector3{} : bounds.centre()),
      memory_(memory) {
  radius_ = OCCLUSION_RADIUS * size;
  near_ = 0.5f * length(bounds.size()) + 2 * radius_;
  compute_offsets();
  memory_.depths.clear();
  for (const SurfaceSample& sample : middles) memory_.depths.push_back(sample.depth);
  memory_.cells.resize(size_t{columns_} * rows_);
  for_each_band(rows_, 8, [this](uint32_t begin, uint32_t end, uint32_t) {
    for (uint32_t row = begin; row < end; ++row) {
      for (uint32_t column = 0; column < columns_; ++column) {
        const uint32_t x = column * CELL, y = row * CELL;
        memory_.cells[size_t{row} * columns_ + column] =
            single(middles_[size_t{y} * width_ + x], x, y, column % 2 + row % 2 * 2);
      }
    }
  });
}

// Returns the mean over the cells within 4 pixels. The weights fall to 0 at that distance and give all patterns the
// same total.
Visibility VisibilityMap::at(const SurfaceSample& sample, uint32_t x, uint32_t y) const {
  Visibility sum = {0, 0};
  float weight_sum = 0;
  const auto near = [](int cell, uint32_t pixel) { return 4 - std::abs(2 * cell - static_cast<int>(pixel % CELL)); };
  for (int dy = -1; dy <= 2; ++dy) {
    for (int dx = -1; dx <= 2; ++dx) {
      // Left of the image or above it, the unsigned index becomes very large.
      const auto column = static_cast<uint32_t>(static_cast<int>(x / CELL) + dx);
      const auto row = static_cast<uint32_t>(static_cast<int>(y / CELL) + dy);
      if (column >= columns_ || row >= rows_) continue;
      if (!same_surface(sample, middles_[size_t{row} * CELL * width_ + column * CELL])) continue;
      const auto weight = static_cast<float>(near(dx, x) * near(dy, y));
      const Visibility& cell = memory_.cells[size_t{row} * columns_ + column];
      sum.sun += weight * cell.sun;
      sum.sky += weight * cell.sky;
      weight_sum += weight;
    }
  }
  return weight_sum > 0 ? Visibility{sum.sun / weight_sum, sum.sky / weight_sum} : single(sample, x, y, 0);
}

Visibility VisibilityMap::single(const SurfaceSample& sample, uint32_t x, uint32_t y, uint32_t pattern) const {
  if (sample.material == MATERIAL_SKY) return {};
  const Vector3 ray = projection_.ray(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
  const Vector3 p = projection_.eye() + ray * sample.depth;
  const Vector3 lit_side = dot(sample.normal, towards_light_) >= 0 ? sample.normal : -sample.normal;
  return {shadow_.light_at(p, lit_side, pattern), length(p - centre_) < near_ ? sky_at(p, sample.normal, pattern) : 1};
}

// Points of a hemisphere at all heights, with more of them near than far, rotated differently in each pattern.
void VisibilityMap::compute_offsets() {
  for (size_t pattern = 0; pattern < PATTERN_COUNT; ++pattern) {
    for (size_t i = 0; i < RAY_COUNT; ++i) {
      const float height = (static_cast<float>(i) + 0.5f) / RAY_COUNT, flat = std::sqrt(1 - height * height);
      const float angle =
          6.2831853f * (static_cast<float>(i) * 0.618034f + static_cast<float>(pattern) / PATTERN_COUNT);
      const float step =
          (static_cast<float>(i * 5 % RAY_COUNT) + static_cast<float>(pattern) / PATTERN_COUNT) / RAY_COUNT;
      const float distance = radius_ * (0.06f + 0.94f * step * step);
      offsets_[pattern][i] = Vector3{flat * std::cos(angle), flat * std::sin(angle), height} * distance;
    }
  }
}

// Estimates occlusion on the screen: a point around p counts as hidden if something is in front of it.
float VisibilityMap::sky_at(Vector3 p, Vector3 normal, uint32_t pattern) const {
  const Axes axes = axes_along(normal);
  float sum = 0;
  for (const Vector3& offset : offsets_[pattern]) {
    sum += hidden(p + axes.right * offset.x + axes.up * offset.y + axes.forward * offset.z, length(offset));
  }
  return 1 - std::min(1.0f, OCCLUSION_STRENGTH * sum / RAY_COUNT);
}

// Returns how much the point is hidden. The value falls with the distance of what is in front of the point, so that
// distant objects cast no halo.
float VisibilityMap::hidden(Vector3 point, float distance) const {
  const Vector3 at = projection_.project(point);
  if (!(at.z > 0 && at.x >= 0 && at.y >= 0 && at.x < static_cast<float>(width_) && at.y < static_cast<float>(height_)))
    return 0;
  const float before = at.z - memory_.depths[static_cast<size_t>(at.y) * width_ + static_cast<size_t>(at.x)];
  if (before < 0.03f * distance) return 0;
  return std::max(0.0f, 1 - before / (2 * distance + 0.5f * radius_));
}

}  // namespace clothc_tool
