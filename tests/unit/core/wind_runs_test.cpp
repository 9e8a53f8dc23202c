// wind_runs_test.cpp - wind on a grid, whose triangles are in runs, moves it to the same bits as wind on the same grid
// without runs, which is what a cloth has whose topology is its own.
#include "unit/core/cutting.h"

using namespace clothc_test;

namespace wind_runs_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(WindRuns);

SceneOptions options_of(clothc_backend backend, clothc_schedule schedule, clothc_isa isa = CLOTHC_ISA_AUTO) {
  SceneOptions options(backend);
  options.has_cloth = false;
  options.solver.schedule = schedule;
  options.device.isa = isa;
  return options;
}

struct WindScene : Scene {
  explicit WindScene(const SceneOptions& options) : Scene(options) {
    replace_fabric(Sheet(29, 22).desc());
    clothc_cloth_desc desc = cloth_desc();
    desc.spare_particle_count = 16;
    cloth = add(desc);
    change_parameters(cloth, [](clothc_cloth_parameters& p) {
      p.wind_velocity[0] = 4;
      p.wind_velocity[2] = 3;
      p.drag_coefficient = 0.5f;
      p.lift_coefficient = 0.3f;
      p.fluid_density = 1.2f;
    });
  }
  const clothc::WindLayout& wind() const { return cloths_of(*this).get(cloth).layout().wind; }
};

void expect_same_with_and_without_runs(const SceneOptions& options) {
  WindScene with(options), without(options);
  cloths_of(without).own_topology(cloths_of(without).get(without.cloth));
  ASSERT_GT(with.wind().place_count, without.wind().place_count) << "runs have empty places";
  const std::vector<float> before = with.get(CLOTHC_CHANNEL_POSITION, with.cloth);
  for (int frame = 0; frame < 12; ++frame) {
    with.step();
    without.step();
    for (const clothc_channel channel : {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION})
      ASSERT_EQ(with.get(channel, with.cloth), without.get(channel, without.cloth)) << "frame " << frame;
  }
  EXPECT_NE(with.get(CLOTHC_CHANNEL_POSITION, with.cloth), before);
}

TEST_P(WindRuns, give_the_bits_of_lists) {
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS})
    expect_same_with_and_without_runs(options_of(GetParam(), schedule));
}

TEST(WindRunsOnProcessors, give_the_bits_of_lists_on_every_instruction_set) {
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(Scene(CLOTHC_BACKEND_CPU).device, &info));
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((info.isa_mask >> isa & 1) == 0) continue;
    SCOPED_TRACE("isa " + std::to_string(isa));
    expect_same_with_and_without_runs(options_of(CLOTHC_BACKEND_CPU, CLOTHC_SCHEDULE_CLOTH, isa));
  }
}

}  // namespace
}  // namespace wind_runs_test
