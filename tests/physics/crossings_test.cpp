// crossings_test.cpp - no particle ends on the wrong side of a shape of any kind: cloth that falls onto a shape, cloth
// that is thrown at one, and resting cloth at which a shape is thrown.
#include <cmath>

#include "support/bodies.h"

namespace physics::crossings_test {
namespace {

using PhysicsCrossings = TargetTest;
PHYSICS_ON_ALL_DEVICES(PhysicsCrossings);

constexpr uint32_t side = 25;

// Counts how often particles were deeper inside than the tolerance, per million particles and frames.
class Crossings {
 public:
  void count(const Body& body, Vertex centre, const std::vector<Point>& points, double tolerance) {
    for (const Point& p : points) {
      const double distance = body.distance(static_cast<double>(p.x) - static_cast<double>(centre.x),
                                            static_cast<double>(p.y) - static_cast<double>(centre.y),
                                            static_cast<double>(p.z) - static_cast<double>(centre.z));
      deepest_ = std::max(deepest_, -distance);
      crossed_ += distance < -tolerance ? 1 : 0;
    }
    seen_ += points.size();
  }
  double per_million() const { return 1e6 * static_cast<double>(crossed_) / static_cast<double>(seen_); }
  double deepest() const { return deepest_; }

 private:
  size_t crossed_ = 0;
  size_t seen_ = 0;
  double deepest_ = 0;
};

// Returns how deep a particle may be. With continuous collision a capsule and the sphere at its end may both push the
// same particle, and the mean of both pushes is applied (docs/solver.md). After a fast motion the particle is then
// inside for some iterations, on the side that it came from.
double depth_allowed(const Body& body, bool continuously, double otherwise) {
  if (body.name != "capsules" || !continuously) return otherwise;
  return otherwise < 1e-3 ? 5e-4 : 0.04;
}

clothc_cloth_parameters colliding(bool continuously) {
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 240;
  parameters.friction = 0.3f;
  if (continuously) parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
  return parameters;
}

TEST_P(PhysicsCrossings, a_sheet_dropped_on_a_shape_stays_outside) {
  const int frames = is_software(GetParam()) ? 24 : 120;
  for (const Body& body : all_bodies()) {
    for (const bool continuously : {false, true}) {
      World world(GetParam());
      Plan plan = sheet({side, 1.6f, 0.2f, true});
      for (Point& p : plan.points) p.y = 0.7f;
      const clothc_cloth_id cloth =
          world.add(plan, colliding(continuously), {}, {world.add_colliders(body.at({0, 0, 0}))});
      Crossings crossings;
      for (int frame = 0; frame < frames; frame += 4) {
        world.update(1 / 60.0f, 4);
        crossings.count(body, {0, 0, 0}, world.get(cloth), depth_allowed(body, continuously, 1e-4));
      }
      expect_at_most(GetParam(),
                     "sheet dropped on a " + body.name + (continuously ? ", continuous" : "") +
                         ": crossings per million particle-frames",
                     0, crossings.per_million());
      expect_at_most(GetParam(),
                     "sheet dropped on a " + body.name + (continuously ? ", continuous" : "") + ": deepest [m]",
                     depth_allowed(body, continuously, 1e-4), crossings.deepest());
    }
  }
}

// The particles have no constraints between them, so each must be stopped individually. Those above the core of the
// shape are thrown down at 100 m/s, 0.42 m per iteration, which is more than the shape's thickness. None may end below
// it.
TEST_P(PhysicsCrossings, particles_thrown_at_a_shape_do_not_pass_it) {
  for (const Body& body : all_bodies()) {
    World world(GetParam());
    Plan plan = sheet({side, 0.4f, 0.2f, false});
    std::vector<Point> velocities;
    for (Point& p : plan.points) {
      p.y = 0.6f;
      velocities.push_back({0, -100, 0, 0});
    }
    const clothc_cloth_id cloth = world.add(plan, colliding(true), {}, {world.add_colliders(body.at({0, 0, 0}))});
    world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
    Crossings crossings;
    size_t below = 0;
    for (int frame = 0; frame < 6; ++frame) {
      world.update(1 / 240.0f);
      const std::vector<Point> points = world.get(cloth);
      crossings.count(body, {0, 0, 0}, points, depth_allowed(body, true, 2e-3));
      if (frame < 3) {
        for (const Point& p : points) below += p.y < 0 && std::hypot(p.x, p.z) < 0.25f ? 1 : 0;
      }
    }
    expect_at_most(GetParam(),
                   "particles thrown at a " + body.name + " at 100 m/s: crossings per million particle-frames", 0,
                   crossings.per_million());
    Crossings at_end;
    at_end.count(body, {0, 0, 0}, world.get(cloth), 2e-3);
    expect_at_most(GetParam(), "particles thrown at a " + body.name + " at 100 m/s: deepest after six iterations [m]",
                   2e-3, at_end.deepest());
    expect_at_most(GetParam(), "particles thrown at a " + body.name + " at 100 m/s: deepest [m]",
                   depth_allowed(body, true, 2e-3), crossings.deepest());
    EXPECT_EQ(below, 0u) << body.name << ": particles have passed through";
  }
}

TEST_P(PhysicsCrossings, a_shape_thrown_at_particles_takes_them_along) {
  for (const Body& body : all_bodies()) {
    World world(GetParam());
    Plan plan = sheet({side, 0.4f, 0.2f, false});
    for (Point& p : plan.points) p.y = 0;
    const clothc_collider_set_id set = world.add_colliders(body.at({0, -1, 0}));
    const clothc_cloth_id cloth = world.add(plan, colliding(true), {}, {set});
    // This update makes the shape's current position the start of its motion.
    world.update(1 / 60.0f);
    Crossings crossings;
    size_t below = 0;
    for (int frame = 1; frame <= 3; ++frame) {
      // 90 m/s.
      const Vertex centre = {0, -1 + 1.5f * static_cast<float>(frame), 0};
      world.write(set, body.at(centre));
      world.update(1 / 60.0f);
      const std::vector<Point> points = world.get(cloth);
      crossings.count(body, centre, points, depth_allowed(body, true, 2e-3));
      for (const Point& p : points) below += p.y < centre.y && std::hypot(p.x, p.z) < 0.25f ? 1 : 0;
    }
    expect_at_most(GetParam(), "particles met by a " + body.name + " at 90 m/s: crossings per million particle-frames",
                   0, crossings.per_million());
    expect_at_most(GetParam(), "particles met by a " + body.name + " at 90 m/s: deepest [m]",
                   depth_allowed(body, true, 2e-3), crossings.deepest());
    EXPECT_EQ(below, 0u) << body.name << ": has passed particles by";
  }
}

}  // namespace
}  // namespace physics::crossings_test
