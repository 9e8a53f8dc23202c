// shapes.h - the words of the shapes of a cloth, as they are in an iteration, and of its cache of nearest triangles.
// Part of kernels/types.h.

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
// Of mesh instances: rows of current vertex positions; 0 = they are interpolated between starts and targets.
const uint posed_vertices = 31u;

// Cache of what is around each particle, per mesh instance, in arrays of words over the particles; see
// nearest_cache.kernel.h.
const uint cache_words = 38u;
// Leaf of the triangle that was nearest in the last search.
const uint cached_nearest = 0u;
// The bvh_version for which the cache was filled; as floats, the bvh_odometer, the margin and the reach.
const uint cached_version = 1u;
const uint cached_odometer = 2u;
const uint cached_margin = 3u;
const uint cached_reach = 4u;
// The leaves of triangles that may be the nearest ones, and a lower bound on the distance of each as a float, by which
// they are sorted.
const uint cached_count = 5u;
const uint cached_leaves = 6u;
const uint cached_distances = 22u;
const uint cached_triangles = 16u;

// Rows of the bounds of the cache, per mesh instance, in arrays over the particles: 8 words per particle. The first row
// has the position at which the cache was filled, and how far the particle may be from there without any effect of the
// mesh. The second row has how far it may be from there until the cache is invalid, the distance up to which every
// triangle is cached, the same for triangles that the particle is in front of, and how far a path may be from there
// without going through a triangle.
const uint cache_bound_words = 8u;

const uint shapes_per_block = 16u;
// Least x y z, greatest x y z.
const uint block_words = 8u;
