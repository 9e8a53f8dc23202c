// render.cpp - renders an image: finds what the pixel centres see, then the sun and sky that reach it, then samples
// every pixel at several points, in bands of rows. No pixel depends on another one's result or on the number of
// threads.
#include "picture/render.h"

#include <algorithm>
#include <array>

#include "picture/light.h"
#include "picture/shadow.h"
#include "picture/surface.h"
#include "picture/threads.h"
#include "picture/visibility.h"

namespace clothc_tool {
namespace {

constexpr uint32_t BAND_ROWS = 32;

// Samples per pixel. As with rooks on a chessboard, no two are in the same row or column.
constexpr uint32_t SAMPLES = 4;
constexpr std::array<float, SAMPLES> SAMPLE_ROWS = {1, 3, 0, 2};

// Samples of one pixel that show the same surface. They are lit once.
struct Patch {
  SurfaceSample first;
  Vector3 normal_sum;
  float depth_sum = 0;
  uint32_t count = 0;

  bool takes(const SurfaceSample& sample) const {
    if (sample.material != first.material || sample.is_back != first.is_back) return false;
    if (sample.material == MATERIAL_SKY) return true;
    if (dot(sample.normal, first.normal) < 0.9f) return false;
    return sample.material == MATERIAL_GROUND || std::fabs(sample.depth - first.depth) < 0.01f * first.depth;
  }
  void add(const SurfaceSample& sample) {
    if (count == 0) first = sample;
    normal_sum += sample.normal;
    depth_sum += sample.depth;
    ++count;
  }
  SurfaceSample mean() const {
    SurfaceSample sample = first;
    if (first.material == MATERIAL_SKY) return sample;
    sample.normal = normalised(normal_sum);
    sample.depth = depth_sum / static_cast<float>(count);
    return sample;
  }
};

Box bounds_of(const std::vector<SurfaceMesh>& meshes) {
  Box box;
  for (const SurfaceMesh& mesh : meshes) {
    for (const Vector3& p : mesh.positions) box.add(p);
  }
  return box;
}

}  // namespace

// What all pictures use one after another.
struct Renderer::Memory {
  std::vector<float> light_depths;
  std::vector<SurfaceSample> middles;
  VisibilityMap::Memory visibility;

  // Samples of the band that each thread draws.
  std::vector<std::vector<SurfaceSample>> bands = std::vector<std::vector<SurfaceSample>>(band_threads());
};

// A picture that is being drawn.
class Renderer::Picture {
 public:
  Picture(const RenderScene& scene, const RenderSettings& settings, Memory& memory)
      : memory_(memory),
        width_(settings.width),
        height_(settings.height),
        projection_(scene.camera, width_, height_),
        meshes_(surface_meshes(scene)),
        bounds_(bounds_of(meshes_)),
        lighting_(scene, projection_),
        shadow_(lighting_.towards_light(), meshes_, memory.light_depths),
        view_(scene, meshes_, projection_),
        visibility_(middles(), width_, height_, projection_, shadow_, lighting_.towards_light(), bounds_,
                    view_size(scene.camera), memory.visibility) {}

  Image finish() const {
    Image image(width_, height_);
    for_each_band(height_, BAND_ROWS, [&](uint32_t begin, uint32_t end, uint32_t thread) {
      draw_band({width_, begin, end}, memory_.bands[thread], image);
    });
    return image;
  }

 private:
  const std::vector<SurfaceSample>& middles() const {
    memory_.middles.resize(size_t{width_} * height_);
    for_each_band(height_, BAND_ROWS, [&](uint32_t begin, uint32_t end, uint32_t) {
      view_.draw({width_, begin, end}, 0.5f, 0.5f, &memory_.middles[size_t{begin} * width_]);
    });
    return memory_.middles;
  }

  void draw_band(RasterRows rows, std::vector<SurfaceSample>& samples, Image& image) const {
    const size_t pixel_count = size_t{rows.end - rows.begin} * width_;
    samples.resize(SAMPLES * pixel_count);
    for (uint32_t s = 0; s < SAMPLES; ++s) {
      const float x = (static_cast<float>(s) + 0.5f) / SAMPLES, y = (SAMPLE_ROWS[s] + 0.5f) / SAMPLES;
      view_.draw(rows, x, y, &samples[s * pixel_count]);
    }
    for (size_t i = 0; i < pixel_count; ++i) {
      const auto x = static_cast<uint32_t>(i % width_), y = rows.begin + static_cast<uint32_t>(i / width_);
      const Vector3 colour = pixel(&samples[i], pixel_count, x, y);
      uint8_t* bytes = &image.pixels[(size_t{y} * width_ + x) * 3];
      bytes[0] = encoded(colour.x), bytes[1] = encoded(colour.y), bytes[2] = encoded(colour.z);
    }
  }

  Vector3 pixel(const SurfaceSample* samples, size_t stride, uint32_t x, uint32_t y) const {
    std::array<Patch, SAMPLES> patches;
    size_t patch_count = 0;
    for (uint32_t s = 0; s < SAMPLES; ++s) {
      const SurfaceSample& sample = samples[s * stride];
      size_t i = 0;
      while (i < patch_count && !patches[i].takes(sample)) ++i;
      patches[i].add(sample);
      patch_count = std::max(patch_count, i + 1);
    }
    Vector3 sum;
    for (size_t i = 0; i < patch_count; ++i) {
      const SurfaceSample sample = patches[i].mean();
      const Visibility visibility = sample.material == MATERIAL_SKY ? Visibility{} : visibility_.at(sample, x, y);
      sum += lighting_.colour(sample, visibility, x, y) * (static_cast<float>(patches[i].count) / SAMPLES);
    }
    return sum;
  }

  Memory& memory_;
  uint32_t width_, height_;
  PerspectiveProjection projection_;
  std::vector<SurfaceMesh> meshes_;
  Box bounds_;
  Lighting lighting_;
  ShadowMap shadow_;
  SurfaceView view_;
  VisibilityMap visibility_;
};

Renderer::Renderer(const RenderSettings& settings) : settings_(settings), memory_(std::make_unique<Memory>()) {}

Renderer::~Renderer() = default;

Image Renderer::render(const RenderScene& scene) { return Picture(scene, settings_, *memory_).finish(); }

}  // namespace clothc_tool
