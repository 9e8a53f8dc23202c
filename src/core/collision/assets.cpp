// assets.cpp - checks the descriptions of collider assets, and fills assets from them. See assets.h.
#include "core/collision/assets.h"

#include <cmath>
#include <cstring>

#include "core/base/result.h"
#include "kernels/layout.h"

namespace clothc {
namespace {

constexpr uint32_t most_vertices = 1u << 24;
// With this many triangles, every node number of their BVH is still exactly representable as a float.
constexpr uint32_t most_triangles = 1u << 23;
constexpr uint64_t most_nodes = uint64_t{1} << 27;
constexpr uint32_t most_nodes_along = 4096;
// In m, of the spacing of nodes.
constexpr float least_spacing = 1e-6f, most_spacing = 1e6f;

// 64-bit FNV-1a hash (Fowler, Noll, Vo 1991), applied to 32-bit words instead of bytes.
class ContentHash {
 public:
  template <class T>
  void add(const T* words, size_t count) {
    static_assert(sizeof(T) == 4, "words");
    for (size_t k = 0; k < count; ++k) {
      uint32_t word;
      std::memcpy(&word, words + k, 4);
      hash_ = (hash_ ^ word) * 0x100000001b3u;
    }
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325u;
};

template <class Desc>
void check_mesh(const Desc& desc, const char* what) {
  CLOTHC_REQUIRE(desc.vertex_count >= 1 && desc.vertex_count <= most_vertices, "%s.vertex_count is %u; want 1 to 2^24",
                 what, desc.vertex_count);
  CLOTHC_REQUIRE(desc.triangle_count >= 1, "%s.triangle_count is 0; want 1 to 2^23", what);
  CLOTHC_REQUIRE(desc.vertices != nullptr, "%s.vertices is null", what);
  CLOTHC_REQUIRE(desc.reserved == 0, "%s.reserved is %u; want 0", what, desc.reserved);
  for (uint32_t k = 0; k < desc.vertex_count; ++k) {
    const float* x = desc.vertices + 3 * size_t{k};
    CLOTHC_REQUIRE(in_range(x[0], -1e9f, 1e9f) && in_range(x[1], -1e9f, 1e9f) && in_range(x[2], -1e9f, 1e9f),
                   "%s vertex %u is (%g, %g, %g); want finite values within +-1e9", what, k, as_double(x[0]),
                   as_double(x[1]), as_double(x[2]));
  }
  check_triangles(desc.vertex_count, desc.triangle_count, desc.triangles, "collider mesh triangle");
}

}  // namespace

void check_triangles(uint32_t vertex_count, uint32_t triangle_count, const uint32_t* triangles, const char* what) {
  CLOTHC_REQUIRE(triangle_count <= most_triangles, "%ss are %u; want at most 2^23", what, triangle_count);
  if (triangles == nullptr) {
    CLOTHC_REQUIRE(vertex_count >= uint64_t{triangle_count} * 3,
                   "%ss are %u, without a triangles array; %u vertices are too few, want 3 for each", what,
                   triangle_count, vertex_count);
    return;
  }
  for (uint32_t k = 0; k < triangle_count; ++k) {
    const uint32_t* t = triangles + 3 * size_t{k};
    CLOTHC_REQUIRE(t[0] < vertex_count && t[1] < vertex_count && t[2] < vertex_count,
                   "%s %u has vertices %u, %u, %u; want below vertex_count %u", what, k, t[0], t[1], t[2],
                   vertex_count);
  }
}

std::vector<uint32_t> corners_of(uint32_t triangle_count, const uint32_t* triangles) {
  std::vector<uint32_t> corners(3 * size_t{triangle_count});
  for (size_t k = 0; k < corners.size(); ++k)
    corners[k] = triangles == nullptr ? static_cast<uint32_t>(k) : triangles[k];
  return corners;
}

void check_asset(const clothc_collider_mesh_desc& desc) { check_mesh(desc, "collider_mesh_desc"); }

void check_sdf_cook(const clothc_sdf_cook_desc& desc) {
  check_mesh(desc, "sdf_cook_desc");
  CLOTHC_REQUIRE(desc.resolution >= 2 && desc.resolution <= 1024, "sdf_cook_desc.resolution is %u; want 2 to 1024",
                 desc.resolution);
  CLOTHC_REQUIRE(in_range(desc.padding, 0, 1e9f), "sdf_cook_desc.padding is %g; want 0 (two cells) to 1e9 m",
                 as_double(desc.padding));
  CLOTHC_REQUIRE(cook::has_surface(desc.vertices, desc.triangles, desc.triangle_count),
                 "none of the %u triangles has three different corners; want a mesh with a surface",
                 desc.triangle_count);
}

namespace {

cook::DistanceGrid grid_around_mesh(const clothc_sdf_cook_desc& desc) {
  const auto around = [&](float padding) {
    return cook::grid_around(desc.vertices, desc.vertex_count, desc.resolution, padding);
  };
  if (desc.padding > 0 || desc.resolution < 8) return around(desc.padding);
  // The default padding is two cells of the final grid on each side. Four of its cells then lie outside the mesh's
  // bounds along the longest side, so the rest of them cover what all cells cover in the tight grid.
  const cook::DistanceGrid tight = around(0);
  const float cells = static_cast<float>(desc.resolution - 1);
  return around(2 * tight.spacing * cells / (cells - 4));
}

uint64_t node_count(const uint32_t* counts) { return uint64_t{counts[0]} * counts[1] * counts[2]; }

}  // namespace

cook::DistanceGrid grid_of(const clothc_sdf_cook_desc& desc) {
  const cook::DistanceGrid grid = grid_around_mesh(desc);
  CLOTHC_REQUIRE(
      in_range(grid.spacing, least_spacing, most_spacing),
      "the nodes of the mesh's field would be %.9g m apart; want 1e-6 to 1e6 m: change sdf_cook_desc.padding, "
      "which is %g m, or resolution, which is %u, or cook the mesh in another scale and give its instances "
      "the inverse one",
      as_double(grid.spacing), as_double(desc.padding), desc.resolution);
  CLOTHC_REQUIRE(node_count(grid.counts) <= most_nodes,
                 "the mesh's field would have %u x %u x %u nodes; want at most 2^27: lower sdf_cook_desc.resolution, "
                 "which is %u",
                 grid.counts[0], grid.counts[1], grid.counts[2], desc.resolution);
  for (size_t axis = 0; axis < 3; ++axis) {
    CLOTHC_REQUIRE(
        in_range(grid.origin[axis], -most_sdf_distance, most_sdf_distance),
        "the field's origin[%zu] would be %.9g; want within +-1e9: lower sdf_cook_desc.padding, which is %g m, "
        "or move the mesh nearer to its own origin and its instances by as much",
        axis, as_double(grid.origin[axis]), as_double(desc.padding));
  }
  return grid;
}

void check_asset(const clothc_sdf_desc& desc) {
  for (size_t axis = 0; axis < 3; ++axis) {
    const uint32_t count = desc.counts[axis];
    CLOTHC_REQUIRE(count >= 2 && count <= most_nodes_along, "sdf_desc.counts[%zu] is %u; want 2 to 4096", axis, count);
    CLOTHC_REQUIRE(in_range(desc.origin[axis], -most_sdf_distance, most_sdf_distance),
                   "sdf_desc.origin[%zu] is %.9g; want a finite value within +-1e9", axis,
                   as_double(desc.origin[axis]));
  }
  const uint64_t nodes = node_count(desc.counts);
  CLOTHC_REQUIRE(nodes <= most_nodes, "sdf_desc.counts are %u x %u x %u; want at most 2^27 nodes", desc.counts[0],
                 desc.counts[1], desc.counts[2]);
  CLOTHC_REQUIRE(in_range(desc.spacing, least_spacing, most_spacing), "sdf_desc.spacing is %.9g; want 1e-6 to 1e6 m",
                 as_double(desc.spacing));
  CLOTHC_REQUIRE(desc.values != nullptr, "sdf_desc.values is null");
  for (uint64_t k = 0; k < nodes; ++k) {
    CLOTHC_REQUIRE(in_range(desc.values[k], -most_sdf_distance, most_sdf_distance),
                   "sdf value %llu is %.9g; want a finite distance within +-1e9 m", static_cast<unsigned long long>(k),
                   as_double(desc.values[k]));
  }
}

void fill_asset(ColliderAsset& asset, const clothc_collider_mesh_desc& desc) {
  asset.is_sdf = false;
  asset.vertices.assign(desc.vertices, desc.vertices + 3 * size_t{desc.vertex_count});
  asset.triangles = corners_of(desc.triangle_count, desc.triangles);
  asset.bvh.shape(desc.triangle_count, desc.vertex_count);
  ContentHash hash;
  hash.add(&desc.vertex_count, 1);
  hash.add(asset.vertices.data(), asset.vertices.size());
  hash.add(asset.triangles.data(), asset.triangles.size());
  asset.content_hash = hash.value();
}

void fill_asset(ColliderAsset& asset, const clothc_sdf_desc& desc) {
  asset.is_sdf = true;
  std::memcpy(asset.counts, desc.counts, sizeof(asset.counts));
  std::memcpy(asset.origin, desc.origin, sizeof(asset.origin));
  asset.spacing = desc.spacing;
  asset.values.assign(desc.values, desc.values + size_t{desc.counts[0]} * desc.counts[1] * desc.counts[2]);
  ContentHash hash;
  hash.add(asset.counts, 3);
  hash.add(asset.origin, 3);
  hash.add(&asset.spacing, 1);
  hash.add(asset.values.data(), asset.values.size());
  asset.content_hash = hash.value();
}

void ColliderAsset::pack_sdf(std::vector<uint32_t>& words) const {
  words.assign(word_count(), 0);
  const float inverse = 1 / spacing;
  std::memcpy(&words[sdf_counts], counts, sizeof(counts));
  std::memcpy(&words[sdf_origin], origin, sizeof(origin));
  std::memcpy(&words[sdf_spacing], &spacing, 4);
  std::memcpy(&words[sdf_inverse], &inverse, 4);
  words[sdf_values] = sdf_table + sdf_words;
  std::memcpy(&words[sdf_words], values.data(), values.size() * 4);
}

}  // namespace clothc
