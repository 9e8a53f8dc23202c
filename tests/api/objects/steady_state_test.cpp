// steady_state_test.cpp - after the first few updates, updates allocate no device memory and upload nothing that was
// not set, for every schedule and number of workers. Host allocations are counted in allocation_test.cpp.
#include "support/allocations.h"

using namespace clothc_test;

namespace steady_state_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(SteadyState);

// Two cloths that collide with a sphere and a plane, with accelerations and constant motion constraints.
struct Busy {
  DeviceAllocator allocator;
  Scene scene;
  clothc_collider_set_id set = 0;
  clothc_cloth_id second_cloth = 0;
  static SceneOptions with(SceneOptions options, DeviceAllocator& allocator) {
    allocator.use_in(options.device);
    return options;
  }
  explicit Busy(const SceneOptions& options) : scene(with(options, allocator)) {
    second_cloth = scene.add();
    EXPECT_OK(clothc_collider_set_create(scene.solver, &set));
    write_shapes(0);
    for (const clothc_cloth_id id : {scene.cloth, second_cloth}) {
      EXPECT_OK(clothc_cloth_set_collider_sets(scene.solver, id, &set, 1));
    }
    scene.set(CLOTHC_CHANNEL_ACCELERATION, scene.cloth, std::vector<float>(120, 0.5f));
    std::vector<float> motion = scene.get(CLOTHC_CHANNEL_POSITION, second_cloth);
    for (size_t k = 3; k < motion.size(); k += 4) motion[k] = 0.5f;
    scene.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, second_cloth, motion);
    scene.set(CLOTHC_CHANNEL_VELOCITY, second_cloth, std::vector<float>(120, 0.1f));
    scene.step(10);
  }
  void write_shapes(float height) {
    const float sphere[4] = {0.5f, 0.5f + height, 0.5f, 0.3f};
    const float plane[4] = {0, 1, 0, 1};
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.sphere_count = shapes.plane_count = 1;
    shapes.spheres = sphere;
    shapes.planes = plane;
    EXPECT_OK(clothc_collider_set_write(scene.solver, set, &shapes));
  }
};

std::vector<SceneOptions> variants(clothc_backend backend) {
  std::vector<SceneOptions> all;
  const std::vector<uint32_t> worker_counts =
      backend == CLOTHC_BACKEND_CPU ? std::vector<uint32_t>{1, 2, 5} : std::vector<uint32_t>{1};
  for (const uint32_t workers : worker_counts) {
    for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_AUTO, CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
      all.emplace_back(backend);
      all.back().device.worker_count = workers;
      all.back().solver.schedule = schedule;
    }
  }
  return all;
}

TEST_P(SteadyState, updates_with_nothing_set_take_no_device_memory_and_send_nothing) {
  for (const SceneOptions& options : variants(GetParam())) {
    Busy busy(options);
    const uint64_t allocations = busy.allocator.count;
    const int64_t living = busy.allocator.living;
    const uint64_t uploaded = busy.scene.info().uploaded_byte_count;
    for (int frame = 0; frame < 100; ++frame) {
      // Neither a different time step nor an update that consumes nothing counts as a change.
      busy.scene.step(1, frame % 10 == 9 ? 0.0f : frame % 2 == 0 ? 1.0f / 60 : 1.0f / 50);
      ASSERT_EQ(busy.scene.info().last_update_upload, 0u) << "frame " << frame;
    }
    ASSERT_OK(clothc_solver_wait(busy.scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    EXPECT_EQ(busy.allocator.count, allocations);
    EXPECT_EQ(busy.allocator.living, living);
    EXPECT_EQ(busy.scene.info().uploaded_byte_count, uploaded) << "bytes sent are those of the updates";
  }
}

TEST_P(SteadyState, a_game_that_sets_and_gets_every_frame_takes_no_device_memory) {
  for (const SceneOptions& options : variants(GetParam())) {
    Busy busy(options);
    Scene& scene = busy.scene;
    const clothc_buffer in = scene.buffer(30), out = scene.buffer(30);
    const clothc_region region{0, scene.info(scene.cloth).first_particle, 30};
    const clothc_region back{region.target_offset, 0, 30};
    const std::vector<float> pinned = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    uint64_t allocations = 0;
    for (int frame = 0; frame < 110; ++frame) {
      if (frame == 10) allocations = busy.allocator.count;
      busy.write_shapes(0.001f * static_cast<float>(frame));
      scene.change_parameters(scene.cloth, [&](auto& p) { p.gravity[0] = static_cast<float>(frame % 7); });
      ASSERT_OK(clothc_buffer_write(in, 0, pinned.size() * 4, pinned.data()));
      ASSERT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, in, nullptr, &region, 1, 0));
      scene.step();
      ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, out, nullptr, &back, 1, 0));
      std::vector<float> got(120);
      ASSERT_OK(clothc_buffer_read(out, 0, got.size() * 4, got.data()));
    }
    EXPECT_EQ(busy.allocator.count, allocations);
  }
}

TEST_P(SteadyState, an_update_sends_what_changed_once_and_moving_shapes_once_more_at_rest) {
  Busy busy{SceneOptions(GetParam())};
  Scene& scene = busy.scene;
  const auto upload = [&] {
    scene.step();
    return scene.info().last_update_upload;
  };
  EXPECT_EQ(upload(), 0u);
  scene.change_parameters(scene.cloth, [](auto& p) { p.gravity[0] = 1; });
  const uint64_t one_cloth = upload();
  EXPECT_GT(one_cloth, 0u);
  EXPECT_EQ(upload(), 0u);
  for (const clothc_cloth_id id : {scene.cloth, busy.second_cloth}) {
    scene.change_parameters(id, [](auto& p) { p.gravity[0] = 2; });
  }
  EXPECT_EQ(upload(), 2 * one_cloth);
  EXPECT_EQ(upload(), 0u);
  busy.write_shapes(0.1f);
  const uint64_t shapes = upload();
  EXPECT_GT(shapes, 0u);
  EXPECT_EQ(upload(), shapes) << "the shapes have come to rest";
  EXPECT_EQ(upload(), 0u);
  // The shapes are already there.
  busy.write_shapes(0.1f);
  EXPECT_LE(upload(), shapes);
  EXPECT_EQ(upload(), 0u);
}

// Adds wind, a displaced frame, separation constraints and a sleeping second cloth. None of these changes afterwards.
void bring_to_rest(Busy& busy) {
  Scene& scene = busy.scene;
  scene.change_parameters(scene.cloth, [](auto& p) {
    p.drag_coefficient = 0.5f, p.lift_coefficient = 0.25f, p.wind_velocity[0] = 2, p.sleep_threshold = 1e-6f;
    p.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY | CLOTHC_STATISTIC_STRETCH;
  });
  scene.change_parameters(busy.second_cloth, [](auto& p) {
    p.sleep_threshold = 1e6f, p.sleep_test_interval = 10, p.sleep_after_count = 2;
  });
  clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
  frame.translation[1] = 2;
  frame.rotation[0] = 0.6f, frame.rotation[3] = 0.8f;
  EXPECT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &frame));
  scene.set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, scene.cloth, std::vector<float>(120, 0.125f));
  scene.step(10);
}

TEST_P(SteadyState, wind_frames_separation_constraints_and_sleep_at_rest_send_nothing_and_take_no_memory) {
  for (const SceneOptions& options : variants(GetParam())) {
    Busy busy(options);
    bring_to_rest(busy);
    EXPECT_EQ(busy.scene.status(busy.second_cloth).flags, uint32_t{CLOTHC_STATUS_ASLEEP});
    const uint64_t allocations = busy.allocator.count, blocks = busy.scene.info().device_allocation_count;
    const uint64_t uploaded = busy.scene.info().uploaded_byte_count;
    for (int frame = 0; frame < 100; ++frame) {
      busy.scene.step(1, frame % 10 == 9 ? 0.0f : frame % 2 == 0 ? 1.0f / 60 : 1.0f / 50);
      ASSERT_EQ(busy.scene.info().last_update_upload, 0u) << "frame " << frame;
    }
    EXPECT_EQ(busy.allocator.count, allocations);
    EXPECT_EQ(busy.scene.info().device_allocation_count, blocks);
    EXPECT_EQ(busy.scene.info().uploaded_byte_count, uploaded);
  }
}

TEST_P(SteadyState, moving_frames_send_a_few_bytes_each_and_once_more_at_rest) {
  constexpr uint64_t most = 200;
  Busy busy{SceneOptions(GetParam())};
  bring_to_rest(busy);
  Scene& scene = busy.scene;
  clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
  const auto upload = [&](int moving) {
    for (const clothc_cloth_id id : {scene.cloth, busy.second_cloth}) {
      if (moving-- <= 0) break;
      EXPECT_OK(clothc_cloth_set_frame(scene.solver, id, &frame));
    }
    scene.step();
    return scene.info().last_update_upload;
  };
  uint64_t one = 0;
  for (int k = 1; k < 20; ++k) {
    frame.translation[0] = static_cast<float>(k) / 64;
    one = upload(1);
    EXPECT_GT(one, 0u);
    EXPECT_LE(one, most) << "update " << k;
  }
  EXPECT_EQ(upload(0), one) << "it has come to rest";
  EXPECT_EQ(upload(0), 0u);
  EXPECT_EQ(upload(1), 0u) << "it is there already";
  frame.translation[2] = 1;
  EXPECT_EQ(upload(2), 2 * one);
  EXPECT_EQ(upload(0), 2 * one);
  EXPECT_EQ(upload(0), 0u);
  // Any set wakes a cloth that may sleep, which costs as much as a frame.
  scene.set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, scene.cloth, std::vector<float>(120, 0.25f));
  EXPECT_LE(upload(0), most);
  EXPECT_EQ(upload(0), 0u);
}

TEST_P(SteadyState, what_an_update_sends_does_not_grow_with_the_particles) {
  uint64_t sent[2];
  for (const uint32_t large : {0u, 1u}) {
    SceneOptions options(GetParam());
    options.columns = options.rows = large != 0 ? 60 : 4;
    options.solver.particle_capacity = 4096;
    Scene scene(options);
    scene.step(2);
    scene.change_parameters(scene.cloth, [](auto& p) { p.friction = 1; });
    scene.step();
    sent[large] = scene.info().last_update_upload;
  }
  EXPECT_EQ(sent[0], sent[1]);
}

TEST_P(SteadyState, destroying_the_device_gives_its_memory_back) {
  if (GetParam() != CLOTHC_BACKEND_CPU) GTEST_SKIP() << "the application's allocator serves the cpu backend";
  DeviceAllocator allocator;
  {
    Scene scene(Busy::with(SceneOptions(GetParam()), allocator));
    scene.step(3);
    EXPECT_GT(allocator.living, 0);
  }
  EXPECT_EQ(allocator.living, 0);
}

}  // namespace
}  // namespace steady_state_test
