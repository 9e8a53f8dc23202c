// assets.h - meshes and signed distance fields that collider sets show by instances. Owned by the host, which
// sends them to the device once.
#pragma once

#include <vector>

#include "clothc.h"
#include "cook/sdf/signed_distance.h"
#include "core/collision/triangle_bvh.h"

namespace clothc {

struct ColliderAsset {
  uint32_t id = 0;
  uint32_t slot = 0;
  bool is_sdf = false;

  // Of a mesh.
  std::vector<float> vertices;      // [][3]
  std::vector<uint32_t> triangles;  // [][3] vertices
  TriangleBvh tree;

  // Of a signed distance field: where its nodes are, and its values there.
  uint32_t counts[3] = {0, 0, 0};
  float origin[3] = {0, 0, 0};
  float spacing = 0;
  std::vector<float> values;
  uint32_t field = 0;  // range of the tables arena, in words
  uint32_t sdf_word_count = 0;

  uint64_t content_hash = 0;
  bool changed = true;  // differs from the device's

  // Where the kernels find it in the tables arena.
  uint32_t table() const { return is_sdf ? field : tree.table; }
  // Words of a field's header and values.
  uint32_t word_count() const { return sdf_words + static_cast<uint32_t>(values.size()); }
  void pack_sdf(std::vector<uint32_t>& words) const;
};

// Check assets as a caller gave them.
void check_asset(const clothc_collider_mesh_desc& desc);
void check_asset(const clothc_sdf_desc& desc);
// Checks a mesh to cook, and says which grid its field gets.
void check_sdf_cook(const clothc_sdf_cook_desc& desc);
cook::DistanceGrid grid_of(const clothc_sdf_cook_desc& desc);
// Make assets of checked ones.
void fill_asset(ColliderAsset& asset, const clothc_collider_mesh_desc& desc);
void fill_asset(ColliderAsset& asset, const clothc_sdf_desc& desc);

// Checks triangles; what names one in messages. triangles: [triangle_count][3], or null for 0 1 2, 3 4 5 ..
void check_triangles(uint32_t vertex_count, uint32_t triangle_count, const uint32_t* triangles, const char* what);
// Their corners, as numbers even where the caller gave none.
std::vector<uint32_t> corners_of(uint32_t triangle_count, const uint32_t* triangles);

}  // namespace clothc
