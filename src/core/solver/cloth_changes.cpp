// cloth_changes.cpp - the setters of a cloth. A setter that changes a value wakes the cloth. Data that the host owns is
// marked as changed here and uploaded by the next update; data that only the device has is changed by work queued in
// order.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "core/objects/device.h"
#include "core/solver/solver.h"

namespace clothc {
namespace {

// Whether two structs of the public API differ in anything but their struct_size.
template <class T>
bool differ(const T& a, const T& b) {
  return std::memcmp(&a.struct_size + 1, &b.struct_size + 1, sizeof(T) - sizeof(a.struct_size)) != 0;
}

// Returns a pose with a normalised rotation; callers pass quaternions whose length is within 1e-3 of 1. A rotation
// equal to that of the present pose is kept as it is, since normalising it again might change its last bit: a frame
// that a caller has read and sets again must not count as a change.
Pose pose_of(const float (&translation)[3], const float (&rotation)[4], const Pose& present) {
  Pose pose = present;
  std::copy(std::begin(translation), std::end(translation), pose.translation);
  if (std::equal(std::begin(rotation), std::end(rotation), present.rotation)) return pose;
  double square = 0;
  for (const float q : rotation) square += double{q} * double{q};
  for (size_t k = 0; k < 4; ++k) pose.rotation[k] = static_cast<float>(double{rotation[k]} / std::sqrt(square));
  return pose;
}

}  // namespace

void Solver::ensure_room_for(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  ensure_collision_particles(*contents_, cloth, parameters);
  if (!cloth.feels_wind(parameters) || cloth.impulse_capacity != 0) return;
  const uint32_t words = cloth.fabric->triangle_stride * 4;
  cloth.impulses = contents_->tables.allocate(*stream_, words);
  cloth.impulse_capacity = words;
}

void Solver::set_parameters(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  if (!differ(parameters, cloth.parameters)) return;
  const clothc_cloth_parameters before = cloth.parameters;
  cloth.parameters = parameters;
  cloth.parameter_hash = 0;
  if (before.solver_frequency != parameters.solver_frequency) frequencies_changed_ = true;
  cloth.touch_settings();
  cloth.wake();
  if (changes_jobs(before, parameters)) {
    cloth.jobs_changed = schedule_changed_ = true;
  }
}

void Solver::set_frame(Cloth& cloth, const clothc_cloth_frame& frame) {
  Frame next = cloth.frame;
  next.target = pose_of(frame.translation, frame.rotation, cloth.frame.target);
  if ((frame.flags & CLOTHC_FRAME_START) != 0) {
    next.start = pose_of(frame.start_translation, frame.start_rotation, cloth.frame.start);
  }
  if ((frame.flags & (CLOTHC_FRAME_TELEPORT | CLOTHC_FRAME_CLEAR_INERTIA)) != 0) next.start = next.target;
  next.flags |= frame.flags;
  if (next.target == cloth.frame.target && next.start == cloth.frame.start && next.flags == cloth.frame.flags) return;
  cloth.frame = next;
  cloth.touch_frame();
  cloth.wake();
}

void Solver::reset(Cloth& cloth, const float* positions) {
  transaction([&] {
    remember(cloth);
    cloth.set_inputs(0);
    begin_state(cloth, positions);
  });
  cloth.frame.start = cloth.frame.target;
  cloth.frame.flags = 0;
  cloth.wake();
  cloth.jobs_changed = schedule_changed_ = true;
  cloth.touch_settings();
  cloth.touch_frame();
  mark();
}

void Solver::set_phases(Cloth& cloth, std::vector<clothc_phase_config> phases) {
  const uint32_t count = static_cast<uint32_t>(phases.size());
  if (count > cloth.phase_capacity) {
    const uint32_t table = contents_->tables.allocate(*stream_, count * phase_words);
    contents_->tables.release(cloth.phase_table, cloth.phase_capacity * phase_words);
    cloth.phase_table = table;
    cloth.phase_capacity = count;
  }
  const bool same = std::equal(phases.begin(), phases.end(), cloth.phases.begin(), cloth.phases.end(),
                               [](const auto& a, const auto& b) { return !differ(a, b); });
  if (same) return;
  cloth.phases = std::move(phases);
  cloth.jobs_changed = schedule_changed_ = true;
  cloth.touch_settings();
  cloth.wake();
}

void Solver::set_collider_sets(Cloth& cloth, std::vector<clothc_collider_set_id> sets) {
  if (cloth.collider_sets == sets) return;
  reserve_listings(*contents_, sets);
  ensure_shapes(*contents_, cloth, shapes_of(*contents_, sets));
  const uint32_t count = static_cast<uint32_t>(sets.size());
  if (count > cloth.collider_capacity) {
    const uint32_t table = contents_->tables.allocate(*stream_, count);
    contents_->tables.release(cloth.collider_table, cloth.collider_capacity);
    cloth.collider_table = table;
    cloth.collider_capacity = count;
  }
  // Nothing can fail from here on.
  for (const clothc_collider_set_id id : cloth.collider_sets)
    contents_->listings.remove(collider_set(id).slot, cloth.slot);
  cloth.collider_sets = std::move(sets);
  for (const clothc_collider_set_id id : cloth.collider_sets)
    contents_->listings.add(collider_set(id).slot, cloth.slot);
  cloth.jobs_changed = schedule_changed_ = true;
  cloth.touch_settings();
  cloth.wake();
}

void Solver::clear_channel(Cloth& cloth, clothc_channel channel) {
  transaction([&] {
    remember(cloth);
    if (channel == CLOTHC_CHANNEL_ACCELERATION) {
      fill_block(block_acceleration, cloth, zeros);
      cloth.has_acceleration = false;
      return;
    }
    if (channel == CLOTHC_CHANNEL_REST_POSITION) {
      fill_block(block_rest, cloth, zeros);
      cloth.has_rest = false;
      return;
    }
    const bool is_motion = channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT;
    fill_block(is_motion ? block_motion_start : block_separation_start, cloth, unconstrained);
    fill_block(is_motion ? block_motion_target : block_separation_target, cloth, unconstrained);
    (is_motion ? cloth.motion : cloth.separation) = SphereConstraints{};
  });
  cloth.jobs_changed = schedule_changed_ = true;
  cloth.touch_settings();
  cloth.wake();
  mark();
}

clothc_cloth_status Solver::status(const Cloth& cloth) {
  static_assert(sizeof(ClothStatus) == sizeof(clothc_cloth_status), "the device's status is the public one");
  clothc_cloth_status status;
  const std::vector<uint8_t> bytes = fetch({state_of(cloth, offsetof(ClothState, status), sizeof(status))}, [] {});
  std::memcpy(&status, bytes.data(), sizeof(status));
  return status;
}

// Must be called before motion or separation constraints of a cloth are set. The first call since the last update makes
// the last targets the starts.
void Solver::begin_constraints(Cloth& cloth, SphereConstraints& constraints, ParticleBlock start) {
  if (constraints.set) return;
  if (constraints.present) {
    copy_block(start + 1, cloth.first_particle, start, cloth.first_particle, cloth.padded_count);
  } else {
    constraints.present = true;
    cloth.jobs_changed = schedule_changed_ = true;
    cloth.touch_settings();
  }
  constraints.set = true;
}

}  // namespace clothc
