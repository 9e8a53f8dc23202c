// primitives.h - the words of the sets of primitives of a cloth, which are its edges and its triangles. Part of
// kernels/types.h.

// The sets of a cloth.
const int edge_primitives = 0;
const int triangle_primitives = 1;
const int primitive_sets = 2;

// Words of the header of a set in tables, at the offset that the settings of the cloth give; that of the triangles is
// behind that of the edges.
const uint primitive_words = 8u;
// Number of primitives, without and with padding. The stride is a multiple of 16, and there is at least one padding
// primitive, whose corners are a padding particle.
const uint primitive_count = 0u;
const uint primitive_stride = 1u;
// topology: the storage indices of corner 0 of all primitives, then those of corner 1, and so on. Primitives are in an
// order in which 16 consecutive ones lie close together.
const uint primitive_corners = 2u;
// topology: the number by which fans name each primitive; 0 = its place in that order.
const uint primitive_numbers = 3u;
// topology: the primitives around each stored particle.
const uint primitive_fans = 4u;
// tables: least x of the primitives, their least y, ..., their greatest z, stride words each. Behind them are the nodes
// of a BVH over these boxes.
const uint primitive_boxes = 5u;
const uint primitive_levels = 6u;
// tables: for each number of a primitive, with how many primitives of the other set it intersects.
const uint primitive_intersections = 7u;

// The argument of refit_primitives is a set and a level of its BVH.
const uint primitive_level_shift = 8u;
