// cloth.h - what core keeps of a cloth: its settings, where its data is, and which jobs its steps are.
#pragma once

#include <memory>
#include <vector>

#include <clothc.h>

#include "core/base/parameters.h"
#include "core/cloth/frame.h"
#include "core/cloth/jobs.h"
#include "core/collision/collider_set.h"
#include "core/collision/inter_collision.h"
#include "core/fabric/device_fabric.h"
#include "cook/fabric_data.h"

namespace clothc {

// Particles with padding: a multiple of 16 with at least one more, the dummy that padding constraints use.
inline uint32_t padded_particles(uint32_t count) { return (count / lane_padding + 1) * lane_padding; }

// Spare particles with padding. They lie behind the padding of the others, and nothing touches them yet.
inline uint32_t padded_spares(uint32_t count) { return (count + lane_padding - 1) / lane_padding * lane_padding; }

// A channel that every update writes to a buffer, vertex by vertex.
struct Binding {
  clothc_channel channel;
  clothc_buffer buffer;  // looked up for every update: it may be gone
  clothc_format format;
  uint64_t byte_offset;
  uint32_t stride;
};

// Per-particle spheres that move from start to target during an update: motion or separation constraints.
struct SphereConstraints {
  bool present = false;
  bool set = false;     // since the last update
  bool moving = false;  // the last update moved from start to target
};

inline bool may_collide_with_cloths(const clothc_cloth_parameters& p) {
  return p.inter_collision_distance > 0 && p.inter_collision_stiffness > 0 && p.inter_collision_group != 0 &&
         p.inter_collision_mask != 0;
}
inline bool collides_with_itself(const clothc_cloth_parameters& p) {
  return p.self_collision_distance > 0 && p.self_collision_stiffness > 0;
}

struct Cloth {
  uint32_t id = 0;
  uint32_t slot = 0;
  uint64_t ordinal = 0;
  std::shared_ptr<const DeviceFabric> fabric;
  uint32_t first_particle = 0;
  uint32_t padded_count = 0;
  uint32_t reduction_lanes = 0;
  float scale = 1;  // of rest lengths and tethers
  uint32_t spare_particle_count = 0;
  clothc_cloth_parameters parameters{};
  std::vector<clothc_phase_config> phases;
  std::vector<clothc_collider_set_id> collider_sets;
  std::vector<uint32_t> self_collision_particles;  // sorted; empty = all

  std::vector<Binding> bindings;
  Frame frame;

  // Ranges of the tables arena, in words.
  uint32_t phase_table = 0;
  uint32_t phase_capacity = 0;  // configs
  uint32_t collider_table = 0;
  uint32_t collider_capacity = 0;  // sets
  uint32_t scratch = 0;
  uint32_t impulses = 0;
  uint32_t impulse_capacity = 0;  // words
  uint32_t shapes = 0;            // see shape_layout
  uint32_t shape_capacity = 0;    // words

  uint32_t collision_particles = 0;  // see collision_particle_layout; 0 = none yet
  uint32_t update_start = 0;         // four words per particle, if it sleeps by update; 0 = none yet
  uint32_t inter_index = 0;          // its index among those that collide

  uint32_t report = 0;          // see report.kernel.h; 0 = no contacts have been reported yet
  uint32_t contact_counts = 0;  // of the solver's

  // The last of the solver's transactions that might change what follows; as it was before:
  uint64_t remembered_by = 0;
  uint32_t inputs_before = 0;  // inputs()
  uint32_t wakes_before = 0;   // frame.wakes
  bool has_acceleration = false;
  bool has_rest = false;
  bool velocity_set = false;  // since the last update
  SphereConstraints motion;
  SphereConstraints separation;
  bool changed = true;                       // settings, phases or collider sets differ from the device's
  bool frame_changed = true;                 // so does the frame
  bool collides_with_cloths = false;         // takes part in the solver's inter-collision
  bool only_in_passes = false;               // since that is in iterations
  bool collision_particles_changed = false;  // their storage indices differ from the device's
  bool jobs_changed = true;                  // the list of jobs is out of date
  JobList jobs;

  const FabricData& data() const { return *fabric->data; }
  uint32_t particle_count() const { return data().particle_count; }
  // Of the channels, spare particles included.
  uint32_t range_count() const { return padded_count + padded_spares(spare_particle_count); }
  // Something was set to another value.
  void wake() {
    if (parameters.sleep_threshold <= 0) return;  // it never sleeps
    ++frame.wakes;
    frame_changed = true;
  }
  bool feels_wind(const clothc_cloth_parameters& p) const {
    return data().triangle_count() > 0 && p.fluid_density > 0 && (p.drag_coefficient > 0 || p.lift_coefficient > 0);
  }
  bool feels_wind() const { return feels_wind(parameters); }
  uint32_t collision_particle_count() const {
    return self_collision_particles.empty() ? particle_count() : static_cast<uint32_t>(self_collision_particles.size());
  }
  bool collides_with_itself() const { return clothc::collides_with_itself(parameters); }
  bool may_collide_with_cloths() const { return clothc::may_collide_with_cloths(parameters); }
  bool collides_with_cloths_in_iterations() const {
    return collides_with_cloths && parameters.inter_collision_iterations == 0;
  }
  bool sleeps_by_update() const {
    return parameters.sleep_threshold > 0 && (collides_with_cloths || collides_with_itself());
  }
  bool reports_contacts() const { return (parameters.collision_flags & CLOTHC_COLLISION_REPORT) != 0; }
  uint32_t update_start_words() const { return 4 * padded_count; }
  uint32_t report_words() const { return 10 * padded_count; }
  // What has been set since the cloth was added, as bits: three per kind of constraint.
  static constexpr uint32_t all_inputs = 511;
  uint32_t inputs() const {
    return (has_acceleration ? 1u : 0u) | (velocity_set ? 2u : 0u) | inputs_of(motion) << 2 |
           inputs_of(separation) << 5 | (has_rest ? 256u : 0u);
  }
  void set_inputs(uint32_t inputs) {
    has_acceleration = (inputs & 1) != 0;
    velocity_set = (inputs & 2) != 0;
    motion = constraints_of(inputs >> 2);
    separation = constraints_of(inputs >> 5);
    has_rest = (inputs & 256) != 0;
  }
  uint32_t flags() const {
    return (has_acceleration ? cloth_has_acceleration : 0u) | (motion.present ? cloth_has_motion : 0u) |
           (separation.present ? cloth_has_separation : 0u) | (velocity_set ? cloth_has_velocity : 0u) |
           (has_rest ? cloth_has_rest : 0u);
  }

 private:
  static uint32_t inputs_of(const SphereConstraints& c) {
    return (c.present ? 1u : 0u) | (c.set ? 2u : 0u) | (c.moving ? 4u : 0u);
  }
  static SphereConstraints constraints_of(uint32_t bits) { return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0}; }
};

// Lanes over which reductions of a cloth are spread; part of the definition of no result.
inline uint32_t reduction_lanes_for(uint32_t padded_count) {
  const uint32_t lanes = (padded_count / 64 + lane_padding - 1) / lane_padding * lane_padding;
  return lanes < lane_padding ? lane_padding : lanes > 1024 ? 1024 : lanes;
}

// Lists the jobs of a cloth's update (step.cpp). shapes: of all its collider sets.
void build_jobs(const Cloth& cloth, const ShapeCounts& shapes, const InterCollision& inter_collision, JobList& list);

// What a caller may ask for.
constexpr uint32_t most_inter_iterations = 64;
constexpr uint32_t most_spares = 1u << 24;
constexpr float least_solver_frequency = 1;
constexpr float most_solver_frequency = 100000;
inline bool is_scale(float scale) { return scale >= 1e-3f && scale <= 1e3f; }
inline bool is_time_step(float dt) { return dt == 0 || (dt >= 1e-6f && dt <= 10); }

// Checks phase configs and frames that a caller gave; what names them in messages, owner stands before a config's
// number.
void check_phase_config(const clothc_phase_config& config, uint32_t phase_count, size_t index, const char* owner = "");
void check_frame(const clothc_cloth_frame& frame, const char* what);
// Fails if there are no triangles for the wind to blow at.
void check_wind(const clothc_cloth_parameters& parameters, const FabricData& fabric, const char* what);

}  // namespace clothc
