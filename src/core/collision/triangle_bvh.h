// triangle_bvh.h - what the host knows of a tree over the triangles of a collider set: where its parts are in the
// tables arena, and what has to be done before the next update. The tree itself is built and kept on the device
// (triangle_bvh.kernel.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/backend/backend.h"

namespace clothc {

struct TriangleBvh {
  uint32_t triangle_count = 0;  // 0 = no tree
  uint32_t vertex_count = 0;
  uint32_t leaf_count = 0;  // a power of two

  // Range of the tables arena, in words: the header, then the parts.
  uint32_t table = 0;
  uint32_t table_words = 0;

  uint32_t targets_at = 0;    // which of the two places for vertices has the targets
  bool targets_sent = false;  // they are there
  bool has_consumed = false;  // what is there are the targets of the last update
  bool built = false;         // on the device, for these triangles
  bool changed = true;        // differs from the device's
  // Keys, values and scratch of both, one word per triangle; kept, since a build may be taken back with the update.
  SortedWords sorted;

  // Begins anew, without a place in the arena.
  void shape(uint32_t triangles, uint32_t vertices);
  // Nothing is known of what the device has.
  void forget() { targets_sent = has_consumed = built = false, changed = true; }
  uint32_t word_count() const;
  // Rows of the vertices, with padding.
  uint32_t vertex_words() const { return (4 * vertex_count + 15) / 16 * 16; }
  // First word of a part.
  uint32_t rows(uint32_t which) const { return table + bvh_words + which * vertex_words(); }
  uint32_t triangles() const { return rows(2); }
  uint32_t padded_triangles() const { return (triangle_count + 15) / 16 * 16; }
  uint32_t codes() const { return triangles() + 3 * padded_triangles(); }
  uint32_t order() const { return codes() + padded_triangles(); }
  uint32_t corners() const { return order() + padded_triangles(); }
  // Where a child begins a cache line, its sibling ends it.
  uint32_t nodes() const { return (corners() + 4 * leaf_count + 15) / 16 * 16; }
  uint32_t end() const { return corners() + 4 * leaf_count + 15 + 16 * leaf_count; }

  // The header's words. vertices: targets, [vertex_count][3]; starts: the same, or null where they are the targets.
  void pack_header(const float* targets, const float* starts, std::vector<uint32_t>& words);
  // The tree has this many levels above the leaves; at each one, triangles are sorted by keys along an axis.
  uint32_t levels() const;
  // The words of the header from bvh_level on that say how; of the vertices that the header was packed with.
  std::array<uint32_t, bvh_level_words> level_words(uint32_t level) const;
  // The jobs that make the keys, those that fill the leaves, and those that bound them: all, or those with triangles.
  std::vector<Job> sorting() const;
  std::vector<Job> filling() const;
  std::vector<Job> bounding(bool empty_ones_too) const;

 private:
  std::array<float, 3> least_ = {};  // box around the targets
  std::array<float, 3> extent_ = {};

  Job job(Kernel kernel, uint32_t begin, uint32_t end) const {
    return {static_cast<uint32_t>(kernel), 0, begin, end, table};
  }
};

}  // namespace clothc
