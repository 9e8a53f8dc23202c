// assets_test.cpp - meshes and signed distance fields (SDFs) of which collider sets have instances: what is permitted,
// each refusal with its message and without changes, how long assets live, and assets without a surface, which are
// accepted.
#include "support/every_shape.h"
#include "support/refusals.h"

using namespace clothc_test;

namespace assets_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ColliderAssets);

constexpr clothc_result invalid_argument = CLOTHC_ERROR_INVALID_ARGUMENT;

// A cloth that collides with a mesh instance and an SDF instance. Refused calls must not change it.
struct Shown : Scene {
  clothc_collider_set_id set = 0;
  explicit Shown(clothc_backend backend) : Scene(backend), set(make_set(*this, every_shape())) {
    list(*this, {set});
    step(3);
  }
};

TEST_P(ColliderAssets, meshes_out_of_range_are_refused_by_name) {
  using D = clothc_collider_mesh_desc;
  Shown scene(GetParam());
  const uint64_t hash = scene.hash();
  const auto create = [&](const D* d, clothc_collider_asset_id* id) {
    return clothc_collider_mesh_create(scene.solver, d, id);
  };
  MeshAsset mesh;
  const D good = mesh.desc();
  std::vector<Refusal<D>> refusals = {
      {"no vertex", [](D& d) { d.vertex_count = 0; }, {"vertex_count is 0", "want 1 to 2^24"}},
      {"too many", [](D& d) { d.vertex_count = (1u << 24) + 1; }, {"vertex_count is 16777217", "2^24"}},
      {"no triangle", [](D& d) { d.triangle_count = 0; }, {"triangle_count is 0", "want 1 to 2^23"}},
      {"too many triangles", [](D& d) { d.triangle_count = (1u << 23) + 1; }, {"8388609", "want at most 2^23"}},
      {"null", [](D& d) { d.vertices = nullptr; }, {"vertices is null"}},
      {"reserved", [](D& d) { d.reserved = 3; }, {"reserved is 3; want 0"}},
      {"fewer vertices", [](D& d) { d.vertex_count = 5; }, {"triangle 4", "want below vertex_count 5"}},
      {"no array", [](D& d) { d.triangles = nullptr; }, {"triangles are 8", "6 vertices are too few"}}};
  expect_refused<D, clothc_collider_asset_id>(good, refusals, create);
  for (const float value : outside(-1e9f, 1e9f)) {
    for (const size_t k : {9u, 10u, 11u}) {
      mesh.vertices[k] = value;
      clothc_collider_asset_id id = 77;
      EXPECT_FAILS(invalid_argument, create(&good, &id), "vertex 3", "want finite values within +-1e9");
      EXPECT_EQ(id, 77u);
      mesh.vertices[k] = 0;
    }
  }
  for (const uint32_t corner : {6u, 0xffffffffu}) {
    mesh.triangles[22] = corner;
    clothc_collider_asset_id id = 77;
    EXPECT_FAILS(invalid_argument, create(&good, &id), "triangle 7", std::to_string(corner).c_str());
    EXPECT_EQ(id, 77u);
  }
  EXPECT_FAILS(invalid_argument, create(&good, nullptr), "the asset pointer is null");
  EXPECT_FAILS(invalid_argument, create(nullptr, nullptr), "null");
  EXPECT_EQ(scene.info().collider_asset_count, 2u);
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(ColliderAssets, sdfs_out_of_range_are_refused_by_the_name_of_the_field) {
  using D = clothc_sdf_desc;
  Shown scene(GetParam());
  const uint64_t hash = scene.hash();
  const auto create = [&](const D* d, clothc_collider_asset_id* id) {
    return clothc_collider_sdf_create(scene.solver, d, id);
  };
  SdfAsset sdf;
  const D good = sdf.desc();
  std::vector<Refusal<D>> refusals = {
      {"null", [](D& d) { d.values = nullptr; }, {"values is null"}},
      {"too many", [](D& d) { d.counts[0] = d.counts[1] = d.counts[2] = 513; }, {"513 x 513 x 513", "2^27 nodes"}},
      {"all", [](D& d) { d.counts[0] = d.counts[1] = d.counts[2] = 4096; }, {"4096 x 4096 x 4096", "2^27 nodes"}}};
  const char* const counts[] = {"counts[0] is", "counts[1] is", "counts[2] is"};
  const char* const origins[] = {"origin[0] is", "origin[1] is", "origin[2] is"};
  for (size_t axis = 0; axis < 3; ++axis) {
    for (const uint32_t count : {0u, 1u, 4097u, 0xffffffffu}) {
      refusals.push_back({"count", [=](D& d) { d.counts[axis] = count; }, {counts[axis], "want 2 to 4096"}});
    }
    for (const float value : outside(-1e9f, 1e9f)) {
      refusals.push_back({"origin", [=](D& d) { d.origin[axis] = value; }, {origins[axis], "within +-1e9"}});
    }
  }
  for (const float value : outside(1e-6f, 1e6f)) {
    refusals.push_back({"spacing", [=](D& d) { d.spacing = value; }, {"spacing is", "want 1e-6 to 1e6 m"}});
  }
  expect_refused<D, clothc_collider_asset_id>(good, refusals, create);
  for (const size_t k : {0u, 79u}) {
    for (const float value : outside(-1e9f, 1e9f)) {
      const float before = std::exchange(sdf.values[k], value);
      clothc_collider_asset_id id = 77;
      EXPECT_FAILS(invalid_argument, create(&good, &id), k == 0 ? "sdf value 0 is" : "sdf value 79 is",
                   "finite distance within +-1e9 m");
      EXPECT_EQ(id, 77u);
      sdf.values[k] = before;
    }
  }
  EXPECT_FAILS(invalid_argument, create(&good, nullptr), "the asset pointer is null");
  EXPECT_FAILS(invalid_argument, create(nullptr, nullptr), "null");
  EXPECT_EQ(scene.info().collider_asset_count, 2u);
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(ColliderAssets, the_callers_arrays_are_copied) {
  uint64_t hashes[2];
  for (const bool spoil : {false, true}) {
    Scene scene(GetParam());
    MeshAsset mesh;
    SdfAsset sdf;
    make_asset(scene, mesh);
    make_asset(scene, sdf);
    if (spoil) {
      for (float& x : mesh.vertices) x = 9;
      for (uint32_t& corner : mesh.triangles) corner = 0;
      for (float& value : sdf.values) value = -1;
    }
    list(scene, {make_set(scene, every_shape())});
    scene.step(10);
    hashes[spoil ? 1 : 0] = scene.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_P(ColliderAssets, triangles_without_an_array_are_the_vertices_by_threes) {
  uint64_t hashes[2];
  for (const bool with_array : {false, true}) {
    Scene scene(GetParam());
    MeshAsset soup;
    const MeshAsset mesh;
    soup.vertices.clear();
    for (const uint32_t corner : mesh.triangles) {
      soup.vertices.insert(soup.vertices.end(), &mesh.vertices[3 * corner], &mesh.vertices[3 * corner] + 3);
    }
    for (uint32_t k = 0; k < 24; ++k) soup.triangles[k] = k;
    clothc_collider_mesh_desc desc = soup.desc();
    if (!with_array) desc.triangles = nullptr;
    clothc_collider_asset_id id = 0;
    ASSERT_OK(clothc_collider_mesh_create(scene.solver, &desc, &id));
    make_asset(scene, SdfAsset());
    list(scene, {make_set(scene, every_shape())});
    scene.step(10);
    hashes[with_array ? 1 : 0] = scene.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_P(ColliderAssets, that_a_set_shows_are_not_destroyed_until_it_shows_them_no_more) {
  Shown scene(GetParam());
  // No cloth lists this set.
  const clothc_collider_set_id other = make_set(scene, every_shape());
  const uint64_t hash = scene.hash();
  for (const clothc_collider_asset_id id : {first_mesh, first_sdf}) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_collider_asset_destroy(scene.solver, id), "1 instances",
                 "write the set without them");
  }
  EXPECT_EQ(scene.info().collider_asset_count, 2u);
  EXPECT_EQ(scene.hash(), hash);
  Shapes without = every_shape();
  without.instances.resize(8);
  without.instance_assets = {first_sdf};
  write(scene, scene.set, without);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_collider_asset_destroy(scene.solver, first_mesh), "instances");
  write(scene, other, Shapes{});
  EXPECT_OK(clothc_collider_asset_destroy(scene.solver, first_mesh));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_collider_asset_destroy(scene.solver, first_sdf), "instances");
  ASSERT_OK(clothc_collider_set_destroy(scene.solver, scene.set));
  EXPECT_OK(clothc_collider_asset_destroy(scene.solver, first_sdf));
  EXPECT_EQ(scene.info().collider_asset_count, 0u);
  scene.step(3);
}

// Assets that reuse the device memory of destroyed ones must not be mistaken for them.
TEST_P(ColliderAssets, that_come_and_go_leave_nothing_behind) {
  Scene scene(GetParam()), twin(GetParam());
  const clothc_collider_set_id set = make_set(scene, Shapes{});
  ASSERT_EQ(make_set(twin, Shapes{}), set);
  list(scene, {set});
  list(twin, {set});
  // Current assets of the scene that destroys its previous assets in each pass through the loop.
  std::vector<clothc_collider_asset_id> before;
  for (uint32_t round = 0; round < 12; ++round) {
    MeshAsset mesh;
    SdfAsset sdf;
    for (float& x : mesh.vertices) x *= 1 + 0.1f * static_cast<float>(round);
    for (float& value : sdf.values) value -= 0.05f * static_cast<float>(round);
    sdf.counts[2] = 4 - round % 3;
    Shapes shapes = every_shape();
    shapes.instance_assets = {make_asset(twin, mesh), make_asset(twin, sdf)};
    write(twin, set, shapes);
    write(scene, set, Shapes{});
    for (const clothc_collider_asset_id id : before) EXPECT_OK(clothc_collider_asset_destroy(scene.solver, id));
    before = {make_asset(scene, mesh), make_asset(scene, sdf)};
    shapes.instance_assets = before;
    write(scene, set, shapes);
    for (Scene* s : {&scene, &twin}) s->step(2);
    ASSERT_EQ(scene.hash(), twin.hash()) << "round " << round;
  }
  EXPECT_EQ(scene.info().collider_asset_count, 2u);
  EXPECT_EQ(twin.info().collider_asset_count, 24u);
}

TEST_P(ColliderAssets, a_solver_that_is_destroyed_takes_its_assets_along) {
  Shown scene(GetParam());
  ASSERT_OK(clothc_solver_destroy(scene.solver));
  const MeshAsset mesh;
  const clothc_collider_mesh_desc desc = mesh.desc();
  clothc_collider_asset_id id = 77;
  EXPECT_EQ(clothc_collider_mesh_create(scene.solver, &desc, &id), CLOTHC_ERROR_INVALID_HANDLE);
  EXPECT_EQ(clothc_collider_asset_destroy(scene.solver, first_mesh), CLOTHC_ERROR_INVALID_HANDLE);
  EXPECT_EQ(id, 77u);
}

TEST_P(ColliderAssets, are_replaced_by_those_of_a_snapshot) {
  Shown scene(GetParam());
  const std::vector<uint8_t> bytes = scene.snapshot();
  const uint64_t hash = scene.hash();
  const clothc_collider_asset_id later = make_asset(scene, SdfAsset());
  EXPECT_EQ(scene.info().collider_asset_count, 3u);
  ASSERT_OK(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
  EXPECT_EQ(scene.info().collider_asset_count, 2u);
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_collider_asset_destroy(scene.solver, later), "collider asset id");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_collider_asset_destroy(scene.solver, first_sdf), "instances");
  write(scene, scene.set, Shapes{});
  for (const clothc_collider_asset_id id : {first_mesh, first_sdf}) {
    EXPECT_OK(clothc_collider_asset_destroy(scene.solver, id));
  }
}

TEST_P(ColliderAssets, without_a_surface_make_no_contacts_and_leave_the_state_finite) {
  for (const uint32_t flags : {0u, uint32_t{CLOTHC_COLLISION_CONTINUOUS}}) {
    Scene scene(GetParam()), bare(GetParam());
    MeshAsset flat, point;
    for (size_t k = 1; k < flat.vertices.size(); k += 3) flat.vertices[k] = 0;
    flat.triangles = {0, 1, 0, 0, 0, 0, 0, 1, 0};
    point.vertices = {0, 0, 0};
    point.triangles = {0, 0, 0};
    SdfAsset outside_only, constant;
    for (float& value : outside_only.values) value = 1e9f;
    // This SDF has no gradient either.
    for (float& value : constant.values) value = 0;
    Shapes shapes;
    for (const float x : {0.25f, 0.5f, 0.75f, 1.0f}) {
      shapes.instances.insert(shapes.instances.end(), {x, 1, 0.5f, 0, 0, 0, 1, 0.5f});
    }
    shapes.instance_assets = {make_asset(scene, flat), make_asset(scene, point), make_asset(scene, outside_only),
                              make_asset(scene, constant)};
    list(scene, {make_set(scene, shapes)});
    for (Scene* s : {&scene, &bare}) {
      s->change_parameters(s->cloth, [&](auto& p) { p.collision_flags = flags, p.friction = 1; });
      s->step(10);
      EXPECT_EQ(s->status(s->cloth).non_finite_count, 0u);
    }
    EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), bare.get(CLOTHC_CHANNEL_POSITION, bare.cloth));
  }
}

// The values are not distances at all.
TEST_P(ColliderAssets, of_any_values_leave_the_state_finite) {
  for (const float size : {1e-30f, 1.0f, 1e9f}) {
    for (const float scale : {1e-3f, 1.0f, 1e3f}) {
      Scene scene(GetParam());
      SdfAsset sdf;
      for (size_t k = 0; k < sdf.values.size(); ++k) {
        sdf.values[k] = (k * 7 % 5 < 2 ? -size : size) * static_cast<float>(k % 11) / 11;
      }
      Shapes shapes;
      shapes.instances = {0.6f, 1, 0.5f, 0, 0, 0.6f, 0.8f, scale};
      shapes.instance_assets = {make_asset(scene, sdf)};
      list(scene, {make_set(scene, shapes)});
      scene.change_parameters(scene.cloth, [&](auto& p) {
        p.collision_flags = CLOTHC_COLLISION_CONTINUOUS, p.friction = 1, p.collision_mass_scale = 1e12f;
      });
      scene.step(10);
      EXPECT_EQ(scene.status(scene.cloth).non_finite_count, 0u) << size << " at scale " << scale;
    }
  }
}

}  // namespace
}  // namespace assets_test
