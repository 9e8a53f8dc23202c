// garments_test.cpp - garments made elsewhere on bodies made elsewhere, held by nothing but contacts and friction: they stay on,
// come to rest and sleep.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "shared_meshes.h"

namespace physics {
namespace {

struct Dressed {
  const char* garment;
  const char* body;
};

// Those that close around the body; pieces of the others only lie on it.
const Dressed all_dressed[] = {{"female_casualsuit01", "female_generic"},
                               {"female_elegantsuit01", "female_generic"},
                               {"female_sportsuit01", "female_generic"},
                               {"male_casualsuit05", "male_generic"},
                               {"fedora", "female_generic"}};

class PhysicsGarments : public testing::TestWithParam<std::tuple<Target, Dressed>> {};

std::string name_of_dressed(const testing::TestParamInfo<std::tuple<Target, Dressed>>& info) {
  return std::get<1>(info.param).garment + ("_" + name_of({std::get<0>(info.param), 0}));
}

INSTANTIATE_TEST_SUITE_P(Devices, PhysicsGarments,
                         testing::Combine(testing::ValuesIn(all_devices()), testing::ValuesIn(all_dressed)),
                         name_of_dressed);

clothc_cloth_id dress(World& world, const SharedMesh& garment, const SharedMesh& body) {
  auto asset = std::make_shared<Asset>();
  asset->vertices = body.vertices;
  asset->triangles = body.all_triangles();
  Shapes shapes;
  shapes.instances = {{asset}};
  shapes.reach = 0.05f;
  auto desc = initialised<clothc_mesh_desc>(CLOTHC_STRUCT_MESH_DESC);
  desc.positions = &garment.vertices[0].x;
  desc.vertex_count = garment.vertices.size();
  desc.quads = garment.quads.data();
  desc.quad_count = garment.quads.size() / 4;
  desc.triangles = garment.triangles.data();
  desc.triangle_count = garment.triangles.size() / 3;
  desc.areal_density = 0.2f;
  clothc_fabric fabric = nullptr;
  require(clothc_fabric_cook(world.device, &desc, &fabric));
  clothc_cloth_parameters parameters = default_parameters();
  fill(parameters.damping, 0.1f);
  parameters.friction = 0.5f;
  parameters.contact_margin = 0.002f;
  parameters.sleep_threshold = 0.01f;
  const clothc_cloth_id cloth = world.add(fabric, parameters, {}, {}, {world.add_colliders(shapes)});
  require(clothc_fabric_destroy(fabric));
  return cloth;
}

bool is_asleep(World& world, clothc_cloth_id cloth) { return (world.status(cloth).flags & CLOTHC_STATUS_ASLEEP) != 0; }

TEST_P(PhysicsGarments, stay_on_the_body_and_fall_asleep_within_ten_seconds) {
  const auto& [target, dressed] = GetParam();
  const std::optional<SharedMesh> garment = load_shared_mesh(dressed.garment), body = load_shared_mesh(dressed.body);
  if (!garment || !body) GTEST_SKIP() << "the shared assets are not here";
  World world(target);
  const clothc_cloth_id cloth = dress(world, *garment, *body);
  if (is_software(target)) {
    World same(cpu_target);
    const clothc_cloth_id twin = dress(same, *garment, *body);
    world.update(1 / 60.0f, 3);
    same.update(1 / 60.0f, 3);
    EXPECT_TRUE(same_bits(world.get(cloth), same.get(twin)));
    return;
  }
  const std::vector<Point> before = world.get(cloth);
  int seconds = 0;
  for (; seconds < 10 && !is_asleep(world, cloth); ++seconds) world.update(1 / 60.0f, 60);
  EXPECT_TRUE(is_asleep(world, cloth));
  const std::vector<Point> after = world.get(cloth);
  double sunk = 0;
  for (size_t i = 0; i < before.size(); ++i) sunk += (double{before[i].y} - double{after[i].y}) / double(before.size());
  std::printf("%s: asleep after %d s, %.1f cm lower in the mean\n", dressed.garment, seconds, 100 * sunk);
  expect_at_most(target, std::string(dressed.garment) + " on a body, friction 0.5: sinks until it sleeps [m]", 0.15,
                 sunk);
}

}  // namespace
}  // namespace physics
