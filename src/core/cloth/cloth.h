// cloth.h - the host's record of a cloth: its settings, the locations of its data on the device, and its jobs.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <clothc.h>

#include "core/base/parameters.h"
#include "core/base/changed_list.h"
#include "core/cloth/frame.h"
#include "core/cloth/jobs.h"
#include "core/cloth/particle_channels.h"
#include "core/cloth/reduction.h"
#include "core/collision/collider_set.h"
#include "core/collision/inter_collision.h"
#include "core/fabric/cloth_topology.h"
#include "core/fabric/fabric.h"

namespace clothc {

// A channel of a cloth that every update writes to a buffer, one element per vertex of the mesh.
struct Binding {
  clothc_channel channel;
  // Every update looks up this handle again, since the buffer may have been destroyed.
  clothc_buffer buffer;
  clothc_format format;
  uint64_t byte_offset;
  uint32_t stride;
  // CLOTHC_VIEW_...
  uint32_t flags;
  // Whether the channel is written before the cloth moves.
  bool is_start() const { return channel == CLOTHC_CHANNEL_START_POSITION; }
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
  std::shared_ptr<const ClothTopology> topology;
  // The springs of a group, as a fabric that no program sees; null for a cloth.
  std::shared_ptr<const Fabric> springs;
  // Of a group: its active particles in ascending order.
  std::vector<uint32_t> active_particles;
  // Element of the first particle in each block. The padding particles are in front of it; the spare particles are
  // behind the last one.
  uint32_t first_particle = 0;
  // Number of particles and spare particles with padding.
  uint32_t particle_stride = 0;
  // Factor on the lengths of constraints and tethers.
  float scale = 1;
  uint32_t spare_particle_count = 0;
  clothc_cloth_parameters parameters{};
  // hash_parameters of these parameters, once it was asked for; 0 before that.
  mutable uint64_t parameter_hash = 0;
  std::vector<clothc_phase_config> phases;
  std::vector<clothc_collider_set_id> collider_sets;
  // The particles that collide with cloth, sorted. Empty means all particles.
  std::vector<uint32_t> self_collision_particles;

  std::vector<Binding> bindings;
  Frame frame;

  // First element, in the particles arena, of each optional channel: a range of particle_stride elements, 0 if it has
  // not been allocated. The channel may be absent nevertheless; see `has`.
  std::array<uint32_t, state_channel_count> channel_elements{};

  // Ranges of the tables arena: the first word of each, 0 if it has not been allocated, and its capacity.

  // The constraint records, constraint_words words each: those of the phases, then one for each of the layout's
  // tether_sets and collision_sets, for each of the level_layouts, and for a lattice. The capacity is in records.
  uint32_t constraint_records = 0;
  uint32_t record_capacity = 0;
  // One word per collider set. The capacity is in sets.
  uint32_t collider_table = 0;
  uint32_t collider_capacity = 0;
  // scratch_words words per lane of all levels of reductions that the cloth would have with all of its spare particles.
  uint32_t scratch = 0;
  // Wind impulses, four words for each place of a triangle (WindLayout). The capacity is in words.
  uint32_t impulses = 0;
  uint32_t impulse_capacity = 0;
  // The shapes of all collider sets in the current iteration, see ShapeLayout. The capacity is in words.
  uint32_t shapes = 0;
  uint32_t shape_capacity = 0;
  // The rows of the coarse levels, the coarsest first: see kernels/words/hierarchy.h. The capacity is in words.
  uint32_t levels = 0;
  uint32_t level_capacity = 0;
  // The levels that fit what was cut, see Cloths::refresh_levels. Null = those of the fabric.
  std::shared_ptr<const ClothLevels> own_levels;
  // The rows of positions in the slots of the lattice, see LatticeLayout. The capacity is in words.
  uint32_t lattice = 0;
  uint32_t lattice_capacity = 0;
  // The collision particles and their BVH, see CollisionParticleLayout.
  uint32_t collision_particles = 0;
  // Positions of the particles when the update began, for cloths that are tested for sleep once per update: four words
  // per particle.
  uint32_t update_start = 0;
  // The headers of the cloth's sets of primitives, their boxes and BVHs, and their numbers of intersections, for these
  // edges and triangles. Null until a program asks for intersections. The capacity is in words.
  std::shared_ptr<const ClothPrimitives> primitives;
  uint32_t primitive_headers = 0;
  uint32_t primitive_capacity = 0;
  // One word per particle of a group, which tells write_active whether the particle is to be active.
  uint32_t active_flags = 0;

  // Index of the cloth in InterCollision::ids.
  uint32_t inter_index = 0;

  // Two more ranges of the tables arena.

  // Data for reporting contacts, see report.kernel.h. 0 = the cloth has not reported contacts yet.
  uint32_t report = 0;
  // The cloth's part of ContactReport::counts, which belongs to the solver.
  uint32_t contact_counts = 0;

  // Saved by Cloths::remember for a rollback: the number of the last transaction that called it for this cloth, and
  // what inputs and frame.wakes were before that transaction.
  uint64_t remembered_by = 0;
  uint32_t inputs_before = 0;
  uint32_t wakes_before = 0;

  // Bits of ChannelGroupInfo: which optional channels the cloth has, and how they move.
  uint32_t inputs = 0;
  // Whether the update applies velocities that were set. This stays once velocities have been set, because the pass
  // does nothing in other updates and leaving it out would make another schedule.
  bool has_velocity_pass = false;

  // Position in the solver's list of cloths that the next update must visit: to upload what has changed, or to make
  // targets starts.
  ChangedList<Cloth>* changed_cloths = nullptr;
  uint32_t changed_position = 0;

  // Whether the device's copy of the settings or list of collider sets is out of date.
  bool settings_changed = true;
  // Whether the device's copy of the constraint records is out of date. Then settings_changed is true too.
  bool records_changed = true;
  // Number of the upload of the constraint records that the device's copy is from, among those of the solver.
  uint32_t records_version = 0;
  // Whether the caches of nearest triangles may be where other data was. Then settings_changed is true too.
  bool caches_moved = true;
  // Whether the device's copy of the frame is out of date.
  bool frame_changed = true;
  // Whether the cloth is one of the solver's InterCollision.
  bool collides_with_cloths = false;
  // Whether the cloth must run in passes rather than as a program, because some cloths of the InterCollision collide in
  // every iteration.
  bool only_in_passes = false;
  // Whether the storage indices of the collision particles on the device are out of date.
  bool collision_particles_changed = false;
  // Whether `jobs` is out of date.
  bool jobs_changed = true;
  JobList jobs;

  bool is_group() const { return springs != nullptr; }
  const FabricLayout& layout() const { return *topology->layout; }
  uint32_t particle_count() const { return layout().particle_count; }
  uint32_t padded_count() const { return padded(particle_count()); }
  uint32_t reduction_lanes() const { return reduction_lanes_for(padded_count()); }
  uint32_t scratch_size() const { return scratch_words * lanes_of_all_levels(particle_stride); }
  // Number of constraint records that the cloth needs for this many phase configs.
  uint32_t records_for(size_t phase_count) const {
    return static_cast<uint32_t>(phase_count + layout().tether_sets.size() + layout().collision_sets.size() +
                                 level_layouts().size() + (topology->has_lattice() ? 1 : 0));
  }
  uint32_t record_count() const { return records_for(phases.size()); }
  // Word at which a record begins. Kernels over constraints have it as their argument.
  uint32_t record(size_t index) const { return constraint_records + static_cast<uint32_t>(index) * constraint_words; }
  uint32_t tether_record(size_t index) const { return record(phases.size() + index); }
  uint32_t collision_record(size_t index) const { return record(phases.size() + layout().tether_sets.size() + index); }
  uint32_t level_record(size_t level) const {
    return record(phases.size() + layout().tether_sets.size() + layout().collision_sets.size() + level);
  }
  // Behind all others. The kernels that solve phases in the lattice have the records of the phases.
  uint32_t lattice_record() const { return record(record_count() - 1); }
  // The set of constraints that a phase config solves.
  const ConstraintLayout& set_of(const clothc_phase_config& config) const {
    return layout().sets[layout().phase_sets[config.phase]];
  }
  // Number of elements that the cloth occupies in each block from its first particle on. The last ones are the padding
  // particles of a cloth that follows it.
  uint32_t range_count() const { return range_for(particle_stride); }
  static uint32_t range_for(uint32_t particle_stride) { return particle_stride + padding_particle_count; }
  // Wakes the cloth in the next update. Called when anything of the cloth was set to a different value.
  void wake() {
    // A cloth without a threshold never sleeps.
    if (parameters.sleep_threshold <= 0) return;
    ++frame.wakes;
    mark_frame_changed();
  }
  void mark_changed() { changed_cloths->add(*this); }
  // Call these when the device's copy of the settings, of the constraint records, or of the frame is out of date.
  void mark_settings_changed() {
    settings_changed = true;
    mark_changed();
  }
  void mark_records_changed() {
    records_changed = true;
    mark_settings_changed();
  }
  void mark_frame_changed() {
    frame_changed = true;
    mark_changed();
  }
  // Call this when `jobs` is out of date. It always is because of a setting.
  void mark_jobs_changed() {
    jobs_changed = caches_moved = true;
    mark_settings_changed();
  }
  // Whether the next update has nothing to rebuild or upload of the cloth and no target to make a start.
  bool is_up_to_date() const {
    return !jobs_changed && !settings_changed && !frame_changed && !collision_particles_changed &&
           (inputs & passing_inputs) == 0 && frame.is_constant();
  }
  // Whether something has been set that a single update uses up.
  bool has_pending_inputs() const { return (inputs & pending_inputs) != 0 || !frame.is_constant(); }
  bool feels_wind(const clothc_cloth_parameters& p) const {
    return layout().triangle_count > 0 && p.fluid_density > 0 && (p.drag_coefficient > 0 || p.lift_coefficient > 0);
  }
  bool feels_wind() const { return feels_wind(parameters); }
  // Whether these parameters let the cloth have its coarse levels corrected.
  bool has_hierarchy(const clothc_cloth_parameters& p) const {
    return p.hierarchy_stiffness > 0 && !level_layouts().empty();
  }
  // Level 0 and the coarse levels, or nothing. Level k is level_layouts()[k].
  const std::vector<LevelLayout>& level_layouts() const {
    return own_levels != nullptr ? own_levels->levels : layout().levels;
  }
  // Returns where an array of a level is in the topology arena, or 0 if it is absent.
  uint32_t level_array(uint32_t offset) const {
    return own_levels != nullptr ? own_levels->word(offset) : topology->word(offset);
  }
  uint32_t rest_positions() const {
    return level_array(own_levels != nullptr ? own_levels->rest_positions : layout().rest_positions);
  }
  // The first word of the rows of a coarse level. level_word(0) is the end of those of all levels.
  uint32_t level_word(size_t level) const;
  // The stiffness with which coarse levels resist stretch: never more than the phases that do so. 0 = none.
  float hierarchy_stiffness() const;
  // Whether these parameters let the cloth stay in its lattice through an update (stay_in_lattice). Levels do not.
  bool may_stay_in_lattice(const clothc_cloth_parameters& p) const {
    return topology->has_lattice() && layout().lattice.has_all_particles && !has_hierarchy(p);
  }
  // Words of the rows of a lattice.
  uint32_t lattice_words(const clothc_cloth_parameters& p) const {
    if (!topology->has_lattice()) return 0;
    return (may_stay_in_lattice(p) ? lattice_row_count : lattice_previous) * layout().lattice.stride;
  }
  uint32_t collision_particle_count() const {
    return self_collision_particles.empty() ? particle_count() : static_cast<uint32_t>(self_collision_particles.size());
  }
  // Particles of a group do not collide with each other unless their phases were set.
  bool collides_with_itself() const {
    return clothc::collides_with_itself(parameters) && (!is_group() || has(group_particle_phase));
  }
  bool may_collide_with_cloths() const { return clothc::may_collide_with_cloths(parameters); }
  bool collides_with_cloths_in_iterations() const {
    return collides_with_cloths && parameters.inter_collision_iterations == 0;
  }
  bool sleeps_by_update() const {
    return parameters.sleep_threshold > 0 && (collides_with_cloths || collides_with_itself());
  }
  bool collides_continuously() const { return (parameters.collision_flags & CLOTHC_COLLISION_CONTINUOUS) != 0; }
  bool reports_contacts() const { return (parameters.collision_flags & CLOTHC_COLLISION_REPORT) != 0; }
  uint32_t update_start_words() const { return 4 * particle_stride; }
  uint32_t report_size() const { return report_words * particle_stride; }
  bool has(ChannelGroup group) const { return (inputs & channel_groups[group].present()) != 0; }
  // If the cloth does not have a channel, all of its elements count as unset.
  bool has(StateChannel channel) const {
    return !state_channels[channel].is_optional() || has(state_channels[channel].group);
  }
  void set_inputs(uint32_t bits) {
    inputs = bits;
    has_velocity_pass = has_velocity_pass || has(group_velocity);
  }
};

// Fills the list of jobs of a cloth's update (step.cpp). shapes: the numbers of shapes in all its collider sets.
void build_jobs(const Cloth& cloth, const ShapeCounts& shapes, const InterCollision& inter_collision, JobList& list);

// Returns the constraint records of a cloth as words, but for the parts that begin_group computes
// (constraint_records.cpp).
std::vector<uint32_t> make_constraint_records(const Cloth& cloth);

// Limits on values that callers pass.
constexpr uint32_t most_spares = 1u << 24;
inline bool is_scale(float scale) { return scale >= 1e-3f && scale <= 1e3f; }
inline bool is_time_step(float dt) { return dt == 0 || (dt >= 1e-6f && dt <= 10); }

// These check what a caller passed, and throw Failure if it is invalid. In error messages, `what` names the struct, and
// `owner` stands before the name of a phase config.
void check_phase_config(const clothc_phase_config& config, uint32_t phase_count, size_t index, const char* owner = "");
void check_frame(const clothc_cloth_frame& frame, const char* what);
// Throws Failure if the parameters have drag or lift but the fabric has no triangles on which wind could act.
void check_wind(const clothc_cloth_parameters& parameters, const FabricLayout& fabric, const char* what);

}  // namespace clothc
