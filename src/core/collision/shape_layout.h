// shape_layout.h - the layout of a cloth's shape range of the tables arena, which holds the shapes of all its collider
// sets as they are in the current iteration.
#pragma once

#include "core/collision/collider_set.h"
#include "kernels/layout.h"

namespace clothc {

// Upper limit on the length of a cloth's shape range, in words.
constexpr uint64_t most_shape_words = uint64_t{1} << 29;

// Offsets of the arrays from the range's first word, in words.
struct ShapeLayout {
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) uint32_t plural;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  uint32_t sphere_blocks, capsule_blocks, triangle_cache, cache_bounds, transformed_vertices, end;

  // particle_stride: the cloth's particles and spare particles with padding. Each mesh instance caches the nearest
  // triangles of every one.
  ShapeLayout(const ShapeCounts& n, uint32_t particle_stride) {
    uint32_t next = 0;
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) \
  plural = next;                                     \
  next += n.plural * shape_words;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
    sphere_blocks = next;
    capsule_blocks = sphere_blocks + ShapeCounts::blocks_of(n.spheres) * block_words;
    triangle_cache = capsule_blocks + ShapeCounts::blocks_of(n.capsules) * block_words;
    cache_bounds = triangle_cache + n.meshes * particle_stride * cache_words;
    transformed_vertices = cache_bounds + n.meshes * particle_stride * cache_bound_words;
    end = transformed_vertices + transformed_vertex_words(n, particle_stride);
  }

  // If there are at most eight vertices per particle, vertices are transformed once per iteration: transforming a
  // vertex costs less than it saves for the particles that would otherwise transform it themselves. Otherwise returns 0.
  static uint32_t transformed_vertex_words(const ShapeCounts& n, uint32_t particle_stride) {
    return n.vertex_words <= uint64_t{32} * particle_stride ? static_cast<uint32_t>(n.vertex_words) : 0;
  }

  // Returns the length of the range in 64 bits, so that it cannot overflow however many shapes there are.
  static uint64_t words(const ShapeCounts& n, uint32_t particle_stride) {
    uint64_t of_shapes = 0;
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) of_shapes += uint64_t{n.plural} * shape_words;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
    return of_shapes + uint64_t{n.blocks()} * block_words +
           uint64_t{n.meshes} * particle_stride * (cache_words + cache_bound_words) +
           transformed_vertex_words(n, particle_stride);
  }
};

// Writes the numbers of shapes and the first words of their arrays into a cloth's settings. first: the first word of
// the cloth's shape range.
inline void put_shapes(GroupSettings& s, const ShapeCounts& n, uint32_t first, uint32_t particle_stride) {
  const ShapeLayout at(n, particle_stride);
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) \
  s.plural = first + at.plural;                      \
  s.kind##_count = n.plural;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  s.sphere_blocks = first + at.sphere_blocks;
  s.capsule_blocks = first + at.capsule_blocks;
  s.triangle_cache = first + at.triangle_cache;
  s.cache_bounds = first + at.cache_bounds;
  s.transformed_vertices = at.end > at.transformed_vertices ? first + at.transformed_vertices : 0;
}

}  // namespace clothc
