// types.h - plain structs that core, every backend and every kernel share, in the common subset of C++, CUDA and GLSL. The
// folder words/ has what consists of words of the tables.
// All members are 4 bytes wide, so the layout is the same under C++ rules and std430; core asserts the sizes.
// The names input, output, filter, active, sample, common, half and fixed are reserved in GLSL: do not use them.

// Largest magnitude of a coordinate, speed, acceleration, radius or inverse mass that the state may contain, in m, s
// and 1/kg.
#define CLOTHC_LARGEST 1e9f

// Constants of one update, the same for all its cloths: the time step, and the offset of each per-particle block in
// the particles arena, in float4 elements.
struct FrameConstants {
  // s
  float dt;

  // particles: the blocks that have an element for every particle that the solver can hold.
  uint position, previous;
  // Values on their way between buffers and channels, in mesh order.
  uint exchange;
};

// Written by core: the cloth's settings, and the locations of its data. A location is an offset in elements of the
// arena that its comment names: particles, topology or tables.
struct GroupSettings {
  // The parameters of the cloth, in the order and with the names of clothc_cloth_parameters. Distances of collisions
  // that the cloth takes no part in are 0.
#define CLOTHC_SETTING_real float
#define CLOTHC_SETTING_count uint
#define CLOTHC_SETTING_choice uint
#define CLOTHC_SETTING_flags uint
#define CLOTHC_PARAMETER(type, name, least, most, initial, unit, change, hash) CLOTHC_SETTING_##type name;
#define CLOTHC_PARAMETER3(name, least, most, x, y, z, unit, change, hash) float name##_x, name##_y, name##_z;
#include "kernels/parameters.def"
#undef CLOTHC_PARAMETER
#undef CLOTHC_PARAMETER3
#undef CLOTHC_SETTING_real
#undef CLOTHC_SETTING_count
#undef CLOTHC_SETTING_choice
#undef CLOTHC_SETTING_flags
  // Factor on rest lengths.
  float scale;

  // Insertion ordinal, which enters the state hash.
  uint ordinal_low, ordinal_high;

  // Index of the cloth's first particle in each block of the particles arena.
  uint first_particle;
  // Bits of the groups of optional channels that the cloth has, in the order of channels.def.
  uint channel_groups;
  // particles: where the block of each optional channel of channels.def would begin if it had elements for all
  // particles. It has elements for those of the cloth only; 0 = the cloth does not have the channel.
#define CLOTHC_BLOCK_always(block)
#define CLOTHC_BLOCK_optional(block) uint block##_block;
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) CLOTHC_BLOCK_##presence(block)
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_BLOCK_always
#undef CLOTHC_BLOCK_optional
  // Number of particles, without padding.
  uint particle_count;
  // Number of particles with padding: a multiple of 16.
  uint padded_count;
  // Number of words or rows from one array over the particles to the next, in tables. There is space for the spare
  // particles.
  uint particle_stride;

  // tables: the constraint records of the cloth, constraint_words words each. Those of its phase configs come first.
  uint constraint_records, record_count;
  // Number of phase configs.
  uint phase_count;
  // tables: offset of the header of each collider set.
  uint collider_table, collider_count;

  // Index of the cloth among the cloths that collide with others.
  uint inter_index;
  // tables: header of the BVH over these cloths, see cloth_bvh_...
  uint cloth_bvh;
  // tables: rows of the particles' positions at the update's begin; 0 = iterations test for sleep.
  uint update_start;

  // tables: the shapes of all collider sets of the cloth as they are in this iteration, and the number of each kind.
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) uint plural, kind##_count;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  // tables: boxes that bound each shapes_per_block consecutive spheres or capsules over the whole update.
  uint sphere_blocks, capsule_blocks;
  // tables: the cache of nearest triangles, cache_words words per mesh instance and particle.
  uint triangle_cache;
  // tables: the bounds of that cache, cache_bound_words words per mesh instance and particle.
  uint cache_bounds;
  // tables: rows of the current vertex positions of the sets' triangles; 0 = none are stored.
  uint transformed_vertices;

  // topology: storage index of each particle; 0 = particles are stored in mesh order.
  uint storage_order;
  // topology: storage index of each vertex's particle; 0 = it is the vertex's index.
  uint vertices;
  // Number of vertices of the mesh.
  uint vertex_count;
  // topology: storage indices of corner 0 of all triangles, then of corner 1, then of corner 2.
  uint triangle_corners;
  // Number of triangles with padding: a multiple of 16, with at least one padding triangle, whose corners are a padding
  // particle in front of the cloth's particles.
  uint triangle_stride;
  // topology: the triangles around each stored particle; surface.kernel.h describes the layout.
  uint particle_fans;
  // topology: the triangles at each vertex; 0 = use those of the vertex's particle.
  uint vertex_fans;
  // topology: the batches of triangles, of wind_batch_words each, and the fans that wind reads (cook/fabric_layout.h).
  uint wind_batches;
  uint wind_fans;
  // topology: weight of edge 0-1 in the tangent of each triangle, then weight of edge 0-2.
  uint tangent_weights;
  // topology: 1 or -1 per particle; 0 = there are no tangents.
  uint particle_handedness;
  // topology: 1 or -1 per vertex; 0 = use those of the vertex's particle.
  uint vertex_handedness;
  // topology: x of each stored particle at rest, then y, then z.
  uint rest_positions;
  // tables: 4 words for each place of a triangle.
  uint impulses;
  // The cloth's id.
  uint identity;

  // tables: the particle data that contact reports need; report.kernel.h describes the layout.
  uint report;
  // tables: number of contacts per particle, in mesh order.
  uint contact_counts;
  // tables: contact_words words per contact.
  uint contact_records;
  // Number of contacts that the records have space for.
  uint contact_capacity;

  // tables: the arrays of the cloth's collision particles; particles.kernel.h describes them.
  uint collision_particles;
  // Number of collision particles, without padding.
  uint collision_particle_count;
  // Number of collision particles with padding: a multiple of 16.
  uint collision_particle_stride;
  // Number of levels of the BVH over the collision particles, 1 to 5.
  uint particle_bvh_levels;

  // tables: scratch_words words per lane of each level of reductions.
  uint scratch;
  // Number of lanes that reduce over the cloth's particles: a multiple of 16.
  uint reduction_lanes;
  // tables: one word per particle of a group, which write_active reads: not 0 where the particle is to be active.
  uint active_flags;
  // tables: the headers of the sets of primitives, see primitive_...; 0 = no program has asked for intersections.
  uint primitives;
  // Changes whenever core has written the constraint records.
  uint records_version;
  // Fills a multiple of 64 bytes.
  uint unused;
};

const uint collision_continuous = 1u;

const uint sleep_skip = 0u;
const uint sleep_report = 1u;

const uint statistic_kinetic_energy = 1u;
const uint statistic_stretch = 2u;

// The parts of a particle's phase: the number of its group, and whether it collides with particles of its own group.
const uint phase_group_mask = 0xffffffu;
const uint phase_self_collide = 0x1000000u;

const uint wind_batch_words = 4u;

// Reductions over the particles of a cloth: reduction.kernel.h. Number of particles per lane, and of results that a lane
// of another level combines.
const uint reduction_items = 16u;
const uint reduction_fan = 64u;
// Words of results per lane: those of bounds, then those of statistics. The first ones are minima, the others sums.
const uint scratch_words = 8u;
const uint bounds_words = 6u;
const uint reduction_minima = 7u;

// Written by core: the pose of the cloth's frame at an update's begin and end.
struct GroupFrame {
  // m
  float start_x, start_y, start_z;
  float start_rotation_x, start_rotation_y, start_rotation_z, start_rotation_w;
  float target_x, target_y, target_z;
  float target_rotation_x, target_rotation_y, target_rotation_z, target_rotation_w;
  // Bits frame_...
  uint flags;
  // Counts the changes of a setting that wake the cloth.
  uint wakes;
};

// The frame stood still before this update.
const uint frame_clear_inertia = 1u;
// The frame keeps the velocities of the last update.
const uint frame_keep_velocity = 2u;
// Shapes and constraints are at their targets from the first iteration on.
const uint frame_skip_interpolation = 4u;

// Longest acceleration filter, in iterations; a power of two.
const uint time_step_capacity = 256u;

// What a program may read about a cloth. The layout is that of the public clothc_cloth_status.
struct GroupStatus {
  uint struct_size;
  // Bits status_...
  uint flags;
  // Number of iterations of the last update.
  uint iteration_count;
  // Number of values that were not finite or out of range and were therefore kept out of the state.
  uint non_finite_count;
  // m, bounds at the last update's end.
  float minimum_x, minimum_y, minimum_z;
  float maximum_x, maximum_y, maximum_z;
  // s, time step of the last update's iterations; 0 before the first update.
  float iteration_dt;
  // Number of consecutive sleep tests that the cloth has passed.
  uint sleep_pass_count;
  // J
  float kinetic_energy;
  // Largest length / rest length, less 1.
  float largest_stretch;
};

const uint status_non_finite = 1u;
const uint status_asleep = 2u;

// State of a cloth that the device carries from update to update.
struct GroupState {
  GroupStatus status;
  // Solver frequency of the last update; a different one empties the filter of time steps.
  float solver_frequency;
  // Number of time steps in the filter.
  uint time_step_count;
  // Index in time_steps of the next one to be written.
  uint time_step_next;
  // non_finite_count at the begin of the last update.
  uint non_finite_before;
  // Result of the hash kernels.
  uint hash_low, hash_high;
  // m/s, velocity of the frame in the last update.
  float velocity_x, velocity_y, velocity_z;
  // rad/s, half of the frame's angular velocity in the last update.
  float angular_velocity_x, angular_velocity_y, angular_velocity_z;
  // GroupFrame.wakes as the last update found it; a difference wakes the cloth.
  uint wakes;
  // ms since the last sleep test.
  uint sleep_counter;
  // Number of times that a particle failed a sleep test, over all tests.
  uint moving_count;
  // moving_count before the last test.
  uint moving_before;
  // s, time of updates that were held back, which the next update that runs makes up for.
  float held_dt;
  // s, ring buffer of iteration time steps.
  float time_steps[time_step_capacity];
};

// What begin_group and begin_iteration compute for the other kernels of an iteration.
struct GroupStep {
  // s, time step of an iteration.
  float h;
  // s, time step of the update. Kernels that end an update read it here, because a backend may record them once and run
  // them for updates of any length.
  float update_dt;
  // stiffness_frequency * h
  float stiffness_exponent;
  // s, the factor that turns a velocity that was set into a displacement that the first iteration preserves.
  float velocity_dt;
  // s2, h * h
  float acceleration_scale;
  // m, displacement per iteration by gravity and by the motion of the frame.
  float bias_x, bias_y, bias_z;
  // Part of the velocity that is left after this iteration.
  float damping_x, damping_y, damping_z;
  // The same for the iterations after the first.
  float plain_damping_x, plain_damping_y, plain_damping_z;
  float motion_rate;
  // What a stiffness of 1 gives.
  float full_rate;
  // Part of the overlap that is removed per iteration.
  float self_rate;
  // The same between cloths, per iteration or per pass at the update's end.
  float inter_rate;
  // Factors of the impulses of drag and lift in wind.kernel.h.
  float drag_scale;
  float lift_scale;

  // The motion of the cloth's frame, in the frame's own coordinates.
  // m, bias of previous positions.
  float previous_bias_x, previous_bias_y, previous_bias_z;
  // m, displacement of the air per iteration past a particle at rest in the frame.
  float wind_x, wind_y, wind_z;
  // Whether the frame moves or turns in this update.
  uint frame_moves;
  // Whether the frame turns, so that the matrices below are in use.
  uint turning;
  // Rotation per iteration.
  float turn_xx, turn_xy, turn_xz, turn_yx, turn_yy, turn_yz, turn_zx, turn_zy, turn_zz;
  // Matrix that is applied to positions.
  float current_xx, current_xy, current_xz, current_yx, current_yy, current_yz, current_zx, current_zy, current_zz;
  // Matrix that is applied to previous positions.
  float previous_xx, previous_xy, previous_xz, previous_yx, previous_yy, previous_yz, previous_zx, previous_zy,
      previous_zz;

  // Whether this iteration makes a sleep test.
  uint sleep_test;
  // Part of the update that is done at this iteration's end, 0..1.
  float time;
  // The same at this iteration's begin.
  float previous_time;
  uint iteration;
  // 0 where the cloth sleeps, or where the update is held back.
  uint iteration_count;
  // Whether iteration is below iteration_count.
  uint running;

  // For coarse levels: the number of updates, from this one on, that look for pinned particles.
  uint pin_updates;
  // Number of particles that programs have pinned or released since the last update.
  uint pin_changes;
  // The version of the constraint records that the last update used.
  uint records_version;
};

// Settings and step begin at multiples of 64 bytes, so that kernels touch few cache lines.
struct GroupRecord {
  GroupSettings settings;
  GroupStep step;
  GroupFrame frame;
  GroupState state;
  uint unused[17];
};

// Backends skip jobs of the repeated part of a schedule where this is 0.
#define CLOTHC_PREDICATE(record) (record).step.running
// Backends repeat the middle part of a program this often. Its first job computes it.
#define CLOTHC_REPETITIONS(record) (record).step.iteration_count

// One job: a kernel runs the items [begin, end).
struct Job {
  uint kernel;
  // Number of the group's record. Unused by kernels of scope solver.
  uint record;
  // begin is a multiple of 16. Lanes from end on may be computed but have no effect.
  uint begin, end;
  // Argument of the kernel.
  uint argument;
};

// Constants of a launch of a kernel of table_operations.kernel.h: first words, in tables, of its arrays.
struct TableLaunch {
  uint first, second, first_target, second_target, counts;
  // Number of elements, and of blocks of table_block_words elements.
  uint count, blocks;
  // Position of the digit by which a sort counts and moves, in bits.
  uint shift;
};
const uint table_block_words = 1024u;
const uint table_group_threads = 128u;

// Arguments of the write_channel kernels.
// Exchange values have no w, so the stored one stays.
const uint write_keep_w = 1u;
// Positions become previous positions too, and velocities that were set are dropped.
const uint write_at_rest = 2u;

// Arguments of the read_channel kernels.
const uint read_vertices = 0x80000000u;
// In the coordinates of the world, by the frame's pose at the update's end or, with read_at_start, at its begin.
const uint read_in_world = 0x40000000u;
const uint read_at_start = 0x20000000u;
// Mask of the bits that hold the element.
const uint read_element = 0x1fffffffu;
// 2^24, added to elements so that those below 0 can be expressed, which occur for items further on in a range.
const uint read_bias = 0x1000000u;

#include "kernels/words/constraint_record.h"
#include "kernels/words/hierarchy.h"
#include "kernels/words/colliders.h"
#include "kernels/words/shapes.h"
#include "kernels/words/cloth_collision.h"
#include "kernels/words/contacts.h"
#include "kernels/words/primitives.h"
