// constraints_test.cpp - debug lines of each type of constraint: between which particles they are, and in which colours.
#include <map>

#include "support/debug_lines.h"
#include "support/scene.h"

using namespace clothc_test;

namespace debug_constraints_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(DebugConstraints);

SceneOptions without_cloth(clothc_backend backend) {
  SceneOptions options(backend);
  options.has_cloth = false;
  options.solver.particle_capacity = 4096;
  return options;
}

// Particles in a row along x, each 0.1 m from the next, and a raw fabric whose only set has these constraints.
struct Row : Scene {
  Row(clothc_backend backend, clothc_constraint_type type, std::vector<uint32_t> particles,
      std::vector<float> parameters, uint32_t constraint_count, clothc_phase_type phase_type = CLOTHC_PHASE_OTHER)
      : Scene(without_cloth(backend)) {
    for (uint32_t k = 0; k < 6; ++k) positions.insert(positions.end(), {0.1f * static_cast<float>(k), 0, 0, 1});
    clothc_constraint_set set = initialised<clothc_constraint_set>();
    set.type = type;
    set.constraint_count = constraint_count;
    set.particles = particles.data();
    set.parameters = parameters.data();
    clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
    desc.particle_count = 6;
    desc.positions = positions.data();
    const uint32_t phase_set = 0;
    const bool is_phase = type != CLOTHC_CONSTRAINT_TETHER && type != CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE;
    desc.phase_count = is_phase ? 1 : 0;
    desc.phase_sets = &phase_set;
    desc.phase_types = &phase_type;
    desc.constraint_sets = &set;
    desc.constraint_set_count = 1;
    replace_fabric(desc);
  }
  void add_at(float scale = 1) {
    clothc_cloth_desc desc = cloth_desc();
    desc.positions = positions.data();
    desc.scale = scale;
    cloth = add(desc);
  }
  std::vector<clothc_debug_line> lines(uint32_t flags = CLOTHC_DEBUG_PHASES, float full_strain = 0.1f) const {
    clothc_debug_desc desc = debug_desc(flags);
    desc.full_strain = full_strain;
    return debug_lines(solver, desc);
  }
  std::vector<float> positions;
};

// Five distance constraints, each of 0.1 m.
Row strip(clothc_backend backend) {
  return {backend, CLOTHC_CONSTRAINT_DISTANCE, {0, 1, 1, 2, 2, 3, 3, 4, 4, 5}, std::vector<float>(5, 0.1f), 5};
}

TEST_P(DebugConstraints, of_a_stretched_strip_are_red_by_their_strain) {
  for (const double strain : {0.0, 0.03, 0.0725, 0.25, -0.02, -0.3}) {
    Row row = strip(GetParam());
    for (size_t k = 0; k < 6; ++k) row.positions[k * 4] *= static_cast<float>(1 + strain);
    row.add_at();
    const std::vector<clothc_debug_line> lines = row.lines();
    ASSERT_EQ(lines.size(), 5u);
    const Colour expected =
        between(at_rest, strain < 0 ? compressed : stretched, std::min(1.0, std::fabs(strain) / 0.1));
    for (const clothc_debug_line& line : lines) {
      EXPECT_EQ(colour_of(line.first_colour), expected) << strain;
      EXPECT_EQ(line.first_colour, line.second_colour);
      EXPECT_NEAR(length(line), 0.1 * (1 + strain), 1e-7);
    }
  }
}

TEST_P(DebugConstraints, have_the_full_colour_at_the_full_strain) {
  Row row = strip(GetParam());
  for (size_t k = 0; k < 6; ++k) row.positions[k * 4] *= 1.5f;
  row.add_at();
  EXPECT_EQ(colour_of(row.lines(CLOTHC_DEBUG_PHASES, 0.49f)[0].first_colour), stretched);
  EXPECT_EQ(colour_of(row.lines(CLOTHC_DEBUG_PHASES, 2)[0].first_colour), between(at_rest, stretched, 0.25));
}

TEST_P(DebugConstraints, take_the_scale_of_the_cloth_into_account) {
  Row row = strip(GetParam());
  for (size_t k = 0; k < 6; ++k) row.positions[k * 4] *= 2;
  row.add_at(2);
  for (const clothc_debug_line& line : row.lines()) EXPECT_EQ(colour_of(line.first_colour), at_rest);
}

TEST_P(DebugConstraints, that_hold_only_what_is_too_far_apart_are_yellow_when_they_are_taut) {
  // One of each way to have such constraints: of 0.2, 0.1 and 0.08 m over 0.1 m.
  const std::vector<uint32_t> particles = {0, 1, 2, 3, 4, 5};
  const std::vector<float> lengths = {0.2f, 0.1f, 0.08f};
  for (int form = 0; form < 3; ++form) {
    const clothc_constraint_type type = form == 0   ? CLOTHC_CONSTRAINT_LONG_RANGE
                                        : form == 1 ? CLOTHC_CONSTRAINT_DISTANCE
                                                    : CLOTHC_CONSTRAINT_TETHER;
    Row row(GetParam(), type, particles, lengths, 3, form == 1 ? CLOTHC_PHASE_LONG_RANGE : CLOTHC_PHASE_OTHER);
    row.add_at();
    const std::vector<clothc_debug_line> lines = row.lines(form == 2 ? CLOTHC_DEBUG_TETHERS : CLOTHC_DEBUG_PHASES, 1);
    ASSERT_EQ(lines.size(), 3u);
    std::map<double, Colour> colours;
    for (const clothc_debug_line& line : lines)
      colours[std::min(from(line)[0], to(line)[0])] = colour_of(line.first_colour);
    EXPECT_EQ(colours.begin()->second, between(taut, slack, 0.5)) << form;
    EXPECT_EQ(std::next(colours.begin())->second, taut) << form;
    EXPECT_EQ(colours.rbegin()->second, between(taut, stretched, 0.25)) << form;
  }
}

TEST_P(DebugConstraints, of_angles_are_lines_across_the_edge_by_the_error_in_radians) {
  Row row(GetParam(), CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, {0, 1, 2, 3}, {0.3f, 1}, 1);
  for (const double angle : {0.3, 0.9, 0.25, -2.5, 3.1}) {
    // An edge along z, and corners on both sides of it. The normal of the first triangle points along -y.
    const double s = std::sin(angle), c = std::cos(angle);
    const std::vector<double> corners = {0, 0, 0, 0, 0, 1, -1, 0, 0.5, c, -s, 0.5};
    for (size_t k = 0; k < 12; ++k) row.positions[k / 3 * 4 + k % 3] = static_cast<float>(corners[k]);
    row.add_at();
    const std::vector<clothc_debug_line> lines = row.lines(CLOTHC_DEBUG_PHASES, 4);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(from(lines[0]), vector_at(&row.positions[8]));
    EXPECT_EQ(to(lines[0]), vector_at(&row.positions[12]));
    const double error = angle - 0.3;
    EXPECT_EQ(colour_of(lines[0].first_colour),
              between(at_rest, error < 0 ? compressed : stretched, std::fabs(error) / 4))
        << angle;
    ASSERT_OK(clothc_cloth_remove(row.solver, row.cloth));
  }
}

TEST_P(DebugConstraints, of_angles_take_the_shorter_way_to_rest) {
  Row row(GetParam(), CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, {0, 1, 2, 3}, {3, 1}, 1);
  const std::vector<float> corners = {0, 0, 0, 0, 0, 1, -1, 0, 0.5f, std::cos(-3.0f), -std::sin(-3.0f), 0.5f};
  for (size_t k = 0; k < 12; ++k) row.positions[k / 3 * 4 + k % 3] = corners[k];
  row.add_at();
  EXPECT_EQ(colour_of(row.lines(CLOTHC_DEBUG_PHASES, 1)[0].first_colour),
            between(at_rest, stretched, 2 * 3.14159265358979 - 6));
}

TEST_P(DebugConstraints, of_areas_are_the_sides_of_the_triangles) {
  Row row(GetParam(), CLOTHC_CONSTRAINT_TRIANGLE_AREA, {0, 1, 2, 3, 4, 5}, {0.5f, 1, 0, 1}, 2);
  const std::vector<float> corners = {0, 0, 0, 2.2f, 0, 0, 0, 2, 0, 0, 0, 5, 1, 0, 5, 0, 1, 5};
  for (size_t k = 0; k < 18; ++k) row.positions[k / 3 * 4 + k % 3] = corners[k];
  row.add_at(2);
  const std::vector<clothc_debug_line> lines = row.lines(CLOTHC_DEBUG_PHASES, 0.2f);
  ASSERT_EQ(lines.size(), 6u);
  for (const clothc_debug_line& line : lines) {
    // The first one has an area of 2.2 in place of 0.5 * 2 * 2 m2, the second one should have none.
    EXPECT_EQ(colour_of(line.first_colour), from(line)[2] < 1 ? between(at_rest, stretched, 0.5) : stretched);
    EXPECT_EQ(from(line)[2], to(line)[2]);
  }
}

TEST_P(DebugConstraints, without_a_rest_length_are_left_out) {
  Row row(GetParam(), CLOTHC_CONSTRAINT_DISTANCE, {0, 1, 1, 2}, {0, 0.1f}, 2);
  row.add_at();
  EXPECT_EQ(row.lines().size(), 1u);
}

TEST_P(DebugConstraints, at_virtual_particles_are_crosses_at_the_weighted_points) {
  Row row(GetParam(), CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE, {0, 1, 5}, {0.5f, 0.25f, 0.25f}, 1);
  row.positions[21] = 1;
  row.add_at();
  const std::vector<clothc_debug_line> lines =
      debug_lines(row.solver, debug_desc(CLOTHC_DEBUG_VIRTUAL_PARTICLES, 0.4f));
  ASSERT_EQ(lines.size(), 3u);
  for (size_t axis = 0; axis < 3; ++axis) {
    const Vector centre = 0.5 * (from(lines[axis]) + to(lines[axis]));
    EXPECT_NEAR(length(centre - Vector{0.15, 0.25, 0}), 0, 1e-7);
    EXPECT_NEAR(to(lines[axis])[axis] - from(lines[axis])[axis], 0.1, 1e-7);
    EXPECT_NEAR(length(lines[axis]), 0.1, 1e-7);
  }
}

}  // namespace
}  // namespace debug_constraints_test
