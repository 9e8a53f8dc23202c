// assets.h - meshes and signed distance fields (SDFs) that tests place as instances, and functions that make some:
// balls with known distances, and SDFs cooked from a mesh as a program would cook them.
#pragma once

#include <clothc.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace physics {

struct Vertex {
  float x, y, z;
};

// A mesh, or a signed distance field if values is not empty.
struct Asset {
  std::vector<Vertex> vertices = {};

  // Three vertex indices for each triangle.
  std::vector<uint32_t> triangles = {};

  uint32_t counts[3] = {0, 0, 0};
  float origin[3] = {0, 0, 0};
  float spacing = 0;
  std::vector<float> values = {};
};

using AssetPointer = std::shared_ptr<const Asset>;

struct Instance {
  AssetPointer asset;
  float translation[3] = {0, 0, 0};
  float rotation[4] = {0, 0, 0, 1};
  float scale = 1;
};

// Makes an SDF with counts^3 nodes in the cube with the given half side around the origin.
AssetPointer sdf_of(uint32_t counts, float half_side, const std::function<double(double, double, double)>& distance);
// Makes the SDF of the half-space y < 0. It is linear, so interpolation between its nodes is exact.
AssetPointer ground_sdf(float half_side);
AssetPointer ball_sdf(double radius, uint32_t counts = 64);
// Makes a closed mesh of a ball in the way of add_ball.
AssetPointer ball_mesh(float radius, uint32_t depth = 3);
// Makes two triangles in the plane y = 0, face up.
AssetPointer ground_mesh(float half_side);
// Makes the SDF that clothc_sdf_cook computes from the mesh.
AssetPointer cooked(const Asset& mesh, uint32_t resolution, float padding);

// Returns the greatest depth below the surface at which the SDF of a ball may still report a point as outside.
// Distances interpolated between nodes are too large by h^2 / 8 times the sum of their second derivatives, which is 2 /
// radius.
double deepest_error(const Asset& ball, double radius);

clothc_collider_asset_id create(clothc_solver solver, const Asset& asset);

}  // namespace physics
