// render.cpp - lights the visible surface and reduces the samples to pixels. Rows are spread over threads; every pixel
// depends on its own inputs only.
#include "render.h"

#include <algorithm>
#include <array>
#include <thread>

#include "render_projection.h"
#include "render_shadow.h"
#include "render_surface.h"

namespace clothc_tool {
namespace {

// Linear colours.
constexpr Vector3 SUN = {1.10f, 1.04f, 0.95f}, SKY_LIGHT = {0.36f, 0.40f, 0.47f}, GROUND_LIGHT = {0.20f, 0.18f, 0.16f};
constexpr Vector3 HORIZON = {0.62f, 0.66f, 0.71f}, ZENITH = {0.30f, 0.38f, 0.50f};
constexpr Vector3 GROUND_COLOUR = {0.42f, 0.41f, 0.39f}, SOLID_COLOUR = {0.50f, 0.53f, 0.58f};
constexpr float BACK_COLOUR = 0.78f;   // the back of a cloth against its front
constexpr float TRANSLUCENCY = 0.22f;  // light that comes through a cloth
constexpr size_t OCCLUSION_RAYS = 8;
constexpr float OCCLUSION_RADIUS = 0.07f;  // of the scene's size
constexpr float OCCLUSION_STRENGTH = 1.25f;

class Picture {
 public:
  Picture(const RenderScene& scene, const RenderSettings& settings)
      : scene_(scene),
        settings_(settings),
        width_(settings.width * settings.samples),
        height_(settings.height * settings.samples),
        projection_(scene.camera, width_, height_),
        meshes_(surface_meshes(scene)),
        towards_light_(
            normalised(projection_.axes().right * -0.55f + Vector3{0, 0.95f, 0} - projection_.axes().forward * 0.5f)),
        shadow_(towards_light_, meshes_),
        samples_(visible_surface(scene, meshes_, projection_, width_, height_)) {
    Box box;
    for (const SurfaceMesh& mesh : meshes_) {
      for (const Vector3& p : mesh.positions) box.add(p);
    }
    size_ = std::max(length(box.size()), 1e-3f);
    centre_ = box.is_empty() ? Vector3{} : box.centre();
    tile_ = std::pow(10.0f, std::floor(std::log10(size_))) / 4;
    place_occlusion_offsets();
    depths_.reserve(samples_.size());
    for (const SurfaceSample& sample : samples_) depths_.push_back(sample.depth);
  }

  Image finish() {
    Image image(settings_.width, settings_.height);
    const uint32_t thread_count = std::max(1u, std::min(std::thread::hardware_concurrency(), 16u));
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < thread_count; ++t) {
      threads.emplace_back([this, &image, t, thread_count] {
        for (uint32_t y = t; y < settings_.height; y += thread_count) shade_row(y, image);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return image;
  }

 private:
  void shade_row(uint32_t y, Image& image) const {
    const uint32_t n = settings_.samples;
    for (uint32_t x = 0; x < settings_.width; ++x) {
      Vector3 sum;
      for (uint32_t j = 0; j < n * n; ++j) sum += shade(x * n + j % n, y * n + j / n, j);
      const Vector3 colour = sum * (1 / static_cast<float>(n * n));
      uint8_t* pixel = &image.pixels[(size_t{y} * settings_.width + x) * 3];
      pixel[0] = encoded(colour.x), pixel[1] = encoded(colour.y), pixel[2] = encoded(colour.z);
    }
  }

  // Linear light to an sRGB byte, highlights rolled off.
  static uint8_t encoded(float linear) {
    const float mapped = linear < 0.6f ? linear : 1 - 0.4f * std::exp(-(linear - 0.6f) / 0.4f);
    const float curve = mapped <= 0.0031308f ? 12.92f * mapped : 1.055f * std::pow(mapped, 1 / 2.4f) - 0.055f;
    return static_cast<uint8_t>(std::min(255.0f, curve * 255 + 0.5f));
  }

  Vector3 shade(uint32_t x, uint32_t y, uint32_t pattern) const {
    const Vector3 ray = projection_.ray(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    const SurfaceSample& sample = samples_[size_t{y} * width_ + x];
    if (sample.material == MATERIAL_SKY) return sky(ray);
    const Vector3 p = projection_.eye() + ray * sample.depth;
    const Vector3 lit = sample.material == MATERIAL_GROUND ? ground(sample, p) * light(sample, p, ray, x, y, pattern)
                                                           : colour(sample) * light(sample, p, ray, x, y, pattern);
    if (sample.material != MATERIAL_GROUND) return lit;
    const float distance = length(p - centre_) / size_;  // the ground fades into the horizon
    return interpolate(lit, sky(ray), std::min(1.0f, std::max(0.0f, (distance - 1.2f) / 5)));
  }

  static Vector3 sky(Vector3 ray) {
    const float height = normalised(ray).y;
    return interpolate(HORIZON, ZENITH, std::min(1.0f, std::max(0.0f, height * 1.6f)));
  }

  Vector3 colour(const SurfaceSample& sample) const {
    if (sample.material == MATERIAL_SOLID) return SOLID_COLOUR;
    const Vector3 front = scene_.cloths[sample.material - MATERIAL_FIRST_CLOTH].colour;
    return sample.is_back ? front * BACK_COLOUR : front;
  }

  // Tiles, so that one sees where the ground is.
  Vector3 ground(const SurfaceSample& sample, Vector3 p) const {
    const Axes axes = axes_along(sample.normal);
    const float u = dot(p, axes.right) / tile_, v = dot(p, axes.up) / tile_;
    const bool odd = std::fmod(std::floor(u) + std::floor(v), 2.0f) != 0;
    return GROUND_COLOUR * (odd ? 0.94f : 1.0f);
  }

  Vector3 light(const SurfaceSample& sample, Vector3 p, Vector3 ray, uint32_t x, uint32_t y, uint32_t pattern) const {
    const Vector3 n = sample.normal;
    const float facing = dot(n, towards_light_);
    const bool is_cloth = sample.material >= MATERIAL_FIRST_CLOTH;
    float direct = 0;
    if (facing > 0) {
      direct = facing * shadow_.light_at(p, n);
    } else if (is_cloth) {
      direct = TRANSLUCENCY * -facing * shadow_.light_at(p, -n);
    }
    const bool is_near = length(p - centre_) < 0.5f * size_ + 2 * OCCLUSION_RADIUS * size_;
    const float open = is_near ? 1 - occlusion(p, n, x, y, pattern) : 1;
    const Vector3 ambient = interpolate(GROUND_LIGHT, SKY_LIGHT, 0.5f + 0.5f * n.y) * open;
    const float edge = 1 - std::min(1.0f, std::fabs(dot(n, normalised(ray))));
    const float sheen = is_cloth ? 0.25f * edge * edge * edge * open : 0;
    return SUN * (direct * (0.4f + 0.6f * open)) + ambient + SKY_LIGHT * sheen;
  }

  // Points of the hemisphere, at all heights and distances, turned differently in each of the sets.
  void place_occlusion_offsets() {
    for (size_t set = 0; set < occlusion_offsets_.size(); ++set) {
      for (size_t i = 0; i < OCCLUSION_RAYS; ++i) {
        const float height = (static_cast<float>(i) + 0.5f) / OCCLUSION_RAYS, flat = std::sqrt(1 - height * height);
        const float angle = 6.2831853f * (static_cast<float>(i) * 0.618034f + static_cast<float>(set) / 16);
        const float reach =
            OCCLUSION_RADIUS * size_ * (0.15f + 0.85f * static_cast<float>(i * 3 % OCCLUSION_RAYS) / OCCLUSION_RAYS);
        occlusion_offsets_[set][i] = Vector3{flat * std::cos(angle), flat * std::sin(angle), height} * reach;
      }
    }
  }

  // Part of the hemisphere over p that nearby surfaces hide, judged on the screen: a few points around p are hidden when
  // something stands before them. Each pixel of a 4 x 4 block and each sample takes another set. Source: Mittring 2007, "Finding next gen: CryEngine 2", screen-space occlusion.
  float occlusion(Vector3 p, Vector3 normal, uint32_t x, uint32_t y, uint32_t pattern) const {
    const Axes axes = axes_along(normal);
    const uint32_t block = (x / settings_.samples % 4 + y / settings_.samples % 4 * 4) * 7 % 16;
    float hidden = 0;
    for (const Vector3& offset : occlusion_offsets_[(block + pattern * 5) % 16]) {
      hidden += is_hidden(p + axes.right * offset.x + axes.up * offset.y + axes.forward * offset.z);
    }
    return std::min(1.0f, OCCLUSION_STRENGTH * hidden / OCCLUSION_RAYS);
  }

  // Fades with the distance of what stands before the point, so that far things cast no halo.
  float is_hidden(Vector3 point) const {
    const float radius = OCCLUSION_RADIUS * size_;
    const Vector3 at = projection_.project(point);
    if (!(at.z > 0) ||
        !(at.x >= 0 && at.y >= 0 && at.x < static_cast<float>(width_) && at.y < static_cast<float>(height_))) {
      return 0;
    }
    const float depth = depths_[static_cast<size_t>(at.y) * width_ + static_cast<size_t>(at.x)];
    const float before = at.z - depth;
    if (before < 0.02f * radius) return 0;
    return std::max(0.0f, 1 - before / (2 * radius));
  }

  const RenderScene& scene_;
  RenderSettings settings_;
  uint32_t width_, height_;  // in samples
  PerspectiveProjection projection_;
  std::vector<SurfaceMesh> meshes_;
  Vector3 towards_light_;
  ShadowMap shadow_;
  std::vector<SurfaceSample> samples_;
  std::vector<float> depths_;  // of the samples, close together because occlusion reads many
  Vector3 centre_;
  float size_ = 1, tile_ = 1;
  std::array<std::array<Vector3, OCCLUSION_RAYS>, 16> occlusion_offsets_;
};

}  // namespace

Image render(const RenderScene& scene, const RenderSettings& settings) { return Picture(scene, settings).finish(); }

}  // namespace clothc_tool
