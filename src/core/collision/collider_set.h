// collider_set.h - collider sets: shapes at the start and the end of the next update. Owned by the host; a set is sent to
// the device when it changed, and once more when its shapes have come to rest.
#pragma once

#include <array>
#include <vector>

#include "clothc.h"
#include "core/collision/assets.h"

namespace clothc {

// How many shapes of each kind there are, as the collision kernels count them: a plane of two convexes counts twice.
struct ShapeCounts {
  uint32_t spheres = 0;
  uint32_t capsules = 0;
  uint32_t planes = 0;
  uint32_t convexes = 0;
  uint32_t ellipsoids = 0;
  uint32_t boxes = 0;
  uint32_t meshes = 0;
  uint32_t sdfs = 0;
  uint64_t vertex_words = 0;  // of the rows of the vertices of sets' triangles

  uint32_t all() const { return spheres + capsules + planes + convexes + ellipsoids + boxes + meshes + sdfs; }
  uint32_t blocks() const { return blocks_of(spheres) + blocks_of(capsules); }
  static uint32_t blocks_of(uint32_t shapes) { return (shapes + shapes_per_block - 1) / shapes_per_block; }
  ShapeCounts& operator+=(const ShapeCounts& other);
  bool operator==(const ShapeCounts& other) const;
};

class ColliderSet {
 public:
  // Shapes as some floats each.
  struct Moving {
    std::vector<float> starts;
    std::vector<float> targets;
    std::vector<float> consumed;  // targets of the last update
    // The same with count new targets of width floats; starts where given, else at the last update's targets.
    Moving with(const float* new_targets, const float* new_starts, uint32_t count, uint32_t width) const;
    // An update has used them: returns whether starts differ from targets, which then become the starts.
    bool consume();
    bool moves() const { return starts != targets; }
  };
  enum Kind : uint32_t { spheres, planes, ellipsoids, boxes, vertices, instances, kind_count };
  static constexpr std::array<uint32_t, kind_count> widths = {4, 4, 10, 10, 3, 8};

  uint32_t id = 0;
  uint32_t slot = 0;
  std::array<Moving, kind_count> shapes;
  std::vector<uint32_t> capsules;  // [][2] spheres
  std::vector<uint32_t> convex_ends;
  std::vector<uint32_t> convex_planes;
  std::vector<uint32_t> triangles;           // [][3] vertices
  std::vector<const ColliderAsset*> assets;  // of each instance
  clothc_collider_space space = CLOTHC_COLLIDER_SPACE_LOCAL;
  float reach = 0;

  // Range of the tables arena, in words.
  uint32_t table = 0;
  uint32_t table_words = 0;
  TriangleBvh tree;
  bool changed = true;  // differs from the device's

  // Whether the shapes are, and move, as those of another set.
  bool shows_same_as(const ColliderSet& other) const;
  uint32_t count(Kind kind) const { return static_cast<uint32_t>(shapes[kind].targets.size() / widths[kind]); }
  ShapeCounts counts() const;
  // An update has used the shapes: returns whether they have come to rest.
  bool consume();
  // Words of the header and all arrays.
  uint32_t word_count() const;
  // The words, as the kernels expect them at the table's offset.
  void pack(std::vector<uint32_t>& words) const;

 private:
  // Calls body with each instance in the order of the kernels: those of meshes, then those of signed distance fields.
  template <class Body>
  void for_each_instance(Body body) const {
    for (const bool is_sdf : {false, true}) {
      for (size_t k = 0; k < assets.size(); ++k) {
        if (assets[k]->is_sdf == is_sdf) body(k);
      }
    }
  }
};

// Checks shapes as a caller gave them.
void check_shapes(const clothc_collider_shapes& shapes);
// The set with checked shapes in place of its own; assets: of the instances.
ColliderSet with_shapes(const ColliderSet& set, const clothc_collider_shapes& shapes,
                        std::vector<const ColliderAsset*> assets);

}  // namespace clothc
