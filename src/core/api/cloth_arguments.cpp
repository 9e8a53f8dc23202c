// cloth_arguments.cpp - see cloth_arguments.h.
#include "core/api/cloth_arguments.h"

#include <algorithm>

#include "core/base/structs.h"

namespace clothc {

std::vector<clothc_phase_config> read_configs(const clothc_phase_config* configs, uint32_t count,
                                              const FabricLayout& fabric) {
  constexpr uint32_t most = 1u << 20;
  CLOTHC_REQUIRE(count <= most, "phase config count is %u; want at most 2^20", count);
  CLOTHC_REQUIRE(count == 0 || configs != nullptr, "the phase configs pointer is null, but their count is %u", count);
  std::vector<clothc_phase_config> read;
  if (count > 0) checked_output(configs);
  for (uint32_t k = 0; k < count; ++k) {
    read.push_back(adopt(element(configs, k)));
    check_phase_config(read.back(), static_cast<uint32_t>(fabric.phase_sets.size()), k);
  }
  return read;
}

std::vector<clothc_phase_config> default_configs(const FabricLayout& fabric) {
  std::vector<clothc_phase_config> configs(fabric.phase_sets.size(), make_default<clothc_phase_config>());
  for (size_t k = 0; k < configs.size(); ++k) configs[k].phase = static_cast<uint32_t>(k);
  return configs;
}

std::vector<clothc_collider_set_id> read_collider_sets(const Solver& solver, const clothc_collider_set_id* sets,
                                                       uint32_t count) {
  constexpr uint32_t most = 1u << 20;
  CLOTHC_REQUIRE(count <= most, "collider set count is %u; want at most 2^20", count);
  CLOTHC_REQUIRE(count == 0 || sets != nullptr, "the collider sets pointer is null, but their count is %u", count);
  std::vector<clothc_collider_set_id> read;
  for (uint32_t k = 0; k < count; ++k) {
    solver.colliders().set(sets[k]);
    read.push_back(sets[k]);
  }
  std::vector<clothc_collider_set_id> sorted = read;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  CLOTHC_REQUIRE(twice == sorted.end(), "collider set 0x%x is listed twice", twice == sorted.end() ? 0 : *twice);
  return read;
}

std::vector<uint32_t> sorted_particles(std::vector<uint32_t> particles, uint32_t particle_count, const char* owner) {
  std::sort(particles.begin(), particles.end());
  CLOTHC_REQUIRE(particles.empty() || particles.back() < particle_count, "particle %u is listed, but the %s has %u",
                 particles.empty() ? 0 : particles.back(), owner, particle_count);
  const auto twice = std::adjacent_find(particles.begin(), particles.end());
  CLOTHC_REQUIRE(twice == particles.end(), "particle %u is listed twice", twice == particles.end() ? 0 : *twice);
  return particles;
}

void check_particles(const float* positions, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    const float* p = positions + 4 * size_t{k};
    CLOTHC_REQUIRE(in_range(p[0], -1e9f, 1e9f) && in_range(p[1], -1e9f, 1e9f) && in_range(p[2], -1e9f, 1e9f),
                   "particle %u is at (%g, %g, %g); want finite coordinates within +-1e9", k, static_cast<double>(p[0]),
                   static_cast<double>(p[1]), static_cast<double>(p[2]));
    CLOTHC_REQUIRE(in_range(p[3], 0, 1e9f), "particle %u has inverse mass %g; want 0 to 1e9, 0 for a pinned one", k,
                   static_cast<double>(p[3]));
  }
}

const float* checked_positions(const FabricLayout& layout, const float* positions, const char* what, float scale,
                               std::vector<float>& own) {
  CLOTHC_REQUIRE(positions != nullptr || !layout.positions.empty(),
                 "%s is null, and the fabric has no positions of its own", what);
  if (positions == nullptr && scale != 1) {
    own = layout.positions;
    for (size_t k = 0; k < own.size(); ++k) {
      if (k % 4 != 3) own[k] *= scale;
    }
    positions = own.data();
  }
  if (positions == nullptr) positions = layout.positions.data();
  check_particles(positions, layout.particle_count);
  return positions;
}

}  // namespace clothc
