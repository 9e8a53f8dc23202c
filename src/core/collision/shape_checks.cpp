// shape_checks.cpp - checks the shapes of a collider set as a caller passed them.
#include <cmath>

#include "core/collision/collider_set.h"
#include "core/base/result.h"

namespace clothc {
namespace {

constexpr uint32_t most_shapes = 1u << 24;

void check_count(uint32_t count, const void* data, const char* field, const char* count_field) {
  CLOTHC_REQUIRE(count <= most_shapes, "collider_shapes.%s is %u; want at most 2^24", count_field, count);
  CLOTHC_REQUIRE(count == 0 || data != nullptr, "collider_shapes.%s is null, but %s is %u", field, count_field, count);
}

void check_position(const float* x, const char* what, uint32_t k, const char* name) {
  CLOTHC_REQUIRE(in_range(x[0], -1e9f, 1e9f) && in_range(x[1], -1e9f, 1e9f) && in_range(x[2], -1e9f, 1e9f),
                 "%s %u has %s (%g, %g, %g); want finite values within +-1e9", what, k, name, as_double(x[0]),
                 as_double(x[1]), as_double(x[2]));
}

void check_spheres(const float* spheres, uint32_t count, const char* what) {
  for (uint32_t k = 0; k < count; ++k) {
    const float* s = spheres + 4 * size_t{k};
    check_position(s, what, k, "centre");
    CLOTHC_REQUIRE(in_range(s[3], 0, 1e9f), "%s %u has radius %g; radii must be finite, 0 to 1e9", what, k,
                   as_double(s[3]));
  }
}

void check_planes(const float* planes, uint32_t count, const char* what) {
  for (uint32_t k = 0; k < count; ++k) {
    const float* p = planes + 4 * size_t{k};
    const float length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    CLOTHC_REQUIRE(in_range(length, 0.999f, 1.001f),
                   "%s %u has a normal (%g, %g, %g) of length %g; want length 1 within 1e-3", what, k, as_double(p[0]),
                   as_double(p[1]), as_double(p[2]), as_double(length));
    CLOTHC_REQUIRE(in_range(p[3], -1e9f, 1e9f), "%s %u has distance %g; want a finite value within +-1e9", what, k,
                   as_double(p[3]));
  }
}

void check_rotation(const float* q, const char* what, uint32_t k) {
  const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  CLOTHC_REQUIRE(in_range(length, 0.999f, 1.001f),
                 "%s %u has rotation (%g, %g, %g, %g), of length %g; want a quaternion x y z w of length 1 within 1e-3",
                 what, k, as_double(q[0]), as_double(q[1]), as_double(q[2]), as_double(q[3]), as_double(length));
}

// Checks shapes that consist of a centre, a rotation and three sizes.
void check_posed(const float* shapes, uint32_t count, const char* what, const char* size) {
  for (uint32_t k = 0; k < count; ++k) {
    const float* s = shapes + 10 * size_t{k};
    check_position(s, what, k, "centre");
    check_rotation(s + 3, what, k);
    CLOTHC_REQUIRE(in_range(s[7], 0, 1e9f) && in_range(s[8], 0, 1e9f) && in_range(s[9], 0, 1e9f),
                   "%s %u has %s (%g, %g, %g); want finite values, 0 to 1e9", what, k, size, as_double(s[7]),
                   as_double(s[8]), as_double(s[9]));
  }
}

void check_ellipsoids(const float* ellipsoids, uint32_t count, const char* what) {
  check_posed(ellipsoids, count, what, "radii");
}

void check_boxes(const float* boxes, uint32_t count, const char* what) {
  check_posed(boxes, count, what, "half sides");
}

void check_vertices(const float* vertices, uint32_t count, const char* what) {
  for (uint32_t k = 0; k < count; ++k) check_position(vertices + 3 * size_t{k}, what, k, "position");
}

void check_capsules(const clothc_collider_shapes& shapes) {
  for (uint32_t k = 0; k < shapes.capsule_count; ++k) {
    const uint32_t a = shapes.capsules[2 * size_t{k}];
    const uint32_t b = shapes.capsules[2 * size_t{k} + 1];
    CLOTHC_REQUIRE(a < shapes.sphere_count && b < shapes.sphere_count,
                   "capsule %u joins spheres %u and %u; want below sphere_count %u", k, a, b, shapes.sphere_count);
    CLOTHC_REQUIRE(a != b, "capsule %u joins sphere %u with itself; want two different spheres", k, a);
  }
}

void check_convexes(const clothc_collider_shapes& shapes) {
  if (shapes.convex_count == 0) return;
  CLOTHC_REQUIRE(shapes.convex_planes != nullptr, "collider_shapes.convex_planes is null, but convex_count is %u",
                 shapes.convex_count);
  uint32_t begin = 0;
  // All ends come first: convex_planes has only as many elements as the last end says.
  for (uint32_t k = 0; k < shapes.convex_count; ++k) {
    const uint32_t end = shapes.convex_ends[k];
    CLOTHC_REQUIRE(end > begin && end <= most_shapes,
                   "convex_ends[%u] is %u; want above the one before it, %u (a convex has a plane), and at most 2^24",
                   k, end, begin);
    begin = end;
  }
  begin = 0;
  for (uint32_t k = 0; k < shapes.convex_count; ++k) {
    const uint32_t end = shapes.convex_ends[k];
    for (uint32_t p = begin; p < end; ++p) {
      CLOTHC_REQUIRE(shapes.convex_planes[p] < shapes.plane_count, "convex %u has plane %u; want below plane_count %u",
                     k, shapes.convex_planes[p], shapes.plane_count);
    }
    begin = end;
  }
}

void check_triangles_and_reach(const clothc_collider_shapes& shapes) {
  check_triangles(shapes.vertex_count, shapes.triangle_count, shapes.triangles, "collider triangle");
  if (shapes.triangle_count == 0 && shapes.instance_count == 0) return;
  CLOTHC_REQUIRE(shapes.triangle_reach > 0, "collider_shapes.triangle_reach is %g; want above 0, or INFINITY",
                 as_double(shapes.triangle_reach));
}

void check_instances(const float* instances, uint32_t count, const char* what) {
  for (uint32_t k = 0; k < count; ++k) {
    const float* s = instances + 8 * size_t{k};
    check_position(s, what, k, "translation");
    check_rotation(s + 3, what, k);
    CLOTHC_REQUIRE(in_range(s[7], 1e-3f, 1e3f), "%s %u has scale %g; want 1e-3 to 1e3", what, k, as_double(s[7]));
  }
}

}  // namespace

void check_shapes(const clothc_collider_shapes& shapes) {
#define CLOTHC_SHAPE_ARRAY(kind, plural, width, sent, name) \
  check_count(shapes.kind##_count, shapes.plural, #plural, #kind "_count");
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_ARRAY
  check_count(shapes.convex_count, shapes.convex_ends, "convex_ends", "convex_count");
  check_count(shapes.capsule_count, shapes.capsules, "capsules", "capsule_count");
  check_count(shapes.instance_count, shapes.instance_assets, "instance_assets", "instance_count");
  CLOTHC_REQUIRE(shapes.space <= CLOTHC_COLLIDER_SPACE_WORLD,
                 "collider_shapes.space is %u; want one of CLOTHC_COLLIDER_SPACE_...", shapes.space);
  CLOTHC_REQUIRE(shapes.reserved == 0, "collider_shapes.reserved is %u; want 0", shapes.reserved);
  CLOTHC_REQUIRE(shapes.reserved_instances == 0, "collider_shapes.reserved_instances is %u; want 0",
                 shapes.reserved_instances);
#define CLOTHC_SHAPE_ARRAY(kind, plural, width, sent, name)  \
  check_##plural(shapes.plural, shapes.kind##_count, #name); \
  if (shapes.kind##_starts != nullptr) check_##plural(shapes.kind##_starts, shapes.kind##_count, #name " start");
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_ARRAY
  check_capsules(shapes);
  check_convexes(shapes);
  check_triangles_and_reach(shapes);
}

}  // namespace clothc
