// hierarchy_pins_test.cpp - coarse levels look for pinned particles only when these may have changed. A cloth moves as
// one whose levels are made to look for them before every update.
#include "support/quad_sheet.h"
#include "support/world.h"

namespace physics::hierarchy_pins_test {
namespace {

using PhysicsHierarchyPins = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsHierarchyPins);

constexpr uint32_t n = 14;

// A sheet that is pinned at two corners. It may shear, so lengths to pins depend on the time step.
struct Hanging {
  World world;
  clothc_cloth_id cloth = 0;
  clothc_cloth_parameters parameters = plain_parameters(120);
  bool always;
  std::vector<Point> rest;

  Hanging(const Target& target, bool looks_always) : world(target), always(looks_always) {
    clothc_test::Sheet sheet(n, n, 0.05f, 0);
    clothc_mesh_desc desc = sheet.desc();
    desc.flags = CLOTHC_COOK_NO_TETHERS | CLOTHC_COOK_NO_BEND;
    const clothc_fabric fabric = clothc_test::cook_fabric(world.device, desc);
    parameters.gravity[1] = -9.81f;
    cloth = world.add(fabric, parameters, {}, {phase_config(0), phase_config(1, 0.4f)});
    require(clothc_fabric_destroy(fabric));
    rest = world.get(cloth);
    pin({0, n - 1}, 0);
  }

  // A setting of tethers, which this cloth has none of, is written with the settings of the levels.
  void update(float dt) {
    if (always) {
      parameters.tether_scale = parameters.tether_scale == 1.0f ? 0.5f : 1.0f;
      world.set_parameters(cloth, parameters);
    }
    world.update(dt);
  }

  void pin(const std::vector<uint32_t>& particles, float inverse_mass, float moved_by = 0) {
    std::vector<Point> points = world.get(cloth);
    for (const uint32_t particle : particles) {
      points[particle].w = inverse_mass;
      points[particle].x += moved_by;
    }
    world.set(cloth, CLOTHC_CHANNEL_POSITION, points);
  }

  // Holds the last row where it is.
  void hold_row() {
    std::vector<Point> spheres = world.get(cloth);
    for (uint32_t p = 0; p < n * n; ++p) spheres[p].w = p < n * (n - 1) ? -1.0f : 0.0f;
    world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, spheres);
  }
};

struct Step {
  const char* name;
  void (*change)(Hanging& run);
  float dt;
};

const Step steps[] = {
    {"the first update", [](Hanging&) {}, 1 / 60.0f},
    {"another one", [](Hanging&) {}, 1 / 60.0f},
    {"a particle is pinned", [](Hanging& run) { run.pin({n * n / 2}, 0); }, 1 / 60.0f},
    {"it is pinned again", [](Hanging& run) { run.pin({n * n / 2}, 0); }, 1 / 60.0f},
    {"it is released", [](Hanging& run) { run.pin({n * n / 2}, 1); }, 1 / 60.0f},
    {"a row is held", [](Hanging& run) { run.hold_row(); }, 1 / 60.0f},
    {"the row is let go",
     [](Hanging& run) { require(clothc_cloth_clear(run.world.solver, run.cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT)); },
     1 / 60.0f},
    {"an update that is held back", [](Hanging&) {}, 1e-5f},
    {"levels are off when a particle is pinned",
     [](Hanging& run) {
       run.parameters.hierarchy_stiffness = 0;
       run.world.set_parameters(run.cloth, run.parameters);
       run.pin({n * n - 1}, 0, 0.3f);
     },
     1 / 60.0f},
    {"they are on again",
     [](Hanging& run) {
       run.parameters.hierarchy_stiffness = 1;
       run.world.set_parameters(run.cloth, run.parameters);
     },
     1 / 60.0f},
    {"an update of another length", [](Hanging&) {}, 1 / 50.0f},
    {"the cloth begins anew",
     [](Hanging& run) { require(clothc_cloth_reset(run.world.solver, run.cloth, &run.rest[0].x)); }, 1 / 60.0f},
};

TEST_P(PhysicsHierarchyPins, are_found_when_they_change) {
  Hanging run(GetParam(), false), reference(GetParam(), true);
  for (const Step& step : steps) {
    SCOPED_TRACE(step.name);
    for (Hanging* each : {&run, &reference}) {
      step.change(*each);
      each->update(step.dt);
    }
    for (int k = 0; k < 4; ++k) {
      ASSERT_TRUE(same_bits(run.world.get(run.cloth), reference.world.get(reference.cloth))) << k;
      run.update(1 / 60.0f);
      reference.update(1 / 60.0f);
    }
  }
}

}  // namespace
}  // namespace physics::hierarchy_pins_test
