// cape_test.cpp - a cape that is held only by its collisions with a walking body of 27,732 triangles, for 300 frames:
// no particle ends inside the body, the cloth keeps its lengths, and every configuration gives the same bits.
#include <algorithm>
#include <cmath>

#include "support/bodies.h"
#include "support/configurations.h"
#include "physics/solid.h"
#include "physics/walking_body.h"

namespace physics::cape_test {
namespace {

constexpr int frames = 300;
constexpr uint32_t columns = 52, rows = 28;
// In m, about the thickness of the cloth of a coat.
constexpr float margin = 0.003f;
constexpr double tolerance = 1e-3;

const WalkingBody* body() {
  static const std::optional<WalkingBody> loaded = WalkingBody::load();
  return loaded ? &*loaded : nullptr;
}

// A disc around the neck with a hole for it, cut open in front except for the six rows of the collar.
struct Cape {
  std::vector<float> positions;
  std::vector<uint32_t> quads;
};

Cape make_cape() {
  Cape cape;
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      const double angle = (column + 0.5) / columns * 2 * std::acos(-1.0), radius = 0.085 + 0.6 * row / (rows - 1);
      cape.positions.push_back(static_cast<float>(radius * std::sin(angle)));
      cape.positions.push_back(static_cast<float>(0.56 - 0.2 * (radius - 0.085)));
      cape.positions.push_back(static_cast<float>(0.022 + radius * std::cos(angle)));
      if (row + 1 == rows || (column + 1 == columns && row >= 6)) continue;
      const uint32_t a = row * columns + column, b = row * columns + (column + 1) % columns;
      cape.quads.insert(cape.quads.end(), {a, a + columns, b + columns, b});
    }
  }
  return cape;
}

// Solving the edges several times costs little compared with an iteration's collisions.
std::vector<clothc_phase_config> phases() {
  const clothc_phase_config bend = phase_config(0, 0.2f), stretch = phase_config(1), shear = phase_config(2, 0.5f);
  return {shear, bend, stretch, stretch, stretch, stretch};
}

// The body and the cape that it wears.
class Walk {
 public:
  // on: whether the body is a collider of the cape; otherwise nothing holds the cape.
  explicit Walk(const Configuration& configuration, bool on = true) : world(configuration), on_(on) {
    auto desc = initialised<clothc_mesh_desc>();
    desc.flags = CLOTHC_COOK_KEEP_ORDER;
    desc.positions = mesh.positions.data();
    desc.vertex_count = mesh.positions.size() / 3;
    desc.quads = mesh.quads.data();
    desc.quad_count = mesh.quads.size() / 4;
    std::vector<float> inverse_masses(columns * rows, 1.0f);
    std::fill_n(inverse_masses.begin(), columns, 0.0f);
    desc.inverse_masses = inverse_masses.data();
    desc.areal_density = 0.25f;
    const clothc_fabric fabric = clothc_test::cook_fabric(world.device, desc);
    clothc_cloth_parameters parameters = default_parameters();
    parameters.solver_frequency = 480;
    fill(parameters.damping, 0.2f);
    parameters.friction = 0.4f;
    parameters.contact_margin = margin;
    parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
    shapes_.vertices = body()->at(0);
    shapes_.triangles = body()->triangles();
    shapes_.reach = 0.03f;
    set_ = world.add_colliders(on ? shapes_ : Shapes{});
    cloth = world.add(fabric, parameters, {}, phases(), {set_});
    require(clothc_fabric_destroy(fabric));
  }

  void step() {
    ++frame;
    shapes_.vertices = body()->at(frame / 60.0);
    if (on_) world.write(set_, shapes_);
    std::vector<Point> collar;
    for (uint32_t k = 0; k < columns; ++k) {
      const float* p = &mesh.positions[3 * k];
      const Vertex v = WalkingBody::moved({p[0], p[1], p[2]}, frame / 60.0);
      collar.push_back({v.x, v.y, v.z, 0});
    }
    world.set(cloth, CLOTHC_CHANNEL_POSITION, collar);
    world.update(1 / 60.0f);
  }
  Solid solid() const { return {shapes_.vertices, shapes_.triangles}; }

  // Returns the largest length / rest length - 1 of the mesh's edges.
  double largest_stretch(const std::vector<Point>& points) const {
    double largest = -1;
    for (size_t k = 0; k < mesh.quads.size(); ++k) {
      const uint32_t a = mesh.quads[k], b = mesh.quads[k % 4 == 3 ? k - 3 : k + 1];
      const auto rest = [&](size_t axis) {
        return static_cast<double>(mesh.positions[3 * a + axis]) - static_cast<double>(mesh.positions[3 * b + axis]);
      };
      const Point &p = points[a], &q = points[b];
      const double length = std::hypot(static_cast<double>(p.x) - static_cast<double>(q.x),
                                       static_cast<double>(p.y) - static_cast<double>(q.y),
                                       static_cast<double>(p.z) - static_cast<double>(q.z));
      largest = std::max(largest, length / std::hypot(rest(0), rest(1), rest(2)) - 1);
    }
    return largest;
  }

  const Cape mesh = make_cape();
  ConfiguredWorld world;
  clothc_cloth_id cloth = 0;
  int frame = 0;

 private:
  const bool on_;
  Shapes shapes_;
  clothc_collider_set_id set_ = 0;
};

struct Count {
  size_t inside = 0, deep = 0, not_finite = 0, seen = 0;
  double deepest = 0;

  void add(const Solid& solid, const std::vector<Point>& points) {
    for (const Point& p : points) {
      ++seen;
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
        ++not_finite;
      } else if (solid.winding(p) != 0) {
        ++inside;
        const double depth = solid.distance(p);
        deep += depth > tolerance ? 1 : 0;
        deepest = std::max(deepest, depth);
      }
    }
  }
};

// ------------------------------------------------------------------------------------------------ the measurement

TEST(PhysicsSolid, knows_a_ball_from_its_surroundings) {
  std::vector<Vertex> vertices;
  std::vector<uint32_t> triangles;
  add_ball(1, 3, vertices, triangles);
  const Solid ball(vertices, triangles);
  for (uint32_t i = 0; i < 2000; ++i) {
    const auto coordinate = [i](uint32_t factor) { return static_cast<float>(i * factor % 1999) / 800.0f - 1.25f; };
    const Point p = i == 0 ? Point{0, 0, 0, 0} : Point{coordinate(101), coordinate(77), coordinate(331), 0};
    const double r = std::hypot(static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z));
    if (r < 0.99 || r > 1) {
      EXPECT_EQ(ball.winding(p), r < 1 ? 1 : 0) << r;
    }
    EXPECT_NEAR(ball.distance(p), std::fabs(r - 1), 0.01);
  }
}

// ------------------------------------------------------------------------------------------------ the cape

TEST(PhysicsCape, stays_on_a_walking_body_and_outside_of_it) {
  if (body() == nullptr) GTEST_SKIP() << "the assets are not here";
  Configuration usual;
  usual.target = cpu_target;
  usual.threads = 2;
  Walk walk(usual);
  Count count;
  double stretch = -1;
  std::vector<Point> points;
  while (walk.frame < frames) {
    walk.step();
    points = walk.world.get(walk.cloth);
    count.add(walk.solid(), points);
    stretch = std::max(stretch, walk.largest_stretch(points));
  }
  EXPECT_EQ(count.not_finite, 0u);
  const std::string row = "cape on a walking body of 27,732 triangles, 300 frames: ";
  expect_at_most(cpu_target, row + "particles deeper inside than 1 mm per million particle-frames", 0,
                 1e6 * static_cast<double>(count.deep) / static_cast<double>(count.seen));
  expect_at_most(cpu_target, row + "deepest particle [m]", tolerance, count.deepest);
  expect_at_most(cpu_target, row + "largest stretch of an edge", 0.4, stretch);
  const Solid solid = walk.solid();
  size_t contacts = 0;
  for (const Point& p : points) contacts += solid.distance(p) < static_cast<double>(margin) + tolerance ? 1 : 0;
  EXPECT_GT(contacts, points.size() / 10) << "it lies on the body";
  EXPECT_LT(contacts, points.size() * 9 / 10) << "and hangs from it";
  EXPECT_GT(points.back().z, 3) << "they have walked";
}

TEST(PhysicsCape, would_be_inside_if_it_did_not_collide) {
  if (body() == nullptr) GTEST_SKIP() << "the assets are not here";
  Walk walk(plainest_configuration(), false);
  while (walk.frame < 30) walk.step();
  Count count;
  count.add(walk.solid(), walk.world.get(walk.cloth));
  EXPECT_GT(count.deep, columns * rows / 10);
  EXPECT_GT(count.deepest, 0.03);
}

// ------------------------------------------------------------------------------------------------ equality of bits

class PhysicsCapeBits : public testing::TestWithParam<Configuration> {};
INSTANTIATE_TEST_SUITE_P(Configurations, PhysicsCapeBits, testing::ValuesIn(other_configurations()),
                         name_of_configuration);

std::vector<uint64_t> hashes_of(const Configuration& configuration, size_t count) {
  Walk walk(configuration);
  std::vector<uint64_t> hashes;
  while (hashes.size() < count) {
    walk.step();
    hashes.push_back(walk.world.hash());
  }
  return hashes;
}

TEST_P(PhysicsCapeBits, are_those_of_one_thread_of_scalar_code) {
  if (body() == nullptr) GTEST_SKIP() << "the assets are not here";
  const std::vector<uint64_t> hashes = hashes_of(GetParam(), is_software(GetParam().target) ? 3 : 30);
  static std::vector<uint64_t> expected;
  if (expected.size() < hashes.size()) expected = hashes_of(plainest_configuration(), hashes.size());
  for (size_t k = 0; k < hashes.size(); ++k) ASSERT_EQ(hashes[k], expected[k]) << "frame " << k + 1;
}

}  // namespace
}  // namespace physics::cape_test
