// checks.cpp - checks phase configs, frames and wind that callers pass.
#include "core/cloth/cloth.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "core/base/result.h"
#include "core/base/structs.h"

namespace clothc {
namespace {

void check(float value, float low, float high, const char* what, const char* field) {
  CLOTHC_REQUIRE(in_range(value, low, high), "%s.%s is %g; want %g to %g", what, field, static_cast<double>(value),
                 static_cast<double>(low), static_cast<double>(high));
}

void check_all(const float (&values)[3], float low, float high, const char* what, const char* field) {
  for (const float value : values) check(value, low, high, what, field);
}

void check_rotation(const float (&q)[4], const char* what, const char* field) {
  const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  CLOTHC_REQUIRE(in_range(length, 0.999f, 1.001f),
                 "%s.%s is (%g, %g, %g, %g), of length %g; want a quaternion x y z w of length 1 within 1e-3", what,
                 field, static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
                 static_cast<double>(q[3]), static_cast<double>(length));
}

}  // namespace

bool Pose::operator==(const Pose& other) const {
  return std::equal(std::begin(translation), std::end(translation), other.translation) &&
         std::equal(std::begin(rotation), std::end(rotation), other.rotation);
}

clothc_cloth_frame Frame::record() const {
  clothc_cloth_frame record = make_default<clothc_cloth_frame>();
  record.flags = flags;
  std::copy(std::begin(target.translation), std::end(target.translation), record.translation);
  std::copy(std::begin(target.rotation), std::end(target.rotation), record.rotation);
  std::copy(std::begin(start.translation), std::end(start.translation), record.start_translation);
  std::copy(std::begin(start.rotation), std::end(start.rotation), record.start_rotation);
  return record;
}

void check_frame(const clothc_cloth_frame& frame, const char* what) {
  constexpr uint32_t all_flags = CLOTHC_FRAME_START | CLOTHC_FRAME_TELEPORT | CLOTHC_FRAME_CLEAR_INERTIA |
                                 CLOTHC_FRAME_IGNORE_DISCONTINUITY | CLOTHC_FRAME_CLEAR_INTERPOLATION;
  CLOTHC_REQUIRE((frame.flags & ~all_flags) == 0, "%s.flags is 0x%x; want CLOTHC_FRAME_... only", what, frame.flags);
  check_all(frame.translation, -1e9f, 1e9f, what, "translation");
  check_rotation(frame.rotation, what, "rotation");
  if ((frame.flags & CLOTHC_FRAME_START) == 0) return;
  check_all(frame.start_translation, -1e9f, 1e9f, what, "start_translation");
  check_rotation(frame.start_rotation, what, "start_rotation");
}

void check_wind(const clothc_cloth_parameters& parameters, const FabricLayout& fabric, const char* what) {
  CLOTHC_REQUIRE(fabric.triangle_count > 0 || (parameters.drag_coefficient <= 0 && parameters.lift_coefficient <= 0),
                 "%s.drag_coefficient is %g and lift_coefficient %g, but the fabric has no triangles for the wind to "
                 "blow at; give "
                 "them in fabric_desc.triangles, or set both to 0",
                 what, static_cast<double>(parameters.drag_coefficient),
                 static_cast<double>(parameters.lift_coefficient));
}

void check_phase_config(const clothc_phase_config& config, uint32_t phase_count, size_t index, const char* owner) {
  char what[96];
  std::snprintf(what, sizeof(what), "%sphase_config[%zu]", owner, index);
  CLOTHC_REQUIRE(config.phase < phase_count, "%s.phase is %u; the fabric has %u phases", what, config.phase,
                 phase_count);
  check(config.stiffness, 0, 1, what, "stiffness");
  check(config.stiffness_multiplier, 0, 1, what, "stiffness_multiplier");
  check(config.compression_limit, 0.01f, 1, what, "compression_limit");
  check(config.stretch_limit, 1, 100, what, "stretch_limit");
}

}  // namespace clothc
