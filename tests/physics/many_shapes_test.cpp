// many_shapes_test.cpp - cloth on a thousand spheres, a thousand planes or a hundred thousand triangles stays outside
// all of them, a thousand cloths on one body move as each would alone, and every configuration gives the same bits.
#include "physics/many_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "support/configurations.h"
#include "support/long_form.h"

namespace physics::many_shapes_test {
namespace {

// Returns the distance of every particle from the shapes.
std::vector<double> distances(CrowdRun& run) {
  std::vector<double> found;
  for (const clothc_cloth_id cloth : run.cloths) {
    for (const Point& p : run.world.get(cloth)) found.push_back(run.crowd.distance(p, run.time()));
  }
  return found;
}

size_t count_contacts(const std::vector<double>& distances) {
  return static_cast<size_t>(std::count_if(distances.begin(), distances.end(), [](double d) { return d < 1e-3; }));
}

// ------------------------------------------------------------------------------------------------ behaviour

class PhysicsCrowd : public testing::TestWithParam<Crowd> {};
INSTANTIATE_TEST_SUITE_P(Crowds, PhysicsCrowd, testing::ValuesIn(all_crowds()));

TEST_P(PhysicsCrowd, cloth_rests_on_the_shapes_and_is_in_none_of_them) {
  const Crowd& crowd = GetParam();
  World world(cpu_target);
  CrowdRun run(world, crowd, crowd.positions);
  size_t crossed = 0, seen = 0, contacts = 0;
  double deepest = 0;
  while (run.frame < crowd.frames) {
    run.step();
    if (run.frame % 5 != 0) continue;
    const std::vector<double> found = distances(run);
    contacts = count_contacts(found);
    seen += found.size();
    for (const double distance : found) {
      ASSERT_TRUE(std::isfinite(distance));
      deepest = std::max(deepest, -distance);
      crossed += distance < -crowd.tolerance ? 1 : 0;
    }
    for (const clothc_cloth_id cloth : run.cloths) {
      ASSERT_GT(world.status(cloth).bounds_minimum[1], crowd.lowest) << "falls through, frame " << run.frame;
    }
  }
  expect_at_most(cpu_target, crowd.name + ": crossings per million particle-frames", 0,
                 1e6 * static_cast<double>(crossed) / static_cast<double>(seen));
  expect_at_most(cpu_target, crowd.name + ": deepest particle [m]", crowd.tolerance, deepest);
  EXPECT_GE(contacts, crowd.fewest_contacts) << "of " << seen / (static_cast<size_t>(crowd.frames) / 5);
}

using PhysicsThousandCloths = TargetTest;
PHYSICS_ON_ALL_DEVICES(PhysicsThousandCloths);

TEST_P(PhysicsThousandCloths, move_as_each_would_alone) {
  if (is_software(GetParam())) GTEST_SKIP() << "their bits are compared with the cpu backend's instead";
  const Crowd crowd = thousand_cloths();
  const int frames = 25;
  std::vector<std::vector<Point>> alone;
  for (size_t k = 0; k < 10; ++k) {
    World world(GetParam());
    CrowdRun run(world, crowd, {crowd.positions[k]});
    while (run.frame < frames) run.step();
    EXPECT_GT(count_contacts(distances(run)), 0u) << "cloth " << k << " touches nothing";
    alone.push_back(world.get(run.cloths[0]));
  }
  World world(GetParam());
  CrowdRun run(world, crowd, crowd.positions);
  while (run.frame < frames) run.step();
  ASSERT_EQ(run.cloths.size(), 1000u);
  for (size_t k = 0; k < run.cloths.size(); ++k) {
    ASSERT_TRUE(same_bits(world.get(run.cloths[k]), alone[k % 10])) << "cloth " << k;
  }
  EXPECT_FALSE(same_bits(alone[0], alone[1]));
}

// ------------------------------------------------------------------------------------------------ equality of bits

class PhysicsCrowdBits : public testing::TestWithParam<Configuration> {};
INSTANTIATE_TEST_SUITE_P(Configurations, PhysicsCrowdBits, testing::ValuesIn(other_configurations()),
                         name_of_configuration);

// Returns the hashes after frames 1, 3 and 9. With a thousand cloths a hash costs more than a frame.
std::vector<uint64_t> hashes_of(CrowdRun& run, int frames) {
  std::vector<uint64_t> hashes;
  for (const int hashed : {1, 3, 9}) {
    if (hashed > frames) break;
    while (run.frame < hashed) run.step();
    hashes.push_back(run.world.hash());
  }
  return hashes;
}

// Returns the hashes of the plainest configuration, which is run only once.
const std::vector<uint64_t>& plainest_hashes(const Crowd& crowd, int frames) {
  static std::map<std::string, std::vector<uint64_t>> known;
  std::vector<uint64_t>& hashes = known[crowd.name + std::to_string(frames)];
  if (!hashes.empty()) return hashes;
  ConfiguredWorld world(plainest_configuration());
  CrowdRun run(world, crowd, crowd.positions);
  hashes = hashes_of(run, frames);
  return hashes;
}

// The schedules of the software devices share the crowds, but in the long form.
TEST_P(PhysicsCrowdBits, are_those_of_one_thread_of_scalar_code) {
  const Target& target = GetParam().target;
  const int frames = is_software(target) ? 3 : 9;
  size_t turn =
      (target.schedule == CLOTHC_SCHEDULE_PASS ? 1u : 0u) + (target.backend == CLOTHC_BACKEND_VULKAN ? 2u : 0u);
  for (const Crowd& crowd : all_crowds()) {
    if (turn++ % 4 != 0 && is_software(target) && !clothc_test::long_form()) continue;
    ConfiguredWorld world(GetParam());
    CrowdRun run(world, crowd, crowd.positions);
    EXPECT_EQ(hashes_of(run, frames), plainest_hashes(crowd, frames)) << crowd.name;
    EXPECT_GT(count_contacts(distances(run)), 10u) << crowd.name << " touches nothing";
  }
}

}  // namespace
}  // namespace physics::many_shapes_test
