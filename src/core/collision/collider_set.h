// collider_set.h - collider sets: shapes with their poses at the start and at the end of the next update. The host owns
// a set. It sends the set to the device when it has been written, and again after an update in which its shapes moved,
// because their targets then become their starts.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "clothc.h"
#include "core/collision/assets.h"

namespace clothc {

// Number of shapes of each kind as the collision kernels count them: a plane that belongs to two convexes counts twice.
struct ShapeCounts {
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) uint32_t plural = 0;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  // Number of words that the vertices of the sets' triangles occupy as rows of four words.
  uint64_t vertex_words = 0;

  uint32_t all() const {
    uint32_t sum = 0;
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) sum += plural;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
    return sum;
  }
  // Numbers of shapes that transform_rounded_shapes, transform_flat_shapes and transform_posed_shapes transform.
  uint32_t rounded() const { return spheres + capsules; }
  uint32_t flat() const { return planes + convexes; }
  uint32_t posed() const { return all() - rounded() - flat(); }
  uint32_t blocks() const { return blocks_of(spheres) + blocks_of(capsules); }
  static uint32_t blocks_of(uint32_t shapes) { return (shapes + shapes_per_block - 1) / shapes_per_block; }
  ShapeCounts& operator+=(const ShapeCounts& other);
  bool operator==(const ShapeCounts& other) const;
};

class ColliderSet {
 public:
  // Shapes of one kind, each a fixed number of floats.
  struct Moving {
    std::vector<float> starts;
    std::vector<float> targets;
    // The targets of the last update.
    std::vector<float> consumed;
    // Returns these shapes with count new targets of width floats each. If new_starts is null, a shape starts at its
    // target in the last update, or at its new target if it did not exist then.
    Moving with(const float* new_targets, const float* new_starts, uint32_t count, uint32_t width) const;
    // Makes the targets the starts after an update. Returns whether they differed.
    bool consume();
    bool moves() const { return starts != targets; }
  };
  // The arrays of clothc_collider_shapes that move.
  enum Kind : uint32_t {
#define CLOTHC_SHAPE_ARRAY(kind, plural, width, sent, name) plural,
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_ARRAY
    kind_count
  };
  // Number of floats per shape of each kind.
  static constexpr std::array<uint32_t, kind_count> widths = {
#define CLOTHC_SHAPE_ARRAY(kind, plural, width, sent, name) width,
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_ARRAY
  };

  uint32_t id = 0;
  uint32_t slot = 0;
  std::array<Moving, kind_count> shapes;
  // Whether any shape has a target ahead.
  bool moves() const {
    return std::any_of(shapes.begin(), shapes.end(), [](const Moving& kind) { return kind.moves(); });
  }

  // capsules: [][2] indices of spheres; triangles: [][3] indices of vertices; convex_ends and convex_planes: see
  // clothc_collider_shapes.
  std::vector<uint32_t> capsules;
  std::vector<uint32_t> convex_ends;
  std::vector<uint32_t> convex_planes;
  std::vector<uint32_t> triangles;
  // The asset of each instance.
  std::vector<const ColliderAsset*> assets;
  clothc_collider_space space = CLOTHC_COLLIDER_SPACE_LOCAL;
  // triangle_reach of the triangles and mesh instances, in m.
  float reach = 0;

  // Range of the tables arena: first word, and length in words.
  uint32_t table = 0;
  uint32_t table_words = 0;
  // BVH over the triangles of the set itself.
  TriangleBvh bvh;
  // Whether the device's copy is out of date.
  bool changed = true;
  // Position in the list of sets that the next update must visit, see ChangedList.
  uint32_t changed_position = 0;

  // Whether the shapes and their motion are the same as in another set, bit by bit.
  bool shows_same_as(const ColliderSet& other) const;
  uint32_t count(Kind kind) const { return static_cast<uint32_t>(shapes[kind].targets.size() / widths[kind]); }
  ShapeCounts counts() const;
  // Makes the targets of all shapes their starts after an update. Returns whether any shape had moved, so that the
  // device's copy is out of date.
  bool consume();
  // Number of words that the header and all arrays occupy.
  uint32_t word_count() const;
  // Writes the header and all arrays in the layout that the kernels read at word `table` of the tables arena.
  void pack(std::vector<uint32_t>& words) const;

 private:
  // Calls body with the index of each instance in the order in which kernels number them: mesh instances first, then
  // instances of SDFs.
  template <class Body>
  void for_each_instance(Body body) const {
    for (const bool is_sdf : {false, true}) {
      for (size_t k = 0; k < assets.size(); ++k) {
        if (assets[k]->is_sdf == is_sdf) body(k);
      }
    }
  }
};

// Points the arrays of shapes to values of the set: its starts, its targets or those of the last update.
using ShapeValues = std::vector<float> ColliderSet::Moving::*;
void point_to(const ColliderSet& set, ShapeValues targets, ShapeValues starts, clothc_collider_shapes& shapes);

// Checks shapes as a caller passed them, and throws Failure if they are invalid.
void check_shapes(const clothc_collider_shapes& shapes);
// Returns a copy of the set whose shapes are replaced by checked ones. assets: the asset of each instance.
ColliderSet with_shapes(const ColliderSet& set, const clothc_collider_shapes& shapes,
                        std::vector<const ColliderAsset*> assets);

}  // namespace clothc
