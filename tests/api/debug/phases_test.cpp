// phases_test.cpp - which constraints of cloths and groups debug lines draw, between which particles.
#include <map>
#include <utility>

#include "support/debug_lines.h"
#include "support/groups.h"
#include "support/scene.h"

using namespace clothc_test;

namespace debug_phases_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(DebugPhases);

SceneOptions without_cloth(clothc_backend backend) {
  SceneOptions options(backend);
  options.has_cloth = false;
  options.solver.particle_capacity = 4096;
  return options;
}

using Pair = std::pair<Vector, Vector>;

// Returns the ends of lines, the lesser one first, and how often each pair is there.
std::map<Pair, int> ends_of(const std::vector<clothc_debug_line>& lines) {
  std::map<Pair, int> ends;
  for (const clothc_debug_line& line : lines) ++ends[std::minmax(from(line), to(line))];
  return ends;
}

// A sheet whose vertices are numbered badly or well, so that it is stored in another order or has rings.
struct Sheets : Scene {
  Sheets(clothc_backend backend, bool is_shuffled) : Scene(without_cloth(backend)) {
    constexpr uint32_t columns = 21, rows = 17, count = columns * rows;
    Sheet plain(columns, rows, 0.05f);
    Sheet numbered = plain;
    // 100 has no factor in common with 357.
    const auto number = [&](uint32_t vertex) { return is_shuffled ? vertex * 100 % count : vertex; };
    for (uint32_t v = 0; v < count; ++v) {
      std::copy_n(&plain.positions[v * 3], 3, &numbered.positions[number(v) * 3]);
      numbered.inverse_masses[number(v)] = plain.inverse_masses[v];
    }
    for (uint32_t& corner : numbered.quads) corner = number(corner);
    clothc_mesh_desc mesh = numbered.desc();
    mesh.long_range_edges[0] = 4;
    mesh.virtual_particles_per_triangle = 1;
    replace_fabric(mesh);
    cloth = add();
    step(3);
  }
};

TEST_P(DebugPhases, are_those_of_the_fabric_between_the_particles_of_the_cloth) {
  for (const bool is_shuffled : {false, true}) {
    Sheets scene(GetParam(), is_shuffled);
    const clothc_fabric_info info = fabric_info(scene.fabric);
    EXPECT_EQ(info.reordered != 0, is_shuffled);
    const auto phase_sets = read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_PHASE_SETS);
    const auto set_ends = read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_SET_ENDS);
    const auto indices = read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_INDICES);
    const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    ASSERT_OK(clothc_fabric_destroy(scene.fabric));
    size_t count = 0;
    for (uint32_t phase = 0; phase < info.phase_count; ++phase) {
      const uint32_t begin = phase_sets[phase] == 0 ? 0 : set_ends[phase_sets[phase] - 1];
      std::map<Pair, int> expected;
      for (uint32_t k = begin; k < set_ends[phase_sets[phase]]; ++k) {
        const Vector a = vector_at(&positions[indices[k * 2] * 4]), b = vector_at(&positions[indices[k * 2 + 1] * 4]);
        ++expected[std::minmax(a, b)];
      }
      clothc_debug_desc desc = debug_desc(CLOTHC_DEBUG_PHASES);
      desc.cloth = scene.cloth;
      desc.phase = phase;
      const std::vector<clothc_debug_line> lines = debug_lines(scene.solver, desc);
      EXPECT_EQ(ends_of(lines), expected) << "phase " << phase;
      count += lines.size();
    }
    EXPECT_EQ(count, info.constraint_count);
    EXPECT_EQ(debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_PHASES)).size(), count);
    scene.fabric = nullptr;
  }
}

TEST_P(DebugPhases, are_those_of_phases_that_the_cloth_solves_unless_one_is_asked_for) {
  Scene scene(GetParam());
  const auto draw = [&](uint32_t phase) {
    clothc_debug_desc desc = debug_desc(CLOTHC_DEBUG_PHASES);
    desc.phase = phase;
    return debug_lines(scene.solver, desc).size();
  };
  const size_t all = draw(UINT32_MAX), first = draw(0), second = draw(1);
  EXPECT_GT(first, 0u);
  EXPECT_GT(all, first + second);
  std::vector<clothc_phase_config> configs(3, initialised<clothc_phase_config>());
  configs[0].phase = 1;
  configs[1].phase = 0;
  configs[1].stiffness = 0;
  configs[2].phase = 1;
  ASSERT_OK(clothc_cloth_set_phases(scene.solver, scene.cloth, configs.data(), 3));
  EXPECT_EQ(draw(UINT32_MAX), second) << "one that is solved twice is drawn once";
  EXPECT_EQ(draw(0), first);
  EXPECT_EQ(draw(17), 0u) << "no cloth has it";
  ASSERT_OK(clothc_cloth_set_phases(scene.solver, scene.cloth, nullptr, 0));
  EXPECT_EQ(draw(UINT32_MAX), 0u);
}

TEST_P(DebugPhases, of_tethers_go_from_each_particle_to_its_anchors) {
  Scene scene(without_cloth(GetParam()));
  clothc_mesh_desc mesh = scene.sheet.desc();
  mesh.tethers_per_particle = 2;
  scene.replace_fabric(mesh);
  clothc_cloth_desc cloth_desc = scene.cloth_desc();
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.tether_scale = 2;
  cloth_desc.parameters = &parameters;
  scene.cloth = scene.add(cloth_desc);
  const auto anchors = read_fabric<uint32_t>(scene.fabric, CLOTHC_FABRIC_TETHER_ANCHORS);
  const auto lengths = read_fabric<float>(scene.fabric, CLOTHC_FABRIC_TETHER_LENGTHS);
  const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  const size_t count = positions.size() / 4;
  std::map<Pair, Colour> expected;
  for (size_t k = 0; k < anchors.size(); ++k) {
    if (anchors[k] == k % count) continue;
    const Vector particle = vector_at(&positions[k % count * 4]), anchor = vector_at(&positions[anchors[k] * 4]);
    const double strain = length(anchor - particle) / (2 * double{lengths[k]}) - 1;
    ASSERT_LE(strain, 0) << "the sheet is at rest";
    expected[{particle, anchor}] = between(taut, slack, -strain / 2);
  }
  std::map<Pair, Colour> drawn;
  clothc_debug_desc desc = debug_desc(CLOTHC_DEBUG_TETHERS);
  desc.full_strain = 2;
  for (const clothc_debug_line& line : debug_lines(scene.solver, desc))
    drawn[{from(line), to(line)}] = colour_of(line.first_colour);
  EXPECT_EQ(drawn, expected);
  EXPECT_EQ(drawn.size(), 2 * (count - 6)) << "the first row is pinned";
}

TEST_P(DebugPhases, of_a_group_are_the_springs_between_active_particles) {
  Scene scene(without_cloth(GetParam()));
  const std::vector<float> positions = {0, 0, 0, 1, 1, 0, 0, 0, 2, 0, 0, 1, 3, 0, 0, 1};
  const clothc_group_id group = add_group(scene.solver, group_desc(positions));
  const uint32_t flags = CLOTHC_DEBUG_PHASES | CLOTHC_DEBUG_PARTICLES;
  EXPECT_EQ(debug_lines(scene.solver, debug_desc(flags)).size(), 12u) << "four particles without springs";
  set_springs(scene.device, scene.solver, group, {0, 1, 1, 2, 2, 3}, {1, 1, 0.5f});
  const std::vector<clothc_debug_line> lines = debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_PHASES));
  ASSERT_EQ(lines.size(), 3u);
  for (const clothc_debug_line& line : lines)
    EXPECT_EQ(colour_of(line.first_colour), std::max(from(line)[0], to(line)[0]) < 2.5 ? at_rest : stretched);
  set_active(scene.device, scene.solver, group, {1, 2});
  EXPECT_EQ(debug_lines(scene.solver, debug_desc(CLOTHC_DEBUG_PHASES)).size(), 1u);
  EXPECT_EQ(debug_lines(scene.solver, debug_desc(flags)).size(), 7u);
}

}  // namespace
}  // namespace debug_phases_test
