// shapes.h - the words of the shapes of a cloth, as they are in an iteration, and of its cache of nearest triangles. Part
// of kernels/types.h.

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
