// types.h - plain structs that core, every backend and every kernel share, in the common subset of C++, CUDA and GLSL.
// All members are 4 bytes wide, so the layout is the same under C++ rules and std430; core asserts the sizes.
// The names input, output, filter, active, sample, common, half and fixed are reserved in GLSL: do not use them.

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
  float tether_stiffness;
  float tether_scale;
  float motion_stiffness;
  float motion_scale;
  float motion_bias;                    // m
  uint acceleration_filter_width;       // iterations
  uint flags;                           // cloth_has_...
  uint ordinal_low, ordinal_high;       // insertion ordinal, for the state hash
  uint first_particle;                  // of each block of the particles arena
  uint particle_count;                  // real particles
  uint padded_count;                    // particles with padding: a multiple of 16, at least one more
  uint phase_table, phase_count;        // tables: phase_words words per phase config
  uint collider_table, collider_count;  // tables: offset of each collider set's header
  uint constraint_first, constraint_second, constraint_rest, constraint_stiffness;  // fabric
  uint tether_count;                                                                // tethers per particle
  uint tether_stride;                               // fabric: from one tether of a particle to its next
  uint tether_anchor, tether_length, tether_order;  // fabric
  uint places;                                      // fabric: where each particle is stored; 0 = at its own index
  uint vertices;         // fabric: where each vertex's particle is stored; 0 = at the vertex's index
  uint vertex_count;     // of the mesh
  uint scratch;          // tables: 4 words per reduction lane, twice
  uint reduction_lanes;  // a multiple of 16
};

const uint cloth_has_acceleration = 1u;
const uint cloth_has_motion = 2u;
const uint cloth_has_velocity = 4u;  // velocities were set since the last update

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
  float iteration_dt;  // s, of the last iteration, 0 before the first
  uint reserved;
};

const uint status_non_finite = 1u;

// What the device carries from update to update.
struct ClothState {
  ClothStatus status;
  float solver_frequency;                // of the last update; another one empties the filter
  uint time_step_count;                  // entries in the filter
  uint time_step_next;                   // where the next entry goes
  uint non_finite_before;                // non_finite_count at the begin of the last update
  uint hash_low, hash_high;              // result of the hash kernels
  float time_steps[time_step_capacity];  // ring of iteration time steps, s
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
  float time;           // part of the update done at this iteration's end, 0..1
  float previous_time;  // the same at its begin
  uint iteration;
  uint iteration_count;  // 0 when the time step is 0
  uint running;          // this iteration is below iteration_count
};

struct ClothRecord {
  ClothSettings settings;
  ClothState state;
  ClothStep step;
};

// A piece of work for one kernel: items [begin, end) of its domain, in one cloth.
struct Work {
  uint kernel;
  uint cloth;       // slot
  uint begin, end;  // begin is a multiple of 16; lanes from end on may be computed but have no effect
  uint argument;    // of the kernel
};

// Words per phase config in the tables arena. The first four come from core, the others from begin_cloth.
const uint phase_words = 8u;
const uint phase_stiffness = 0u;
const uint phase_multiplier = 1u;
const uint phase_compression_limit = 2u;
const uint phase_stretch_limit = 3u;
const uint phase_rate = 4u;         // part of the error removed per iteration
const uint phase_soft_part = 5u;    // part of the limited error that is left alone
const uint phase_lower_error = 6u;  // 1 - 1 / compression limit
const uint phase_upper_error = 7u;  // 1 - 1 / stretch limit

// Words of a collider set's header in the tables arena: counts, and offsets of its arrays in tables.
const uint collider_words = 8u;
const uint collider_sphere_count = 0u;
const uint collider_sphere_starts = 1u;
const uint collider_sphere_targets = 2u;
const uint collider_plane_starts = 3u;
const uint collider_plane_targets = 4u;
const uint collider_convex_count = 5u;
const uint collider_convex_ends = 6u;
const uint collider_convex_planes = 7u;

// Arguments of the accept kernels.
const uint accept_keep_w = 1u;   // exchange values have no w
const uint accept_at_rest = 2u;  // positions: previous positions too, and no velocity

// Arguments of the present kernels.
const uint present_vertices = 0x80000000u;
const uint present_place = 0x7fffffffu;  // bits of the place
const uint present_bias = 0x1000000u;    // 2^24, so that places below 0 are possible: of items further on in a range
