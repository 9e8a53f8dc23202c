// arguments_test.cpp - the permitted shapes of a collider set. A refusal gives a message with the shape, the value seen
// and what is expected, and changes nothing. Shapes without extent are accepted.
#include <cmath>

#include "support/every_shape.h"
#include "support/refusals.h"

using namespace clothc_test;

namespace colliders_arguments_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ColliderArguments);

using S = clothc_collider_shapes;

std::string printed(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", static_cast<double>(value));
  return text;
}

// A cloth that lists a set with every kind of shape. Refused writes must not change it.
struct Refusing : Scene {
  clothc_collider_set_id set = 0;
  uint64_t hash_before = 0;
  std::vector<uint8_t> bytes_before;
  explicit Refusing(clothc_backend backend) : Scene(backend), set(make_set(*this, every_shape())) {
    list(*this, {set});
    step(3);
    hash_before = hash();
    bytes_before = snapshot();
  }
  void refuses(
      const std::function<void(Shapes&)>& spoil, const std::vector<std::string>& parts,
      const std::function<void(S&)>& spoil_desc = [](S&) {}) const {
    Shapes shapes = every_shape();
    shapes.start_here();
    spoil(shapes);
    S desc = shapes.desc();
    spoil_desc(desc);
    ASSERT_EQ(clothc_collider_set_write(solver, set, &desc), CLOTHC_ERROR_INVALID_ARGUMENT) << parts[0];
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(clothc_last_error_message()).find(part), std::string::npos)
          << "says \"" << clothc_last_error_message() << "\", without \"" << part << "\"";
    }
  }
  void refuses_desc(const std::function<void(S&)>& spoil, const std::vector<std::string>& parts) const {
    refuses([](Shapes&) {}, parts, spoil);
  }
  // Tries several bad values at one index of an array.
  void refuses_values(std::vector<float> Shapes::*array, size_t index, const std::vector<float>& values,
                      const std::vector<std::string>& parts) const {
    for (const float value : values) {
      std::vector<std::string> all = parts;
      all.push_back(printed(value));
      refuses([&](Shapes& s) { (s.*array)[index] = value; }, all);
    }
  }
  void expect_unchanged() const {
    EXPECT_EQ(hash(), hash_before);
    EXPECT_EQ(snapshot(), bytes_before);
  }
};

TEST_P(ColliderArguments, positions_sizes_and_rotations_out_of_range_are_refused_as_starts_and_as_targets) {
  Refusing scene(GetParam());
  const struct {
    std::vector<float> Shapes::*array;
    size_t width;
    const char *name, *position, *size;
  } kinds[] = {{&Shapes::spheres, 4, "sphere 1", "centre", "radius"},
               {&Shapes::sphere_starts, 4, "sphere start 1", "centre", "radius"},
               {&Shapes::ellipsoids, 10, "ellipsoid 1", "centre", "radii"},
               {&Shapes::ellipsoid_starts, 10, "ellipsoid start 1", "centre", "radii"},
               {&Shapes::boxes, 10, "box 1", "centre", "half sides"},
               {&Shapes::box_starts, 10, "box start 1", "centre", "half sides"},
               {&Shapes::vertices, 3, "collider vertex 1", "position", ""},
               {&Shapes::vertex_starts, 3, "collider vertex start 1", "position", ""},
               {&Shapes::instances, 8, "instance 1", "translation", "scale"},
               {&Shapes::instance_starts, 8, "instance start 1", "translation", "scale"}};
  for (const auto& kind : kinds) {
    const auto refuses = [&](size_t component, const std::vector<float>& values, std::vector<std::string> parts) {
      parts.push_back(kind.name);
      for (const float value : values) {
        parts.push_back(printed(value));
        scene.refuses(
            // The second shape of each kind is bad.
            [&](Shapes& s) {
              for (auto* posed : {&s.ellipsoids, &s.ellipsoid_starts, &s.boxes, &s.box_starts}) {
                const std::vector<float> first = *posed;
                posed->insert(posed->end(), first.begin(), first.end());
              }
              (s.*kind.array)[kind.width + component] = value;
            },
            parts);
        parts.pop_back();
      }
    };
    for (size_t axis = 0; axis < 3; ++axis) {
      refuses(axis, outside(-1e9f, 1e9f), {kind.position, "want finite values within +-1e9"});
    }
    if (kind.width == 4) refuses(3, outside(0, 1e9f), {kind.size, "must be finite, 0 to 1e9"});
    for (size_t k = 0; k < 3 && kind.width == 10; ++k) {
      refuses(7 + k, outside(0, 1e9f), {kind.size, "want finite values, 0 to 1e9"});
    }
    if (kind.width == 8) refuses(7, outside(1e-3f, 1e3f), {kind.size, "want 1e-3 to 1e3"});
    for (size_t k = 3; k < 7 && kind.width >= 8; ++k) {
      refuses(k, {not_a_number, infinity, -infinity, 1.01f, -1e30f},
              {"rotation", "of length", "a quaternion x y z w of length 1"});
    }
  }
  scene.refuses([](Shapes& s) { s.boxes[4] = s.boxes[6] = 0; }, {"box 0", "(0, 0, 0, 0), of length 0"});
  scene.expect_unchanged();
}

TEST_P(ColliderArguments, planes_out_of_range_are_refused_as_starts_and_as_targets) {
  Refusing scene(GetParam());
  const std::pair<std::vector<float> Shapes::*, const char*> arrays[] = {{&Shapes::planes, "plane 1 has"},
                                                                         {&Shapes::plane_starts, "plane start 1 has"}};
  for (const auto& array : arrays) {
    scene.refuses_values(array.first, 7, outside(-1e9f, 1e9f), {array.second, "distance"});
    for (const size_t axis : {4u, 5u, 6u}) {
      scene.refuses_values(array.first, axis, {not_a_number, infinity, -1.01f, 1e30f},
                           {array.second, "a normal", "want length 1 within 1e-3"});
    }
    scene.refuses_values(array.first, 5, {0.0f, 0.998f, 1.002f, -1.002f}, {array.second, "a normal", "of length"});
  }
  scene.expect_unchanged();
}

TEST_P(ColliderArguments, arrays_that_are_missing_or_too_long_are_refused_by_name) {
  Refusing scene(GetParam());
  const struct {
    const char *array, *count_name;
    uint32_t S::*count;
    std::function<void(S&)> remove;
  } cases[] = {{"spheres is null", "sphere_count", &S::sphere_count, [](S& s) { s.spheres = nullptr; }},
               {"planes is null", "plane_count", &S::plane_count, [](S& s) { s.planes = nullptr; }},
               {"convex_ends is null", "convex_count", &S::convex_count, [](S& s) { s.convex_ends = nullptr; }},
               {"convex_planes is null", "convex_count", nullptr, [](S& s) { s.convex_planes = nullptr; }},
               {"capsules is null", "capsule_count", &S::capsule_count, [](S& s) { s.capsules = nullptr; }},
               {"ellipsoids is null", "ellipsoid_count", &S::ellipsoid_count, [](S& s) { s.ellipsoids = nullptr; }},
               {"boxes is null", "box_count", &S::box_count, [](S& s) { s.boxes = nullptr; }},
               {"vertices is null", "vertex_count", &S::vertex_count, [](S& s) { s.vertices = nullptr; }},
               {"instances is null", "instance_count", &S::instance_count, [](S& s) { s.instances = nullptr; }},
               {"instance_assets is null", "instance_count", nullptr, [](S& s) { s.instance_assets = nullptr; }}};
  for (const auto& c : cases) {
    const bool of_instances = std::string(c.count_name) == "instance_count";
    const uint32_t S::*count = c.count != nullptr ? c.count : of_instances ? &S::instance_count : &S::convex_count;
    if (c.remove != nullptr) {
      const uint32_t had = every_shape().desc().*count;
      scene.refuses_desc(c.remove, {c.array, c.count_name + (" is " + std::to_string(had))});
    }
    if (c.count == nullptr) continue;
    for (const uint32_t many : {(1u << 24) + 1, 0xffffffffu}) {
      scene.refuses_desc([&](S& s) { s.*c.count = many; },
                         {c.count_name + (" is " + std::to_string(many)), "want at most 2^"});
    }
  }
  for (const uint32_t many : {(1u << 23) + 1, 0xffffffffu}) {
    scene.refuses_desc([&](S& s) { s.triangle_count = many; },
                       {"collider triangle", std::to_string(many), "want at most 2^23"});
  }
  scene.expect_unchanged();
}

TEST_P(ColliderArguments, capsules_convexes_and_triangles_of_what_is_not_there_are_refused) {
  Refusing scene(GetParam());
  for (const size_t end : {0u, 1u}) {
    for (const uint32_t bad : {3u, 0xffffffffu}) {
      scene.refuses([=](Shapes& s) { s.capsules[end] = bad; },
                    {"capsule 0", std::to_string(bad), "want below sphere_count 3"});
    }
  }
  scene.refuses(
      [](Shapes& s) {
        s.capsules = {0, 1, 2, 2};
      },
      {"capsule 1 joins sphere 2 with itself", "two different spheres"});
  scene.refuses([](Shapes& s) { s.spheres.clear(); }, {"capsule 0 joins spheres 0 and 1", "sphere_count 0"});
  scene.refuses([](Shapes& s) { s.convex_ends = {1, 1}; }, {"convex_ends[1] is 1", "a convex has a plane"});
  scene.refuses([](Shapes& s) { s.convex_ends = {0, 6}; }, {"convex_ends[0] is 0"});
  // The six elements of convex_planes are not read up to an end that a later one contradicts.
  scene.refuses(
      [](Shapes& s) {
        s.convex_ends = {1'000'000, 6};
      },
      {"convex_ends[1] is 6", "the one before it, 1000000"});
  scene.refuses([](Shapes& s) { s.convex_ends[1] = (1u << 24) + 1; }, {"convex_ends[1] is 16777217", "at most 2^24"});
  scene.refuses([](Shapes& s) { s.convex_planes[4] = 6; }, {"convex 1 has plane 6", "want below plane_count 6"});
  for (const size_t corner : {51u, 52u, 53u}) {
    for (const uint32_t bad : {16u, 0xffffffffu}) {
      scene.refuses([=](Shapes& s) { s.triangles[corner] = bad; },
                    {"collider triangle 17", std::to_string(bad), "want below vertex_count 16"});
    }
  }
  scene.refuses_desc([](S& s) { s.vertex_count = 0; }, {"collider triangle 0", "vertex_count 0"});
  scene.refuses_desc([](S& s) { s.triangles = nullptr; },
                     {"triangles are 18", "without a triangles array", "16 vertices are too few"});
  scene.refuses_desc([](S& s) { s.triangles = nullptr, s.triangle_count = 6; }, {"triangles are 6", "3 for each"});
  scene.expect_unchanged();
  const Shapes shapes = every_shape();
  S five = shapes.desc();
  five.triangles = nullptr, five.triangle_count = 5;
  EXPECT_OK(clothc_collider_set_write(scene.solver, scene.set, &five));
}

TEST_P(ColliderArguments, reaches_spaces_and_reserved_words_are_checked) {
  Refusing scene(GetParam());
  for (const float reach : {0.0f, -0.0f, -1.0f, -infinity, not_a_number}) {
    scene.refuses_desc([=](S& s) { s.triangle_reach = reach; },
                       {"triangle_reach is " + printed(reach), "want above 0, or INFINITY"});
  }
  for (const uint32_t space : {2u, 0xffffffffu}) {
    scene.refuses_desc([=](S& s) { s.space = space; },
                       {"space is " + std::to_string(space), "one of CLOTHC_COLLIDER_SPACE_"});
  }
  scene.refuses_desc([](S& s) { s.reserved = 7; }, {"reserved is 7; want 0"});
  scene.refuses_desc([](S& s) { s.reserved_instances = 9; }, {"reserved_instances is 9; want 0"});
  scene.expect_unchanged();
  for (const float reach : {1e-38f, 1e30f, infinity}) {
    Shapes shapes = every_shape();
    shapes.triangle_reach = reach;
    write(scene, scene.set, shapes);
    scene.step();
    EXPECT_EQ(scene.status(scene.cloth).non_finite_count, 0u) << "reach " << reach;
  }
  Shapes of_instances;
  of_instances.instances = every_shape().instances, of_instances.instance_assets = every_shape().instance_assets;
  of_instances.triangle_reach = 0;
  const S of_instances_desc = of_instances.desc();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_collider_set_write(scene.solver, scene.set, &of_instances_desc),
               "triangle_reach is 0");
  Shapes none;
  // The reach does not matter without triangles.
  none.triangle_reach = -1;
  write(scene, scene.set, none);
}

// Returns shapes without extent that contain particles of the sheet, which are 0.25 m apart at a height of 1 m.
std::vector<std::pair<const char*, Shapes>> flat_shapes() {
  std::vector<std::pair<const char*, Shapes>> all;
  const auto add = [&](const char* name) -> Shapes& { return all.emplace_back(name, Shapes{}), all.back().second; };
  add("spheres of no radius").spheres = {0.25f, 1, 0.25f, 0, 0.5f, 1, 0.5f, 0};
  Shapes& capsules = add("capsules of coincident ends");
  capsules.spheres = {0.25f, 1, 0.25f, 0.1f, 0.25f, 1, 0.25f, 0.1f, 0.25f, 1, 0.25f, 0};
  capsules.capsules = {0, 1, 1, 2, 2, 0};
  Shapes& points = add("capsules of no radius");
  points.spheres = {0.25f, 1, 0.25f, 0, 0.75f, 1, 0.75f, 0, 0.25f, 1, 0.25f, 0};
  points.capsules = {0, 1, 0, 2};
  Shapes& inner = add("a capsule with one end inside the other");
  inner.spheres = {0.25f, 1, 0.25f, 0.5f, 0.5f, 1, 0.25f, 0.25f};
  inner.capsules = {0, 1};
  add("ellipsoids of no radius").ellipsoids = {0.25f, 1, 0.25f, 0, 0, 0, 1,     0, 0,      0,  //
                                               0.5f,  1, 0.5f,  0, 0, 0, 1,     0, 1,      1,  //
                                               0.5f,  1, 0.5f,  1, 0, 0, 1e-4f, 1, 1e-30f, 1};
  add("boxes of no size").boxes = {0.25f, 1, 0.25f, 0, 0, 0, 1, 0, 0, 0, 0.5f, 1, 0.5f, 0, 0, 0, 1, 1, 0, 1};
  Shapes& triangles = add("triangles of no area");
  triangles.vertices = {0.25f, 1, 0.25f, 0.5f, 1, 0.25f, 0.75f, 1, 0.25f, 0.25f, 1, 0.25f};
  triangles.triangles = {0, 0, 0, 0, 1, 2, 0, 3, 0, 1, 1, 2};
  triangles.triangle_reach = infinity;
  Shapes& tiny = add("triangles of next to no area");
  tiny.vertices = {0.25f,  1, 0.25f,  0.25f, 1, 0.25f + 3e-8f, 0.25f + 3e-8f, 1, 0.25f, 0, 0, 0, 0,
                   1e-38f, 0, 1e-38f, 0,     0};
  tiny.triangles = {0, 1, 2, 3, 4, 5};
  Shapes& huge = add("huge shapes");
  huge.spheres = {0, -1e9f, 0, 1e9f, 1e9f, 1e9f, 1e9f, 1e9f};
  huge.capsules = {0, 1};
  huge.ellipsoids = {0, 0, 1e9f, 0, 0, 0, 1, 1e9f, 1, 1e9f};
  huge.boxes = {0, -1e9f, 0, 0, 0, 0, 1, 1e9f, 1e9f, 1e9f};
  huge.vertices = {-1e9f, 0, -1e9f, -1e9f, 0, 1e9f, 1e9f, 0, 0};
  huge.triangles = {0, 1, 2};
  Shapes& small = add("assets that are tiny");
  small.instances = {0.25f, 1, 0.25f, 0, 0, 0, 1, 1e-3f, 0.5f, 1, 0.5f, 0, 0, 0, 1, 1e-3f};
  small.instance_starts = {0.25f, 1, 0.25f, 0, 0, 0, -1, 1e3f, 0.5f, 1, 0.5f, 0, 0, 0, -1, 1e3f};
  small.instance_assets = {first_mesh, first_sdf};
  Shapes& far = add("assets that are huge");
  far.instances = {-1e9f, 0, 1e9f, 1, 0, 0, 0, 1e3f, 0, 0, 0, 1, 0, 0, 0, 1e3f};
  far.instance_starts = {0, 0, 0, 0, 1, 0, 0, 1e3f, 1e9f, 1e9f, 0, 0, 1, 0, 0, 1e3f};
  far.instance_assets = {first_mesh, first_sdf};
  far.triangle_reach = infinity;
  Shapes& half_turn = add("a half turn");
  half_turn.ellipsoids = {0.5f, 1, 0.5f, 1, 0, 0, 0, 0.2f, 0.1f, 0.2f};
  half_turn.ellipsoid_starts = {0.5f, 1, 0.5f, 0, 1, 0, 0, 0.2f, 0.1f, 0.2f};
  half_turn.boxes = {0.5f, 1, 0.5f, 0, 0, 0, 1, 0.2f, 0.1f, 0.2f};
  half_turn.box_starts = {0.5f, 1, 0.5f, 0, 0, 0, -1, 0.2f, 0.1f, 0.2f};
  return all;
}

TEST_P(ColliderArguments, shapes_without_extent_are_taken_and_never_make_a_state_non_finite) {
  const Scene lender(GetParam());
  for (const uint32_t flags : {0u, uint32_t{CLOTHC_COLLISION_CONTINUOUS | CLOTHC_COLLISION_VIRTUAL_PARTICLES}}) {
    for (const auto& shapes : flat_shapes()) {
      SCOPED_TRACE(std::string(shapes.first) + ", flags " + std::to_string(flags));
      Scene scene(SceneOptions(GetParam()), &lender);
      list(scene, {make_set(scene, shapes.second)});
      scene.change_parameters(scene.cloth, [&](auto& p) {
        p.collision_flags = flags, p.friction = 1, p.collision_mass_scale = flags != 0 ? 1e12f : 0.0f;
      });
      scene.step(10);
      EXPECT_EQ(scene.status(scene.cloth).non_finite_count, 0u);
      for (const float x : scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth)) ASSERT_TRUE(std::isfinite(x));
    }
  }
}

}  // namespace
}  // namespace colliders_arguments_test
