// colliders_test.cpp - collider sets: how shapes move from update to update, and how they are packed into words for the
// kernels.
#include "core/collision/collider_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "core/collision/shape_layout.h"
#include "core/base/structs.h"

namespace clothc::colliders_test {
namespace {

constexpr uint32_t table = 500;

std::vector<uint32_t> words_of(const ColliderSet& set) {
  std::vector<uint32_t> words;
  set.pack(words);
  return words;
}

// Returns `count` words of the array that a header word points to.
std::vector<uint32_t> array_of(const std::vector<uint32_t>& words, uint32_t header, uint32_t count) {
  const auto first = words.begin() + (words[header] - table);
  return {first, first + count};
}

std::vector<float> floats_of(const std::vector<uint32_t>& words, uint32_t header, uint32_t count) {
  std::vector<float> values(count);
  std::memcpy(values.data(), &words[words[header] - table], 4 * size_t{count});
  return values;
}

// Returns an asset with an unmistakable position in the tables arena.
const ColliderAsset& mesh_asset() {
  static const ColliderAsset mesh = [] {
    ColliderAsset asset;
    asset.bvh.table = 7000;
    asset.sdf_table = 1;
    return asset;
  }();
  return mesh;
}

const ColliderAsset& field_asset() {
  static const ColliderAsset field = [] {
    ColliderAsset asset;
    asset.is_sdf = true;
    asset.bvh.table = 2;
    asset.sdf_table = 9000;
    return asset;
  }();
  return field;
}

// Four spheres, of which sphere 1 is an end of all three capsules; three planes, two of which are in two convexes; and
// two SDF instances with a mesh instance between them.
struct Shapes {
  std::vector<float> spheres = {0, 0, 0, 1, 1, 0, 0, 2, 2, 0, 0, 3, 3, 0, 0, 4};
  std::vector<uint32_t> capsules = {0, 1, 1, 2, 2, 1};
  std::vector<float> planes = {1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7};
  std::vector<uint32_t> convex_ends = {2, 5};
  std::vector<uint32_t> convex_planes = {2, 0, 1, 0, 2};
  std::vector<float> ellipsoid = {1, 2, 3, 0, 0, 0, 1, 4, 5, 6};
  std::vector<float> boxes = {1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 3, 2, 1, 0, 0, 0, 1, 7, 8, 9};
  std::vector<float> vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::vector<uint32_t> triangles = {0, 1, 2, 2, 1, 0};
  std::vector<float> instances = {1, 0, 0, 0, 0, 0, 1, 2, 2, 0, 0, 0, 0, 0, 1, 3, 3, 0, 0, 0, 0, 0, 1, 4};
  std::vector<const ColliderAsset*> assets = {&field_asset(), &mesh_asset(), &field_asset()};

  clothc_collider_shapes description() const {
    clothc_collider_shapes shapes = make_default<clothc_collider_shapes>();
    shapes.sphere_count = static_cast<uint32_t>(spheres.size() / 4);
    shapes.spheres = spheres.data();
    shapes.capsule_count = static_cast<uint32_t>(capsules.size() / 2);
    shapes.capsules = capsules.data();
    shapes.plane_count = static_cast<uint32_t>(planes.size() / 4);
    shapes.planes = planes.data();
    shapes.convex_count = static_cast<uint32_t>(convex_ends.size());
    shapes.convex_ends = convex_ends.data();
    shapes.convex_planes = convex_planes.data();
    shapes.ellipsoid_count = static_cast<uint32_t>(ellipsoid.size() / 10);
    shapes.ellipsoids = ellipsoid.data();
    shapes.box_count = static_cast<uint32_t>(boxes.size() / 10);
    shapes.boxes = boxes.data();
    shapes.vertex_count = static_cast<uint32_t>(vertices.size() / 3);
    shapes.vertices = vertices.data();
    shapes.triangle_count = static_cast<uint32_t>(triangles.size() / 3);
    shapes.triangles = triangles.data();
    shapes.instance_count = static_cast<uint32_t>(instances.size() / 8);
    shapes.instances = instances.data();
    return shapes;
  }
};

ColliderSet set_of(const clothc_collider_shapes& shapes, const std::vector<const ColliderAsset*>& assets = {}) {
  ColliderSet set;
  set.table = table;
  set = with_shapes(set, shapes, assets.empty() ? Shapes().assets : assets);
  return set;
}

TEST(Colliders, counts_are_those_of_the_kernels_a_plane_of_two_convexes_twice) {
  const Shapes shapes;
  const ShapeCounts counts = set_of(shapes.description()).counts();
  ShapeCounts expected;
  expected.spheres = 4;
  expected.capsules = 3;
  expected.planes = 5;
  expected.convexes = expected.boxes = 2;
  expected.ellipsoids = 1;
  expected.meshes = 2;
  expected.sdfs = 2;
  expected.vertex_words = 16;
  EXPECT_TRUE(counts == expected);
  EXPECT_EQ(counts.all(), 21u);
  expected.sdfs = 1;
  EXPECT_FALSE(counts == expected);
  expected += expected;
  EXPECT_EQ(expected.sdfs, 2u);
  EXPECT_TRUE(ColliderSet().counts() == ShapeCounts());
}

TEST(Colliders, blocks_hold_sixteen_shapes_of_a_kind) {
  EXPECT_EQ(ShapeCounts::blocks_of(0), 0u);
  EXPECT_EQ(ShapeCounts::blocks_of(1), 1u);
  EXPECT_EQ(ShapeCounts::blocks_of(16), 1u);
  EXPECT_EQ(ShapeCounts::blocks_of(17), 2u);
  ShapeCounts counts;
  counts.spheres = 17;
  counts.capsules = 1;
  counts.boxes = 100;
  EXPECT_EQ(counts.blocks(), 3u);
}

TEST(Colliders, a_cloths_range_holds_its_shapes_blocks_and_caches_without_gaps) {
  ShapeCounts counts;
  counts.spheres = 17;
  counts.capsules = 3;
  counts.planes = 5;
  counts.convexes = counts.ellipsoids = counts.boxes = counts.meshes = 2;
  counts.sdfs = 4;
  const ShapeLayout layout(counts, 112);
  EXPECT_EQ(layout.spheres, 0u);
  EXPECT_EQ(layout.capsules, 17 * sphere_words);
  EXPECT_EQ(layout.planes, layout.capsules + 3 * capsule_words);
  EXPECT_EQ(layout.convexes, layout.planes + 5 * plane_words);
  EXPECT_EQ(layout.ellipsoids, layout.convexes + 2 * convex_words);
  EXPECT_EQ(layout.boxes, layout.ellipsoids + 2 * posed_words);
  EXPECT_EQ(layout.meshes, layout.boxes + 2 * posed_words);
  EXPECT_EQ(layout.sdfs, layout.meshes + 2 * posed_words);
  EXPECT_EQ(layout.sphere_blocks, layout.sdfs + 4 * posed_words);
  EXPECT_EQ(layout.capsule_blocks, layout.sphere_blocks + 2 * block_words);
  EXPECT_EQ(layout.triangle_cache, layout.capsule_blocks + 1 * block_words);
  EXPECT_EQ(layout.cache_bounds, layout.triangle_cache + 2 * cache_words * 112);
  EXPECT_EQ(layout.transformed_vertices, layout.cache_bounds + 2 * cache_bound_words * 112);
  EXPECT_EQ(layout.end, layout.transformed_vertices);
  EXPECT_EQ(ShapeLayout::words(counts, 112), layout.end);
}

TEST(Colliders, vertices_are_transformed_once_if_there_are_no_more_than_eight_per_particle) {
  constexpr uint32_t particles = 112, first = 1000;
  for (const uint64_t words :
       {uint64_t{16}, uint64_t{32} * particles, uint64_t{32} * particles + 16, uint64_t{1} << 33}) {
    ShapeCounts counts;
    counts.meshes = 1;
    counts.vertex_words = words;
    const ShapeLayout layout(counts, particles);
    const uint32_t placed = words <= 32 * particles ? static_cast<uint32_t>(words) : 0;
    EXPECT_EQ(layout.end, layout.transformed_vertices + placed) << words;
    EXPECT_EQ(ShapeLayout::words(counts, particles), layout.end) << words;
    GroupSettings settings = {};
    put_shapes(settings, counts, first, particles);
    EXPECT_EQ(settings.transformed_vertices, placed > 0 ? first + layout.transformed_vertices : 0) << words;
  }
}

TEST(Colliders, words_are_as_many_as_announced_and_the_arrays_lie_within_without_overlap) {
  const Shapes shapes;
  for (const ColliderSet& set : {set_of(shapes.description()), ColliderSet()}) {
    const std::vector<uint32_t> words = words_of(set);
    EXPECT_EQ(words.size(), set.word_count());
    uint32_t before = set.table + collider_words;
    for (const uint32_t header :
         {collider_sphere_starts, collider_sphere_targets, collider_ellipsoid_starts, collider_ellipsoid_targets,
          collider_box_starts, collider_box_targets, collider_sphere_links, collider_capsules, collider_plane_starts,
          collider_plane_targets, collider_convex_ends, collider_instance_starts, collider_instance_targets,
          collider_instance_assets}) {
      EXPECT_GE(words[header], before);
      EXPECT_LE(words[header], set.table + words.size());
      before = words[header];
    }
  }
}

TEST(Colliders, spheres_list_the_capsule_ends_that_they_are) {
  const Shapes shapes;
  const std::vector<uint32_t> words = words_of(set_of(shapes.description()));
  // The expected words are the positions at which the lists of the four spheres begin, the position at which the last
  // list ends, and the lists themselves with entries 2 * capsule + end.
  EXPECT_EQ(array_of(words, collider_sphere_links, 11), (std::vector<uint32_t>{5, 6, 9, 11, 11, 0, 1, 2, 5, 3, 4}));
  EXPECT_EQ(array_of(words, collider_capsules, 6), shapes.capsules);
}

TEST(Colliders, spheres_without_capsules_have_empty_lists) {
  Shapes shapes;
  shapes.capsules.clear();
  const std::vector<uint32_t> words = words_of(set_of(shapes.description()));
  EXPECT_EQ(array_of(words, collider_sphere_links, 5), (std::vector<uint32_t>{5, 5, 5, 5, 5}));
}

TEST(Colliders, planes_are_sorted_by_convex) {
  const Shapes shapes;
  const std::vector<uint32_t> words = words_of(set_of(shapes.description()));
  const std::vector<float> sorted = {0, 0, 1, 7, 1, 0, 0, 5, 0, 1, 0, 6, 1, 0, 0, 5, 0, 0, 1, 7};
  EXPECT_EQ(floats_of(words, collider_plane_starts, 20), sorted);
  EXPECT_EQ(floats_of(words, collider_plane_targets, 20), sorted);
  EXPECT_EQ(array_of(words, collider_convex_ends, 2), shapes.convex_ends);
}

TEST(Colliders, planes_without_convexes_are_half_spaces_of_their_own) {
  Shapes shapes;
  shapes.convex_ends.clear();
  const ColliderSet set = set_of(shapes.description());
  EXPECT_EQ(set.convex_ends, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(set.convex_planes, (std::vector<uint32_t>{0, 1, 2}));
}

TEST(Colliders, triangles_without_a_list_take_the_vertices_by_threes) {
  Shapes shapes;
  clothc_collider_shapes description = shapes.description();
  description.triangles = nullptr;
  description.triangle_count = 1;
  EXPECT_EQ(set_of(description).triangles, (std::vector<uint32_t>{0, 1, 2}));
}

TEST(Colliders, instances_of_meshes_come_before_those_of_sdfs_with_where_they_are) {
  const Shapes shapes;
  clothc_collider_shapes description = shapes.description();
  std::vector<float> starts = shapes.instances;
  for (float& value : starts) value *= 0.5f;
  description.instance_starts = starts.data();
  const std::vector<uint32_t> words = words_of(set_of(description));
  EXPECT_EQ(words[collider_mesh_count], 2u) << "with the triangles of the set";
  EXPECT_EQ(words[collider_sdf_count], 2u);
  EXPECT_EQ(array_of(words, collider_instance_assets, 6), (std::vector<uint32_t>{7000, 1, 9000, 0, 9000, 2}));
  const std::vector<float> sorted = {2, 0, 0, 0, 0, 0, 1, 3, 1, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 1, 4};
  EXPECT_EQ(floats_of(words, collider_instance_targets, 24), sorted);
  for (float& value : starts) value *= 2;
  std::vector<float> doubled = floats_of(words, collider_instance_starts, 24);
  for (float& value : doubled) value *= 2;
  EXPECT_EQ(doubled, sorted);
}

TEST(Colliders, instances_start_where_the_last_update_left_them) {
  Shapes shapes;
  ColliderSet set = set_of(shapes.description());
  EXPECT_FALSE(set.consume());
  const std::vector<float> first = shapes.instances;
  shapes.instances[7] = 0.5f;
  set = with_shapes(set, shapes.description(), shapes.assets);
  EXPECT_EQ(set.shapes[ColliderSet::instances].starts, first);
  EXPECT_EQ(words_of(set)[collider_flags], collider_moves);
  EXPECT_TRUE(set.consume());
  EXPECT_EQ(set.shapes[ColliderSet::instances].starts, shapes.instances);
  EXPECT_FALSE(set.consume());
}

TEST(Colliders, the_header_says_whether_shapes_move_and_where) {
  const Shapes shapes;
  clothc_collider_shapes description = shapes.description();
  EXPECT_EQ(words_of(set_of(description))[collider_flags], 0u);
  description.space = CLOTHC_COLLIDER_SPACE_WORLD;
  EXPECT_EQ(words_of(set_of(description))[collider_flags], collider_world);
  const std::vector<float> starts(20, 1.0f);
  description.box_starts = starts.data();
  EXPECT_EQ(words_of(set_of(description))[collider_flags], collider_world | collider_moves);
}

TEST(Colliders, shapes_start_where_the_last_update_left_them_unless_starts_are_given) {
  Shapes shapes;
  ColliderSet set = set_of(shapes.description());
  const std::vector<float> first = shapes.spheres;
  EXPECT_FALSE(set.consume()) << "new shapes stand still";
  shapes.spheres[0] = 0.5f;
  set = with_shapes(set, shapes.description(), shapes.assets);
  EXPECT_EQ(set.shapes[ColliderSet::spheres].starts, first);
  EXPECT_TRUE(set.shapes[ColliderSet::spheres].moves());
  shapes.spheres[0] = 0.75f;
  set = with_shapes(set, shapes.description(), shapes.assets);
  EXPECT_EQ(set.shapes[ColliderSet::spheres].starts, first) << "no update has used 0.5";
  EXPECT_TRUE(set.consume());
  EXPECT_EQ(set.shapes[ColliderSet::spheres].starts, shapes.spheres) << "at rest";
  EXPECT_FALSE(set.consume());
  clothc_collider_shapes description = shapes.description();
  description.sphere_starts = first.data();
  set = with_shapes(set, description, shapes.assets);
  EXPECT_EQ(set.shapes[ColliderSet::spheres].starts, first);
}

TEST(Colliders, shapes_that_are_new_start_at_their_targets_beside_old_ones_that_move) {
  Shapes shapes;
  ColliderSet set = set_of(shapes.description());
  set.consume();
  std::vector<float> expected = shapes.spheres;
  shapes.spheres[0] = 0.5f;
  const float added[] = {9, 9, 9, 9};
  shapes.spheres.insert(shapes.spheres.end(), added, added + 4);
  expected.insert(expected.end(), added, added + 4);
  set = with_shapes(set, shapes.description(), shapes.assets);
  EXPECT_EQ(set.shapes[ColliderSet::spheres].starts, expected);
}

TEST(Colliders, a_set_shows_the_same_only_when_nothing_about_its_shapes_differs) {
  const Shapes shapes;
  const ColliderSet set = set_of(shapes.description());
  EXPECT_TRUE(set.shows_same_as(set_of(shapes.description())));
  const auto differs = [&](auto change) {
    Shapes others;
    change(others);
    return !set.shows_same_as(set_of(others.description()));
  };
  EXPECT_TRUE(differs([](Shapes& s) { s.spheres[3] = 7; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.capsules[0] = 3; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.planes[3] = 7; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.convex_ends[0] = 1; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.convex_planes[0] = 1; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.ellipsoid[9] = 7; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.boxes[9] = 7; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.vertices[8] = 7; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.triangles[0] = 1; }));
  EXPECT_TRUE(differs([](Shapes& s) { s.instances[7] = 5; }));
  EXPECT_FALSE(set.shows_same_as(set_of(shapes.description(), {&field_asset(), &field_asset(), &mesh_asset()})));
  clothc_collider_shapes description = shapes.description();
  description.space = CLOTHC_COLLIDER_SPACE_WORLD;
  EXPECT_FALSE(set.shows_same_as(set_of(description)));
  description = shapes.description();
  description.triangle_reach = 0.5f;
  EXPECT_FALSE(set.shows_same_as(set_of(description)));
  const std::vector<float> starts(16, 1.0f);
  description = shapes.description();
  description.sphere_starts = starts.data();
  EXPECT_FALSE(set.shows_same_as(set_of(description)));
}

}  // namespace
}  // namespace clothc::colliders_test
