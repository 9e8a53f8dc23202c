// world.h - a solver and flat arrays for tests that use the library only through clothc.h, as a program would, and the
// targets (backend and schedule) that such tests run on.
#pragma once

#include <clothc.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/assets.h"
#include "support/calls.h"

namespace physics {

using clothc_test::initialised;
using clothc_test::require;

struct Target {
  clothc_backend backend;
  uint32_t device_index;
  clothc_schedule schedule;
};

// Returns every working device with both schedules. Prints once which devices are skipped and why.
const std::vector<Target>& all_targets();
// Returns every working device with its default schedule, for tests that take seconds.
std::vector<Target> all_devices();
std::string name_of(const testing::TestParamInfo<Target>& info);
// Returns whether the target is a GPU driver that runs on the processor. Rows with hundreds of thousands of tiny passes
// would take such a driver minutes; they are shortened there and compared with the bits of the CPU backend instead.
bool is_software(const Target& target);
constexpr Target cpu_target = {CLOTHC_BACKEND_CPU, 0, CLOTHC_SCHEDULE_AUTO};

class TargetTest : public testing::TestWithParam<Target> {};

#define PHYSICS_ON_ALL_TARGETS(suite) \
  INSTANTIATE_TEST_SUITE_P(Targets, suite, testing::ValuesIn(physics::all_targets()), physics::name_of)

#define PHYSICS_ON_ALL_DEVICES(suite) \
  INSTANTIATE_TEST_SUITE_P(Devices, suite, testing::ValuesIn(physics::all_devices()), physics::name_of)

clothc_cloth_parameters default_parameters();
// Returns parameters with gravity 0 with which stiffness 1 corrects all of an error in one iteration (at up to 1000
// iterations per second).
clothc_cloth_parameters plain_parameters(float solver_frequency);
clothc_phase_config phase_config(uint32_t phase, float stiffness = 1);
// Sets all three components of a parameter.
void fill(float (&field)[3], float value);

// Position x y z and inverse mass, or position x y z and radius.
struct Point {
  float x, y, z, w;
};

struct Link {
  uint32_t a, b;
  float rest;
};

// A raw fabric and the positions of the cloth made from it. Each phase is a set of its own.
struct Plan {
  std::vector<Point> points;
  std::vector<std::vector<Link>> phases;

  // One value per link, phase by phase; or empty.
  std::vector<float> stiffness;
  uint32_t tethers_per_particle = 0;
  std::vector<uint32_t> anchors;
  std::vector<float> reaches;

  // Three corners for each triangle.
  std::vector<uint32_t> triangles = {};

  // One type per phase; or empty.
  std::vector<uint32_t> phase_types = {};

  // Three particles and the index of a row of weights for each virtual particle.
  std::vector<uint32_t> virtual_particles = {};

  // Rows of three weights.
  std::vector<float> virtual_weights = {};
};

// An ellipsoid or a box: size holds the radii or the half sides.
struct Posed {
  float centre[3];
  float rotation[4];  // x y z w
  float size[3];
};

struct Shapes {
  std::vector<Point> spheres, sphere_starts;
  std::vector<Point> planes, plane_starts;
  std::vector<std::vector<uint32_t>> convexes;

  // Two sphere indices for each capsule.
  std::vector<uint32_t> capsules = {};
  std::vector<Posed> ellipsoids = {}, ellipsoid_starts = {};
  std::vector<Posed> boxes = {}, box_starts = {};
  std::vector<Vertex> vertices = {}, vertex_starts = {};

  // Three vertex indices for each triangle.
  std::vector<uint32_t> triangles = {};
  std::vector<Instance> instances = {}, instance_starts = {};
  float reach = 0.1f;
  clothc_collider_space space = CLOTHC_COLLIDER_SPACE_LOCAL;
};

// A square sheet in the plane y = 0 around the origin, face up (+y), of 2 (n - 1)^2 triangles whose diagonals all run
// in the same direction. Each particle has a third of the mass of each of its triangles. The constraints run along x,
// along z and along both diagonals.
struct SheetPlan {
  // Number of particles per side.
  uint32_t n = 5;
  float width = 1;       // m
  float density = 0.2f;  // kg/m2
  bool constrained = true;
};
Plan sheet(const SheetPlan& wanted);

bool same_bits(const std::vector<Point>& a, const std::vector<Point>& b);

class World {
 public:
  // cloth_capacity: number of cloths, with space for 64 particles each; 0 uses the default capacities.
  explicit World(const Target& target, uint32_t cloth_capacity = 0);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  clothc_cloth_id add(const Plan& plan, const clothc_cloth_parameters& parameters,
                      const std::vector<clothc_phase_config>& phases = {},
                      const std::vector<clothc_collider_set_id>& colliders = {});
  clothc_cloth_id add(clothc_fabric fabric, const clothc_cloth_parameters& parameters, const std::vector<Point>& points,
                      const std::vector<clothc_phase_config>& phases = {},
                      const std::vector<clothc_collider_set_id>& colliders = {});
  clothc_collider_set_id add_colliders(const Shapes& shapes);
  void write(clothc_collider_set_id set, const Shapes& shapes);
  void update(float dt, int count = 1);

  std::vector<Point> get(clothc_cloth_id cloth, clothc_channel channel = CLOTHC_CHANNEL_POSITION);
  void set(clothc_cloth_id cloth, clothc_channel channel, const std::vector<Point>& points, uint32_t flags = 0);
  clothc_cloth_status status(clothc_cloth_id cloth);
  void set_parameters(clothc_cloth_id cloth, const clothc_cloth_parameters& parameters);
  void set_frame(clothc_cloth_id cloth, const clothc_cloth_frame& frame);
  uint64_t hash();

  // All tests share this device.
  clothc_device device = nullptr;
  clothc_solver solver = nullptr;

 private:
  // Assets that already exist in the solver. An asset is created when an instance of it is first written.
  std::map<AssetPointer, clothc_collider_asset_id> assets_;
};

// Checks a row of docs/validation.md: fails if measured differs from expected by more than gate (relative to expected,
// or absolute if expected is 0), or if the page shows other numbers of the CPU backend. Prints the row as Markdown if
// CLOTHC_REPORT is set.
void expect_row(const Target& target, const std::string& row, double expected, double measured, double gate);
// Checks likewise a row that has an upper limit.
void expect_at_most(const Target& target, const std::string& row, double limit, double measured);
// Returns whether CLOTHC_REPORT is set, which requests tables that assert nothing.
bool wants_report();
void print_row(const std::string& row);

}  // namespace physics
