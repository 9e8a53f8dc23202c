// triangle_bvh_test.cpp - the shape of a BVH over triangles, its position in the tables arena, and its jobs.
#include "core/collision/triangle_bvh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/collision/collider_set.h"

namespace clothc::triangle_bvh_test {
namespace {

constexpr uint32_t table = 1000;

TriangleBvh make_bvh(uint32_t triangles, uint32_t vertices = 5) {
  TriangleBvh bvh;
  bvh.shape(triangles, vertices);
  bvh.table = table;
  return bvh;
}

float float_of(uint32_t word) {
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

TEST(TriangleBvh, leaves_are_a_power_of_two_with_a_triangle_each) {
  const struct {
    uint32_t triangles, leaves;
  } cases[] = {{1, 16},
               {3, 16},
               {16, 16},
               {17, 32},
               {48, 64},
               {64, 64},
               {65, 128},
               {10000, 16384},
               {1u << 14, 1u << 14},
               {1u << 23, 1u << 23}};
  for (const auto& c : cases) EXPECT_EQ(make_bvh(c.triangles).leaf_count, c.leaves) << c.triangles;
}

TEST(TriangleBvh, of_no_triangles_is_empty) {
  TriangleBvh bvh = make_bvh(20);
  bvh.targets_sent = bvh.built = true;
  bvh.shape(0, 7);
  EXPECT_EQ(bvh.word_count(), 0u);
  EXPECT_EQ(bvh.triangle_count, 0u);
  EXPECT_FALSE(bvh.targets_sent || bvh.built);
}

TEST(TriangleBvh, begins_anew_without_a_range_when_its_triangles_are_others) {
  TriangleBvh bvh = make_bvh(20);
  bvh.table_words = bvh.word_count();
  bvh.targets_at = 1;
  bvh.targets_sent = bvh.has_consumed = bvh.built = true;
  bvh.changed = false;
  bvh.shape(21, 9);
  EXPECT_TRUE(bvh.table == 0 && bvh.table_words == 0 && bvh.targets_at == 0);
  EXPECT_FALSE(bvh.targets_sent || bvh.has_consumed || bvh.built);
  EXPECT_TRUE(bvh.changed);
}

TEST(TriangleBvh, parts_lie_one_behind_another_and_contain_all_that_lanes_access) {
  for (const uint32_t triangles : {1u, 3u, 16u, 48u, 49u, 10000u}) {
    const uint32_t vertices = triangles + 2;
    const TriangleBvh bvh = make_bvh(triangles, vertices);
    const uint32_t lanes = (triangles + 15) / 16 * 16;
    const uint32_t vertex_words = (4 * vertices + 15) / 16 * 16;
    const uint32_t leaves = bvh.leaf_count;
    const struct {
      uint32_t begin, words;
    } parts[] = {{table, bvh_words},
                 {bvh.rows(0), vertex_words},
                 {bvh.rows(1), vertex_words},
                 {bvh.triangles(), 3 * lanes},
                 {bvh.codes(), lanes},
                 {bvh.order(), lanes},
                 {bvh.scratch(), (sort_scratch_words(triangles) + 15) / 16 * 16},
                 {bvh.corners(), 4 * leaves}};
    uint32_t next = table;
    for (const auto& part : parts) {
      EXPECT_EQ(part.begin, next) << triangles;
      next += part.words;
    }
    // The nodes form a heap with two rows per node. The root's children lie at a multiple of 16 words, wherever the BVH
    // begins.
    EXPECT_EQ(bvh.nodes() % 16, 0u);
    EXPECT_TRUE(next <= bvh.nodes() && bvh.nodes() < next + 16) << triangles;
    EXPECT_LE(bvh.nodes() + 2 * 4 * 2 * leaves, bvh.end());
    EXPECT_EQ(bvh.word_count(), bvh.end() - table);
    TriangleBvh elsewhere = bvh;
    elsewhere.table += 3;
    EXPECT_EQ(elsewhere.word_count(), bvh.word_count());
  }
}

TEST(TriangleBvh, the_header_says_where_the_parts_are) {
  TriangleBvh bvh = make_bvh(49, 3);
  const float targets[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::vector<uint32_t> words;
  bvh.pack_header(targets, nullptr, 1, false, words);
  ASSERT_EQ(words.size(), bvh_words);
  EXPECT_EQ(words[bvh_triangle_count], 49u);
  EXPECT_EQ(words[bvh_leaf_count], 64u);
  EXPECT_EQ(float_of(words[bvh_motion]), 0.0f);
  EXPECT_EQ(words[bvh_nodes], bvh.nodes());
  EXPECT_EQ(words[bvh_vertex_words], 16u);
  EXPECT_EQ(words[bvh_corners], bvh.corners());
  EXPECT_EQ(words[bvh_triangles], bvh.triangles());
  EXPECT_EQ(words[bvh_codes], bvh.codes());
  EXPECT_EQ(words[bvh_order], bvh.order());
}

TEST(TriangleBvh, vertices_that_stand_still_start_at_their_targets_others_in_the_other_array) {
  TriangleBvh bvh = make_bvh(1, 3);
  const float vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::vector<uint32_t> words;
  for (const uint32_t index : {0u, 1u}) {
    bvh.targets_at = index;
    bvh.pack_header(vertices, nullptr, 1, false, words);
    EXPECT_EQ(words[bvh_targets], bvh.rows(index));
    EXPECT_EQ(words[bvh_starts], bvh.rows(index));
    bvh.pack_header(vertices, vertices, 1, false, words);
    EXPECT_EQ(words[bvh_targets], bvh.rows(index));
    EXPECT_EQ(words[bvh_starts], bvh.rows(1 - index));
  }
}

TEST(TriangleBvh, the_slack_grows_with_the_distance_from_the_origin) {
  TriangleBvh bvh = make_bvh(1, 3);
  const float targets[9] = {-1, 2, 3, 1, 2, 3, 0, 6, 3};
  const float starts[9] = {-20, 2, 3, 1, 2, 3, 0, 6, 3};
  std::vector<uint32_t> words;
  bvh.pack_header(targets, nullptr, 1, false, words);
  EXPECT_FLOAT_EQ(float_of(words[bvh_slack]), 6e-5f);
  bvh.pack_header(targets, starts, 1, false, words);
  EXPECT_FLOAT_EQ(float_of(words[bvh_slack]), 20e-5f);
}

// The version and the two words of the odometer of a header, where the first of three vertices moves by so much in x.
struct Motion {
  uint32_t version;
  float begin, end;
};
Motion motion_of(TriangleBvh& bvh, float distance, uint32_t next_version, bool goes_on) {
  const float starts[9] = {0, 0, 0, 100, 0, 0, 0, 100, 0};
  const float targets[9] = {distance, 0, 0, 100, 0, 0, 0, 100, 0};
  std::vector<uint32_t> words;
  bvh.pack_header(targets, distance > 0 ? starts : nullptr, next_version, goes_on, words);
  return {words[bvh_version], float_of(words[bvh_odometer]), float_of(words[bvh_moved])};
}

TEST(TriangleBvh, states_between_which_vertices_creep_share_a_version) {
  TriangleBvh bvh = make_bvh(2, 3);
  // The spacing is 100 m, so that steps of up to 1.25 m are small.
  const auto expect = [&](const Motion& found, uint32_t version, float begin, float end) {
    EXPECT_EQ(found.version, version);
    EXPECT_NEAR(found.begin, begin, 0.01f);
    EXPECT_NEAR(found.end, end, 0.01f);
    EXPECT_GE(found.end, end);
  };
  expect(motion_of(bvh, 0, 1, true), 1, 0, 0);
  expect(motion_of(bvh, 1, 2, true), 2, 0, 1);
  expect(motion_of(bvh, 1, 3, true), 2, 1, 2);
  expect(motion_of(bvh, 0, 4, true), 2, 2, 2);
  expect(motion_of(bvh, 1, 5, true), 2, 2, 3);
  // They start elsewhere than they ended.
  expect(motion_of(bvh, 1, 6, false), 6, 0, 1);
  expect(motion_of(bvh, 0, 7, false), 7, 0, 0);
  expect(motion_of(bvh, 1, 8, true), 8, 0, 1);
  // They move far.
  expect(motion_of(bvh, 2, 9, true), 9, 0, 0);
  expect(motion_of(bvh, 0, 10, true), 10, 0, 0);
  expect(motion_of(bvh, 1, 11, true), 11, 0, 1);
  bvh.forget();
  expect(motion_of(bvh, 1, 12, true), 12, 0, 1);
}

TEST(TriangleBvh, every_coordinate_of_every_vertex_counts) {
  for (uint32_t vertices = 1; vertices <= 14; ++vertices) {
    for (uint32_t far = 0; far < 3 * vertices; ++far) {
      TriangleBvh bvh = make_bvh(1, vertices);
      std::vector<float> targets(3 * vertices, 1.0f), starts(3 * vertices, -1.0f);
      std::vector<uint32_t> words;
      targets[far] = far % 2 == 0 ? 8.0f : -8.0f;
      bvh.pack_header(targets.data(), starts.data(), 1, false, words);
      EXPECT_FLOAT_EQ(float_of(words[bvh_slack]), 8e-5f) << vertices << " vertices, " << far;
      EXPECT_EQ(bvh.level_words(0)[bvh_axis - bvh_level], vertices > 1 ? far % 3 : 0) << "of the longest side";
      EXPECT_FLOAT_EQ(float_of(words[bvh_motion]), 1.001f * std::sqrt(far % 2 == 0 ? 89.0f : 57.0f));
      starts[far] = 16.0f;
      bvh.pack_header(targets.data(), starts.data(), 1, false, words);
      EXPECT_FLOAT_EQ(float_of(words[bvh_slack]), 16e-5f) << vertices << " vertices, " << far;
    }
  }
}

TEST(TriangleBvh, levels_halve_the_longest_side_of_the_box_around_the_targets) {
  // This BVH has 32 leaves.
  TriangleBvh bvh = make_bvh(20, 3);
  const float targets[9] = {-1, 2, 3, 1, 2, 3, 0, 7, 3};
  const float starts[9] = {-20, 2, 3, 1, 2, 3, 0, 7, 3};
  std::vector<uint32_t> words;
  bvh.pack_header(targets, starts, 1, false, words);
  ASSERT_EQ(bvh.levels(), 5u);
  // The longest sides are 2 and 5 m, then 2.5, 1.25, 1 and 0.625 m.
  const uint32_t axes[5] = {1, 1, 0, 1, 0};
  for (uint32_t level = 0; level < 5; ++level) {
    const auto of_level = bvh.level_words(level);
    const auto word = [&](uint32_t which) { return of_level[which - bvh_level]; };
    EXPECT_EQ(word(bvh_level), level);
    EXPECT_EQ(word(bvh_axis), axes[level]) << level;
    EXPECT_EQ(word(bvh_node_bits), 5 - level) << "of 32, 16, 8 ... leaves";
    EXPECT_EQ(word(bvh_cell_bits), 24u);
    EXPECT_EQ(float_of(word(bvh_least)), axes[level] == 0 ? -1.0f : 2.0f) << "of the targets alone";
    EXPECT_EQ(float_of(word(bvh_scale)), 16777216.0f / (axes[level] == 0 ? 2.0f : 5.0f));
  }
}

TEST(TriangleBvh, keys_of_all_levels_have_32_bits) {
  TriangleBvh bvh = make_bvh(1u << 23, 3);
  const float targets[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::vector<uint32_t> words;
  bvh.pack_header(targets, nullptr, 1, false, words);
  ASSERT_EQ(bvh.levels(), 23u);
  for (uint32_t level = 0; level < 23; ++level) {
    const auto of_level = bvh.level_words(level);
    EXPECT_LE(level + of_level[bvh_cell_bits - bvh_level], 32u);
    EXPECT_GE(of_level[bvh_cell_bits - bvh_level], 9u);
  }
}

TEST(TriangleBvh, cells_of_triangles_in_one_point_are_finite) {
  TriangleBvh bvh = make_bvh(1, 3);
  const float targets[9] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
  std::vector<uint32_t> words;
  bvh.pack_header(targets, nullptr, 1, false, words);
  for (uint32_t level = 0; level < bvh.levels(); ++level) {
    EXPECT_TRUE(std::isfinite(float_of(bvh.level_words(level)[bvh_scale - bvh_level])));
  }
}

TEST(TriangleBvh, jobs_cover_all_triangles_all_leaves_and_all_nodes_children_first) {
  for (const uint32_t triangles : {1u, 3u, 16u, 48u, 49u, 10000u}) {
    const TriangleBvh bvh = make_bvh(triangles);
    const auto expect_job = [&](const Job& job, Kernel kernel, uint32_t begin, uint32_t end) {
      EXPECT_EQ(job.kernel, static_cast<uint32_t>(kernel));
      EXPECT_TRUE(job.begin == begin && job.end == end) << job.begin << " to " << job.end;
      EXPECT_EQ(job.argument, table);
      EXPECT_EQ(job.record, 0u);
    };
    expect_job(bvh.keying(), Kernel::make_triangle_keys, 0, triangles);
    expect_job(bvh.filling(), Kernel::fill_triangle_leaves, 0, bvh.leaf_count);
    for (const bool empty_ones_too : {true, false}) {
      const std::vector<Job> bounding = bvh.bounding(empty_ones_too);
      uint32_t filled = empty_ones_too ? bvh.leaf_count : triangles;
      expect_job(bounding.front(), Kernel::refit_triangle_leaves, 0, filled);
      // The first node of the heap whose box has been computed.
      uint32_t bounded = bvh.leaf_count;
      for (size_t k = 1; k + 1 < bounding.size(); ++k) {
        filled = (filled + 1) / 2;
        expect_job(bounding[k], Kernel::refit_triangle_nodes, bounded / 2, bounded / 2 + filled);
        EXPECT_EQ(bounding[k].begin % 16, 0u);
        bounded /= 2;
      }
      EXPECT_EQ(bounded, 16u) << "refit_triangle_roots does the rest";
      expect_job(bounding.back(), Kernel::refit_triangle_roots, 0, 1);
    }
  }
}

// A collider set with one triangle whose vertices move.
class TreeOfSet : public testing::Test {
 protected:
  void write(const std::vector<float>& targets, const float* starts = nullptr) {
    clothc_collider_shapes shapes{};
    shapes.vertex_count = static_cast<uint32_t>(targets.size() / 3);
    shapes.vertices = targets.data();
    shapes.vertex_starts = starts;
    shapes.triangle_count = shapes.vertex_count / 3;
    shapes.triangle_reach = 0.1f;
    set = with_shapes(set, shapes, {});
  }
  // Marks the BVH as upload_triangle_bvh does.
  void send() {
    set.bvh.table = table;
    set.bvh.targets_sent = set.bvh.built = true;
    set.bvh.has_consumed = set.bvh.changed = false;
  }

  ColliderSet set;
  const std::vector<float> low = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::vector<float> high = {0, 0, 1, 1, 0, 1, 0, 1, 1};
};

TEST_F(TreeOfSet, stays_where_it_is_while_its_triangles_do_not_change) {
  write(low);
  EXPECT_EQ(set.bvh.triangle_count, 1u);
  send();
  write(high);
  EXPECT_EQ(set.bvh.table, table);
  EXPECT_TRUE(set.bvh.built && set.bvh.changed);
  EXPECT_FALSE(set.bvh.targets_sent);
}

TEST_F(TreeOfSet, is_sent_no_more_when_nothing_changed) {
  write(low);
  send();
  write(low);
  EXPECT_FALSE(set.bvh.changed);
  EXPECT_TRUE(set.bvh.targets_sent);
  EXPECT_FALSE(set.consume());
  EXPECT_FALSE(set.bvh.changed);
}

TEST_F(TreeOfSet, changes_once_more_when_its_vertices_have_come_to_rest) {
  write(low);
  send();
  EXPECT_FALSE(set.consume());
  write(high);
  send();
  EXPECT_TRUE(set.consume());
  EXPECT_TRUE(set.bvh.changed && set.bvh.has_consumed);
  EXPECT_TRUE(set.bvh.targets_sent) << "the targets are what they were";
  send();
  EXPECT_FALSE(set.consume());
}

TEST_F(TreeOfSet, is_another_one_for_other_triangles) {
  write(low);
  send();
  std::vector<float> two = low;
  two.insert(two.end(), high.begin(), high.end());
  write(two);
  EXPECT_EQ(set.bvh.triangle_count, 2u);
  EXPECT_TRUE(set.bvh.table == 0 && !set.bvh.built);
}

}  // namespace
}  // namespace clothc::triangle_bvh_test
