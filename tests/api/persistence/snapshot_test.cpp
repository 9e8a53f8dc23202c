// snapshot_test.cpp - a snapshot contains all relevant state and continues on any solver. A bad snapshot changes
// nothing.
#include "support/scene.h"
#include "support/snapshot_damage.h"

using namespace clothc_test;

namespace persistence_snapshot_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Snapshots);

// Two cloths with every available setting, captured in mid-motion.
struct Busy : Scene {
  clothc_cloth_id second_cloth = 0;
  clothc_collider_set_id set = 0;
  explicit Busy(const SceneOptions& options) : Scene(options) {
    // This leaves holes in the ids and ordinals.
    clothc_cloth_remove(solver, add());
    second_cloth = add();
    set = sphere_set(0.5f, 0.6f, 0.5f, 0.3f);
    for (const clothc_cloth_id id : {cloth, second_cloth})
      EXPECT_OK(clothc_cloth_set_collider_sets(solver, id, &set, 1));
    change_parameters(cloth,
                      [](auto& p) { p.friction = 0.3f, p.damping[0] = 0.05f, p.acceleration_filter_width = 11; });
    step(5);
    step(3, 1.0f / 50);
    Scene::set(CLOTHC_CHANNEL_ACCELERATION, cloth, std::vector<float>(120, 0.5f));
    Scene::set(CLOTHC_CHANNEL_VELOCITY, second_cloth, std::vector<float>(40, 0.25f));
    std::vector<float> motion = get(CLOTHC_CHANNEL_POSITION, cloth);
    for (size_t k = 3; k < motion.size(); k += 4) motion[k] = 0.4f;
    Scene::set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, cloth, motion);
    write_sphere(set, 0.5f, 0.65f, 0.5f, 0.3f);
  }
};

TEST_P(Snapshots, continue_with_the_same_hashes_in_any_solver) {
  Busy scene{SceneOptions(GetParam())};
  const uint64_t hash = scene.hash();
  const std::vector<uint8_t> bytes = scene.snapshot();
  EXPECT_EQ(scene.hash(), hash) << "taking a snapshot changed the state";
  std::vector<uint64_t> expected;
  for (int frame = 0; frame < 30; ++frame) {
    scene.step();
    expected.push_back(scene.hash());
  }
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(scene.device, &info));
  std::vector<SceneOptions> variants(3, SceneOptions(GetParam()));
  variants[1].device.worker_count = 7;
  variants[1].solver.schedule = CLOTHC_SCHEDULE_PASS;
  variants[1].solver.particle_capacity = 777;
  variants[2].device.worker_count = 1;
  variants[2].solver.schedule = CLOTHC_SCHEDULE_CLOTH;
  if (info.backend == CLOTHC_BACKEND_CPU) variants[2].device.isa = CLOTHC_ISA_SCALAR;
  for (const SceneOptions& options : variants) {
    Scene other(options);
    other.step(4);
    ASSERT_OK(clothc_solver_restore(other.solver, bytes.data(), bytes.size(), &other.fabric, 1));
    EXPECT_EQ(other.hash(), hash);
    EXPECT_EQ(other.snapshot(), bytes);
    for (int frame = 0; frame < 30; ++frame) {
      other.step();
      ASSERT_EQ(other.hash(), expected[static_cast<size_t>(frame)]) << "frame " << frame;
    }
  }
  ASSERT_OK(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
  EXPECT_EQ(scene.hash(), hash);
  scene.step();
  EXPECT_EQ(scene.hash(), expected[0]);
  // Ids from that time are valid again.
  EXPECT_EQ(scene.info(scene.second_cloth).ordinal, 2u);
  EXPECT_OK(clothc_collider_set_destroy(scene.solver, scene.set));
}

TEST_P(Snapshots, and_hashes_hold_time_that_a_short_update_has_left_for_the_next_one) {
  Scene scene(GetParam());
  scene.step(5);
  const uint64_t before = scene.hash();
  scene.step(1, 1e-5f);
  const uint64_t held_back = scene.hash();
  EXPECT_NE(held_back, before);
  const std::vector<uint8_t> bytes = scene.snapshot();
  scene.step();
  const uint64_t continued = scene.hash();
  scene.step(3);
  ASSERT_OK(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
  EXPECT_EQ(scene.hash(), held_back);
  scene.step();
  EXPECT_EQ(scene.hash(), continued);
}

TEST_P(Snapshots, are_taken_in_order_and_leave_fences_alone) {
  Busy scene{SceneOptions(GetParam())};
  const clothc_fence fence = scene.fence(4);
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = fence;
  update.signal_value = 9;
  const std::vector<uint8_t> before = scene.snapshot();
  ASSERT_OK(clothc_solver_update(scene.solver, &update, nullptr));
  EXPECT_NE(scene.snapshot(), before);
  const clothc_solver_info info = scene.info();
  ASSERT_OK(clothc_solver_restore(scene.solver, before.data(), before.size(), &scene.fabric, 1));
  EXPECT_EQ(scene.snapshot(), before);
  EXPECT_GT(scene.info().timeline_value, info.timeline_value);
  EXPECT_EQ(scene.info().update_count, info.update_count);
  uint64_t value = 0;
  ASSERT_OK(clothc_fence_get_value(fence, &value));
  EXPECT_EQ(value, 9u);
}

TEST_P(Snapshots, a_size_too_small_writes_nothing) {
  Scene scene(GetParam());
  uint64_t size = 0;
  ASSERT_OK(clothc_solver_snapshot(scene.solver, nullptr, &size));
  std::vector<uint8_t> bytes(size, 0xa5);
  const uint64_t needed = size;
  size = needed - 1;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_snapshot(scene.solver, bytes.data(), &size),
               std::to_string(needed).c_str(), std::to_string(needed - 1).c_str());
  EXPECT_EQ(size, needed - 1);
  for (const uint8_t byte : bytes) ASSERT_EQ(byte, 0xa5);
}

TEST_P(Snapshots, that_are_truncated_damaged_foreign_or_newer_change_nothing) {
  Busy scene{SceneOptions(GetParam())};
  const std::vector<uint8_t> good = scene.snapshot();
  scene.step(2);
  const uint64_t hash = scene.hash();
  const auto refused = [&](const std::vector<uint8_t>& bytes, std::initializer_list<const char*> parts,
                           const char* what) {
    expect_failure(CLOTHC_ERROR_INVALID_ARGUMENT,
                   clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1), parts, what);
  };
  for (size_t size = 0; size < good.size(); size += size < 200 ? 1 : 61) {
    refused(std::vector<uint8_t>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)), {}, "truncated");
  }
  for (size_t at = 0; at < good.size(); at += at < 200 ? 1 : 37) {
    std::vector<uint8_t> bytes = good;
    bytes[at] ^= static_cast<uint8_t>(1u << at % 8);
    refused(bytes, {"snapshot"}, "flipped");
  }
  std::vector<uint8_t> bytes = good;
  bytes[0] = 'X';
  refused(bytes, {"not a clothc snapshot", "magic"}, "magic");
  bytes = good;
  bytes[4] = 200;
  refused(bytes, {"version 200", "version 2"}, "version");
  bytes = good;
  bytes.push_back(0);
  refused(bytes, {}, "too long");
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_restore(scene.solver, good.data(), good.size(), nullptr, 0),
               "fabric with content hash", "not among those passed");
  const Sheet wrong_sheet(5, 6);
  const clothc_mesh_desc mesh = wrong_sheet.desc();
  clothc_fabric wrong = nullptr;
  ASSERT_OK(clothc_fabric_cook(scene.device, &mesh, &wrong));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_restore(scene.solver, good.data(), good.size(), &wrong, 1),
               "content hash");
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(scene.info().cloth_count, 2u);
  const clothc_fabric both[2] = {wrong, scene.fabric};
  EXPECT_OK(clothc_solver_restore(scene.solver, good.data(), good.size(), both, 2));
}

TEST_P(Snapshots, that_need_more_capacity_name_the_capacity_to_raise) {
  Busy scene{SceneOptions(GetParam())};
  const std::vector<uint8_t> bytes = scene.snapshot();
  const struct {
    const char* name;
    uint32_t clothc_solver_desc::*field;
    uint32_t value;
  } cases[] = {{"particle_capacity", &clothc_solver_desc::particle_capacity, 96},
               {"cloth_capacity", &clothc_solver_desc::cloth_capacity, 1},
               {"collider_set_capacity", &clothc_solver_desc::collider_set_capacity, 0}};
  for (const auto& c : cases) {
    SceneOptions options(GetParam());
    options.solver.*c.field = c.value;
    Scene small(options);
    if (c.value == 96) small.add();
    small.step();
    const uint64_t hash = small.hash();
    // The removed cloth's particles are reused, so 96 are enough for the two cloths.
    const clothc_result got = clothc_solver_restore(small.solver, bytes.data(), bytes.size(), &small.fabric, 1);
    if (c.value == 96) {
      EXPECT_EQ(got, CLOTHC_SUCCESS);
      continue;
    }
    expect_failure(CLOTHC_ERROR_CAPACITY, got, {c.name, "raise"}, "restore");
    EXPECT_EQ(small.hash(), hash);
    small.step(3);
  }
  SceneOptions options(GetParam());
  options.solver.particle_capacity = 80;
  Scene small(options);
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_solver_restore(small.solver, bytes.data(), bytes.size(), &small.fabric, 1),
               "particle_capacity (80)");
}

// Runs one frame of a game that always moves a sphere and motion constraints, with varying time steps.
void drive(Busy& scene, int frame) {
  const float height = static_cast<float>(frame) / 128;
  if (frame % 4 != 3) scene.write_sphere(scene.set, 0.5f, 0.6f + height, 0.5f, 0.3f);
  std::vector<float> motion;
  for (int k = 0; k < 30; ++k) motion.insert(motion.end(), {0.25f * static_cast<float>(k % 6), 1 - height, 0.5f, 1.5f});
  if (frame % 3 != 2) static_cast<Scene&>(scene).set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, scene.cloth, motion);
  scene.step(1, frame % 5 == 4 ? 1.0f / 45 : 1.0f / 60);
}

TEST_P(Snapshots, can_be_taken_between_any_two_frames_of_a_game) {
  Busy scene{SceneOptions(GetParam())};
  std::vector<std::vector<uint8_t>> snapshots;
  std::vector<uint64_t> hashes;
  for (int frame = 0; frame < 40; ++frame) {
    if (frame < 10) snapshots.push_back(scene.snapshot());
    drive(scene, frame);
    hashes.push_back(scene.hash());
  }
  SceneOptions options(GetParam());
  options.device.worker_count = 3;
  options.solver.schedule = CLOTHC_SCHEDULE_PASS;
  // The other solver has the same ids.
  Busy other(options);
  for (size_t first = 0; first < snapshots.size(); ++first) {
    const std::vector<uint8_t>& bytes = snapshots[first];
    ASSERT_OK(clothc_solver_restore(other.solver, bytes.data(), bytes.size(), &other.fabric, 1));
    EXPECT_EQ(other.snapshot(), bytes);
    for (size_t frame = first; frame < first + 30; ++frame) {
      drive(other, static_cast<int>(frame));
      ASSERT_EQ(other.hash(), hashes[frame]) << "from " << first << ", frame " << frame;
    }
  }
}

TEST_P(Snapshots, keep_ids_valid_and_stale_ids_stale) {
  SceneOptions options(GetParam());
  Busy scene(options);
  const clothc_cloth_id stale = scene.add();
  const clothc_collider_set_id stale_set = scene.sphere_set(0, 0, 0, 1);
  ASSERT_OK(clothc_cloth_remove(scene.solver, stale));
  ASSERT_OK(clothc_collider_set_destroy(scene.solver, stale_set));
  const std::vector<uint8_t> bytes = scene.snapshot();
  options.has_cloth = false;
  Scene fresh(options);
  ASSERT_OK(clothc_solver_restore(fresh.solver, bytes.data(), bytes.size(), &fresh.fabric, 1));
  for (const clothc_cloth_id id : {scene.cloth, scene.second_cloth}) {
    const clothc_cloth_info then = scene.info(id), now = fresh.info(id);
    EXPECT_EQ(std::memcmp(&then, &now, sizeof(now)), 0);
  }
  // This also holds when their slots are reused.
  for (int k = 0; k < 3; ++k) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_cloth_remove(fresh.solver, stale), "cloth id");
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_collider_set_destroy(fresh.solver, stale_set), "collider set id");
    EXPECT_NE(fresh.add(), stale);
    EXPECT_NE(fresh.sphere_set(0, 0, 0, 1), stale_set);
  }
}

TEST_P(Snapshots, with_a_right_checksum_but_wrong_contents_are_refused_or_give_a_solver_that_works) {
  SceneOptions options(GetParam());
  options.columns = options.rows = 2;
  options.solver.particle_capacity = 64;
  Scene scene(options);
  const clothc_collider_set_id set = scene.sphere_set(0.2f, 0.5f, 0.2f, 0.2f);
  ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
  scene.step(2);
  const std::vector<uint8_t> good = scene.snapshot();
  const uint64_t hash = scene.hash();
  const auto restore = [&](const std::vector<uint8_t>& bytes) {
    return clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1);
  };
  for (size_t size = 0; size < good.size(); size += size < 400 ? 1 : 7) {
    std::vector<uint8_t> bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    repair(bytes);
    ASSERT_EQ(restore(bytes), CLOTHC_ERROR_INVALID_ARGUMENT) << size << " bytes: " << clothc_last_error_message();
  }
  EXPECT_EQ(scene.hash(), hash);
  size_t refused = 0;
  for (size_t at = 16; at < good.size(); at += at < 600 ? 1 : 13) {
    for (const uint8_t flip : {0x01, 0x80, 0xff}) {
      std::vector<uint8_t> bytes = good;
      bytes[at] ^= flip;
      repair(bytes);
      const clothc_result result = restore(bytes);
      if (result == CLOTHC_SUCCESS) {
        scene.step(1, 0.004f);
        scene.snapshot();
        ASSERT_OK(restore(good));
      } else {
        ++refused;
        ASSERT_TRUE(result == CLOTHC_ERROR_INVALID_ARGUMENT || result == CLOTHC_ERROR_CAPACITY)
            << "byte " << at << ": " << clothc_result_name(result) << ", " << clothc_last_error_message();
      }
      ASSERT_EQ(scene.hash(), hash) << "byte " << at;
    }
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace persistence_snapshot_test
