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
  uint32_t spheres, capsules, planes, convexes, ellipsoids, boxes, meshes, sdfs, sphere_blocks, capsule_blocks,
      triangle_cache, cache_bounds, transformed_vertices, end;

  // padded_count: the cloth's particles with padding. Each mesh instance caches the nearest triangles of every one.
  ShapeLayout(const ShapeCounts& n, uint32_t padded_count) {
    spheres = 0;
    capsules = spheres + n.spheres * sphere_words;
    planes = capsules + n.capsules * capsule_words;
    convexes = planes + n.planes * plane_words;
    ellipsoids = convexes + n.convexes * convex_words;
    boxes = ellipsoids + n.ellipsoids * posed_words;
    meshes = boxes + n.boxes * posed_words;
    sdfs = meshes + n.meshes * posed_words;
    sphere_blocks = sdfs + n.sdfs * posed_words;
    capsule_blocks = sphere_blocks + ShapeCounts::blocks_of(n.spheres) * block_words;
    triangle_cache = capsule_blocks + ShapeCounts::blocks_of(n.capsules) * block_words;
    cache_bounds = triangle_cache + n.meshes * padded_count * cache_words;
    transformed_vertices = cache_bounds + n.meshes * padded_count * cache_bound_words;
    end = transformed_vertices + transformed_vertex_words(n, padded_count);
  }

  // If there are at most four vertices per particle, vertices are transformed once per iteration: transforming a vertex
  // costs less than it saves for the particles that would otherwise transform it themselves. Otherwise returns 0.
  static uint32_t transformed_vertex_words(const ShapeCounts& n, uint32_t padded_count) {
    return n.vertex_words <= uint64_t{16} * padded_count ? static_cast<uint32_t>(n.vertex_words) : 0;
  }

  // Returns the length of the range in 64 bits, so that it cannot overflow however many shapes there are.
  static uint64_t words(const ShapeCounts& n, uint32_t padded_count) {
    const uint64_t posed = uint64_t{n.ellipsoids} + n.boxes + n.meshes + n.sdfs;
    return uint64_t{n.spheres} * sphere_words + uint64_t{n.capsules} * capsule_words +
           uint64_t{n.planes} * plane_words + uint64_t{n.convexes} * convex_words + posed * posed_words +
           uint64_t{n.blocks()} * block_words + uint64_t{n.meshes} * padded_count * (cache_words + cache_bound_words) +
           transformed_vertex_words(n, padded_count);
  }
};

// Writes the numbers of shapes and the first words of their arrays into a cloth's settings. first: the first word of
// the cloth's shape range.
inline void put_shapes(ClothSettings& s, const ShapeCounts& n, uint32_t first, uint32_t padded_count) {
  const ShapeLayout at(n, padded_count);
  s.spheres = first + at.spheres;
  s.sphere_count = n.spheres;
  s.capsules = first + at.capsules;
  s.capsule_count = n.capsules;
  s.planes = first + at.planes;
  s.plane_count = n.planes;
  s.convexes = first + at.convexes;
  s.convex_count = n.convexes;
  s.ellipsoids = first + at.ellipsoids;
  s.ellipsoid_count = n.ellipsoids;
  s.boxes = first + at.boxes;
  s.box_count = n.boxes;
  s.meshes = first + at.meshes;
  s.mesh_count = n.meshes;
  s.sdfs = first + at.sdfs;
  s.sdf_count = n.sdfs;
  s.sphere_blocks = first + at.sphere_blocks;
  s.capsule_blocks = first + at.capsule_blocks;
  s.triangle_cache = first + at.triangle_cache;
  s.cache_bounds = first + at.cache_bounds;
  s.transformed_vertices = at.end > at.transformed_vertices ? first + at.transformed_vertices : 0;
}

}  // namespace clothc
