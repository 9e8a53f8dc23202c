// masses.h - inverse masses of the particles.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc::cook {

// Replaces the inverse masses (fourth component of positions) of the particles that are not pinned by those of a cloth
// of areal_density: a third of each triangle belongs to each corner. triangles: [][3]. positions: [particles][4].
// Returns the particles that would have been lighter than the public limit of inverse masses allows.
std::vector<uint32_t> set_masses_from_area(float areal_density, const std::vector<uint32_t>& triangles,
                                           std::vector<float>& positions);

}  // namespace clothc::cook
