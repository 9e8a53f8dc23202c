// cloth_changes.cpp - the setters of what the host owns of a cloth. A setter that changes a value wakes the cloth, and
// marks it as changed for the next update, which uploads it.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "core/collision/particle_layout.h"
#include "core/solver/cloths.h"

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

void Cloths::ensure_collision_particles(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  if (!collides_with_itself(parameters) && !may_collide_with_cloths(parameters)) return;
  if (cloth.update_start == 0 && parameters.sleep_threshold > 0)
    cloth.update_start = store_.allocate_words(cloth.update_start_words());
  if (cloth.collision_particles != 0) return;
  cloth.collision_particles = store_.allocate_words(CollisionParticleLayout(cloth.collision_particle_count()).words());
  cloth.collision_particles_changed = true;
  cloth.mark_settings_changed();
}

// Replaces a range of the tables by a larger one if it is too small. Returns whether it did.
bool Cloths::grow(uint32_t words, uint32_t& first, uint32_t& capacity) {
  if (words <= capacity) return false;
  const uint32_t larger = store_.allocate_words(words);
  store_.release_words(first, capacity);
  first = larger;
  capacity = words;
  return true;
}

// Kernels write the rows of nodes only, and read those of the padding behind them.
void Cloths::ensure_levels(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  const uint32_t words = cloth.has_hierarchy(parameters) ? cloth.level_word(0) - cloth.levels : 0;
  if (!grow(words, cloth.levels, cloth.level_capacity)) return;
  cloth.mark_records_changed();
  store_.clear_words(cloth.levels, cloth.level_capacity);
}

void Cloths::ensure_lattice(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  if (grow(cloth.lattice_words(parameters), cloth.lattice, cloth.lattice_capacity)) cloth.mark_records_changed();
}

void Cloths::ensure_records(Cloth& cloth, uint32_t count) {
  uint32_t words = cloth.record_capacity * constraint_words;
  if (grow(count * constraint_words, cloth.constraint_records, words)) cloth.record_capacity = count;
}

void Cloths::ensure_memory_for(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  ensure_collision_particles(cloth, parameters);
  ensure_levels(cloth, parameters);
  ensure_lattice(cloth, parameters);
  if (!cloth.feels_wind(parameters) || cloth.impulse_capacity != 0) return;
  // Enough for what lay_out_wind_without_runs makes of the fabric if the cloth is cut.
  const uint32_t words = std::max(cloth.layout().wind.place_count, cloth.layout().triangle_stride) * 4;
  cloth.impulses = store_.allocate_words(words);
  cloth.impulse_capacity = words;
}

void Cloths::set_parameters(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  if (!differ(parameters, cloth.parameters)) return;
  const clothc_cloth_parameters before = cloth.parameters;
  cloth.parameters = parameters;
  cloth.parameter_hash = 0;
  if (before.solver_frequency != parameters.solver_frequency) frequencies_changed_ = true;
  cloth.mark_settings_changed();
  if (before.tether_stiffness != parameters.tether_stiffness || before.tether_scale != parameters.tether_scale ||
      before.hierarchy_stiffness != parameters.hierarchy_stiffness)
    cloth.mark_records_changed();
  cloth.wake();
  if (changes_jobs(before, parameters)) cloth.mark_jobs_changed();
}

void Cloths::set_frame(Cloth& cloth, const clothc_cloth_frame& frame) {
  Frame next = cloth.frame;
  next.target = pose_of(frame.translation, frame.rotation, cloth.frame.target);
  if ((frame.flags & CLOTHC_FRAME_START) != 0) {
    next.start = pose_of(frame.start_translation, frame.start_rotation, cloth.frame.start);
  }
  if ((frame.flags & (CLOTHC_FRAME_TELEPORT | CLOTHC_FRAME_CLEAR_INERTIA)) != 0) next.start = next.target;
  next.flags |= frame.flags;
  if (next.target == cloth.frame.target && next.start == cloth.frame.start && next.flags == cloth.frame.flags) return;
  cloth.frame = next;
  cloth.mark_frame_changed();
  cloth.wake();
}

void Cloths::set_phases(Cloth& cloth, std::vector<clothc_phase_config> phases) {
  ensure_records(cloth, cloth.records_for(phases.size()));
  const bool same = std::equal(phases.begin(), phases.end(), cloth.phases.begin(), cloth.phases.end(),
                               [](const auto& a, const auto& b) { return !differ(a, b); });
  if (same) return;
  cloth.phases = std::move(phases);
  cloth.mark_records_changed();
  cloth.mark_jobs_changed();
  cloth.wake();
}

void Cloths::set_collider_sets(Cloth& cloth, std::vector<clothc_collider_set_id> sets) {
  if (cloth.collider_sets == sets) return;
  colliders_.reserve_user(sets);
  colliders_.ensure_shapes(cloth, colliders_.shapes_of(sets));
  const uint32_t count = static_cast<uint32_t>(sets.size());
  if (count > cloth.collider_capacity) {
    const uint32_t table = store_.allocate_words(count);
    store_.release_words(cloth.collider_table, cloth.collider_capacity);
    cloth.collider_table = table;
    cloth.collider_capacity = count;
  }
  // Nothing can fail from here on.
  colliders_.remove_user(cloth);
  cloth.collider_sets = std::move(sets);
  colliders_.add_user(cloth);
  cloth.mark_jobs_changed();
  cloth.wake();
}

void Cloths::set_self_collision_particles(Cloth& cloth, std::vector<uint32_t> particles) {
  if (cloth.self_collision_particles == particles) return;
  if (cloth.collision_particles != 0) {
    const uint32_t count = particles.empty() ? cloth.particle_count() : static_cast<uint32_t>(particles.size());
    const uint32_t moved = store_.allocate_words(CollisionParticleLayout(count).words());
    store_.release_words(cloth.collision_particles, CollisionParticleLayout(cloth.collision_particle_count()).words());
    cloth.collision_particles = moved;
  }
  cloth.self_collision_particles = std::move(particles);
  cloth.collision_particles_changed = true;
  cloth.mark_jobs_changed();
  cloth.wake();
}

bool Cloths::jobs_changed() const {
  return order_changed_ ||
         std::any_of(changed_.begin(), changed_.end(), [](const Cloth* cloth) { return cloth->jobs_changed; });
}

}  // namespace clothc
