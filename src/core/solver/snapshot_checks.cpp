// snapshot_checks.cpp - see snapshot_checks.h. A checksum finds damage but not tampering, so every value read is
// checked.
#include "core/solver/snapshot_checks.h"

#include <cmath>
#include <cstddef>
#include <iterator>

#include "core/base/parameters.h"

namespace clothc {
namespace {

bool is_bounded(float value) { return in_range(value, -CLOTHC_LARGEST, CLOTHC_LARGEST); }

void check(float value, float low, float high, const std::string& cloth, const char* field) {
  CLOTHC_REQUIRE(in_range(value, low, high), "%s is damaged: its %s is %g; want %g to %g", cloth.c_str(), field,
                 as_double(value), as_double(low), as_double(high));
}

void check_time_step(float value, const std::string& cloth, const char* field) {
  CLOTHC_REQUIRE(is_time_step(value), "%s is damaged: its %s is %g; want 0, or 1e-6 to 10 s", cloth.c_str(), field,
                 as_double(value));
}

void check_status(const GroupStatus& status, const std::string& cloth) {
  CLOTHC_REQUIRE(
      status.struct_size == sizeof(clothc_cloth_status) && (status.flags & ~(status_non_finite | status_asleep)) == 0,
      "%s is damaged: its status has %u bytes and flags 0x%x", cloth.c_str(), status.struct_size, status.flags);
  const float* bounds = &status.minimum_x;
  for (size_t k = 0; k < 6; ++k) check(bounds[k], -CLOTHC_LARGEST, CLOTHC_LARGEST, cloth, "bounds");
  check_time_step(status.iteration_dt, cloth, "iteration_dt");
  check(status.kinetic_energy, 0, 3e38f, cloth, "kinetic_energy");
  check(status.largest_stretch, -1, 3e38f, cloth, "largest_stretch");
}

}  // namespace

void check_state(const GroupState& state, const std::string& cloth) {
  check_status(state.status, cloth);
  CLOTHC_REQUIRE(state.time_step_count <= time_step_capacity && state.time_step_next < time_step_capacity,
                 "%s is damaged: it has %u time steps and %u comes next", cloth.c_str(), state.time_step_count,
                 state.time_step_next);
  for (const float step : state.time_steps) check_time_step(step, cloth, "time step");
  // The frequency is 0 before the first update.
  const Parameter& frequency = parameter_at(offsetof(clothc_cloth_parameters, solver_frequency));
  const float least = state.solver_frequency == 0 ? 0 : static_cast<float>(frequency.least);
  check(state.solver_frequency, least, static_cast<float>(frequency.most), cloth, "solver_frequency");
  check(state.held_dt, 0, 10, cloth, "time held back");
  // The limits are above what any frame can reach, which is 2e9 m, or half a turn, in 1e-6 s. The three components of
  // the velocity are followed by those of half the angular velocity.
  const float* velocity = &state.velocity_x;
  for (size_t k = 0; k < 6; ++k) {
    const float most = k < 3 ? 4e15f : 2e6f;
    check(velocity[k], -most, most, cloth, k < 3 ? "frame's velocity" : "frame's angular velocity");
  }
}

void check_particle(const Cloth& cloth, StateChannel channel, uint32_t particle, const float* value,
                    const std::string& name) {
  const bool has_mass = !state_channels[channel].is_optional();
  // Inactive particles of groups have a working inverse mass of -1.
  const bool is_inactive = cloth.is_group() && channel == state_position && value[3] == -1;
  CLOTHC_REQUIRE(is_bounded(value[0]) && is_bounded(value[1]) && is_bounded(value[2]) && is_bounded(value[3]) &&
                     (!has_mass || value[3] >= 0 || is_inactive),
                 "%s is damaged: particle %u has %s (%g, %g, %g, %g); want values within +-1e9%s", name.c_str(),
                 particle, state_channels[channel].name, as_double(value[0]), as_double(value[1]), as_double(value[2]),
                 as_double(value[3]), has_mass ? ", the last one, an inverse mass, not below 0" : "");
  if (channel != state_particle_phase) return;
  CLOTHC_REQUIRE(in_range(value[0], 0, phase_group_mask) && std::floor(value[0]) == value[0],
                 "%s is damaged: particle %u has group number %g; want an integer below 2^24", name.c_str(), particle,
                 as_double(value[0]));
}

}  // namespace clothc
