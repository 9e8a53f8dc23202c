// constraint_rows.cpp - owns the format of rows and of blocks of rings: particles first, then parameters, all with
// padding.
#include "cook/layout/constraint_rows.h"

#include <cstddef>
#include <limits>
#include <new>

namespace clothc::cook {
namespace {

void append_rows(uint32_t arity, uint32_t width, ConstraintRows& rows, std::vector<uint32_t>& words) {
  if (rows.stride == 0) return;
  rows.particles = static_cast<uint32_t>(words.size());
  words.resize(words.size() + size_t{arity} * rows.stride, padding_particle);
  rows.parameters = static_cast<uint32_t>(words.size());
  words.resize(words.size() + size_t{width} * rows.stride, 0u);
}

void append_blocks(RingBlocks& rings, std::vector<uint32_t>& words) {
  if (rings.count == 0) return;
  rings.words = static_cast<uint32_t>(words.size());
  for (uint32_t block = 0; block < rings.count / lane_padding; ++block) {
    words.resize(words.size() + size_t{ring_size} * lane_padding, ring_padding_particle);
    words.resize(words.size() + size_t{ring_size} * lane_padding, 0u);
  }
}

}  // namespace

void place_colours(const std::vector<ColourSize>& sizes, ConstraintLayout& set, LaidOutFabric& out) {
  set.rows = {};
  set.rings = {};
  set.colours.begin = static_cast<uint32_t>(out.layout.colours.size());
  uint64_t word_count = out.words.size();
  for (const ColourSize size : sizes) {
    uint32_t& stride = size.of_rings ? set.rings.count : set.rows.stride;
    out.layout.colours.push_back({{stride, stride + size.count}, size.of_rings, size.joins_previous});
    const uint64_t padded_count = (uint64_t{size.count} + lane_padding - 1) / lane_padding * lane_padding;
    word_count += padded_count * (size.of_rings ? 2 * ring_size : set.arity + set.width);
    // Kernels use int for offsets.
    if (word_count > std::numeric_limits<int32_t>::max()) throw std::bad_alloc();
    stride += static_cast<uint32_t>(padded_count);
  }
  set.colours.end = static_cast<uint32_t>(out.layout.colours.size());
  append_rows(set.arity, set.width, set.rows, out.words);
  append_blocks(set.rings, out.words);
}

}  // namespace clothc::cook
