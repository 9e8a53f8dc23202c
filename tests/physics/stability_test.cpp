// stability_test.cpp - garment scale: a level sheet of 2 m with 64 x 64 particles falls and hangs, with several
// densities, numbers of iterations and supports. It stays finite, and tethers keep it from stretching.
#include <algorithm>
#include <cstring>
#include <cmath>

#include "support/quad_sheet.h"
#include "support/world.h"

namespace physics::stability_test {
namespace {

using PhysicsStability = TargetTest;
PHYSICS_ON_ALL_DEVICES(PhysicsStability);

enum class Pins { top_row, corners };

struct Hanging {
  uint32_t resolution = 64;
  Pins pins = Pins::top_row;

  // In kg/m2.
  float density = 0.2f;

  // Per frame of 1/60 s.
  int iterations = 5;
  bool tethered = true;

  // If set, the sheet has long-range constraints that span 12 and 4 edges.
  bool long_range = false;

  // If set, stretch is corrected on coarse levels, as it is by default.
  bool levels = false;

  // Part of the velocity lost per 0.1 s.
  float damping = 0;
};

struct Stretch {
  bool finite = true;

  // Largest length / rest length - 1 of the mesh's edges after 5 s.
  double hanging = 0;

  // The same, as the maximum over all frames.
  double falling = 0;
};

clothc_fabric cook(World& world, const Hanging& setting) {
  const uint32_t n = setting.resolution;
  clothc_test::Sheet sheet(n, n);
  for (uint32_t i = 0; i < n * n; ++i) {
    const uint32_t x = i % n, y = i / n;
    sheet.positions[3 * i] = 2 * static_cast<float>(x) / static_cast<float>(n - 1) - 1;
    sheet.positions[3 * i + 1] = 0;
    sheet.positions[3 * i + 2] = 2 * static_cast<float>(y) / static_cast<float>(n - 1);
    const bool pinned = y == 0 && (setting.pins == Pins::top_row || x == 0 || x == n - 1);
    sheet.inverse_masses[i] = pinned ? 0.0f : 1.0f;
  }
  clothc_mesh_desc mesh = sheet.desc();
  mesh.areal_density = setting.density;
  if (!setting.tethered) mesh.flags |= CLOTHC_COOK_NO_TETHERS;
  if (!setting.levels) mesh.flags |= CLOTHC_COOK_NO_HIERARCHY;
  if (setting.long_range) mesh.long_range_edges[0] = 12, mesh.long_range_edges[1] = 4;
  return clothc_test::cook_fabric(world.device, mesh);
}

double max_stretch(const std::vector<Point>& points, const std::vector<uint32_t>& indices,
                   const std::vector<float>& rests) {
  double result = -1;
  for (size_t k = 0; k < rests.size(); ++k) {
    const Point &a = points[indices[2 * k]], &b = points[indices[2 * k + 1]];
    const double x = static_cast<double>(a.x) - b.x, y = static_cast<double>(a.y) - b.y,
                 z = static_cast<double>(a.z) - b.z;
    const double stretch = std::sqrt(x * x + y * y + z * z) / static_cast<double>(rests[k]) - 1;
    if (!(stretch <= result)) result = stretch;
  }
  return result;
}

Stretch hang(const Target& target, const Hanging& setting) {
  World world(target);
  clothc_fabric fabric = cook(world, setting);
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 60.0f * static_cast<float>(setting.iterations);
  std::fill(parameters.damping, parameters.damping + 3, setting.damping);
  const clothc_cloth_id cloth = world.add(fabric, parameters, {});
  std::vector<uint32_t> indices = clothc_test::read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_INDICES);
  std::vector<float> rests = clothc_test::read_fabric<float>(fabric, CLOTHC_FABRIC_REST_LENGTHS);
  const std::vector<uint32_t> types = clothc_test::read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_TYPES);
  const std::vector<uint32_t> ends = clothc_test::read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_SET_ENDS);
  // The constraints of the stretch phase are the mesh's edges. In a cooked fabric, phase and set have the same number.
  const size_t stretch = std::find(types.begin(), types.end(), uint32_t{CLOTHC_PHASE_STRETCH}) - types.begin();
  const uint32_t begin = stretch == 0 ? 0 : ends[stretch - 1];
  rests = std::vector<float>(rests.begin() + begin, rests.begin() + ends[stretch]);
  indices.erase(indices.begin(), indices.begin() + 2 * static_cast<std::ptrdiff_t>(begin));
  Stretch result;
  for (int frame = 0; frame < 300; ++frame) {
    world.update(1 / 60.0f);
    const std::vector<Point> points = world.get(cloth);
    result.hanging = max_stretch(points, indices, rests);
    result.falling = std::max(result.falling, result.hanging);
  }
  result.finite = std::isfinite(result.falling) && world.status(cloth).non_finite_count == 0;
  return result;
}

std::string describe(const Hanging& setting) {
  char text[200];
  std::snprintf(text, sizeof(text), "2 m sheet %ux%u, %s, %.2g kg/m2, damping %.1f, %s", setting.resolution,
                setting.resolution, setting.pins == Pins::top_row ? "top row pinned" : "two corners pinned",
                static_cast<double>(setting.density), static_cast<double>(setting.damping),
                setting.tethered ? "tethers" : "no tethers");
  if (setting.long_range) std::strcat(text, ", long-range constraints of 12 and 4 edges");
  if (setting.levels) std::strcat(text, ", coarse levels");
  return text;
}

// Runs only the first frames, for devices on which all frames would take minutes.
std::vector<Point> first_frames(const Target& target, const Hanging& setting) {
  World world(target);
  const clothc_cloth_id cloth = world.add(cook(world, setting), default_parameters(), {});
  world.update(1 / 60.0f, 10);
  return world.get(cloth);
}

TEST_P(PhysicsStability, tethers_keep_a_garment_sized_sheet_from_stretching) {
  Hanging setting;
  if (is_software(GetParam())) {
    EXPECT_TRUE(same_bits(first_frames(GetParam(), setting), first_frames(cpu_target, setting)));
    return;
  }
  setting.damping = 0.5f;
  const std::string where = describe(setting) + ", largest stretch of 300 frames, ";
  expect_at_most(GetParam(), where + "5 iterations", 0.066, hang(GetParam(), setting).falling);
  setting.iterations = 20;
  expect_at_most(GetParam(), where + "20 iterations", 0.0065, hang(GetParam(), setting).falling);
}

TEST_P(PhysicsStability, long_range_constraints_keep_it_from_stretching_in_few_iterations) {
  Hanging setting;
  setting.long_range = true;
  if (is_software(GetParam())) {
    EXPECT_TRUE(same_bits(first_frames(GetParam(), setting), first_frames(cpu_target, setting)));
    return;
  }
  setting.damping = 0.5f;
  const std::string row = ", largest stretch of 300 frames";
  expect_at_most(GetParam(), describe(setting) + row + ", 5 iterations", 0.0125, hang(GetParam(), setting).falling);
  setting.iterations = 6;
  expect_at_most(GetParam(), describe(setting) + row + ", 6 iterations", 0.01, hang(GetParam(), setting).falling);
  setting.pins = Pins::corners;
  expect_at_most(GetParam(), describe(setting) + row + ", 6 iterations", 0.025, hang(GetParam(), setting).falling);
}

TEST_P(PhysicsStability, coarse_levels_keep_it_from_stretching_in_few_iterations) {
  Hanging setting;
  setting.levels = true;
  if (is_software(GetParam())) {
    EXPECT_TRUE(same_bits(first_frames(GetParam(), setting), first_frames(cpu_target, setting)));
    return;
  }
  setting.damping = 0.5f;
  setting.iterations = 4;
  const std::string row = ", largest stretch of 300 frames, 4 iterations";
  expect_at_most(GetParam(), describe(setting) + row, 0.03, hang(GetParam(), setting).falling);
  setting.tethered = false;
  setting.pins = Pins::corners;
  expect_at_most(GetParam(), describe(setting) + row, 0.06, hang(GetParam(), setting).falling);
}

TEST_P(PhysicsStability, a_garment_sized_sheet_stays_finite_at_every_density_and_iteration_count) {
  if (is_software(GetParam())) GTEST_SKIP() << "takes this software device minutes; other tests compare its bits";
  for (const float density : {0.02f, 2.0f}) {
    for (const int iterations : {4, 20}) {
      for (const int held : {0, 1, 2, 3}) {
        Hanging setting;
        setting.density = density;
        setting.iterations = iterations;
        setting.tethered = held > 0;
        setting.long_range = held == 2;
        setting.levels = held == 3;
        EXPECT_TRUE(hang(GetParam(), setting).finite) << describe(setting) << ", " << iterations << " iterations";
      }
    }
  }
}

// The positions after a quarter of a second of a sheet whose free particles all have this inverse mass.
std::vector<Point> hang_with(const Target& target, bool is_cooked, float inverse_mass, int frames) {
  World world(target);
  clothc_test::Sheet sheet(12, 12);
  std::fill(sheet.inverse_masses.begin(), sheet.inverse_masses.end(), inverse_mass);
  std::fill(sheet.inverse_masses.begin(), sheet.inverse_masses.begin() + 12, 0.0f);
  clothc_cloth_id cloth;
  if (is_cooked) {
    cloth = world.add(clothc_test::cook_fabric(world.device, sheet.desc()), default_parameters(), {});
  } else {
    Plan plan = physics::sheet({12, 1, 0.2f, true});
    for (size_t k = 0; k < plan.points.size(); ++k) plan.points[k].w = k < 12 ? 0.0f : inverse_mass;
    cloth = world.add(plan, default_parameters());
  }
  world.update(1 / 60.0f, frames);
  std::vector<Point> points = world.get(cloth);
  for (Point& point : points) point.w = 0;
  return points;
}

// Corrections are shared by inverse mass, so that only ratios of masses enter. Powers of two leave all bits alone.
TEST_P(PhysicsStability, a_uniform_change_of_masses_changes_no_bit) {
  const int frames = is_software(GetParam()) ? 3 : 30;
  for (const bool is_cooked : {false, true}) {
    const std::vector<Point> expected = hang_with(GetParam(), is_cooked, 1, frames);
    for (const int exponent : {-39, -24, -10, 10, 29}) {
      const float inverse_mass = std::ldexp(1.0f, exponent);
      EXPECT_TRUE(same_bits(hang_with(GetParam(), is_cooked, inverse_mass, frames), expected))
          << (is_cooked ? "cooked" : "raw") << ", inverse mass 2^" << exponent;
    }
  }
}

void report(const Target& target, Hanging setting) {
  std::string row = describe(setting);
  for (const int iterations : {1, 4, 5, 10, 20, 40}) {
    setting.iterations = iterations;
    const Stretch stretch = hang(target, setting);
    char text[64];
    std::snprintf(text, sizeof(text), " | %.2f, %.2f", 100 * stretch.falling, 100 * stretch.hanging);
    row += text;
  }
  print_row(row);
}

TEST_P(PhysicsStability, report_stretch) {
  if (!wants_report()) GTEST_SKIP() << "set CLOTHC_REPORT for the table";
  print_row("per cent: largest of 300 frames, last frame | 1 iteration | 4 | 5 | 10 | 20 | 40");
  for (const Pins pins : {Pins::top_row, Pins::corners}) {
    for (const int held : {0, 1, 2, 3}) {
      Hanging setting;
      setting.pins = pins;
      setting.tethered = held % 2 == 0;
      setting.long_range = held > 1;
      for (const uint32_t resolution : {16u, 32u, 64u}) {
        setting.resolution = resolution;
        setting.damping = 0.5f;
        report(GetParam(), setting);
      }
      setting.damping = 0;
      report(GetParam(), setting);
    }
  }
}

}  // namespace
}  // namespace physics::stability_test
