// constraint_reader.h - reads the constraints of a set out of the words of a layout, in the order in which they are
// solved, whether they lie in rows or in rings.
#pragma once

#include <cstring>
#include <vector>

#include "cook/layout/rings.h"

namespace clothc {

class ConstraintReader {
 public:
  // words: those that the layout describes.
  ConstraintReader(const FabricLayout& layout, const uint32_t* words, const ConstraintLayout& set)
      : layout_(layout), words_(words), set_(set) {}

  // Calls visit with the storage indices of the particles of each constraint, and with its parameters as they lie
  // there.
  template <class Visit>
  void for_each(Visit visit) const {
    std::vector<uint32_t> particles(set_.arity);
    std::vector<float> parameters(set_.width);
    for (uint32_t c = set_.colours.begin; c < set_.colours.end; ++c) {
      const Colour& colour = layout_.colours[c];
      for (uint32_t item = colour.items.begin; item < colour.items.end; ++item) {
        if (colour.of_rings) {
          for (const uint32_t side : cook::ring_order) {
            particles = {words_[set_.rings.particle(side, item)],
                         words_[set_.rings.particle((side + 1) % ring_size, item)]};
            parameters = {real_at(set_.rings.length(side, item))};
            if (parameters[0] != no_constraint_length) visit(particles, parameters);
          }
        } else {
          const ConstraintRows& rows = set_.rows;
          for (uint32_t k = 0; k < set_.arity; ++k) particles[k] = words_[rows.particles + k * rows.stride + item];
          for (uint32_t k = 0; k < set_.width; ++k) parameters[k] = real_at(rows.parameters + k * rows.stride + item);
          visit(particles, parameters);
        }
      }
    }
  }

 private:
  float real_at(uint32_t word) const {
    float value;
    std::memcpy(&value, words_ + word, sizeof(value));
    return value;
  }

  const FabricLayout& layout_;
  const uint32_t* words_;
  const ConstraintLayout& set_;
};

}  // namespace clothc
