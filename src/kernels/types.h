// types.h - plain structs that core, every backend and every kernel share, in the common subset of C++, CUDA and GLSL.
// All members are 4 bytes wide, so the layout is the same under C++ rules and std430; core asserts the sizes.
// The names input, output, filter, active, sample, common, half and fixed are reserved in GLSL: do not use them.

// Greatest coordinate, speed, acceleration, radius and inverse mass that state may have, in m, s and 1/kg.
#define CLOTHC_LARGEST 1e9f

// Offsets of the per-particle blocks in the particles arena, in float4 elements, and the time step. The same for all
// cloths of an update.
struct FrameConstants {
  float dt;           // s
  uint position;      // x y z and working inverse mass
  uint previous;      // x y z and the user's inverse mass
  uint velocity;      // x y z and 1 where a set velocity waits to be applied
  uint acceleration;  // x y z, 0
  uint motion_start;  // centre and radius; radius < 0 = unconstrained
  uint motion_target;
  uint separation_start;  // centre and radius; radius <= 0 = unconstrained
  uint separation_target;
  uint rest;      // x y z and 1 where a rest position was set
  uint exchange;  // values on their way between buffers and channels, in the order of the mesh
};

// What core writes: the cloth's settings and where its data is. Offsets are in elements of the arena named.
struct ClothSettings {
  float gravity_x, gravity_y, gravity_z;  // m/s2
  float damping_x, damping_y, damping_z;  // 0..1 per 1/stiffness_frequency
  float solver_frequency;                 // 1/s
  float stiffness_frequency;              // 1/s
  float friction;
  float friction_smoothing;  // m
  float scale;               // factor on rest lengths
  float regularisation;      // m2, added to squared lengths of constraints and tethers
  float tether_stiffness;
  float tether_scale;
  float motion_stiffness;
  float motion_scale;
  float motion_bias;                                           // m
  float linear_drag_x, linear_drag_y, linear_drag_z;           // 0..1 per 1/stiffness_frequency, world axes
  float angular_drag_x, angular_drag_y, angular_drag_z;        // the same, axes of the frame
  float linear_inertia_x, linear_inertia_y, linear_inertia_z;  // 0..1
  float angular_inertia_x, angular_inertia_y, angular_inertia_z;
  float centrifugal_inertia_x, centrifugal_inertia_y, centrifugal_inertia_z;
  float wind_x, wind_y, wind_z;  // m/s, world axes
  float drag_coefficient;
  float lift_coefficient;
  float fluid_density;                  // kg/m3
  float sleep_threshold;                // m/s, 0 = never sleeps
  uint sleep_test_interval;             // ms
  uint sleep_after_count;               // tests
  uint sleep_policy;                    // sleep_...
  uint statistics;                      // statistic_...
  uint acceleration_filter_width;       // iterations
  uint flags;                           // cloth_has_...
  uint ordinal_low, ordinal_high;       // insertion ordinal, for the state hash
  uint first_particle;                  // of each block of the particles arena
  uint particle_count;                  // real particles
  uint padded_count;                    // particles with padding: a multiple of 16, at least one more
  uint phase_table, phase_count;        // tables: phase_words words per phase config
  uint collider_table, collider_count;  // tables: offset of each collider set's header
  uint collision_flags;                 // collision_...
  float contact_margin;                 // m
  float collision_mass_scale;           // 1/m2
  float self_distance;                  // m, 0 = the cloth does not collide with itself
  float self_stiffness;
  float self_friction;
  float self_damping;
  float inter_distance;   // m, 0 = the cloth does not collide with others
  float inter_stiffness;  // part of the overlap that is removed in a pass
  float inter_friction;
  float inter_damping;
  uint inter_iterations;           // passes at an update's end; 0 = one in every iteration
  uint inter_group, inter_mask;    // bits: what it is, and what it collides with
  uint inter_index, inter_count;   // its number among the cloths that collide with others; how many they are
  uint inter_cloths, inter_order;  // tables: their slots, as they were added and along the curve of cloth_bvh.kernel.h
  float inter_cells;               // of that curve, per m
  uint inter_nodes, inter_levels;  // tables: the tree of boxes around them
  uint update_start;               // tables: rows of where particles were then; 0 = iterations test for sleep
  // Shapes of all its collider sets where they are in this iteration (tables), and how many.
  uint spheres, sphere_count;
  uint capsules, capsule_count;
  uint planes, plane_count;
  uint convexes, convex_count;
  uint ellipsoids, ellipsoid_count;
  uint boxes, box_count;
  uint meshes, mesh_count;
  uint sdfs, sdf_count;
  uint sphere_blocks, capsule_blocks;  // tables: boxes around every shapes_per_block of them, over the whole update
  uint triangle_cache;                 // tables: cache_words words per mesh instance and particle
  uint cache_bounds;                   // tables: cache_bound_words words per mesh instance and particle
  uint transformed_vertices;           // tables: rows of vertices of the sets' triangles, 0 = there are none
  uint virtual_corners, virtual_weights, virtual_stride;  // fabric: of virtual particles, three arrays each
  uint constraint_first, constraint_second, constraint_rest, constraint_stiffness;  // fabric
  uint tether_count;                                                                // tethers per particle
  uint tether_stride;                               // fabric: from one tether of a particle to its next
  uint tether_anchor, tether_length, tether_order;  // fabric
  uint storage_order;                               // fabric: where each particle is stored; 0 = at its own index
  uint vertices;             // fabric: where each vertex's particle is stored; 0 = at the vertex's index
  uint vertex_count;         // of the mesh
  uint triangle_corners;     // fabric: storage indices of the corners 0 of all triangles, then of the corners 1, then 2
  uint triangle_stride;      // triangles with padding: a multiple of 16, at least one more, on the dummy particle
  uint particle_fans;        // fabric: the triangles around each stored particle, see surface.kernel.h
  uint vertex_fans;          // fabric: the triangles at each vertex, 0 = those of the vertex's particle
  uint tangent_weights;      // fabric: share of the edges 0-1 of all triangles in their tangents, then of the edges 0-2
  uint particle_handedness;  // fabric: 1 or -1 per particle, 0 = no tangents
  uint vertex_handedness;    // fabric: the same per vertex, 0 = those of the vertex's particle
  uint impulses;             // tables: 4 words per triangle
  uint identity;             // the cloth's id
  uint report;               // tables: what reporting contacts needs of its particles, see report.kernel.h
  uint contact_counts;       // tables: per particle, in the order of the mesh
  uint contact_records;      // tables: contact_words each
  uint contact_capacity;     // of the records
  uint collision_particles;  // tables: what of the cloth collides with cloth, see particles.kernel.h
  uint collision_particle_count;   // real ones
  uint collision_particle_stride;  // collision particles with padding: a multiple of 16
  uint particle_bvh_levels;        // of the tree of boxes around them, 1 to 5
  uint scratch;                    // tables: scratch_words per reduction lane
  uint reduction_lanes;            // a multiple of 16
};

const uint cloth_has_acceleration = 1u;
const uint cloth_has_motion = 2u;
const uint cloth_has_velocity = 4u;  // velocities were set since the last update
const uint cloth_has_separation = 8u;
const uint cloth_has_rest = 16u;

const uint collision_continuous = 1u;

const uint sleep_skip = 0u;
const uint sleep_report = 1u;

const uint statistic_kinetic_energy = 1u;
const uint statistic_stretch = 2u;

// Words of the tables arena per reduction lane of a cloth.
const uint scratch_words = 8u;

// What core writes: where the cloth's frame is at an update's begin and end.
struct ClothFrame {
  float start_x, start_y, start_z;  // m
  float start_rotation_x, start_rotation_y, start_rotation_z, start_rotation_w;
  float target_x, target_y, target_z;
  float target_rotation_x, target_rotation_y, target_rotation_z, target_rotation_w;
  uint flags;  // frame_...
  uint wakes;  // how often something was set to another value
};

const uint frame_clear_inertia = 1u;       // it stood still before
const uint frame_keep_velocity = 2u;       // its velocities are those of the last update
const uint frame_skip_interpolation = 4u;  // shapes and constraints are at their targets from the begin

// Longest acceleration filter, in iterations; a power of two.
const uint time_step_capacity = 256u;

// What a program may read about a cloth: the layout of the public clothc_cloth_status.
struct ClothStatus {
  uint struct_size;
  uint flags;                             // status_...
  uint iteration_count;                   // of the last update
  uint non_finite_count;                  // values that were not finite and did not reach the state
  float minimum_x, minimum_y, minimum_z;  // m, bounds at the last update's end
  float maximum_x, maximum_y, maximum_z;
  float iteration_dt;     // s, of the last update's iterations, 0 before the first
  uint sleep_pass_count;  // sleep tests passed in a row
  float kinetic_energy;   // J
  float largest_stretch;  // largest length / rest length, less 1
};

const uint status_non_finite = 1u;
const uint status_asleep = 2u;

// What the device carries from update to update.
struct ClothState {
  ClothStatus status;
  float solver_frequency;                    // of the last update; another one empties the filter
  uint time_step_count;                      // entries in the filter
  uint time_step_next;                       // where the next entry goes
  uint non_finite_before;                    // non_finite_count at the begin of the last update
  uint hash_low, hash_high;                  // result of the hash kernels
  float velocity_x, velocity_y, velocity_z;  // m/s, of the frame in the last update
  float angular_velocity_x, angular_velocity_y, angular_velocity_z;  // half of it, rad/s
  uint wakes;                                                        // those seen
  uint sleep_counter;                                                // ms since the last sleep test
  uint moving_count;                                                 // particles that did not pass sleep tests, in all
  uint moving_before;                                                // the same before the last test
  float held_dt;                                                     // s, of updates that the next one makes up for
  float time_steps[time_step_capacity];                              // ring of iteration time steps, s
};

// What begin_cloth and begin_iteration work out for the kernels of an iteration.
struct ClothStep {
  float h;                                // s, iteration time step
  float stiffness_exponent;               // stiffness_frequency * h
  float velocity_dt;                      // s, turns a set velocity into a displacement that the first iteration keeps
  float acceleration_scale;               // s2, h * h
  float bias_x, bias_y, bias_z;           // m, displacement by gravity per iteration
  float damping_x, damping_y, damping_z;  // velocity kept, this iteration
  float plain_damping_x, plain_damping_y, plain_damping_z;  // velocity kept, iterations after the first
  float tether_rate;                                        // rate(stiffness) / tethers per particle
  float motion_rate;
  float self_rate;   // part of the overlap that is removed per iteration
  float inter_rate;  // the same, or per pass at the update's end
  float drag_scale;  // impulses per |N.d| d
  float lift_scale;
  // The frame's motion, in its own coordinates.
  float previous_bias_x, previous_bias_y, previous_bias_z;  // m, of previous positions
  float wind_x, wind_y, wind_z;                             // m, past a particle at rest in the frame, per iteration
  uint frame_moves;                                         // or turns, in this update
  uint turning;                                             // the frame turns: the matrices below are in use
  float turn_xx, turn_xy, turn_xz, turn_yx, turn_yy, turn_yz, turn_zx, turn_zy,
      turn_zz;  // of an iteration
  float current_xx, current_xy, current_xz, current_yx, current_yy, current_yz, current_zx, current_zy,
      current_zz;  // times positions
  float previous_xx, previous_xy, previous_xz, previous_yx, previous_yy, previous_yz, previous_zx, previous_zy,
      previous_zz;      // times previous positions
  uint sleep_test;      // this iteration tests
  float time;           // part of the update done at this iteration's end, 0..1
  float previous_time;  // the same at its begin
  uint iteration;
  uint iteration_count;  // 0 when the time step is 0
  uint running;          // this iteration is below iteration_count
};

struct ClothRecord {
  ClothSettings settings;
  ClothFrame frame;
  ClothState state;
  ClothStep step;
};

// A piece of work for one kernel: items [begin, end) of its domain, in one cloth.
struct Job {
  uint kernel;
  uint cloth;       // slot
  uint begin, end;  // begin is a multiple of 16; lanes from end on may be computed but have no effect
  uint argument;    // of the kernel
};

// Words of a contact, of report_contacts: the layout of the public clothc_contact.
const uint contact_words = 16u;
const uint contact_impulse = 7u;
const uint contact_convex = 1u;  // kinds of shapes
const uint contact_box = 2u;
const uint contact_triangle = 3u;
const uint contact_mesh = 4u;
const uint contact_sdf = 5u;
const uint contact_capsule = 6u;
const uint contact_sphere = 7u;
const uint contact_ellipsoid = 8u;

// Argument of report_contacts.
const uint report_writes = 1u;

// Words per phase config in the tables arena. The first four and the last two come from core, the others from
// begin_cloth.
const uint phase_words = 10u;
const uint phase_stiffness = 0u;
const uint phase_multiplier = 1u;
const uint phase_compression_limit = 2u;
const uint phase_stretch_limit = 3u;
const uint phase_rate = 4u;         // part of the error removed per iteration
const uint phase_soft_part = 5u;    // part of the limited error that is left alone
const uint phase_lower_error = 6u;  // 1 - 1 / compression limit
const uint phase_upper_error = 7u;  // 1 - 1 / stretch limit
const uint phase_begin = 8u;        // laid-out constraints whose stretch counts
const uint phase_end = 9u;

// Words of a collider set's header in the tables arena: counts, and offsets of its arrays in tables.
const uint collider_words = 32u;
const uint collider_flags = 0u;  // collider_...
const uint collider_sphere_count = 1u;
const uint collider_sphere_starts = 2u;
const uint collider_sphere_targets = 3u;
const uint collider_sphere_links =
    4u;  // where each sphere's list of capsule ends begins, and where the last one's ends
const uint collider_capsule_count = 5u;
const uint collider_capsules = 6u;     // two spheres each
const uint collider_plane_count = 7u;  // a plane of several convexes counts in each
const uint collider_plane_starts = 8u;
const uint collider_plane_targets = 9u;
const uint collider_convex_count = 10u;
const uint collider_convex_ends = 11u;  // in the planes, which are sorted by convex
const uint collider_ellipsoid_count = 13u;
const uint collider_ellipsoid_starts = 14u;
const uint collider_ellipsoid_targets = 15u;
const uint collider_box_count = 16u;
const uint collider_box_starts = 17u;
const uint collider_box_targets = 18u;
const uint collider_mesh_count = 19u;
const uint collider_bvh = 20u;    // of the triangles, see tree_...; 0 = there are none
const uint collider_reach = 21u;  // float, m
const uint collider_sdf_count = 22u;
const uint collider_instance_starts = 23u;  // of meshes, then of signed distance fields
const uint collider_instance_targets = 24u;
const uint collider_instance_assets = 25u;  // of each, its tree or field, and its number in the set
const uint collider_identity = 26u;         // the set's id

const uint collider_moves = 1u;  // starts differ from targets
const uint collider_world = 2u;  // in the world, not in the cloth's frame

// Words of the shapes of a cloth in this iteration (tables), the margin added. "before" is at the iteration's begin.
const uint sphere_words = 12u;  // centre, radius, motion in this iteration
const uint sphere_motion = 4u;
const uint sphere_radius_before = 7u;
const uint sphere_links = 8u;      // begin and end of the list of capsules that it is an end of: 2 capsule + end
const uint sphere_capsules = 10u;  // where capsule 0 of its set is
const uint sphere_reach = 11u;     // from its centre, all that it may meet on its way
const uint capsule_words = 32u;
const uint capsule_is_cone = 0u;  // 0 = one of its spheres contains the other
const uint capsule_centre = 1u;
const uint capsule_axis = 4u;         // of length 1, from sphere 0 to sphere 1
const uint capsule_half_length = 7u;  // between the centres of its spheres
const uint capsule_radius = 8u;       // across the axis, at the centre
const uint capsule_slope = 9u;        // of the radius along the axis
const uint capsule_cosine2 = 10u;     // squared, of the angle between axis and surface
const uint capsule_motion = 11u;      // of the spheres' centres in this iteration
const uint capsule_before = 17u;      // centre, axis, half length, radius, slope
const uint capsule_reach = 26u;       // from its centre, all that its cone may meet on its way
const uint plane_words = 8u;          // normal, distance; before
const uint convex_words = 8u;         // motion and turn in this iteration, its first plane, behind its last one
const uint posed_words = 32u;         // rotation by rows, translation, size; the same before
const uint posed_translation = 9u;
const uint posed_size = 12u;
const uint posed_reach = 12u;  // of meshes, in their own unit of length
const uint posed_scale = 13u;  // of meshes and signed distance fields: m per unit of length
const uint posed_inverse = 14u;
const uint posed_asset = 15u;  // of meshes: the tree; of signed distance fields: the field
const uint posed_before = 16u;
const uint posed_rescales = 28u;  // of meshes: not 0 = the scale changes in the update
const uint posed_vertices = 31u;  // of meshes: rows of vertices where they are, 0 = between starts and targets

// Per mesh instance and particle, in arrays over the particles: the leaf of the nearest triangle, how many leaves are
// listed, those; then rows: where they were listed and how far it may go from there unseen; how far it may go until the
// list is void, how near other triangles are, and how near those that it is in front of.
const uint cached_triangles = 18u;
const uint cache_words = 20u;
const uint cache_bound_words = 8u;

const uint shapes_per_block = 16u;
const uint block_words = 8u;  // least x y z, greatest x y z

// Words of the header of a tree over triangles, in tables. Nodes are numbered as a heap: 1 is the root, 2k and
// 2k + 1 are the children of k. The first leaves have a triangle each; the others are empty.
const uint bvh_words = 24u;
const uint bvh_triangle_count = 0u;
const uint bvh_leaf_count = 1u;    // a power of two, 16 at least
const uint bvh_motion = 2u;        // float, m, how far a vertex moves in the update, at most
const uint bvh_nodes = 3u;         // two rows each
const uint bvh_vertex_words = 4u;  // of a list of vertices, a multiple of 16
const uint bvh_corners = 5u;       // rows per leaf: three vertices, and which triangle of the set, as floats
const uint bvh_starts = 7u;        // rows of vertices
const uint bvh_targets = 8u;       // the same as the starts where they do not move
const uint bvh_triangles = 9u;     // [3 triangles] vertices
const uint bvh_codes = 10u;        // [triangles] keys by which they are sorted
const uint bvh_order = 11u;        // [triangles] sorted
const uint bvh_slack = 12u;        // float, m, by which boxes are larger than triangles, for rounding
// While triangles are sorted: the level, the axis along which, how many triangles its nodes hold and how many cells
// there are along the axis, as powers of two; floats: the least coordinate, and cells per m.
const uint bvh_level = 13u;
const uint bvh_axis = 14u;
const uint bvh_node_bits = 15u;
const uint bvh_cell_bits = 16u;
const uint bvh_least = 17u;
const uint bvh_scale = 18u;
const uint bvh_level_words = 6u;

// Words of the header of a signed distance field, in tables: a grid of values at the nodes, in the field's unit of
// length, below 0 inside.
const uint sdf_words = 16u;
const uint sdf_counts = 0u;   // of nodes along x, y, z
const uint sdf_origin = 3u;   // floats, node 0 0 0
const uint sdf_spacing = 6u;  // float
const uint sdf_inverse = 7u;  // float, one over the spacing
const uint sdf_values = 8u;   // floats, x fastest

// Words per collision particle of a cloth that collides with cloth, in arrays over its collision particles: where its
// particle is stored; where it was when the stage began and its working inverse mass; its previous position; its rest
// position.
const uint set_particle = 0u;
const uint set_position = 1u;
const uint set_inverse_mass = 4u;
const uint set_previous = 5u;
const uint set_rest = 8u;       // and 1 where there is one
const uint set_contacts = 12u;  // how many others push it
const uint set_moved = 13u;     // where it was when they had, if there are any
const uint collision_particle_words = 16u;

// A node of the tree of boxes behind them: least x of its 16 children, least y, ..., greatest z.
const uint node_children = 16u;
const uint node_words = 96u;
const uint most_particle_bvh_levels = 5u;  // of 2^24 collision particles

// Arguments of gather_collision_particles.
const uint particles_in_world = 1u;
const uint particles_move = 2u;       // with previous positions
const uint particles_of_update = 4u;  // where they would have been when the update began, in place of those

// Argument of the kernels by which cloths collide: in an iteration. Otherwise it is the number of a pass at the
// update's end.
const uint inter_in_iteration = 0x100u;
const uint inter_restless = 0x200u;  // only cloths that did not pass their last test for sleep

// Arguments of the write_channel kernels.
const uint write_keep_w = 1u;   // exchange values have no w
const uint write_at_rest = 2u;  // positions: previous positions too, and no velocity

// Arguments of the read_channel kernels.
const uint read_vertices = 0x80000000u;
const uint read_element = 0x7fffffffu;  // bits of the element
const uint read_bias = 0x1000000u;      // 2^24, so that elements below 0 are possible: of items further on in a range
