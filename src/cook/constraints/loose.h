// loose.h - which constraints of angles and areas are between particles that no distances hold together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/constraint_types.h"
#include "cook/fabric_data.h"

namespace clothc::cook {

// Whether constraints of this type are of the shape of triangles, and may be loose.
constexpr bool is_of_shape(ConstraintType type) {
  return type == ConstraintType::dihedral_angle || type == ConstraintType::triangle_area;
}

// The parts of a fabric whose particles its distance constraints hold together, also from one to the next. Only computed
// for fabrics with constraints that may be loose.
class HeldParts {
 public:
  explicit HeldParts(const FabricData& fabric);
  bool hold_together(const uint32_t* particles, uint32_t count);
  // Whether a set, counted in the order of layouts, holds together what the sets before it do not. The parts are the same
  // without all sets that do not.
  bool joins_parts(size_t set) const { return set < joining_sets_.size() && joining_sets_[set]; }

 private:
  uint32_t part_of(uint32_t particle);
  // Returns whether they were of two parts.
  bool join(uint32_t a, uint32_t b, float length);
  std::vector<bool> joining_sets_;
  // [particle_count] another particle of the same part, or the particle itself.
  std::vector<uint32_t> next_;
};

}  // namespace clothc::cook
