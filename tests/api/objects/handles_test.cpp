// handles_test.cpp - every export with every kind of wrong handle or id gives an error with a message and has no other
// effect.
#include "support/every_shape.h"

using namespace clothc_test;

namespace objects_handles_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Handles);

using Call = std::pair<const char*, std::function<clothc_result(void*)>>;

template <class Handle>
Handle as(void* value) {
  return reinterpret_cast<Handle>(value);
}

// Outputs that no failing call may write to.
struct Canary {
  uint64_t words[64];
  Canary() { std::memset(words, 0xa5, sizeof(words)); }
  bool untouched() const {
    for (const uint64_t word : words) {
      if (word != 0xa5a5a5a5a5a5a5a5u) return false;
    }
    return true;
  }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(words);
  }
};

// Every export that takes a handle, by the kind of the handle. The other arguments are valid.
struct Exports {
  Scene& scene;
  Canary canary;
  clothc_buffer_desc buffer_desc = initialised<clothc_buffer_desc>();
  clothc_buffer_info buffer_info = initialised<clothc_buffer_info>();
  clothc_device_info device_info = initialised<clothc_device_info>();
  clothc_fabric_info fabric_info = initialised<clothc_fabric_info>();
  clothc_solver_info solver_info = initialised<clothc_solver_info>();
  clothc_solver_desc solver_desc = initialised<clothc_solver_desc>();
  clothc_fabric_desc fabric_desc = initialised<clothc_fabric_desc>();
  clothc_channel_info channel_info = initialised<clothc_channel_info>();
  clothc_cloth_info cloth_info = initialised<clothc_cloth_info>();
  clothc_cloth_status cloth_status = initialised<clothc_cloth_status>();
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  clothc_phase_config config = initialised<clothc_phase_config>();
  clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
  clothc_update update = initialised<clothc_update>();
  clothc_debug_desc debug_desc = initialised<clothc_debug_desc>();
  clothc_mesh_desc mesh = scene.sheet.desc();
  clothc_cloth_desc cloth_desc = scene.cloth_desc();
  clothc_buffer buffer = scene.buffer(4);
  MeshAsset mesh_asset;
  SdfAsset sdf_asset;

  explicit Exports(Scene& s) : scene(s) {
    buffer_desc.count = 4;
    fabric_desc.particle_count = 1;
  }
  std::vector<Call> of_device() {
    return {
        {"device_get_info", [&](void* h) { return clothc_device_get_info(as<clothc_device>(h), &device_info); }},
        {"buffer_create",
         [&](void* h) { return clothc_buffer_create(as<clothc_device>(h), &buffer_desc, canary.as<clothc_buffer>()); }},
        {"fence_create",
         [&](void* h) { return clothc_fence_create(as<clothc_device>(h), 0, canary.as<clothc_fence>()); }},
        {"fabric_cook",
         [&](void* h) { return clothc_fabric_cook(as<clothc_device>(h), &mesh, canary.as<clothc_fabric>()); }},
        {"fabric_create",
         [&](void* h) { return clothc_fabric_create(as<clothc_device>(h), &fabric_desc, canary.as<clothc_fabric>()); }},
        {"solver_create",
         [&](void* h) { return clothc_solver_create(as<clothc_device>(h), &solver_desc, canary.as<clothc_solver>()); }},
        {"device_destroy", [&](void* h) { return clothc_device_destroy(as<clothc_device>(h)); }},
    };
  }
  std::vector<Call> of_buffer() {
    return {
        {"buffer_get_info", [&](void* h) { return clothc_buffer_get_info(as<clothc_buffer>(h), &buffer_info); }},
        {"buffer_map",
         [&](void* h) { return clothc_buffer_map(as<clothc_buffer>(h), CLOTHC_MAP_READ, canary.as<void*>()); }},
        {"buffer_unmap", [&](void* h) { return clothc_buffer_unmap(as<clothc_buffer>(h)); }},
        {"buffer_read", [&](void* h) { return clothc_buffer_read(as<clothc_buffer>(h), 0, 4, canary.words); }},
        {"buffer_write", [&](void* h) { return clothc_buffer_write(as<clothc_buffer>(h), 0, 4, canary.words); }},
        {"solver_set",
         [&](void* h) {
           return clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, as<clothc_buffer>(h), nullptr, nullptr, 0,
                                    0);
         }},
        {"solver_get",
         [&](void* h) {
           return clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, as<clothc_buffer>(h), nullptr, nullptr, 0,
                                    0);
         }},
        {"buffer_destroy", [&](void* h) { return clothc_buffer_destroy(as<clothc_buffer>(h)); }},
    };
  }
  std::vector<Call> of_fence() {
    return {
        {"fence_signal", [&](void* h) { return clothc_fence_signal(as<clothc_fence>(h), 100); }},
        {"fence_wait", [&](void* h) { return clothc_fence_wait(as<clothc_fence>(h), 0, 0); }},
        {"fence_get_value", [&](void* h) { return clothc_fence_get_value(as<clothc_fence>(h), canary.words); }},
        {"fence_destroy", [&](void* h) { return clothc_fence_destroy(as<clothc_fence>(h)); }},
    };
  }
  std::vector<Call> of_fabric() {
    return {
        {"fabric_get_info", [&](void* h) { return clothc_fabric_get_info(as<clothc_fabric>(h), &fabric_info); }},
        {"fabric_read",
         [&](void* h) {
           return clothc_fabric_read(as<clothc_fabric>(h), CLOTHC_FABRIC_POSITIONS, nullptr, canary.words);
         }},
        {"cloth_add",
         [&](void* h) {
           clothc_cloth_desc desc = cloth_desc;
           desc.fabric = as<clothc_fabric>(h);
           return clothc_cloth_add(scene.solver, &desc, canary.as<clothc_cloth_id>());
         }},
        {"solver_restore",
         [&](void* h) {
           const std::vector<uint8_t> bytes = scene.snapshot();
           const clothc_fabric fabric = as<clothc_fabric>(h);
           return clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &fabric, 1);
         }},
        {"fabric_destroy", [&](void* h) { return clothc_fabric_destroy(as<clothc_fabric>(h)); }},
    };
  }
  std::vector<Call> of_solver() {
    const clothc_cloth_id cloth = scene.cloth;
    return {
        {"solver_get_info", [&](void* h) { return clothc_solver_get_info(as<clothc_solver>(h), &solver_info); }},
        {"solver_update", [&](void* h) { return clothc_solver_update(as<clothc_solver>(h), &update, canary.words); }},
        {"solver_wait", [&](void* h) { return clothc_solver_wait(as<clothc_solver>(h), 0, 0); }},
        {"solver_poll", [&](void* h) { return clothc_solver_poll(as<clothc_solver>(h), 0, canary.words); }},
        {"solver_state_hash", [&](void* h) { return clothc_solver_state_hash(as<clothc_solver>(h), canary.words); }},
        {"solver_get_debug_lines",
         [&](void* h) {
           return clothc_solver_get_debug_lines(as<clothc_solver>(h), &debug_desc, nullptr, canary.as<uint32_t>());
         }},
        {"solver_snapshot",
         [&](void* h) { return clothc_solver_snapshot(as<clothc_solver>(h), nullptr, canary.words); }},
        {"solver_restore",
         [&](void* h) { return clothc_solver_restore(as<clothc_solver>(h), canary.words, 64, nullptr, 0); }},
        {"solver_compact",
         [&](void* h) { return clothc_solver_compact(as<clothc_solver>(h), nullptr, canary.as<uint32_t>()); }},
        {"channel_describe",
         [&](void* h) -> clothc_result {
           // This call accepts null.
           if (h == nullptr) return CLOTHC_ERROR_INVALID_HANDLE;
           return clothc_channel_describe(as<clothc_solver>(h), CLOTHC_CHANNEL_POSITION, &channel_info);
         }},
        {"solver_set",
         [&](void* h) {
           return clothc_solver_set(as<clothc_solver>(h), CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0);
         }},
        {"solver_get",
         [&](void* h) {
           return clothc_solver_get(as<clothc_solver>(h), CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0);
         }},
        {"cloth_add",
         [&](void* h) { return clothc_cloth_add(as<clothc_solver>(h), &cloth_desc, canary.as<clothc_cloth_id>()); }},
        {"cloth_clone",
         [&, cloth](void* h) { return clothc_cloth_clone(as<clothc_solver>(h), cloth, canary.as<clothc_cloth_id>()); }},
        {"cloth_list",
         [&](void* h) { return clothc_cloth_list(as<clothc_solver>(h), nullptr, canary.as<uint32_t>()); }},
        {"collider_set_create",
         [&](void* h) {
           return clothc_collider_set_create(as<clothc_solver>(h), canary.as<clothc_collider_set_id>());
         }},
        {"collider_mesh_create",
         [&](void* h) {
           const clothc_collider_mesh_desc desc = mesh_asset.desc();
           return clothc_collider_mesh_create(as<clothc_solver>(h), &desc, canary.as<clothc_collider_asset_id>());
         }},
        {"collider_sdf_create",
         [&](void* h) {
           const clothc_sdf_desc desc = sdf_asset.desc();
           return clothc_collider_sdf_create(as<clothc_solver>(h), &desc, canary.as<clothc_collider_asset_id>());
         }},
        {"collider_asset_destroy",
         [&](void* h) { return clothc_collider_asset_destroy(as<clothc_solver>(h), first_mesh); }},
        {"solver_destroy", [&](void* h) { return clothc_solver_destroy(as<clothc_solver>(h)); }},
    };
  }
  // Returns every export that takes the id of a cloth.
  std::vector<std::pair<const char*, std::function<clothc_result(clothc_cloth_id)>>> of_cloth() {
    const clothc_solver s = scene.solver;
    return {
        {"cloth_clone", [&, s](clothc_cloth_id c) { return clothc_cloth_clone(s, c, canary.as<clothc_cloth_id>()); }},
        {"cloth_get_info", [&, s](clothc_cloth_id c) { return clothc_cloth_get_info(s, c, &cloth_info); }},
        {"cloth_get_status", [&, s](clothc_cloth_id c) { return clothc_cloth_get_status(s, c, &cloth_status); }},
        {"cloth_set_parameters", [&, s](clothc_cloth_id c) { return clothc_cloth_set_parameters(s, c, &parameters); }},
        {"cloth_get_parameters", [&, s](clothc_cloth_id c) { return clothc_cloth_get_parameters(s, c, &parameters); }},
        {"cloth_set_phases", [&, s](clothc_cloth_id c) { return clothc_cloth_set_phases(s, c, &config, 1); }},
        {"cloth_get_phases",
         [&, s](clothc_cloth_id c) { return clothc_cloth_get_phases(s, c, nullptr, canary.as<uint32_t>()); }},
        {"cloth_set_collider_sets",
         [&, s](clothc_cloth_id c) { return clothc_cloth_set_collider_sets(s, c, nullptr, 0); }},
        {"cloth_clear", [&, s](clothc_cloth_id c) { return clothc_cloth_clear(s, c, CLOTHC_CHANNEL_ACCELERATION); }},
        {"cloth_remove", [&, s](clothc_cloth_id c) { return clothc_cloth_remove(s, c); }},
    };
  }
};

void expect_invalid(const std::vector<Call>& calls, const std::vector<void*>& handles, Exports& exports,
                    const char* kind) {
  const uint64_t hash = exports.scene.hash();
  for (const auto& [name, call] : calls) {
    for (void* handle : handles) {
      EXPECT_EQ(call(handle), CLOTHC_ERROR_INVALID_HANDLE) << name << " with " << handle;
      EXPECT_TRUE(exports.canary.untouched()) << name << " wrote an output";
      if (std::strcmp(name, "channel_describe") == 0) continue;
      EXPECT_NE(std::string(clothc_last_error_message()).find(kind), std::string::npos)
          << name << ": " << clothc_last_error_message();
    }
  }
  EXPECT_EQ(exports.scene.hash(), hash);
}

std::vector<void*> garbage() {
  return {nullptr, reinterpret_cast<void*>(uintptr_t{1}), reinterpret_cast<void*>(UINTPTR_MAX),
          reinterpret_cast<void*>(uintptr_t{0x123456789})};
}

TEST_P(Handles, a_device_handle_that_names_no_living_device_is_refused_by_every_export) {
  Scene scene(GetParam());
  Exports exports(scene);
  const clothc_device_desc desc = SceneOptions(GetParam()).device;
  clothc_device stale = nullptr;
  ASSERT_OK(clothc_device_create(&desc, &stale));
  ASSERT_OK(clothc_device_destroy(stale));
  std::vector<void*> wrong = garbage();
  wrong.insert(wrong.end(), {stale, scene.solver, scene.fabric, exports.buffer});
  expect_invalid(exports.of_device(), wrong, exports, "device");
}

TEST_P(Handles, a_buffer_handle_that_names_no_living_buffer_is_refused_by_every_export) {
  Scene scene(GetParam());
  Exports exports(scene);
  const clothc_buffer stale = scene.buffer(4);
  ASSERT_OK(clothc_buffer_destroy(stale));
  std::vector<void*> wrong = garbage();
  wrong.insert(wrong.end(), {stale, scene.solver, scene.fabric, scene.device});
  expect_invalid(exports.of_buffer(), wrong, exports, "buffer");
}

TEST_P(Handles, a_fence_handle_that_names_no_living_fence_is_refused_by_every_export) {
  Scene scene(GetParam());
  Exports exports(scene);
  const clothc_fence stale = scene.fence();
  ASSERT_OK(clothc_fence_destroy(stale));
  std::vector<void*> wrong = garbage();
  wrong.insert(wrong.end(), {stale, scene.solver, scene.fabric, exports.buffer});
  expect_invalid(exports.of_fence(), wrong, exports, "fence");
}

TEST_P(Handles, a_fabric_handle_that_names_no_living_fabric_is_refused_by_every_export) {
  Scene scene(GetParam());
  Exports exports(scene);
  clothc_fabric stale = nullptr;
  ASSERT_OK(clothc_fabric_cook(scene.device, &exports.mesh, &stale));
  ASSERT_OK(clothc_fabric_destroy(stale));
  std::vector<void*> wrong = garbage();
  wrong.insert(wrong.end(), {stale, scene.solver, scene.device, exports.buffer});
  expect_invalid(exports.of_fabric(), wrong, exports, "fabric");
}

TEST_P(Handles, a_solver_handle_that_names_no_living_solver_is_refused_by_every_export) {
  Scene scene(GetParam());
  Exports exports(scene);
  clothc_solver stale = nullptr;
  ASSERT_OK(clothc_solver_create(scene.device, &exports.solver_desc, &stale));
  ASSERT_OK(clothc_solver_destroy(stale));
  std::vector<void*> wrong = garbage();
  wrong.insert(wrong.end(), {stale, scene.fabric, scene.device, exports.buffer});
  expect_invalid(exports.of_solver(), wrong, exports, "solver");
}

TEST_P(Handles, an_id_that_names_no_living_cloth_is_refused_by_every_export) {
  Scene scene(GetParam());
  Exports exports(scene);
  const clothc_cloth_id removed = scene.add();
  ASSERT_OK(clothc_cloth_remove(scene.solver, removed));
  const clothc_cloth_id later = scene.add();
  EXPECT_NE(later, removed);
  const uint64_t hash = scene.hash();
  for (const auto& [name, call] : exports.of_cloth()) {
    for (const clothc_cloth_id id : {0u, removed, 0xffffffffu, scene.cloth + 1}) {
      if (id == later) continue;
      EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, call(id), "cloth id 0x", "removed");
      EXPECT_TRUE(exports.canary.untouched()) << name << " wrote an output";
    }
  }
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Handles, an_id_that_names_no_living_collider_set_is_refused_by_every_export) {
  Scene scene(GetParam());
  const clothc_collider_set_id destroyed = scene.sphere_set(0, 0, 0, 1);
  ASSERT_OK(clothc_collider_set_destroy(scene.solver, destroyed));
  const clothc_collider_set_id living = scene.sphere_set(0, 0, 0, 1);
  EXPECT_NE(living, destroyed);
  const clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.collider_set_count = 1;
  clothc_cloth_id added = 77;
  for (const clothc_collider_set_id id : {0u, destroyed, 0xffffffffu, living + 1}) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_collider_set_write(scene.solver, id, &shapes), "collider set id");
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_collider_set_destroy(scene.solver, id), "collider set id");
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &id, 1),
                 "collider set id");
    desc.collider_sets = &id;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_cloth_add(scene.solver, &desc, &added), "collider set id");
  }
  EXPECT_EQ(added, 77u);
}

TEST_P(Handles, an_id_that_names_no_living_collider_asset_is_refused_by_every_export) {
  Scene scene(GetParam()), other(with_own_device(GetParam()));
  const clothc_collider_set_id set = scene.sphere_set(0, 0, 0, 1);
  list(scene, {set});
  const clothc_collider_asset_id destroyed = make_asset(scene, MeshAsset());
  ASSERT_OK(clothc_collider_asset_destroy(scene.solver, destroyed));
  const clothc_collider_asset_id living = make_asset(scene, SdfAsset());
  EXPECT_NE(living, destroyed);
  for (int k = 0; k < 3; ++k) make_asset(other, MeshAsset());
  const clothc_collider_asset_id foreign = make_asset(other, MeshAsset());
  const uint64_t hash = scene.hash();
  Shapes shapes = every_shape();
  for (const clothc_collider_asset_id id : {0u, destroyed, 0xffffffffu, living + 1, foreign}) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_collider_asset_destroy(scene.solver, id), "collider asset id");
    for (const size_t index : {0u, 1u}) {
      shapes.instance_assets = {living, living};
      shapes.instance_assets[index] = id;
      const clothc_collider_shapes desc = shapes.desc();
      EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_collider_set_write(scene.solver, set, &desc), "collider asset",
                   index == 0 ? "instance 0" : "instance 1");
    }
  }
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(scene.info().collider_asset_count, 1u);
}

TEST_P(Handles, objects_of_another_device_are_refused) {
  Scene scene(GetParam());
  Scene other(with_own_device(GetParam()));
  const clothc_buffer buffer = other.buffer(4);
  const clothc_fence fence = other.fence();
  const uint64_t hash = scene.hash();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0),
               "another device");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE,
               clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0),
               "another device");
  clothc_update update = initialised<clothc_update>();
  update.wait_fence = fence;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_solver_update(scene.solver, &update, nullptr), "wait_fence",
               "another device");
  update.wait_fence = nullptr;
  update.signal_fence = fence;
  update.signal_value = 1;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_solver_update(scene.solver, &update, nullptr), "signal_fence",
               "another device");
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.fabric = other.fabric;
  clothc_cloth_id cloth = 77;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_cloth_add(scene.solver, &desc, &cloth), "another device");
  EXPECT_EQ(cloth, 77u);
  const std::vector<uint8_t> bytes = scene.snapshot();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE,
               clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &other.fabric, 1), "fabrics[0]",
               "another device");
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Handles, children_of_a_destroyed_device_are_invalid_and_destroying_them_is_harmless) {
  clothc_buffer buffer;
  clothc_fence fence;
  clothc_solver solver;
  clothc_fabric fabric;
  {
    Scene scene(with_own_device(GetParam()));
    buffer = scene.buffer(4);
    fence = scene.fence();
    solver = scene.solver;
    fabric = scene.fabric;
  }
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_buffer_destroy(buffer), "destroyed device");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_fence_destroy(fence), "destroyed device");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_solver_destroy(solver), "destroyed device");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_fabric_destroy(fabric), "destroyed device");
}

TEST_P(Handles, handles_are_not_reused_for_the_next_object) {
  Scene scene(GetParam());
  const clothc_buffer first = scene.buffer(4);
  ASSERT_OK(clothc_buffer_destroy(first));
  const clothc_buffer second_one = scene.buffer(4);
  EXPECT_NE(first, second_one);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_buffer_destroy(first), "not a living buffer");
}

}  // namespace
}  // namespace objects_handles_test
