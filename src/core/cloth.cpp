// cloth.cpp - checks of parameters and phase configs.
#include "core/cloth.h"

#include <cstdio>

#include "core/result.h"

namespace clothc {
namespace {

void check(float value, float low, float high, const char* what, const char* field) {
  CLOTHC_REQUIRE(in_range(value, low, high), "%s.%s is %g; want %g to %g", what, field, static_cast<double>(value),
                 static_cast<double>(low), static_cast<double>(high));
}

}  // namespace

void check_parameters(const clothc_cloth_parameters& p, const char* what) {
  CLOTHC_REQUIRE(p.acceleration_filter_width >= 1 && p.acceleration_filter_width <= time_step_capacity,
                 "%s.acceleration_filter_width is %u; want 1 to %u", what, p.acceleration_filter_width,
                 time_step_capacity);
  for (const float g : p.gravity) check(g, -1e6f, 1e6f, what, "gravity");
  for (const float d : p.damping) check(d, 0, 1, what, "damping");
  check(p.solver_frequency, 1, 100000, what, "solver_frequency");
  check(p.stiffness_frequency, 0.01f, 100000, what, "stiffness_frequency");
  check(p.friction, 0, 100, what, "friction");
  check(p.friction_smoothing, 0, 1, what, "friction_smoothing");
  check(p.tether_stiffness, 0, 1, what, "tether_stiffness");
  check(p.tether_scale, 0, 1000, what, "tether_scale");
  check(p.motion_constraint_stiffness, 0, 1, what, "motion_constraint_stiffness");
  check(p.motion_constraint_scale, 0, 1000, what, "motion_constraint_scale");
  check(p.motion_constraint_bias, -1e6f, 1e6f, what, "motion_constraint_bias");
}

void check_phase_config(const clothc_phase_config& config, uint32_t phase_count, size_t index) {
  char what[48];
  std::snprintf(what, sizeof(what), "phase_config[%zu]", index);
  CLOTHC_REQUIRE(config.phase < phase_count, "%s.phase is %u; the fabric has %u phases", what, config.phase,
                 phase_count);
  check(config.stiffness, 0, 1, what, "stiffness");
  check(config.stiffness_multiplier, 0, 1, what, "stiffness_multiplier");
  check(config.compression_limit, 0.01f, 1, what, "compression_limit");
  check(config.stretch_limit, 1, 100, what, "stretch_limit");
}

}  // namespace clothc
