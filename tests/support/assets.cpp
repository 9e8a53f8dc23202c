// assets.cpp - see assets.h.
#include "support/assets.h"

#include <algorithm>
#include <cmath>

#include "support/bodies.h"

namespace physics {

AssetPointer sdf_of(uint32_t counts, float half_side, const std::function<double(double, double, double)>& distance) {
  auto asset = std::make_shared<Asset>();
  std::fill(asset->counts, asset->counts + 3, counts);
  std::fill(asset->origin, asset->origin + 3, -half_side);
  asset->spacing = 2 * half_side / static_cast<float>(counts - 1);
  const auto coordinate = [&](uint32_t k) {
    return static_cast<double>(asset->spacing) * k - static_cast<double>(half_side);
  };
  for (uint32_t z = 0; z < counts; ++z) {
    for (uint32_t y = 0; y < counts; ++y) {
      for (uint32_t x = 0; x < counts; ++x) {
        asset->values.push_back(static_cast<float>(distance(coordinate(x), coordinate(y), coordinate(z))));
      }
    }
  }
  return asset;
}

AssetPointer ground_sdf(float half_side) {
  return sdf_of(9, half_side, [](double, double y, double) { return y; });
}

AssetPointer ball_sdf(double radius, uint32_t counts) {
  return sdf_of(counts, static_cast<float>(1.4 * radius),
                [=](double x, double y, double z) { return std::sqrt(x * x + y * y + z * z) - radius; });
}

AssetPointer ball_mesh(float radius, uint32_t depth) {
  auto mesh = std::make_shared<Asset>();
  add_ball(radius, depth, mesh->vertices, mesh->triangles);
  return mesh;
}

AssetPointer ground_mesh(float half_side) {
  auto mesh = std::make_shared<Asset>();
  const float a = half_side;
  mesh->vertices = {{-a, 0, -a}, {a, 0, -a}, {a, 0, a}, {-a, 0, a}};
  mesh->triangles = {0, 2, 1, 0, 3, 2};
  return mesh;
}

AssetPointer cooked(const Asset& mesh, uint32_t resolution, float padding) {
  auto desc = initialised<clothc_sdf_cook_desc>();
  desc.vertex_count = static_cast<uint32_t>(mesh.vertices.size());
  desc.triangle_count = static_cast<uint32_t>(mesh.triangles.size() / 3);
  desc.resolution = resolution;
  desc.vertices = &mesh.vertices[0].x;
  desc.triangles = mesh.triangles.data();
  desc.padding = padding;
  auto sdf = initialised<clothc_sdf_desc>();
  uint64_t size = 0;
  require(clothc_sdf_cook(&desc, &sdf, nullptr, &size));
  auto asset = std::make_shared<Asset>();
  asset->values.resize(size / sizeof(float));
  require(clothc_sdf_cook(&desc, &sdf, asset->values.data(), &size));
  std::copy(sdf.counts, sdf.counts + 3, asset->counts);
  std::copy(sdf.origin, sdf.origin + 3, asset->origin);
  asset->spacing = sdf.spacing;
  return asset;
}

double deepest_error(const Asset& ball, double radius) {
  const double h = static_cast<double>(ball.spacing);
  return h * h / (4 * radius);
}

clothc_collider_asset_id create(clothc_solver solver, const Asset& asset) {
  clothc_collider_asset_id id = 0;
  if (asset.values.empty()) {
    auto desc = initialised<clothc_collider_mesh_desc>();
    desc.vertex_count = static_cast<uint32_t>(asset.vertices.size());
    desc.triangle_count = static_cast<uint32_t>(asset.triangles.size() / 3);
    desc.vertices = &asset.vertices[0].x;
    desc.triangles = asset.triangles.data();
    require(clothc_collider_mesh_create(solver, &desc, &id));
  } else {
    auto desc = initialised<clothc_sdf_desc>();
    std::copy(asset.counts, asset.counts + 3, desc.counts);
    std::copy(asset.origin, asset.origin + 3, desc.origin);
    desc.spacing = asset.spacing;
    desc.values = asset.values.data();
    require(clothc_collider_sdf_create(solver, &desc, &id));
  }
  return id;
}

}  // namespace physics
