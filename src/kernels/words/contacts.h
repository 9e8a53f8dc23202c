// contacts.h - the words of contacts, and the arguments of the kernels that report them. Part of kernels/types.h.

// Words of a contact. The layout is that of the public clothc_contact.
const uint contact_words = 16u;
const uint contact_particle = 2u;
const uint contact_set = 3u;
const uint contact_kind = 4u;
const uint contact_shape = 5u;
const uint contact_part = 6u;
const uint contact_impulse = 7u;
const uint contact_point = 8u;
const uint contact_depth = 11u;
const uint contact_normal = 12u;

// Kinds of shapes in a contact.
const uint contact_convex = 1u;
const uint contact_box = 2u;
const uint contact_triangle = 3u;
const uint contact_mesh = 4u;
const uint contact_sdf = 5u;
const uint contact_capsule = 6u;
const uint contact_sphere = 7u;
const uint contact_ellipsoid = 8u;

// Kinds of collision, as contacts have them until they are finished.
const uint collision_convexes = 0u;
const uint collision_meshes = 1u;
const uint collision_sdfs = 2u;
const uint collision_curved = 3u;

// Arguments of the kernels by which cloth collides with shapes: particles are moved, or contacts are reported as well.
// One kernel does both, because drivers take seconds to compile each copy of the shapes.
const int collision_moves = 0;
const int collision_reports = 1;
const int collision_variants = 2;

// Arguments of rewind_for_report: saves the particles' state, begins to count contacts, goes back to the saved state.
const uint report_saves = 1u;
const uint report_counts = 2u;
const uint report_ends = 4u;
// Words that reports need per particle.
const uint report_words = 21u;
