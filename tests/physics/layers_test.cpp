// layers_test.cpp - cloth that comes to rest on cloth: a stack, a fold and a heap. Once everything is still, no cloth
// may be pressed into another.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <tuple>

#include "support/world.h"

namespace physics::layers_test {
namespace {

constexpr float dt = 1 / 60.0f;

// Pairs of particles that should keep a distance, at the current time.
struct Pairs {
  uint64_t contact_count = 0;

  // Number of pairs nearer than half of the distance.
  uint64_t close = 0;

  // Smallest distance as a fraction of the required one.
  double nearest = 1;
};

double distance(const Point& a, const Point& b) {
  const auto apart = [](float x, float y) { return double{x} - double{y}; };
  return std::hypot(std::hypot(apart(a.x, b.x), apart(a.y, b.y)), apart(a.z, b.z));
}

void add_pair(Pairs& pairs, const Point& a, const Point& b, double wanted) {
  const double part = distance(a, b) / wanted;
  pairs.nearest = std::min(pairs.nearest, part);
  pairs.contact_count += part < 0.999;
  pairs.close += part < 0.5;
}

// Pieces of cloth on a floor that all have the same thickness, against each other and against themselves.
class Pile {
 public:
  Pile(const Target& target, float thickness, float frequency) : world_(target), thickness_(thickness) {
    Shapes floor;
    floor.planes = {{0, 1, 0, 0}};
    floor_ = world_.add_colliders(floor);
    parameters_.solver_frequency = frequency;
    fill(parameters_.damping, 0.2f);
    parameters_.friction = 0.5f;
    parameters_.contact_margin = thickness / 2;
    parameters_.inter_collision_distance = parameters_.self_collision_distance = thickness;
    parameters_.inter_collision_friction = parameters_.self_collision_friction = 0.5f;
    parameters_.inter_collision_damping = parameters_.self_collision_damping = 1;
    parameters_.sleep_threshold = 0.03f;
  }

  // Adds a sheet that is flat at rest and moves its particles to other positions.
  void add(const SheetPlan& wanted, const std::function<Point(const Point&)>& moved) {
    Plan plan = sheet(wanted);
    rests_.push_back(plan.points);
    for (Point& p : plan.points) p = moved(p);
    cloths_.push_back(world_.add(plan, parameters_, {}, {floor_}));
    world_.set(cloths_.back(), CLOTHC_CHANNEL_REST_POSITION, rests_.back());
  }

  void update(int count) { world_.update(dt, count); }

  size_t asleep() {
    return static_cast<size_t>(std::count_if(cloths_.begin(), cloths_.end(), [&](clothc_cloth_id cloth) {
      return (world_.status(cloth).flags & CLOTHC_STATUS_ASLEEP) != 0;
    }));
  }

  Pairs pairs() {
    Pairs found;
    const double wanted = static_cast<double>(thickness_);
    std::vector<std::vector<Point>> all;
    for (const clothc_cloth_id cloth : cloths_) all.push_back(world_.get(cloth));
    for (size_t a = 0; a < all.size(); ++a) {
      for (size_t i = 0; i < all[a].size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          if (distance(rests_[a][i], rests_[a][j]) >= wanted) add_pair(found, all[a][i], all[a][j], wanted);
        }
        for (size_t b = 0; b < a; ++b) {
          for (const Point& q : all[b]) add_pair(found, all[a][i], q, wanted);
        }
      }
    }
    return found;
  }

  double height() {
    float top = 0;
    for (const clothc_cloth_id cloth : cloths_) {
      for (const Point& p : world_.get(cloth)) top = std::max(top, p.y);
    }
    return static_cast<double>(top / thickness_);
  }

  float thickness() const { return thickness_; }
  size_t count() const { return cloths_.size(); }
  std::vector<Point> positions(size_t sheet) { return world_.get(cloths_[sheet]); }

 private:
  World world_;
  float thickness_;
  clothc_cloth_parameters parameters_ = default_parameters();
  clothc_collider_set_id floor_ = 0;
  std::vector<clothc_cloth_id> cloths_;
  std::vector<std::vector<Point>> rests_;
};

// Adds sheets in which particles act as soft beads, each sheet over the hollows of the one below.
void stack(Pile& pile) {
  constexpr SheetPlan plan = {20, 0.5f, 0.2f, true};
  const float shift = 0.5f * plan.width / (plan.n - 1);
  for (int k = 0; k < 10; ++k) {
    const float turn = 0.005f * static_cast<float>(k), aside = k % 2 == 0 ? 0 : shift;
    const float height = pile.thickness() * (1 + 1.5f * static_cast<float>(k));
    pile.add(plan, [=](const Point& p) {
      return Point{p.x - turn * p.z + aside, height, p.z + turn * p.x + aside, p.w};
    });
  }
}

// Adds a sheet that stands on its edge.
void upright_sheet(Pile& pile) {
  pile.add({28, 0.6f, 0.2f, true}, [](const Point& p) {
    return Point{p.x, 0.34f + p.z, 0.02f * std::sin(12 * p.z) + 0.02f * p.x, p.w};
  });
}

// Adds sheets that fall onto the same spot at different angles.
void towels(Pile& pile) {
  for (int k = 0; k < 5; ++k) {
    const float slope = k % 2 == 0 ? 0.5f : -0.4f, turn = 0.9f * static_cast<float>(k);
    const float c = std::cos(turn), s = std::sin(turn), height = 0.2f + 0.24f * static_cast<float>(k);
    pile.add({20, 0.4f, 0.4f, true}, [=](const Point& p) {
      return Point{c * p.x - s * p.z, height + slope * p.x + 0.2f * slope * p.z, s * p.x + c * p.z, p.w};
    });
  }
}

struct Case {
  const char* name;
  void (*add)(Pile& pile);

  // In m.
  float thickness;

  // Number of updates until all cloths sleep.
  int updates;
  double least_height;
};

const Case cases[] = {{"stack_of_ten", stack, 1.2f * 0.5f / 19, 420, 5},
                      {"sheet_that_folds_up", upright_sheet, 1.1f * 0.6f / 27, 420, 1.5},
                      {"heap_of_five_towels", towels, 1.1f * 0.4f / 19, 480, 3}};

class PhysicsLayers : public testing::TestWithParam<std::tuple<Target, Case>> {};

std::string name_of_case(const testing::TestParamInfo<std::tuple<Target, Case>>& info) {
  return std::get<1>(info.param).name + ("_" + name_of({std::get<0>(info.param), 0}));
}

INSTANTIATE_TEST_SUITE_P(Devices, PhysicsLayers,
                         testing::Combine(testing::ValuesIn(all_devices()), testing::ValuesIn(cases)), name_of_case);

TEST_P(PhysicsLayers, come_to_rest_apart_and_sleep) {
  const auto& [target, wanted] = GetParam();
  Pile pile(target, wanted.thickness, 480);
  wanted.add(pile);
  if (is_software(target)) {
    Pile same(cpu_target, wanted.thickness, 480);
    wanted.add(same);
    pile.update(12);
    same.update(12);
    for (size_t k = 0; k < pile.count(); ++k) ASSERT_TRUE(same_bits(pile.positions(k), same.positions(k))) << k;
    return;
  }
  pile.update(wanted.updates);
  EXPECT_EQ(pile.asleep(), pile.count());
  EXPECT_GT(pile.height(), wanted.least_height);
  const Pairs pairs = pile.pairs();
  std::printf("%s: %llu pairs touch, the nearest at %.3f of the distance, %llu below half\n", wanted.name,
              static_cast<unsigned long long>(pairs.contact_count), pairs.nearest,
              static_cast<unsigned long long>(pairs.close));
  EXPECT_GT(pairs.contact_count, 100u) << "they are to lie on each other";
  expect_at_most(target, std::string(wanted.name) + ", 480 Hz: deepest overlap, of the distance", 0.5,
                 1 - pairs.nearest);
  const std::vector<Point> before = pile.positions(pile.count() - 1);
  pile.update(20);
  EXPECT_TRUE(same_bits(pile.positions(pile.count() - 1), before)) << "it trembles in its sleep";
}

}  // namespace
}  // namespace physics::layers_test
