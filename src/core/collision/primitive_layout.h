// primitive_layout.h - the layout of what the edges and triangles of a cloth have in the tables arena: the headers of
// both sets; then the boxes of the edges, the nodes of the BVH over them and their numbers of intersections; then the
// same of the triangles.
#pragma once

#include <vector>

#include "core/collision/particle_layout.h"
#include "core/fabric/cloth_topology.h"

namespace clothc {

struct PrimitiveTables {
  const ClothPrimitives& primitives;

  const cook::PrimitiveLayout& set(int number) const {
    return number == edge_primitives ? primitives.edges : primitives.triangles;
  }
  WideBvh bvh(int number) const { return WideBvh(set(number).stride / node_children); }
  // Number of words that everything occupies.
  uint32_t words() const { return header_words + set_words(edge_primitives) + set_words(triangle_primitives); }
  // Returns the words of the headers. first: where they are in tables. triangle_fans: where the fans of the triangles
  // are in the topology arena.
  std::vector<uint32_t> headers(uint32_t first, uint32_t triangle_fans) const {
    std::vector<uint32_t> words(header_words);
    uint32_t boxes = first + header_words;
    for (int number = 0; number < primitive_sets; ++number) {
      uint32_t* header = &words[static_cast<uint32_t>(number) * primitive_words];
      header[primitive_count] = set(number).count;
      header[primitive_stride] = set(number).stride;
      header[primitive_corners] = primitives.word(set(number).corners);
      header[primitive_numbers] = primitives.word(set(number).numbers);
      header[primitive_fans] = number == edge_primitives ? primitives.word(primitives.edge_fans) : triangle_fans;
      header[primitive_boxes] = boxes;
      header[primitive_levels] = bvh(number).levels;
      header[primitive_intersections] = boxes + bvh_words(number);
      boxes += set_words(number);
    }
    return words;
  }

 private:
  static constexpr uint32_t header_words = primitive_sets * primitive_words;
  // The words of the boxes and nodes, and of these and the numbers of intersections.
  uint32_t bvh_words(int number) const { return 6 * set(number).stride + bvh(number).nodes() * node_words; }
  uint32_t set_words(int number) const { return bvh_words(number) + set(number).stride; }
};

}  // namespace clothc
