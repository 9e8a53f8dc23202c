// primitives.h - lays out the edges and triangles of a fabric as the kernels that search for them read them. Cloths do
// not need them until then.
#pragma once

#include "cook/fabric_layout.h"

namespace clothc::cook {

// A set of primitives. Offsets are words of LaidOutPrimitives.
struct PrimitiveLayout {
  uint32_t count = 0;
  // Number of primitives with padding, whose corners are a padding particle: the next multiple of 16 above the count.
  uint32_t stride = 0;
  // [corners][stride] storage indices of the corners, in an order in which 16 consecutive primitives lie close
  // together.
  uint32_t corners = 0;
  // [stride] the number of each primitive in fans; 0 if it is its place in that order.
  uint32_t numbers = 0;
};

struct LaidOutPrimitives {
  PrimitiveLayout edges, triangles;
  // The edges around each particle, by storage index, in the format of fans.h. Those of triangles are in the fabric.
  uint32_t edge_fans = 0;
  std::vector<uint32_t> words;
};

// Lays out the triangles of a fabric and their edges, each edge once. words: those that the layout describes.
LaidOutPrimitives lay_out_primitives(const FabricLayout& fabric, const std::vector<uint32_t>& words);

}  // namespace clothc::cook
