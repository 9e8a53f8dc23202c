// colliders.h - the words of collider sets, and of the BVHs over triangles and the signed distance fields to which they
// refer. Part of kernels/types.h.

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

// Number of this state of the vertices and of their motion. No other state of any BVH of the solver has had it, and
// none has 0; but states between which the vertices creep, that is, move little and on from where they were, share one.
const uint bvh_version = 19u;
// Float, m, about as far as neighbouring triangles are from each other.
const uint bvh_spacing = 20u;
// Floats, m, upper bounds on how far a vertex has moved since the first state with this version: until the update's
// begin and until its end. 0 where the vertices do not creep.
const uint bvh_odometer = 21u;
const uint bvh_moved = 22u;

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
