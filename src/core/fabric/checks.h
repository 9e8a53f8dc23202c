// checks.h - the limits of meshes and fabrics, and the checks that meshes, raw arrays and blobs share.
#pragma once

#include <cstdint>

#include "cook/constraint_types.h"
#include "cook/fabric_data.h"
#include "core/base/result.h"

namespace clothc {

constexpr uint64_t most_particles = uint64_t{1} << 24;
// Largest number of faces, of constraints and of tethers.
constexpr uint64_t most_elements = uint64_t{1} << 28;
constexpr uint32_t most_tethers_per_particle = 1024;
// Largest absolute coordinate in m, and largest inverse mass in 1/kg.
constexpr float largest_value = 1e9f;

inline bool is_coordinate(float x) { return in_range(x, -largest_value, largest_value); }
inline bool is_inverse_mass(float w) { return in_range(w, 0, largest_value); }

// Checks the arrays of a fabric against the counts and each other.
// name is what messages of failures call the fabric.
void check_arrays(const FabricData& fabric, const char* name);

}  // namespace clothc
