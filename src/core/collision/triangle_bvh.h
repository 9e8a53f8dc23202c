// triangle_bvh.h - the host's record of a BVH over triangles of a collider set or mesh: where its arrays are in the
// tables arena, and which of them are up to date. The device builds and keeps the BVH itself (triangle_bvh.kernel.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/backend/backend.h"

namespace clothc {

struct TriangleBvh {
  // 0 = there is no BVH.
  uint32_t triangle_count = 0;
  uint32_t vertex_count = 0;
  // Number of leaves: a power of two, of which the first triangle_count have a triangle each.
  uint32_t leaf_count = 0;

  // Range of the tables arena: first word, and length in words. It holds the header, then the arrays.
  uint32_t table = 0;
  uint32_t table_words = 0;

  // The range holds two arrays of vertices, one for the starts and one for the targets. This is the index, 0 or 1, of
  // the array of the targets; the two swap when new targets arrive.
  uint32_t targets_at = 0;
  // Whether that array holds the targets of the next update.
  bool targets_sent = false;
  // Whether that array holds the targets of the last update, which can serve as starts without being sent again.
  bool has_consumed = false;
  // Whether the device has built the BVH for these triangles.
  bool built = false;
  // Whether the device's header and boxes are out of date.
  bool changed = true;
  // See bvh_version, and bvh_odometer: at the end of the last update whose header was packed.
  uint32_t version = 0;
  float odometer = 0;
  // Sets the numbers of triangles and vertices, and forgets everything else, the range of the arena included.
  void shape(uint32_t triangles, uint32_t vertices);
  // Marks everything on the device as unknown.
  void forget() {
    targets_sent = has_consumed = built = false, changed = true;
    odometer = 0;
  }
  // Length of the range in words.
  uint32_t word_count() const;
  // Number of words in an array of vertices: four per vertex, with padding.
  uint32_t vertex_words() const { return (4 * vertex_count + 15) / 16 * 16; }
  // First word of each array.
  uint32_t rows(uint32_t which) const { return table + bvh_words + which * vertex_words(); }
  uint32_t triangles() const { return rows(2); }
  uint32_t padded_triangles() const { return (triangle_count + 15) / 16 * 16; }
  uint32_t codes() const { return triangles() + 3 * padded_triangles(); }
  uint32_t order() const { return codes() + padded_triangles(); }
  // Scratch memory of the sort. It stays, since a rollback of the update may undo a build.
  uint32_t scratch() const { return order() + padded_triangles(); }
  uint32_t corners() const { return scratch() + (sort_scratch_words(triangle_count) + 15) / 16 * 16; }
  // The nodes begin at a multiple of 16 words, so that two siblings always share one cache line.
  uint32_t nodes() const { return (corners() + 4 * leaf_count + 15) / 16 * 16; }
  uint32_t end() const { return corners() + 4 * leaf_count + 15 + 16 * leaf_count; }

  // Writes the words of the header. targets: [vertex_count][3] vertices; starts: likewise, or null if the vertices do
  // not move. next_version: a number that no other BVH has had. goes_on: whether the vertices start where they ended in
  // the last update.
  void pack_header(const float* targets, const float* starts, uint32_t next_version, bool goes_on,
                   std::vector<uint32_t>& words);
  // Number of levels above the leaves. The build sorts the triangles once per level, along one axis.
  uint32_t levels() const;
  // The header's words from bvh_level on, which tell the kernels how to sort at a level. They depend on the vertices
  // that were last passed to pack_header.
  std::array<uint32_t, bvh_level_words> level_words(uint32_t level) const;
  // The job that makes the sort keys of a level, and the one that fills the leaves.
  Job keying() const { return job(Kernel::make_triangle_keys, 0, triangle_count); }
  Job filling() const { return job(Kernel::fill_triangle_leaves, 0, leaf_count); }
  // The jobs that compute the boxes of leaves and nodes: of all, or only of those that hold triangles. Each needs the
  // one before.
  std::vector<Job> bounding(bool empty_ones_too) const;

 private:
  // The bounding box of the targets: its corner with the least coordinates, and its side lengths.
  std::array<float, 3> least_ = {};
  std::array<float, 3> extent_ = {};

  void pack_motion(float motion, float spacing, uint32_t next_version, bool goes_on, std::vector<uint32_t>& words);
  Job job(Kernel kernel, uint32_t begin, uint32_t end) const {
    return {static_cast<uint32_t>(kernel), 0, begin, end, table};
  }
};

}  // namespace clothc
