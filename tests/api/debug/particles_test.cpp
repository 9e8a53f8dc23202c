// particles_test.cpp - debug lines of what cloths have per particle, and of their frames.
#include "support/debug_lines.h"
#include "support/groups.h"
#include "support/scene.h"

using namespace clothc_test;

namespace debug_particles_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(DebugParticles);

Vector middle(const clothc_debug_line& line) { return 0.5 * (from(line) + to(line)); }

TEST_P(DebugParticles, are_crosses_in_another_colour_where_they_are_pinned) {
  Scene scene(GetParam());
  scene.step(5);
  const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  const std::vector<clothc_debug_line> lines = debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_PARTICLES, 0.1f));
  ASSERT_EQ(lines.size(), positions.size() / 4 * 3);
  for (size_t k = 0; k < lines.size(); ++k) {
    const size_t particle = k / 3, axis = k % 3;
    const float* x = &positions[particle * 4];
    Vector along{0, 0, 0};
    along[axis] = 0.0125;
    EXPECT_NEAR(length(from(lines[k]) - (vector_at(x) - along)), 0, 1e-7) << k;
    EXPECT_NEAR(length(to(lines[k]) - (vector_at(x) + along)), 0, 1e-7) << k;
    EXPECT_EQ(colour_of(lines[k].first_colour), (x[3] == 0 ? Colour{255, 0, 255, 255} : Colour{255, 255, 255, 255}))
        << k;
    EXPECT_EQ(lines[k].second_colour, lines[k].first_colour);
  }
}

TEST_P(DebugParticles, have_a_size_from_the_mean_edge_of_the_cloth) {
  SceneOptions options(GetParam());
  Scene scene(options);
  const auto width = [&] { return length(debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_PARTICLES)).back()); };
  EXPECT_NEAR(width(), 0.25 / 4, 1e-7) << "the spacing of the sheet";
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.scale = 3;
  scene.add(desc);
  EXPECT_NEAR(width(), 0.75 / 4, 1e-6) << "the last cloth is three times as large";
  const std::vector<float> positions = {0, 0, 0, 1, 1, 0, 0, 1};
  add_group(scene.solver, group_desc(positions));
  EXPECT_NEAR(width(), 0.05 / 4, 1e-7) << "a group without springs";
  const clothc_group_id group = add_group(scene.solver, group_desc(positions, 0.5f));
  EXPECT_NEAR(width(), 1.0 / 4, 1e-6) << "a group of particles with a radius";
  set_springs(scene.device, scene.solver, group, {0, 1}, {4});
  EXPECT_NEAR(width(), 4.0 / 4, 1e-6) << "a group with springs";
}

// Checks that lines lead from the particles along the values of a channel times a factor.
void expect_arrows(const Scene& scene, const clothc_debug_desc& desc, clothc_channel channel, double factor) {
  const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  const std::vector<float> values = scene.get(channel, scene.cloth);
  const std::vector<clothc_debug_line> lines = debug_lines(scene.solver, desc);
  size_t drawn = 0;
  for (size_t k = 0; k < values.size(); k += 4) {
    if (length(vector_at(&values[k])) == 0) continue;
    ASSERT_LT(drawn, lines.size());
    EXPECT_EQ(from(lines[drawn]), vector_at(&positions[k]));
    EXPECT_NEAR(length(to(lines[drawn]) - from(lines[drawn]) - factor * vector_at(&values[k])), 0, 1e-6);
    ++drawn;
  }
  EXPECT_EQ(drawn, lines.size());
  EXPECT_GT(drawn, 0u);
}

TEST_P(DebugParticles, have_normals_of_the_size_that_was_asked_for) {
  Scene scene(GetParam());
  scene.step(10);
  expect_arrows(scene, debug_desc(CLOTHC_DEBUG_NORMALS, 0.125f), CLOTHC_CHANNEL_NORMAL, 0.125);
}

TEST_P(DebugParticles, have_velocities_as_far_as_they_go_in_a_time) {
  Scene scene(GetParam());
  scene.step(10);
  clothc_debug_desc desc = debug_desc(CLOTHC_DEBUG_VELOCITIES);
  desc.velocity_time = 0.5f;
  expect_arrows(scene, desc, CLOTHC_CHANNEL_VELOCITY, 0.5);
  EXPECT_EQ(debug_lines(scene.solver, desc).size(), 24u) << "the first of five rows is pinned";
}

TEST_P(DebugParticles, of_a_group_have_no_normals) {
  Scene scene(GetParam());
  ASSERT_OK(clothc_cloth_remove(scene.solver, scene.cloth));
  add_group(scene.solver, group_desc({0, 0, 0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_NORMALS | CLOTHC_DEBUG_TETHERS)).size(), 0u);
}

// Checks three circles around a sphere, of 16 lines each.
void expect_sphere(const clothc_debug_line* lines, const Vector& centre, double radius) {
  for (size_t k = 0; k < 48; ++k) {
    EXPECT_NEAR(length(from(lines[k]) - centre), radius, 1e-6) << k;
    EXPECT_NEAR(from(lines[k])[k / 16], centre[k / 16], 1e-6) << "a circle is perpendicular to its axis";
    EXPECT_EQ(from(lines[k]), to(lines[k % 16 == 0 ? k + 15 : k - 1])) << "it is closed";
    EXPECT_NEAR(length(lines[k]), 2 * radius * std::sin(3.14159265358979 / 16), 1e-6) << k;
  }
}

// Sets a sphere of the first particle, and none of the others.
void set_first(const Scene& scene, clothc_channel channel, float x, float y, float z, float radius) {
  std::vector<float> spheres(30 * 4, -1.0f);
  const float first[] = {x, y, z, radius};
  std::copy_n(first, 4, spheres.begin());
  scene.set(channel, scene.cloth, spheres);
}

TEST_P(DebugParticles, have_circles_around_their_motion_constraints) {
  Scene scene(GetParam());
  const auto draw = [&] { return debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_MOTION_CONSTRAINTS, 0.4f)); };
  EXPECT_EQ(draw().size(), 0u);
  set_first(scene, CLOTHC_CHANNEL_MOTION_CONSTRAINT, 1, 2, 3, 0.5f);
  ASSERT_EQ(draw().size(), 48u) << "of one particle";
  expect_sphere(draw().data(), {1, 2, 3}, 0.5);
  scene.change_parameters(scene.cloth, [](clothc_cloth_parameters& p) {
    p.motion_constraint_scale = 2;
    p.motion_constraint_bias = 0.25f;
  });
  expect_sphere(draw().data(), {1, 2, 3}, 1.25);
  scene.change_parameters(scene.cloth, [](clothc_cloth_parameters& p) { p.motion_constraint_bias = -1; });
  const std::vector<clothc_debug_line> cross = draw();
  ASSERT_EQ(cross.size(), 3u) << "a radius of 0";
  for (const clothc_debug_line& line : cross) {
    EXPECT_NEAR(length(middle(line) - Vector{1, 2, 3}), 0, 1e-6);
    EXPECT_NEAR(length(line), 0.1, 1e-6);
  }
  ASSERT_OK(clothc_cloth_clear(scene.solver, scene.cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT));
  EXPECT_EQ(draw().size(), 0u);
}

TEST_P(DebugParticles, have_constraints_where_the_next_update_begins) {
  for (const bool is_motion : {true, false}) {
    Scene scene(GetParam());
    const clothc_channel target = is_motion ? CLOTHC_CHANNEL_MOTION_CONSTRAINT : CLOTHC_CHANNEL_SEPARATION_CONSTRAINT;
    const clothc_channel start =
        is_motion ? CLOTHC_CHANNEL_MOTION_CONSTRAINT_START : CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START;
    const uint32_t flag = is_motion ? CLOTHC_DEBUG_MOTION_CONSTRAINTS : CLOTHC_DEBUG_SEPARATION_CONSTRAINTS;
    const auto draw = [&] { return debug_lines(scene.solver, debug_desc(flag)); };
    set_first(scene, target, 0, 0, 0, 3);
    expect_sphere(draw().data(), {0, 0, 0}, 3);
    scene.step();
    expect_sphere(draw().data(), {0, 0, 0}, 3);
    set_first(scene, target, 1, 0, 0, 4);
    expect_sphere(draw().data(), {0, 0, 0}, 3);
    scene.step();
    expect_sphere(draw().data(), {1, 0, 0}, 4);
    scene.step();
    expect_sphere(draw().data(), {1, 0, 0}, 4);
    set_first(scene, target, 1, 0, 0, 5);
    set_first(scene, start, 2, 0, 0, 6);
    expect_sphere(draw().data(), {2, 0, 0}, 6);
    set_first(scene, target, 0, 0, 0, -1);
    EXPECT_EQ(draw().size(), 0u) << "it has none at the end of the update";
  }
}

TEST_P(DebugParticles, move_with_the_frame_of_the_cloth) {
  Scene scene(GetParam());
  scene.step(3);
  set_first(scene, CLOTHC_CHANNEL_MOTION_CONSTRAINT, 1, 2, 3, 0.5f);
  const uint32_t flags = CLOTHC_DEBUG_PHASES | CLOTHC_DEBUG_PARTICLES | CLOTHC_DEBUG_NORMALS | CLOTHC_DEBUG_VELOCITIES |
                         CLOTHC_DEBUG_MOTION_CONSTRAINTS | CLOTHC_DEBUG_FRAMES;
  const std::vector<clothc_debug_line> before = debug_lines(scene.solver, debug_desc(flags));
  clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
  frame.flags = CLOTHC_FRAME_START;
  const float translation[] = {3, -1, 0.5f}, rotation[] = {0.6f, 0, 0.48f, 0.64f};
  std::copy_n(translation, 3, frame.start_translation);
  std::copy_n(rotation, 4, frame.start_rotation);
  std::copy_n(translation, 3, frame.translation);
  frame.translation[0] += 0.01f;
  std::copy_n(rotation, 4, frame.rotation);
  ASSERT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &frame));
  const std::vector<clothc_debug_line> moved = debug_lines(scene.solver, debug_desc(flags));
  ASSERT_EQ(moved.size(), before.size());
  const auto in_world = [&](const Vector& x) { return turned(x, rotation) + vector_at(translation); };
  for (size_t k = 0; k < moved.size(); ++k) {
    EXPECT_NEAR(length(from(moved[k]) - in_world(from(before[k]))), 0, 2e-6) << k;
    EXPECT_NEAR(length(to(moved[k]) - in_world(to(before[k]))), 0, 2e-6) << k;
    EXPECT_EQ(moved[k].first_colour, before[k].first_colour);
  }
  // The update moves the frame to its target.
  scene.step();
  const std::vector<clothc_debug_line> axes = debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_FRAMES, 0.5f));
  ASSERT_EQ(axes.size(), 3u);
  for (size_t k = 0; k < 3; ++k) {
    Vector axis{0, 0, 0};
    axis[k] = 2;
    Colour colour{0, 0, 0, 255};
    colour[k] = 255;
    EXPECT_NEAR(length(from(axes[k]) - vector_at(frame.translation)), 0, 1e-6);
    EXPECT_NEAR(length(to(axes[k]) - from(axes[k]) - turned(axis, rotation)), 0, 1e-6);
    EXPECT_EQ(colour_of(axes[k].second_colour), colour);
  }
}

}  // namespace
}  // namespace debug_particles_test
