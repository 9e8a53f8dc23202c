// assets.h - collider assets: the meshes and signed distance fields (SDFs) that collider sets place in the scene as
// instances. The host owns an asset and sends it to the device once.
#pragma once

#include <vector>

#include "clothc.h"
#include "cook/sdf/signed_distance.h"
#include "core/collision/triangle_bvh.h"

namespace clothc {

// Bound in m on the coordinates of assets and on the distances in an SDF. Cooked distances end there.
constexpr float most_sdf_distance = 1e9f;

struct ColliderAsset {
  uint32_t id = 0;
  uint32_t slot = 0;
  bool is_sdf = false;

  // Only meshes use these. vertices: [][3] coordinates; triangles: [][3] indices into vertices.
  std::vector<float> vertices;
  std::vector<uint32_t> triangles;
  TriangleBvh bvh;

  // Only SDFs use these: the number of grid nodes along x, y and z, the position of node 0 0 0, the distance between
  // neighbouring nodes, and the signed distance at every node.
  uint32_t counts[3] = {0, 0, 0};
  float origin[3] = {0, 0, 0};
  float spacing = 0;
  std::vector<float> values;

  // The SDF's range of the tables arena: its first word, and its length in words.
  uint32_t sdf_table = 0;
  uint32_t sdf_word_count = 0;

  uint64_t content_hash = 0;

  // Position in the list of assets whose copy on the device is out of date, see ChangedList.
  uint32_t changed_position = 0;

  // First word of the asset in the tables arena, from which the kernels read it.
  uint32_t table() const { return is_sdf ? sdf_table : bvh.table; }
  // Number of words that an SDF's header and values occupy.
  uint32_t word_count() const { return sdf_words + static_cast<uint32_t>(values.size()); }
  // Writes an SDF's header and values in the layout that the kernels read.
  void pack_sdf(std::vector<uint32_t>& words) const;
};

// These check the description of an asset as a caller passed it, and throw Failure if it is invalid.
void check_asset(const clothc_collider_mesh_desc& desc);
void check_asset(const clothc_sdf_desc& desc);
// Checks the description of a mesh to be cooked into an SDF.
void check_sdf_cook(const clothc_sdf_cook_desc& desc);
// Returns the grid that the SDF of a checked mesh gets. Throws Failure if check_asset would refuse an SDF with it.
cook::DistanceGrid grid_of(const clothc_sdf_cook_desc& desc);
// These fill an asset from a description that has been checked.
void fill_asset(ColliderAsset& asset, const clothc_collider_mesh_desc& desc);
void fill_asset(ColliderAsset& asset, const clothc_sdf_desc& desc);

// Checks triangles. what is the noun for one triangle in error messages.
// triangles: [triangle_count][3] vertices, or null if the triangles are 0 1 2, 3 4 5 and so on.
void check_triangles(uint32_t vertex_count, uint32_t triangle_count, const uint32_t* triangles, const char* what);
// Returns the vertices of the triangles' corners, written out explicitly even if triangles is null.
std::vector<uint32_t> corners_of(uint32_t triangle_count, const uint32_t* triangles);

}  // namespace clothc
