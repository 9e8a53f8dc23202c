// triangle_bvh.cpp - the header of a triangle BVH, and the jobs that build and refit it. See triangle_bvh.h.
#include "core/collision/triangle_bvh.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace clothc {
namespace {

// With at least 16 leaves, every level that runs as a job of its own is a whole number of batches of lanes.
constexpr uint32_t least_leaves = 16;
// Cell numbers of up to 24 bits are exactly representable as floats.
constexpr uint32_t most_cell_bits = 24;

uint32_t word_of(float value) {
  uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  return word;
}

using Float3 = std::array<float, 3>;

// Finds the least and the greatest value of each coordinate. Four vertices are handled side by side, so that compilers
// vectorise the loops.
void bound(const float* vertices, uint32_t count, Float3& least, Float3& greatest) {
  constexpr size_t block = 12;
  std::array<float, block> low, high;
  for (size_t k = 0; k < block; ++k) low[k] = high[k] = vertices[k % 3];
  const size_t values = size_t{count} * 3;
  size_t at = 0;
  for (; at + block <= values; at += block) {
    for (size_t k = 0; k < block; ++k) low[k] = std::min(low[k], vertices[at + k]);
    for (size_t k = 0; k < block; ++k) high[k] = std::max(high[k], vertices[at + k]);
  }
  for (size_t k = 0; at + k < values; ++k) {
    low[k] = std::min(low[k], vertices[at + k]);
    high[k] = std::max(high[k], vertices[at + k]);
  }
  std::copy_n(low.begin(), 3, least.begin());
  std::copy_n(high.begin(), 3, greatest.begin());
  for (size_t k = 3; k < block; ++k) {
    least[k % 3] = std::min(least[k % 3], low[k]);
    greatest[k % 3] = std::max(greatest[k % 3], high[k]);
  }
}

float farthest_of(const Float3& least, const Float3& greatest) {
  float farthest = 0;
  for (const float x : least) farthest = std::max(farthest, std::fabs(x));
  for (const float x : greatest) farthest = std::max(farthest, std::fabs(x));
  return farthest;
}

// Vertices creep if they move by at most this part of the spacing in an update, so that what is known of them is of use
// in some ten updates. The odometer is set back after so many spacings, before its rounding matters.
constexpr float most_creep = 0.0125f;
constexpr float odometer_spacings = 64;

}  // namespace

void TriangleBvh::shape(uint32_t triangles, uint32_t vertices) {
  *this = TriangleBvh{};
  if (triangles == 0) return;
  triangle_count = triangles;
  vertex_count = vertices;
  leaf_count = least_leaves;
  while (leaf_count < triangles) leaf_count *= 2;
}

uint32_t TriangleBvh::word_count() const { return triangle_count == 0 ? 0 : end() - table; }

// What is known of vertices that creep is of use until they have moved too far, in many updates.
void TriangleBvh::pack_motion(float motion, float spacing, uint32_t next_version, bool goes_on,
                              std::vector<uint32_t>& words) {
  const bool creeps = motion <= most_creep * spacing && (motion > 0 || odometer > 0);
  if (!creeps || !goes_on || odometer > odometer_spacings * spacing) odometer = 0;
  if (odometer == 0) version = next_version;
  words[bvh_odometer] = word_of(odometer);
  if (creeps) odometer = 1.000001f * (odometer + motion);
  words[bvh_moved] = word_of(odometer);
  words[bvh_motion] = word_of(motion);
  words[bvh_spacing] = word_of(spacing);
  words[bvh_version] = version;
}

void TriangleBvh::pack_header(const float* targets, const float* starts, uint32_t next_version, bool goes_on,
                              std::vector<uint32_t>& words) {
  Float3 greatest;
  bound(targets, vertex_count, least_, greatest);
  for (size_t axis = 0; axis < 3; ++axis) extent_[axis] = greatest[axis] - least_[axis];
  float farthest = farthest_of(least_, greatest);
  float motion2 = 0;
  if (starts != nullptr) {
    Float3 least;
    bound(starts, vertex_count, least, greatest);
    farthest = std::max(farthest, farthest_of(least, greatest));
    for (uint32_t k = 0; k < vertex_count; ++k) {
      const float* from = starts + 3 * size_t{k};
      const float* to = targets + 3 * size_t{k};
      const float d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
      motion2 = std::max(motion2, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
  }
  words.assign(bvh_words, 0);
  words[bvh_triangle_count] = triangle_count;
  words[bvh_leaf_count] = leaf_count;
  words[bvh_nodes] = nodes();
  words[bvh_vertex_words] = vertex_words();
  words[bvh_corners] = corners();
  words[bvh_targets] = rows(targets_at);
  words[bvh_starts] = rows(starts == nullptr ? targets_at : 1 - targets_at);
  words[bvh_triangles] = triangles();
  words[bvh_codes] = codes();
  words[bvh_order] = order();
  words[bvh_slack] = word_of(1e-5f * farthest);
  const float sides = extent_[0] * extent_[1] + extent_[1] * extent_[2] + extent_[2] * extent_[0];
  const float spacing = std::sqrt(2 * sides / static_cast<float>(triangle_count));
  pack_motion(1.001f * std::sqrt(motion2), spacing, next_version, goes_on, words);
}

uint32_t TriangleBvh::levels() const {
  uint32_t count = 0;
  while (leaf_count >> count > 1) ++count;
  return count;
}

// The bounding box of all vertices is halved along its longest side from level to level; the side that is halved at
// this level is the axis along which triangles are sorted.
std::array<uint32_t, bvh_level_words> TriangleBvh::level_words(uint32_t level) const {
  std::array<float, 3> side = extent_;
  size_t axis = 0;
  for (uint32_t k = 0; k <= level; ++k) {
    axis = static_cast<size_t>(std::max_element(side.begin(), side.end()) - side.begin());
    side[axis] *= 0.5f;
  }
  const uint32_t cell_bits = std::min(most_cell_bits, 32 - level);
  const float cells = static_cast<float>(uint32_t{1} << cell_bits);
  std::array<uint32_t, bvh_level_words> words = {};
  words[bvh_level - bvh_level] = level;
  words[bvh_axis - bvh_level] = static_cast<uint32_t>(axis);
  words[bvh_node_bits - bvh_level] = levels() - level;
  words[bvh_cell_bits - bvh_level] = cell_bits;
  words[bvh_least - bvh_level] = word_of(least_[axis]);
  words[bvh_scale - bvh_level] = word_of(cells / std::max(extent_[axis], 1e-30f));
  return words;
}

std::vector<Job> TriangleBvh::bounding(bool empty_ones_too) const {
  uint32_t filled = empty_ones_too ? leaf_count : triangle_count;
  std::vector<Job> jobs = {job(Kernel::refit_triangle_leaves, 0, filled)};
  for (uint32_t nodes = leaf_count / 2; nodes >= least_leaves; nodes /= 2) {
    filled = (filled + 1) / 2;
    jobs.push_back(job(Kernel::refit_triangle_nodes, nodes, nodes + filled));
  }
  jobs.push_back(job(Kernel::refit_triangle_roots, 0, 1));
  return jobs;
}

}  // namespace clothc
