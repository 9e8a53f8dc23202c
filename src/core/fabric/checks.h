// checks.h - the limits of meshes and fabrics, and the checks that meshes, raw arrays and blobs share.
#pragma once

#include <cstdint>

#include "cook/fabric_data.h"
#include "core/base/result.h"

namespace clothc {

constexpr uint64_t most_particles = uint64_t{1} << 24;
constexpr uint64_t most_elements = uint64_t{1} << 28;  // faces, constraints, tethers
constexpr uint32_t most_tethers_per_particle = 1024;
constexpr float largest_value = 1e9f;   // coordinates in m, inverse masses in 1/kg
constexpr float longest_length = 4e9f;  // m; no two particles are as far from each other

inline bool is_coordinate(float x) { return in_range(x, -largest_value, largest_value); }
inline bool is_inverse_mass(float w) { return in_range(w, 0, largest_value); }

// Checks the arrays of the first part of fabric against its counts and each other. name: what messages call them.
void check_arrays(const FabricData& fabric, const char* name);

}  // namespace clothc
