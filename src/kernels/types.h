// types.h - plain structs that core, every backend and every kernel share, in the common subset of C++, CUDA and GLSL.
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
  // topology: weight of edge 0-1 in the tangent of each triangle, then weight of edge 0-2.
  uint tangent_weights;
  // topology: 1 or -1 per particle; 0 = there are no tangents.
  uint particle_handedness;
  // topology: 1 or -1 per vertex; 0 = use those of the vertex's particle.
  uint vertex_handedness;
  // tables: 4 words per triangle.
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

  // tables: scratch_words words per reduction lane.
  uint scratch;
  // Number of lanes that reduce over the cloth's particles: a multiple of 16.
  uint reduction_lanes;
  // Fills a multiple of 64 bytes.
  uint unused[6];
};

const uint collision_continuous = 1u;

const uint sleep_skip = 0u;
const uint sleep_report = 1u;

const uint statistic_kinetic_energy = 1u;
const uint statistic_stretch = 2u;

// Words of the tables arena per reduction lane of a cloth.
const uint scratch_words = 8u;

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
  // Fills a multiple of 64 bytes.
  uint unused[4];
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

// Words of a contact as the kernels of report.kernel.h write it. The layout is that of the public clothc_contact.
const uint contact_words = 16u;
const uint contact_impulse = 7u;

// Kinds of shapes in a contact.
const uint contact_convex = 1u;
const uint contact_box = 2u;
const uint contact_triangle = 3u;
const uint contact_mesh = 4u;
const uint contact_sdf = 5u;
const uint contact_capsule = 6u;
const uint contact_sphere = 7u;
const uint contact_ellipsoid = 8u;

// Argument of begin_report and of the kernels that report collisions.
const uint report_writes = 1u;
// Words that reports need per particle.
const uint report_words = 18u;

// Words of a constraint record in the tables arena: how a cloth solves a set of constraints, and where the set is. It
// takes two lines of 64 bytes. begin_group reads the first line and writes a part of the second one; kernels over
// constraints read only the second line.
const uint constraint_words = 32u;
// The settings of the phase config. Constraints of other stages have the defaults in place of those that they lack.
const uint constraint_stiffness = 0u;
const uint constraint_multiplier = 1u;
const uint constraint_compression_limit = 2u;
const uint constraint_stretch_limit = 3u;
// Begin and end of the constraints that count for the stretch statistic.
const uint constraint_stretch_begin = 4u;
const uint constraint_stretch_end = 5u;
// Number of neighbouring constraints that share what the stiffness removes per iteration: tethers per particle, else 1.
const uint constraint_parts = 6u;

// First word of the second line.
const uint constraint_line = 16u;
// Part of the error that is removed per iteration.
const uint constraint_rate = 16u;
// Part of the limited error that is left alone.
const uint constraint_soft_part = 17u;
// 1 - 1 / compression limit.
const uint constraint_lower_error = 18u;
// 1 - 1 / stretch limit.
const uint constraint_upper_error = 19u;
// stiffness_frequency * h
const uint constraint_exponent = 20u;
// Factor on rest lengths.
const uint constraint_scale = 21u;
// m2, added to squared lengths.
const uint constraint_regularisation = 22u;
// first_particle of the cloth.
const uint constraint_first_particle = 23u;
// topology: rows of storage indices, one row per particle of a constraint, and rows of parameters.
const uint constraint_particles = 24u;
const uint constraint_parameters = 25u;
// Words from one row to the next.
const uint constraint_stride = 26u;
// Number of rows of parameters.
const uint constraint_width = 27u;

// Words of a collider set's header in the tables arena: counts, and offsets of its arrays in tables.
const uint collider_words = 32u;
// Bits collider_moves and collider_world.
const uint collider_flags = 0u;
const uint collider_sphere_count = 1u;
const uint collider_sphere_starts = 2u;
const uint collider_sphere_targets = 3u;
// For each sphere, the offset of its list of capsule ends; then the offset at which the last list ends.
const uint collider_sphere_links = 4u;
const uint collider_capsule_count = 5u;
// Two spheres per capsule.
const uint collider_capsules = 6u;
// A plane of several convexes counts once in each of them.
const uint collider_plane_count = 7u;
const uint collider_plane_starts = 8u;
const uint collider_plane_targets = 9u;
const uint collider_convex_count = 10u;
// Index behind the last plane of each convex; planes are sorted by convex.
const uint collider_convex_ends = 11u;
const uint collider_ellipsoid_count = 13u;
const uint collider_ellipsoid_starts = 14u;
const uint collider_ellipsoid_targets = 15u;
const uint collider_box_count = 16u;
const uint collider_box_starts = 17u;
const uint collider_box_targets = 18u;
const uint collider_mesh_count = 19u;
// Header of the BVH over the set's triangles, see bvh_...; 0 = the set has no triangles.
const uint collider_bvh = 20u;
// Float, m, triangle_reach.
const uint collider_reach = 21u;
const uint collider_sdf_count = 22u;
// Instances of meshes, then of signed distance fields.
const uint collider_instance_starts = 23u;
const uint collider_instance_targets = 24u;
// Two words per instance: its BVH or signed distance field, and its number in the set.
const uint collider_instance_assets = 25u;
// The set's id.
const uint collider_identity = 26u;

// Starts differ from targets.
const uint collider_moves = 1u;
// The set is given in the world and not in the cloth's frame.
const uint collider_world = 2u;

// Words of a cloth's shapes as they are in this iteration (tables), with the margin added. "before" means at the
// iteration's begin.

// Centre, radius, motion in this iteration.
const uint sphere_words = 12u;
const uint sphere_motion = 4u;
const uint sphere_radius_before = 7u;
// Begin and end of the list of capsules that the sphere is an end of; the items are 2 * capsule + end.
const uint sphere_links = 8u;
// Offset of capsule 0 of the sphere's set.
const uint sphere_capsules = 10u;
// Radius around its centre of everything that the sphere may overlap on its path.
const uint sphere_reach = 11u;

const uint capsule_words = 32u;
// 0 = one of the capsule's spheres contains the other.
const uint capsule_is_cone = 0u;
const uint capsule_centre = 1u;
// Of length 1, from sphere 0 to sphere 1.
const uint capsule_axis = 4u;
// Half of the distance between the centres of the two spheres.
const uint capsule_half_length = 7u;
// Radius of the cone across the axis, at the centre.
const uint capsule_radius = 8u;
// Slope of that radius along the axis.
const uint capsule_slope = 9u;
// Squared cosine of the angle between axis and surface.
const uint capsule_cosine2 = 10u;
// Motion of the two spheres' centres in this iteration.
const uint capsule_motion = 11u;
// Centre, axis, half length, radius and slope before.
const uint capsule_before = 17u;
// Radius around its centre of everything that the capsule's cone may overlap on its path.
const uint capsule_reach = 26u;

// Normal and distance, then both before.
const uint plane_words = 8u;
// Motion and turn in this iteration, offset of the first plane, offset behind the last plane.
const uint convex_words = 8u;

// Shapes with a pose: the rows of their rotation, translation and size; then the same before.
const uint posed_words = 32u;
const uint posed_translation = 9u;
const uint posed_size = 12u;
// Of mesh instances: triangle_reach in the mesh's own unit of length.
const uint posed_reach = 12u;
// Of instances of meshes and signed distance fields: m per unit of length, and its inverse.
const uint posed_scale = 13u;
const uint posed_inverse = 14u;
// Of mesh instances: the header of the BVH. Of instances of signed distance fields: the header of the field.
const uint posed_asset = 15u;
const uint posed_before = 16u;
// Of mesh instances: not 0 = the scale changes in the update.
const uint posed_rescales = 28u;
// Of mesh instances: rows of current vertex positions; 0 = they are interpolated between starts and targets.
const uint posed_vertices = 31u;

// Cache of nearest triangles, per mesh instance and particle, in arrays over the particles. First come the leaf of the
// nearest triangle, the number of cached leaves, and those leaves. Then come two rows of bounds. The first has the
// particle's position when the cache was filled, and how far it may move from there without being tested. The second
// has how far it may move until the cache is invalid, the distance up to which every triangle is cached, and the same
// for triangles that the particle is in front of.
const uint cached_triangles = 18u;
const uint cache_words = 20u;
const uint cache_bound_words = 8u;

const uint shapes_per_block = 16u;
// Least x y z, greatest x y z.
const uint block_words = 8u;

// Words of the header of a BVH over triangles, in tables. Nodes are numbered as a heap: node 1 is the root, and nodes
// 2k and 2k + 1 are the children of node k. The first leaves have one triangle each; the others are empty.
const uint bvh_words = 24u;
const uint bvh_triangle_count = 0u;
// A power of two, at least 16.
const uint bvh_leaf_count = 1u;
// Float, m, upper bound on how far a vertex moves in the update.
const uint bvh_motion = 2u;
// Two rows per node.
const uint bvh_nodes = 3u;
// Number of words of a list of vertices, a multiple of 16.
const uint bvh_vertex_words = 4u;
// One row per leaf: three vertices, and the number of the triangle in the set, as floats.
const uint bvh_corners = 5u;
// Rows of vertices. The targets equal the starts where vertices do not move.
const uint bvh_starts = 7u;
const uint bvh_targets = 8u;
// [3 triangles] vertices.
const uint bvh_triangles = 9u;
// [triangles] keys by which the triangles are sorted.
const uint bvh_codes = 10u;
// [triangles] sorted triangles.
const uint bvh_order = 11u;
// Float, m, by which boxes are larger than their triangles, to allow for rounding.
const uint bvh_slack = 12u;

// State of the sort of the triangles: the level, the axis, the number of triangles per node of the level and the number
// of cells along the axis (both as exponents of two); then as floats the least coordinate, and cells per m.
const uint bvh_level = 13u;
const uint bvh_axis = 14u;
const uint bvh_node_bits = 15u;
const uint bvh_cell_bits = 16u;
const uint bvh_least = 17u;
const uint bvh_scale = 18u;
const uint bvh_level_words = 6u;

// Words of the header of a signed distance field, in tables. The field is a grid of distances at its nodes, in its own
// unit of length, negative inside.
const uint sdf_words = 16u;
// Number of nodes along x, y, z.
const uint sdf_counts = 0u;
// Floats, position of node 0 0 0.
const uint sdf_origin = 3u;
// Float, and its inverse.
const uint sdf_spacing = 6u;
const uint sdf_inverse = 7u;
// Floats, x varies fastest.
const uint sdf_values = 8u;

// Words per collision particle of a cloth that collides with cloth, in arrays over its collision particles. Positions
// and inverse masses are those of the begin of the stage.
const uint set_particle = 0u;
const uint set_position = 1u;
const uint set_inverse_mass = 4u;
const uint set_previous = 5u;
// x y z, and w = 1 where there is a rest position.
const uint set_rest = 8u;
// Number of other collision particles that push this one.
const uint set_contacts = 12u;
// Position after it was pushed, where any push it.
const uint set_moved = 13u;
const uint collision_particle_words = 16u;

// A node of a BVH over collision particles or cloths: least x of its 16 children, their least y, ..., their greatest z.
const uint node_children = 16u;
const uint node_words = 96u;
// Enough for 2^24 collision particles.
const uint most_particle_bvh_levels = 5u;

// Words of the header of the BVH over the cloths that collide with each other, in tables. There is a header for each
// level, one behind the other; they differ in cloth_bvh_level only.
const uint cloth_bvh_words = 8u;
// Number of these cloths.
const uint cloth_bvh_count = 0u;
// Their slots, in the order in which they were added and in the order of the curve of cloth_bvh.kernel.h.
const uint cloth_bvh_cloths = 1u;
const uint cloth_bvh_order = 2u;
// Float, cells of that curve per m.
const uint cloth_bvh_cells = 3u;
const uint cloth_bvh_nodes = 4u;
const uint cloth_bvh_levels = 5u;
const uint cloth_bvh_level = 6u;
// Numbers of the cloths along the curve, by which they are sorted.
const uint cloth_bvh_keys = 7u;

// Arguments of gather_collision_particles.
const uint particles_in_world = 1u;
// Gathers previous positions as well.
const uint particles_move = 2u;
// In place of previous positions, gathers where the particles would have been when the update began.
const uint particles_of_update = 4u;

// Arguments of the kernels by which cloths collide with each other. Without inter_in_iteration, the low bits are the
// number of a pass at the update's end.
const uint inter_in_iteration = 0x100u;
// Considers only cloths that did not pass their last sleep test.
const uint inter_restless = 0x200u;

// Arguments of the write_channel kernels.
// Exchange values have no w, so the stored one stays.
const uint write_keep_w = 1u;
// Positions become previous positions too, and velocities that were set are dropped.
const uint write_at_rest = 2u;

// Arguments of the read_channel kernels.
const uint read_vertices = 0x80000000u;
// Mask of the bits that hold the element.
const uint read_element = 0x7fffffffu;
// 2^24, added to elements so that those below 0 can be expressed, which occur for items further on in a range.
const uint read_bias = 0x1000000u;
