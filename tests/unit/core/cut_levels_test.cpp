// cut_levels_test.cpp - cloth that was cut has coarse levels that fit what it is now: they hold what is still in one
// piece, let the sides of a cut part, and conserve momentum.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "unit/core/cutting.h"

using namespace clothc_test;

namespace cut_levels_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(CutLevels);

constexpr uint32_t n = 24, particle_count = n * n;
constexpr float spacing = 0.05f;

// A line of the grid, along which a sheet is cut: a column or a row, from one of its particles up to the last one.
struct CutLine {
  bool is_column;
  uint32_t at;
  uint32_t first = 0;
};
constexpr CutLine half_a_column = {true, n / 2, n / 2}, a_row = {false, n / 2};

uint32_t across(const CutLine& line, uint32_t particle) { return line.is_column ? particle % n : particle / n; }
uint32_t along(const CutLine& line, uint32_t particle) { return line.is_column ? particle / n : particle % n; }

void fill(float (&field)[3], float value) { std::fill(std::begin(field), std::end(field), value); }

struct LevelScene : Scene {
  explicit LevelScene(clothc_backend backend, const std::vector<uint32_t>& pins = {0, n - 1}, uint32_t flags = 0,
                      clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO)
      : Scene(options(backend, schedule)) {
    Sheet wide(n, n, spacing);
    std::fill(wide.inverse_masses.begin(), wide.inverse_masses.end(), 1.0f);
    for (const uint32_t pin : pins) wide.inverse_masses[pin] = 0;
    clothc_mesh_desc mesh = wide.desc();
    mesh.flags = CLOTHC_COOK_NO_TETHERS | CLOTHC_COOK_NO_BEND | flags;
    replace_fabric(mesh);
    clothc_cloth_desc desc = cloth_desc();
    desc.spare_particle_count = n * n;
    cloth = add(desc);
    change_parameters(cloth, [](clothc_cloth_parameters& p) {
      p.solver_frequency = 240;
      p.stiffness_frequency = 1000;
      p.statistics = CLOTHC_STATISTIC_STRETCH;
      p.collision_flags = 0;
      fill(p.damping, 0.3f);
    });
  }
  static SceneOptions options(clothc_backend backend, clothc_schedule schedule) {
    SceneOptions options(backend);
    options.has_cloth = false;
    options.solver.particle_capacity = 8192;
    options.solver.schedule = schedule;
    return options;
  }
  clothc::Cloth& cloth_inside(clothc_cloth_id id) const { return cloths_of(*this).get(id); }
  void set_hierarchy_stiffness(float stiffness) {
    change_parameters(cloth, [&](clothc_cloth_parameters& p) { p.hierarchy_stiffness = stiffness; });
  }
  // Without gravity and damping.
  void make_free() {
    change_parameters(cloth, [](clothc_cloth_parameters& p) {
      fill(p.gravity, 0);
      fill(p.damping, 0);
    });
  }
  // Cuts the scene's cloth. What has a particle beyond the line takes the second particles of the cut.
  void cut(const CutLine& line) const {
    for (uint32_t p = 0; p < particle_count; ++p) {
      if (across(line, p) == line.at && along(line, p) >= line.first) cut_at(line, p);
    }
  }
  void cut_at(const CutLine& line, uint32_t particle) const {
    cut_particle(*this, cloth, particle, [&](uint32_t p) { return p < particle_count && across(line, p) > line.at; });
  }
  std::vector<float> positions() const { return get(CLOTHC_CHANNEL_POSITION, cloth); }
  // The mean of a channel over the particles for which is_meant returns true.
  template <class Condition>
  std::array<double, 3> mean(clothc_channel channel, Condition is_meant) const {
    const std::vector<float> values = get(channel, cloth);
    std::array<double, 3> sum = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t p = 0; p < values.size() / 4; ++p) {
      if (!is_meant(p)) continue;
      ++count;
      for (size_t axis = 0; axis < 3; ++axis) sum[axis] += double{values[p * 4 + axis]};
    }
    for (double& axis : sum) axis /= count;
    return sum;
  }
  double distance(uint32_t a, uint32_t b) const {
    const std::vector<float> at = positions();
    double square = 0;
    for (size_t axis = 0; axis < 3; ++axis) square += std::pow(double{at[a * 4 + axis]} - double{at[b * 4 + axis]}, 2);
    return std::sqrt(square);
  }
};

constexpr int frame_count = 90;

// Levels hold the sheet above the cut, and both of the halves below.
TEST_P(CutLevels, keep_a_sheet_that_is_cut_halfway_from_stretching) {
  float stretch[2];
  for (const int stiffness : {0, 1}) {
    LevelScene scene(GetParam());
    scene.set_hierarchy_stiffness(static_cast<float>(stiffness));
    scene.step(2);
    scene.cut(half_a_column);
    scene.step(frame_count);
    stretch[stiffness] = scene.status(scene.cloth).largest_stretch;
  }
  EXPECT_LT(stretch[1], 0.03f);
  EXPECT_GT(stretch[0], 2 * stretch[1]);
}

// The halves swing out of the plane of the sheet, to opposite sides.
TEST_P(CutLevels, let_the_sides_of_a_cut_part) {
  double gap[2];
  for (const int stiffness : {0, 1}) {
    LevelScene scene(GetParam(), {});
    scene.set_hierarchy_stiffness(static_cast<float>(stiffness));
    scene.make_free();
    scene.cut(half_a_column);
    const std::vector<float> positions = scene.positions();
    std::vector<float> velocities(positions.size(), 0.0f);
    for (uint32_t p = 0; p < positions.size() / 4; ++p) {
      const float depth = positions[p * 4 + 2] - spacing * half_a_column.first;
      const bool is_right = p >= particle_count || p % n > n / 2;
      if (depth > 0) velocities[p * 4 + 1] = is_right ? depth : -depth;
    }
    scene.set(CLOTHC_CHANNEL_VELOCITY, scene.cloth, velocities);
    scene.step(30);
    gap[stiffness] = scene.distance(particle_count - n / 2, particle_count + n - n / 2 - 1);
  }
  EXPECT_GT(gap[1], 0.3);
  EXPECT_NEAR(gap[1], gap[0], 0.1 * gap[0]);
}

// Nothing holds the lower piece, whose centre falls as semi-implicit Euler predicts; the upper one hangs.
TEST_P(CutLevels, let_the_lower_one_of_two_pieces_fall) {
  LevelScene scene(GetParam());
  scene.step(frame_count);
  scene.cut(a_row);
  scene.change_parameters(scene.cloth, [](clothc_cloth_parameters& p) { fill(p.damping, 0); });
  const auto is_lower = [](uint32_t p) { return p >= particle_count || p / n > n / 2; };
  const auto is_upper = [&](uint32_t p) { return !is_lower(p); };
  const auto velocity = scene.mean(CLOTHC_CHANNEL_VELOCITY, is_lower);
  const auto start = scene.mean(CLOTHC_CHANNEL_POSITION, is_lower);
  constexpr int frames = 30, steps = frames * 4;
  scene.step(frames);
  const auto end = scene.mean(CLOTHC_CHANNEL_POSITION, is_lower);
  const double h = 1 / 240.0, fall = 9.81 * h * h * steps * (steps + 1) / 2;
  for (const size_t axis : {0, 1, 2})
    EXPECT_NEAR(end[axis] - start[axis], velocity[axis] * h * steps - (axis == 1 ? fall : 0), 3e-4) << "axis " << axis;
  EXPECT_GT(scene.mean(CLOTHC_CHANNEL_POSITION, is_upper)[1], 0.6);
  EXPECT_LT(scene.status(scene.cloth).largest_stretch, 0.07f);
}

TEST_P(CutLevels, conserve_momentum) {
  LevelScene scene(GetParam(), {});
  scene.make_free();
  scene.cut(half_a_column);
  std::vector<float> positions = scene.positions(), velocities = positions;
  for (uint32_t p = 0; p < positions.size() / 4; ++p) {
    velocities[p * 4] = 0.5f * std::sin(3.0f * static_cast<float>(p));
    velocities[p * 4 + 1] = 0.25f;
    velocities[p * 4 + 2] = positions[p * 4] * positions[p * 4 + 2];
    positions[p * 4] *= 1.1f;
  }
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, positions, CLOTHC_SET_AT_REST);
  scene.set(CLOTHC_CHANNEL_VELOCITY, scene.cloth, velocities);
  const auto all = [](uint32_t) { return true; };
  const auto before = scene.mean(CLOTHC_CHANNEL_POSITION, all);
  std::array<double, 3> expected = {0, 0, 0};
  for (size_t k = 0; k < velocities.size(); ++k) {
    if (k % 4 < 3) expected[k % 4] += 4 * double{velocities[k]} / static_cast<double>(velocities.size());
  }
  scene.step(6);
  const auto after = scene.mean(CLOTHC_CHANNEL_POSITION, all), velocity = scene.mean(CLOTHC_CHANNEL_VELOCITY, all);
  for (size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(velocity[axis], expected[axis], 1e-4) << "axis " << axis;
    EXPECT_NEAR(after[axis], before[axis] + expected[axis] / 10, 1e-5) << "axis " << axis;
  }
}

// Each strip between two cuts has nodes of its own, so there are more of them than before.
TEST_P(CutLevels, are_cooked_once_per_update_and_leave_no_memory_behind) {
  LevelScene scene(GetParam());
  const auto level_count = [&] { return scene.cloth_inside(scene.cloth).level_layouts().size(); };
  std::vector<uint32_t> places;
  for (int k = 0; k < 3; ++k) {
    scene.step();
    EXPECT_EQ(scene.cloth_inside(scene.cloth).own_levels, nullptr);
    const size_t before = level_count();
    const uint32_t nodes_before = scene.cloth_inside(scene.cloth).level_layouts()[1].node_count;
    for (uint32_t column = 2; column < n - 1; column += 2) scene.cut({true, column, 1});
    EXPECT_EQ(scene.cloth_inside(scene.cloth).own_levels, nullptr);
    scene.step();
    const clothc::Cloth& cut = scene.cloth_inside(scene.cloth);
    const auto levels = cut.own_levels;
    ASSERT_NE(levels, nullptr);
    EXPECT_EQ(cut.level_layouts()[0].node_count, particle_count + (n - 1) * (n / 2 - 1));
    EXPECT_GT(cut.level_layouts()[1].node_count, nodes_before);
    EXPECT_GE(level_count(), before);
    EXPECT_GE(cut.level_capacity, cut.level_word(0) - cut.levels);
    EXPECT_GE(cut.record_capacity, cut.record_count());
    scene.step();
    EXPECT_EQ(cut.own_levels, levels);
    scene.hash();
    places.insert(places.end(), {cut.levels, cut.constraint_records, levels->first});
    require(clothc_cloth_remove(scene.solver, scene.cloth));
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.spare_particle_count = n * n;
    scene.cloth = scene.add(desc);
  }
  for (size_t k = 6; k < 9; ++k) EXPECT_EQ(places[k], places[k - 3]);
}

TEST_P(CutLevels, are_for_clones_that_are_made_before_and_after_they_are_cooked) {
  LevelScene scene(GetParam());
  scene.step(2);
  scene.cut(half_a_column);
  clothc_cloth_id clones[2];
  require(clothc_cloth_clone(scene.solver, scene.cloth, &clones[0]));
  scene.step(3);
  require(clothc_cloth_clone(scene.solver, scene.cloth, &clones[1]));
  scene.step(3);
  for (const clothc_cloth_id clone : clones) {
    EXPECT_EQ(scene.cloth_inside(clone).own_levels, scene.cloth_inside(scene.cloth).own_levels);
    EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, clone), scene.positions());
  }
  // What is cut of one of them is cut of no other.
  scene.cut_at({true, n / 2}, n / 2 + n * (n / 2 - 1));
  scene.step();
  EXPECT_NE(scene.cloth_inside(scene.cloth).own_levels, scene.cloth_inside(clones[0]).own_levels);
  EXPECT_EQ(scene.cloth_inside(clones[1]).own_levels, scene.cloth_inside(clones[0]).own_levels);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, clones[0]), scene.get(CLOTHC_CHANNEL_POSITION, clones[1]));
  EXPECT_NE(scene.positions()[1], 0);
}

// They depend on what the cloth is, and not on how it came to be so.
TEST_P(CutLevels, are_the_same_in_a_restored_solver) {
  LevelScene scene(GetParam()), restored(GetParam());
  scene.step(2);
  scene.cut(half_a_column);
  scene.step(2);
  scene.cut_at({true, n / 2}, n / 2 + n * (n / 2 - 1));
  scene.step(2);
  const std::vector<uint8_t> bytes = scene.snapshot();
  ASSERT_OK(clothc_solver_restore(restored.solver, bytes.data(), bytes.size(), &restored.fabric, 1));
  scene.step(5);
  restored.step(5);
  EXPECT_EQ(restored.hash(), scene.hash());
  EXPECT_EQ(restored.snapshot(), scene.snapshot());
}

TEST_P(CutLevels, give_the_same_bits_on_every_device_and_schedule) {
  const auto run = [](clothc_backend backend, clothc_schedule schedule) {
    LevelScene scene(backend, {0, n - 1}, 0, schedule);
    scene.step(2);
    scene.cut(half_a_column);
    scene.step(5);
    return scene.hash();
  };
  const uint64_t expected = run(CLOTHC_BACKEND_CPU, CLOTHC_SCHEDULE_PASS);
  EXPECT_EQ(run(CLOTHC_BACKEND_CPU, CLOTHC_SCHEDULE_CLOTH), expected);
  EXPECT_EQ(run(GetParam(), CLOTHC_SCHEDULE_AUTO), expected);
}

TEST_P(CutLevels, are_absent_on_demand_and_cooked_when_they_are_wanted) {
  LevelScene without(GetParam(), {0, n - 1}, CLOTHC_COOK_NO_HIERARCHY), off(GetParam());
  off.set_hierarchy_stiffness(0);
  for (LevelScene* scene : {&without, &off}) {
    scene->step(2);
    scene->cut(half_a_column);
    scene->step(5);
    EXPECT_EQ(scene->cloth_inside(scene->cloth).own_levels, nullptr);
  }
  EXPECT_TRUE(without.cloth_inside(without.cloth).level_layouts().empty());
  const std::vector<float> positions = off.positions();
  EXPECT_EQ(without.positions(), positions);
  off.set_hierarchy_stiffness(1);
  off.step(5);
  without.step(5);
  EXPECT_NE(off.cloth_inside(off.cloth).own_levels, nullptr);
  EXPECT_NE(without.positions(), off.positions());
}

}  // namespace
}  // namespace cut_levels_test
