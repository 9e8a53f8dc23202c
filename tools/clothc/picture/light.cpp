// light.cpp - one sun from the left, a weak fill light from the right that shapes the shadows, the sky and the ground.
// Cloth has two sides, transmits some sunlight and has a sheen at grazing angles; solids have a highlight; the ground
// has tiles.
#include "picture/light.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace clothc_tool {
namespace {

// Linear colours.
constexpr Vector3 SUN = {1.28f, 1.20f, 1.08f}, FILL = {0.10f, 0.12f, 0.15f};
constexpr Vector3 SKY_LIGHT = {0.29f, 0.33f, 0.39f}, GROUND_LIGHT = {0.17f, 0.15f, 0.13f};
constexpr Vector3 HORIZON = {0.68f, 0.72f, 0.77f}, ZENITH = {0.24f, 0.34f, 0.50f};
constexpr Vector3 GROUND_COLOUR = {0.310f, 0.315f, 0.320f};
constexpr float TILE_CONTRAST = 0.07f;

// Part of grey in the colour of a cloth's back.
constexpr float BACK_GREY = 0.22f;

// Part of the light that a cloth transmits.
constexpr float TRANSLUCENCY = 0.25f;

// Sheen of cloth at grazing angles.
constexpr float SHEEN = 0.35f;

// Highlight of solids.
constexpr float HIGHLIGHT = 0.16f;

// Distance at which the ground begins to fade, and how fast it fades, relative to the scene's size.
constexpr float CLEAR = 1.0f, HAZE = 3.5f;

float squared(float x) { return x * x; }

Vector3 sky(Vector3 view) { return interpolate(HORIZON, ZENITH, std::min(1.0f, std::max(0.0f, view.y * 1.5f))); }

// Mean over [from, from + width] of a square wave that alternates between +1 and -1 after a length of 1.
float mean_wave(float from, float width) {
  const auto integral = [](float x) { return std::fabs(x - 2 * std::floor(x / 2) - 1); };
  return (integral(from) - integral(from + width)) / width;
}

}  // namespace

Lighting::Lighting(const RenderScene& scene, const PerspectiveProjection& projection)
    : scene_(scene), projection_(projection), size_(view_size(scene.camera)) {
  const Axes& axes = projection.axes();
  towards_light_ = normalised(axes.right * -0.75f + Vector3{0, 0.95f, 0} - axes.forward * 0.45f);
  towards_fill_ = normalised(axes.right * 0.9f + Vector3{0, 0.2f, 0} - axes.forward * 0.4f);
  tile_ = std::pow(10.0f, std::floor(std::log10(size_))) / 4;
}

Vector3 Lighting::colour(const SurfaceSample& sample, const Visibility& visibility, uint32_t x, uint32_t y) const {
  const Vector3 ray = projection_.ray(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
  const Vector3 view = normalised(ray);
  if (sample.material == MATERIAL_SKY) return sky(view);
  const Vector3 lit = light(sample, visibility, view);
  if (sample.material == MATERIAL_GROUND) {
    const Vector3 p = projection_.eye() + ray * sample.depth;
    const float distance = std::max(0.0f, length(p - scene_.camera.target) / size_ - CLEAR);
    const float clear = std::exp(-squared(distance / HAZE));
    return clear < 0.002f ? sky(view) : interpolate(sky(view), ground_colour(sample, p, x, y) * lit, clear);
  }
  if (sample.material != MATERIAL_SOLID) return cloth_colour(sample) * lit;
  const float gloss = std::max(0.0f, dot(sample.normal, normalised(towards_light_ - view)));
  return SOLID_COLOUR * lit + SUN * (HIGHLIGHT * visibility.sun * std::pow(gloss, 48.0f));
}

Vector3 Lighting::cloth_colour(const SurfaceSample& sample) const {
  const Vector3 front = scene_.cloths[sample.material - MATERIAL_FIRST_CLOTH].colour;
  return sample.is_back ? back_colour(front) : front;
}

// Tiles, which make the position of the ground visible: a product of two square waves, each averaged over the area that
// the pixel covers, so that distant small tiles become an even grey. Source: Quilez 2017, "Filtering the checkerboard
// pattern".
Vector3 Lighting::ground_colour(const SurfaceSample& sample, Vector3 p, uint32_t x, uint32_t y) const {
  const Axes axes = axes_along(sample.normal);
  const float u = dot(p, axes.right) / tile_, v = dot(p, axes.up) / tile_;
  float width_u = 1e-3f, width_v = 1e-3f;
  for (const Vector3 step : {Vector3{1, 0, 0}, Vector3{0, 1, 0}}) {
    const Vector3 ray = projection_.ray(static_cast<float>(x) + 0.5f + step.x, static_cast<float>(y) + 0.5f + step.y);
    const float above = dot(sample.normal, p - projection_.eye()), descent = dot(sample.normal, ray);
    const Vector3 beside = projection_.eye() + ray * (descent < -1e-6f ? above / descent : 1e6f);
    width_u = std::max(width_u, std::fabs(dot(beside - p, axes.right)) / tile_);
    width_v = std::max(width_v, std::fabs(dot(beside - p, axes.up)) / tile_);
  }
  const float wave = mean_wave(u - width_u / 2, width_u) * mean_wave(v - width_v / 2, width_v);
  return GROUND_COLOUR * (1 + 0.5f * TILE_CONTRAST * wave);
}

Vector3 Lighting::light(const SurfaceSample& sample, const Visibility& visibility, Vector3 view) const {
  const Vector3 n = sample.normal;
  const float facing = dot(n, towards_light_), open = visibility.sky;
  const bool is_cloth = sample.material >= MATERIAL_FIRST_CLOTH;
  const float direct = visibility.sun * (facing > 0 ? facing : is_cloth ? -facing * TRANSLUCENCY : 0);
  const float fill = std::max(0.0f, dot(n, towards_fill_)) * open;
  const Vector3 ambient = interpolate(GROUND_LIGHT, SKY_LIGHT, 0.5f + 0.5f * n.y) * open;
  const float edge = 1 - std::min(1.0f, std::fabs(dot(n, view)));
  const float sheen = is_cloth ? SHEEN * edge * edge * edge * open : 0;
  return SUN * (direct * (0.5f + 0.5f * open)) + FILL * fill + ambient + SKY_LIGHT * sheen;
}

Vector3 back_colour(Vector3 front) {
  const float grey = 0.08f + 0.7f * dot(front, {0.2126f, 0.7152f, 0.0722f});
  return interpolate(front * 0.85f, {grey, grey, grey}, BACK_GREY);
}

uint8_t encoded(float linear) {
  // Table entries per unit of light. The table covers 0 .. 4, and 4 is white.
  constexpr size_t STEPS = 4096;
  static const std::array<uint8_t, 4 * STEPS> table = [] {
    std::array<uint8_t, 4 * STEPS> bytes{};
    for (size_t i = 0; i < bytes.size(); ++i) {
      const float x = (static_cast<float>(i) + 0.5f) / STEPS;
      const float mapped = x < 0.6f ? x : 1 - 0.4f * std::exp(-(x - 0.6f) / 0.4f);
      const float curve = mapped <= 0.0031308f ? 12.92f * mapped : 1.055f * std::pow(mapped, 1 / 2.4f) - 0.055f;
      bytes[i] = static_cast<uint8_t>(std::min(255.0f, curve * 255 + 0.5f));
    }
    return bytes;
  }();
  return table[static_cast<size_t>(std::max(0.0f, std::min(linear * STEPS, 4.0f * STEPS - 1)))];
}

}  // namespace clothc_tool
