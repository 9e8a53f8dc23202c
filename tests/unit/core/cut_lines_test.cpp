// cut_lines_test.cpp - debug lines of cloth that was cut: each constraint is drawn between the particles that it joins
// now, also before an update has sent the cut to the device.
#include <map>

#include "support/debug_lines.h"
#include "unit/core/cutting.h"

using namespace clothc_test;

namespace cut_lines_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(CutLines);

constexpr uint32_t columns = 12, count = columns * columns;

struct CutSheet : Scene {
  explicit CutSheet(clothc_backend backend) : Scene(options(backend)) {
    clothc_cloth_desc desc = cloth_desc();
    desc.spare_particle_count = columns;
    cloth = add(desc);
  }
  static SceneOptions options(clothc_backend backend) {
    SceneOptions options(backend);
    options.columns = options.rows = columns;
    options.has_cloth = false;
    return options;
  }
  // Parts the sheet between columns 5 and 6, from the second row on.
  void cut() const {
    for (uint32_t row = 1; row < columns; ++row)
      cut_particle(*this, cloth, row * columns + 5, [](uint32_t p) { return p < count && p % columns > 5; });
  }
  std::vector<clothc_debug_line> lines(uint32_t flags) const { return debug_lines(solver, debug_desc(flags, 0.1f)); }
};

TEST_P(CutLines, join_the_particles_of_the_constraints) {
  CutSheet scene(GetParam());
  const size_t whole = scene.lines(CLOTHC_DEBUG_PHASES).size();
  scene.cut();
  // What was split off goes 10 m up, and everything that is drawn to it with it.
  std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  ASSERT_EQ(positions.size() / 4, count + columns - 1);
  for (size_t k = count * 4; k < positions.size(); k += 4) positions[k + 1] += 10;
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, positions, CLOTHC_SET_AT_REST);
  for (const bool was_updated : {false, true}) {
    std::map<long, int> heights;
    for (const clothc_debug_line& line : scene.lines(CLOTHC_DEBUG_PHASES))
      ++heights[std::lround(from(line)[1] + to(line)[1])];
    // Constraints of column 5 that reach beyond it begin at the new particles: 11 along edges, 11 two edges long, and
    // 21 across quads, of which the last row has one less.
    EXPECT_EQ(heights, (std::map<long, int>{{2, static_cast<int>(whole) - 43}, {12, 43}}));
    if (was_updated) break;
    scene.step(1, 1e-6f);
  }
  EXPECT_EQ(scene.lines(CLOTHC_DEBUG_PARTICLES).size(), 3 * (count + columns - 1));
}

}  // namespace
}  // namespace cut_lines_test
