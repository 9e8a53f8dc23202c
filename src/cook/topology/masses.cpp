// masses.cpp - owns the computation of masses from areal density. Particles without area get the mean mass of the
// particles with area.
#include "cook/topology/masses.h"

#include <algorithm>
#include <cstddef>

#include "cook/geometry.h"

namespace clothc::cook {
namespace {

// Upper bound of inverse masses in the public interface, in 1/kg.
constexpr double max_inverse_mass = 1e9;

}  // namespace

std::vector<uint32_t> set_masses_from_area(float areal_density, const std::vector<uint32_t>& triangles,
                                           std::vector<float>& positions) {
  const size_t particle_count = positions.size() / 4;
  std::vector<double> mass(particle_count, 0.0);
  for (size_t i = 0; i < triangles.size(); i += 3) {
    const double area = triangle_area(positions, triangles[i], triangles[i + 1], triangles[i + 2]);
    for (size_t j = i; j < i + 3; ++j) mass[triangles[j]] += double{areal_density} * area / 3;
  }
  double total = 0;
  size_t count = 0;
  for (const double m : mass) {
    total += m;
    count += m > 0;
  }
  const double mean = count > 0 ? total / static_cast<double>(count) : 1.0;
  std::vector<uint32_t> limited;
  for (size_t p = 0; p < particle_count; ++p) {
    float& inverse_mass = positions[p * 4 + 3];
    if (inverse_mass == 0) continue;
    const double wanted = 1 / (mass[p] > 0 ? mass[p] : mean);
    if (wanted > max_inverse_mass) limited.push_back(static_cast<uint32_t>(p));
    inverse_mass = static_cast<float>(std::min(wanted, max_inverse_mass));
  }
  return limited;
}

}  // namespace clothc::cook
