// running_out_test.cpp - memory runs out while shapes of every kind are written, listed, uploaded or restored. The call
// fails, changes nothing, and succeeds once there is memory again.
#include "support/every_shape.h"
#include "support/running_out.h"

using namespace clothc_test;

namespace colliders_running_out_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ColliderRunningOut);

// Id of a solver's first collider set.
constexpr clothc_collider_set_id first_set = 1u << 20;

// Runs the body without the limit on allocations.
template <class Body>
auto undisturbed(Body body) {
  const int64_t allowed = std::exchange(allowed_allocations, -1);
  auto value = body();
  allowed_allocations = allowed;
  return value;
}

// Returns the shapes of every_shape() with the ground repeated, each copy lower than the one before.
Shapes deep(uint32_t grounds) {
  Shapes shapes = every_shape();
  const std::vector<float> vertices = shapes.vertices;
  const std::vector<uint32_t> triangles = shapes.triangles;
  for (uint32_t k = 1; k < grounds; ++k) {
    for (const uint32_t corner : triangles) shapes.triangles.push_back(corner + 16 * k);
    shapes.vertices.insert(shapes.vertices.end(), vertices.begin(), vertices.end());
    for (size_t v = 16 * size_t{k}; v < 16 * (size_t{k} + 1); ++v) shapes.vertices[3 * v + 1] -= static_cast<float>(k);
  }
  return shapes;
}

// few: write as many triangles as an empty arena holds; otherwise write so many that it grows.
clothc_result write_deep(Scene& scene, bool few) {
  const Shapes shapes = undisturbed([=] { return deep(few ? 1 : 200); });
  const clothc_collider_shapes desc = shapes.desc();
  return clothc_collider_set_write(scene.solver, first_set, &desc);
}

TEST_P(ColliderRunningOut, while_shapes_of_every_kind_are_written_changes_nothing) {
  const auto busy_with_assets = [](Scene& s) {
    busy(s);
    ensure_assets(s);
  };
  expect_strong(GetParam(), "a cloth's set", busy_with_assets, write_deep);
  expect_strong(
      GetParam(), "a set with triangles",
      [](Scene& s) {
        busy(s);
        write(s, first_set, deep(2));
        s.step();
      },
      write_deep);
  expect_strong(
      GetParam(), "a set that no cloth lists",
      [](Scene& s) {
        ensure_assets(s);
        make_set(s, Shapes{});
      },
      write_deep);
}

// Returns a mesh and an SDF enlarged by the given factor, for the instances of every_shape().
MeshAsset large_mesh(uint32_t times) {
  MeshAsset mesh;
  const std::vector<uint32_t> triangles = mesh.triangles;
  for (uint32_t k = 1; k < times; ++k) mesh.triangles.insert(mesh.triangles.end(), triangles.begin(), triangles.end());
  return mesh;
}

SdfAsset large_sdf(uint32_t times) {
  SdfAsset sdf;
  const std::vector<float> values = sdf.values;
  for (uint32_t k = 1; k < times; ++k) sdf.values.insert(sdf.values.end(), values.begin(), values.end());
  sdf.counts[2] *= times;
  return sdf;
}

TEST_P(ColliderRunningOut, while_assets_are_made_makes_none_and_changes_nothing) {
  expect_strong(GetParam(), "collider_mesh_create", busy, [](Scene& s, bool few) {
    const MeshAsset mesh = undisturbed([=] { return large_mesh(few ? 1 : 200); });
    const clothc_collider_mesh_desc desc = mesh.desc();
    clothc_collider_asset_id id = 77;
    const clothc_result result = clothc_collider_mesh_create(s.solver, &desc, &id);
    EXPECT_EQ(id == 77, result != CLOTHC_SUCCESS);
    return result;
  });
  expect_strong(GetParam(), "collider_sdf_create", busy, [](Scene& s, bool few) {
    const SdfAsset sdf = undisturbed([=] { return large_sdf(few ? 1 : 200); });
    const clothc_sdf_desc desc = sdf.desc();
    clothc_collider_asset_id id = 77;
    const clothc_result result = clothc_collider_sdf_create(s.solver, &desc, &id);
    EXPECT_EQ(id == 77, result != CLOTHC_SUCCESS);
    return result;
  });
}

// New assets are pending each time, so memory also runs out while they are uploaded and the mesh's BVH is built.
TEST_P(ColliderRunningOut, during_updates_that_send_assets_changes_nothing) {
  Memory scene(GetParam());
  Scene twin(GetParam());
  for (Scene* s : {static_cast<Scene*>(&scene), &twin}) {
    busy(*s);
    s->step(2);
  }
  const clothc_update update = initialised<clothc_update>();
  int failures = 0;
  for (const bool in_device : {false, true}) {
    for (int64_t allowed = 0; allowed < 200; ++allowed) {
      Shapes shapes = every_shape();
      std::vector<clothc_collider_asset_id> made[2];
      Scene* const both[2] = {&scene, &twin};
      for (int k = 0; k < 2; ++k) {
        made[k] = {make_asset(*both[k], large_mesh(1 + static_cast<uint32_t>(allowed % 5))),
                   make_asset(*both[k], large_sdf(1 + static_cast<uint32_t>(allowed % 7)))};
        shapes.instance_assets = made[k];
        write(*both[k], first_set, shapes);
      }
      scene.allowed = in_device ? allowed : -1;
      allowed_allocations = in_device ? -1 : allowed;
      const clothc_result result = clothc_solver_update(scene.solver, &update, nullptr);
      allowed_allocations = scene.allowed = -1;
      twin.step();
      if (result != CLOTHC_SUCCESS) {
        ++failures;
        ASSERT_EQ(result, CLOTHC_ERROR_OUT_OF_MEMORY) << clothc_last_error_message();
        scene.step();
      }
      ASSERT_EQ(scene.hash(), twin.hash()) << "allocation " << allowed << ", device " << in_device;
      for (int k = 0; k < 2; ++k) {
        write(*both[k], first_set, Shapes{});
        for (const clothc_collider_asset_id id : made[k]) EXPECT_OK(clothc_collider_asset_destroy(both[k]->solver, id));
      }
      if (result == CLOTHC_SUCCESS && allowed % 8 == 7) break;
    }
  }
  EXPECT_GE(failures, fewest_failures);
}

TEST_P(ColliderRunningOut, while_sets_with_triangles_are_listed_changes_nothing) {
  const auto prepare = [](Scene& s) {
    busy(s);
    make_set(s, every_shape());
    make_set(s, deep(20));
  };
  expect_strong(GetParam(), "set_collider_sets", prepare, [](Scene& s, bool few) {
    const clothc_collider_set_id sets[3] = {first_set, first_set + 1, first_set + 2};
    return clothc_cloth_set_collider_sets(s.solver, s.cloth, sets, few ? 2 : 3);
  });
}

// There is memory for the longer list but not for the shapes of its sets. Afterwards other cloths use whatever memory
// may be free.
TEST_P(ColliderRunningOut, while_sets_are_listed_leaves_the_old_list_in_place) {
  if (GetParam() != CLOTHC_BACKEND_CPU) GTEST_SKIP() << "the application's allocator serves the cpu backend";
  const clothc_collider_set_id sets[2] = {first_set, first_set + 1}, elsewhere = first_set + 2;
  int failures = 0;
  for (const size_t count : {100u, 300u, 1000u, 3000u, 10000u}) {
    Shapes shapes;
    for (size_t k = 0; k < count; ++k) shapes.spheres.insert(shapes.spheres.end(), {0, -5, 0, 0.1f});
    Memory scene(GetParam());
    Scene twin(GetParam());
    for (Scene* s : {static_cast<Scene*>(&scene), &twin}) {
      busy(*s);
      make_set(*s, shapes);
      s->sphere_set(1, 0.75f, 0.75f, 0.3f);
      s->step(2);
    }
    scene.allowed = 0;
    const clothc_result result = clothc_cloth_set_collider_sets(scene.solver, scene.cloth, sets, 2);
    scene.allowed = -1;
    if (result == CLOTHC_SUCCESS) list(scene, {first_set});
    failures += result == CLOTHC_SUCCESS ? 0 : 1;
    for (Scene* s : {static_cast<Scene*>(&scene), &twin}) {
      clothc_cloth_desc desc = s->cloth_desc();
      desc.collider_sets = &elsewhere;
      desc.collider_set_count = 1;
      for (int k = 0; k < 2; ++k) s->add(desc);
      s->step(20);
    }
    EXPECT_EQ(scene.hash(), twin.hash()) << count << " spheres, " << clothc_result_name(result);
  }
  EXPECT_GT(failures, 0) << "no call ran out of memory";
}

TEST_P(ColliderRunningOut, while_shapes_are_hashed_saved_or_restored_changes_nothing) {
  const auto prepare = [](Scene& s) {
    busy(s);
    write(s, first_set, every_shape());
    s.step(2);
    Shapes shapes = every_shape();
    shapes.sink(0.125f);
    write(s, first_set, shapes);
  };
  expect_strong(GetParam(), "state_hash", prepare, [](Scene& s, bool) {
    uint64_t value = 0;
    return clothc_solver_state_hash(s.solver, &value);
  });
  std::vector<uint8_t> bytes;
  const auto save = [&](Scene& s) {
    prepare(s);
    bytes = s.snapshot();
    s.step(2);
  };
  expect_strong(GetParam(), "restore", save, [&](Scene& s, bool) {
    return clothc_solver_restore(s.solver, bytes.data(), bytes.size(), &s.fabric, 1);
  });
}

// New shapes are pending each time, so memory also runs out while they are uploaded and their BVH is built.
TEST_P(ColliderRunningOut, during_updates_that_send_shapes_changes_nothing) {
  Memory scene(GetParam());
  Scene twin(GetParam());
  for (Scene* s : {static_cast<Scene*>(&scene), &twin}) {
    busy(*s);
    s->step(2);
  }
  const clothc_update update = initialised<clothc_update>();
  int failures = 0;
  // With `anew` set the triangles differ each time, so that their BVH is built.
  for (const bool anew : {false, true}) {
    for (const bool in_device : {false, true}) {
      for (int64_t allowed = 0; allowed < 400; ++allowed) {
        Shapes shapes = deep(anew ? static_cast<uint32_t>(1 + allowed % 3) : 2);
        shapes.sink(static_cast<float>(allowed % 7) / 64);
        write(scene, first_set, shapes);
        write(twin, first_set, shapes);
        scene.allowed = in_device ? allowed : -1;
        allowed_allocations = in_device ? -1 : allowed;
        const clothc_result result = clothc_solver_update(scene.solver, &update, nullptr);
        allowed_allocations = scene.allowed = -1;
        twin.step();
        if (result == CLOTHC_SUCCESS && allowed % 8 == 7) break;
        if (result != CLOTHC_SUCCESS) {
          ++failures;
          ASSERT_EQ(result, CLOTHC_ERROR_OUT_OF_MEMORY) << clothc_last_error_message();
          scene.step();
        }
        ASSERT_EQ(scene.hash(), twin.hash()) << "allocation " << allowed << ", device " << in_device;
      }
      scene.step();
      twin.step();
    }
  }
  EXPECT_GE(failures, fewest_failures);
}

}  // namespace
}  // namespace colliders_running_out_test
