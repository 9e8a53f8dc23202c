// assets.h - meshes and signed distance fields that tests show by instances, and how to make some: balls, whose distances are
// known, and what a program would cook from a mesh.
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

// A mesh, or, where it has values, a signed distance field.
struct Asset {
  std::vector<Vertex> vertices = {};
  std::vector<uint32_t> triangles = {};  // three vertices each

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

// A field of counts^3 nodes in the cube of the given half side around the origin.
AssetPointer field_of(uint32_t counts, float half_side, const std::function<double(double, double, double)>& distance);
// Of the points where y < 0; it is linear, so that nothing is lost between its nodes.
AssetPointer ground_field(float half_side);
AssetPointer ball_field(double radius, uint32_t counts = 64);
// A closed mesh of a ball, as of add_ball.
AssetPointer ball_mesh(float radius, uint32_t depth = 3);
// Two triangles in the plane y = 0, face up.
AssetPointer ground_mesh(float half_side);
// What clothc_sdf_cook makes of a mesh.
AssetPointer cooked(const Asset& mesh, uint32_t resolution, float padding);

// How far below the surface that it was made of a field of a ball may take a point to be outside: distances between nodes are
// too large by h^2 / 8 times the sum of their second derivatives, 2 / radius.
double deepest_error(const Asset& ball, double radius);

clothc_collider_asset_id create(clothc_solver solver, const Asset& asset);

}  // namespace physics
