// masses.h - computes the inverse masses of particles from the area of their triangles.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc::cook {

// Sets the inverse mass (fourth component of positions) of every particle that is not pinned to that of cloth with
// areal_density (kg/m2): each corner of a triangle gets a third of its mass. triangles: [][3]. positions:
// [particles][4]. Returns the particles that would have been lighter than the public limit of inverse masses allows,
// and got that limit.
std::vector<uint32_t> set_masses_from_area(float areal_density, const std::vector<uint32_t>& triangles,
                                           std::vector<float>& positions);

}  // namespace clothc::cook
