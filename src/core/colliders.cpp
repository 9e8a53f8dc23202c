// colliders.cpp - checking, interpolation ends, and the layout that the collision kernels read.
#include "core/colliders.h"

#include <cstring>

#include "core/result.h"
#include "kernels/layout.h"

namespace clothc {
namespace {

constexpr uint32_t most_shapes = 1u << 24;

void check_spheres(const float* spheres, uint32_t count, const char* what) {
  for (uint32_t k = 0; k < count; ++k) {
    const float* s = spheres + 4 * size_t{k};
    CLOTHC_REQUIRE(in_range(s[0], -1e9f, 1e9f) && in_range(s[1], -1e9f, 1e9f) && in_range(s[2], -1e9f, 1e9f),
                   "%s %u has centre (%g, %g, %g); want finite values within +-1e9", what, k, static_cast<double>(s[0]),
                   static_cast<double>(s[1]), static_cast<double>(s[2]));
    CLOTHC_REQUIRE(in_range(s[3], 0, 1e9f), "%s %u has radius %g; radii must be finite, 0 to 1e9", what, k,
                   static_cast<double>(s[3]));
  }
}

void check_planes(const float* planes, uint32_t count, const char* what) {
  for (uint32_t k = 0; k < count; ++k) {
    const float* p = planes + 4 * size_t{k};
    const float length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    CLOTHC_REQUIRE(in_range(length, 0.999f, 1.001f),
                   "%s %u has a normal (%g, %g, %g) of length %g; want length 1 within 1e-3", what, k,
                   static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]),
                   static_cast<double>(length));
    CLOTHC_REQUIRE(in_range(p[3], -1e9f, 1e9f), "%s %u has distance %g; want a finite value within +-1e9", what, k,
                   static_cast<double>(p[3]));
  }
}

// The bits of a float or an integer.
template <class T>
uint32_t word_of(T value) {
  uint32_t word;
  static_assert(sizeof(value) == sizeof(word), "a word");
  std::memcpy(&word, &value, sizeof(word));
  return word;
}

}  // namespace

void ColliderSet::Moving::set(const float* new_targets, const float* new_starts, uint32_t count) {
  const size_t values = size_t{count} * 4;
  consumed.reserve(values);  // so that consume never allocates
  std::vector<float> next_targets(new_targets, new_targets + values);
  std::vector<float> next_starts(next_targets);
  if (new_starts != nullptr) {
    next_starts.assign(new_starts, new_starts + values);
  } else {
    for (size_t k = 0; k < values && k < consumed.size(); ++k) next_starts[k] = consumed[k];
  }
  targets.swap(next_targets);
  starts.swap(next_starts);
}

bool ColliderSet::Moving::consume() {
  consumed.assign(targets.begin(), targets.end());
  if (starts == targets) return false;
  starts.assign(targets.begin(), targets.end());
  return true;
}

bool ColliderSet::shows_same_as(const ColliderSet& other) const {
  const auto same = [](const Moving& a, const Moving& b) { return a.starts == b.starts && a.targets == b.targets; };
  return same(spheres, other.spheres) && same(planes, other.planes) && convex_ends == other.convex_ends &&
         convex_planes == other.convex_planes;
}

void check_shapes(const clothc_collider_shapes& shapes) {
  CLOTHC_REQUIRE(
      shapes.sphere_count <= most_shapes && shapes.plane_count <= most_shapes && shapes.convex_count <= most_shapes,
      "collider_shapes has %u spheres, %u planes, %u convexes; want at most 2^24 of each", shapes.sphere_count,
      shapes.plane_count, shapes.convex_count);
  CLOTHC_REQUIRE(shapes.sphere_count == 0 || shapes.spheres != nullptr,
                 "collider_shapes.spheres is null, but sphere_count is %u", shapes.sphere_count);
  CLOTHC_REQUIRE(shapes.plane_count == 0 || shapes.planes != nullptr,
                 "collider_shapes.planes is null, but plane_count is %u", shapes.plane_count);
  check_spheres(shapes.spheres, shapes.sphere_count, "sphere");
  if (shapes.sphere_starts != nullptr) check_spheres(shapes.sphere_starts, shapes.sphere_count, "sphere start");
  check_planes(shapes.planes, shapes.plane_count, "plane");
  if (shapes.plane_starts != nullptr) check_planes(shapes.plane_starts, shapes.plane_count, "plane start");
  if (shapes.convex_count == 0) return;
  CLOTHC_REQUIRE(shapes.convex_ends != nullptr && shapes.convex_planes != nullptr,
                 "collider_shapes.convex_ends or convex_planes is null, but convex_count is %u", shapes.convex_count);
  uint32_t begin = 0;
  for (uint32_t k = 0; k < shapes.convex_count; ++k) {
    const uint32_t end = shapes.convex_ends[k];
    CLOTHC_REQUIRE(end > begin && end <= most_shapes,
                   "convex_ends[%u] is %u; want above the one before it, %u (a convex has a plane), and at most 2^24",
                   k, end, begin);
    for (uint32_t p = begin; p < end; ++p) {
      CLOTHC_REQUIRE(shapes.convex_planes[p] < shapes.plane_count, "convex %u has plane %u; want below plane_count %u",
                     k, shapes.convex_planes[p], shapes.plane_count);
    }
    begin = end;
  }
}

void set_shapes(ColliderSet& set, const clothc_collider_shapes& shapes) {
  std::vector<uint32_t> ends;
  std::vector<uint32_t> planes;
  if (shapes.convex_count > 0) {
    ends.assign(shapes.convex_ends, shapes.convex_ends + shapes.convex_count);
    planes.assign(shapes.convex_planes, shapes.convex_planes + ends.back());
  } else {
    for (uint32_t k = 0; k < shapes.plane_count; ++k) {
      ends.push_back(k + 1);
      planes.push_back(k);
    }
  }
  ColliderSet::Moving spheres = set.spheres;
  ColliderSet::Moving new_planes = set.planes;
  spheres.set(shapes.spheres, shapes.sphere_starts, shapes.sphere_count);
  new_planes.set(shapes.planes, shapes.plane_starts, shapes.plane_count);
  set.spheres = std::move(spheres);
  set.planes = std::move(new_planes);
  set.convex_ends = std::move(ends);
  set.convex_planes = std::move(planes);
  set.changed = true;
}

namespace {

uint32_t power_of_two_above(uint32_t value) {
  uint32_t power = 1;
  while (power <= value && power < 1u << 31) power *= 2;
  return power;
}

}  // namespace

uint32_t ColliderSet::sphere_rounds() const { return sphere_count() == 0 ? 0 : power_of_two_above(sphere_count()); }

uint32_t ColliderSet::convex_rounds() const {
  if (convex_count() == 0) return 0;
  return power_of_two_above(convex_count() + static_cast<uint32_t>(convex_planes.size()));
}

uint32_t ColliderSet::word_count() const {
  return collider_words + static_cast<uint32_t>(2 * spheres.targets.size() + 2 * planes.targets.size() +
                                                convex_ends.size() + convex_planes.size());
}

void ColliderSet::pack(std::vector<uint32_t>& words) const {
  words.clear();
  words.resize(collider_words, 0);
  const auto append = [&](uint32_t header, const auto& values) {
    words[header] = table + static_cast<uint32_t>(words.size());
    for (const auto value : values) words.push_back(word_of(value));
  };
  words[collider_sphere_count] = sphere_count();
  words[collider_convex_count] = convex_count();
  append(collider_sphere_starts, spheres.starts);
  append(collider_sphere_targets, spheres.targets);
  append(collider_plane_starts, planes.starts);
  append(collider_plane_targets, planes.targets);
  append(collider_convex_ends, convex_ends);
  append(collider_convex_planes, convex_planes);
}

}  // namespace clothc
