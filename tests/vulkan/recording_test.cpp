// recording_test.cpp - devices that only record: updates, sets and gets in command buffers of a program, which nobody
// but the program submits.
#include "vulkan/application.h"

using namespace clothc_test;

namespace recording_test {
namespace {

constexpr uint32_t particles = 30;

class Recording : public AsVulkanApplication {
 protected:
  // Records an update, or only what is queued, and returns what must be signalled.
  struct Signal {
    uint64_t semaphore = 0;
    uint64_t value = 0;
  };
  static Signal record(const Scene& scene, VkCommandBuffer commands, float dt = 1.0f / 60) {
    clothc_update update = initialised<clothc_update>();
    update.dt = dt;
    Signal signal;
    EXPECT_OK(clothc_vulkan_record_update(scene.solver, commands, &update, &signal.semaphore, &signal.value));
    return signal;
  }
  static Signal record_queued(const Scene& scene, VkCommandBuffer commands) {
    Signal signal;
    EXPECT_OK(clothc_vulkan_record_update(scene.solver, commands, nullptr, &signal.semaphore, &signal.value));
    return signal;
  }
  void submit(VkCommandBuffer commands, const Signal& signal) {
    own_->submit(commands, signal.semaphore, signal.value);
  }
  void step(const Scene& scene, int count = 1) {
    for (int k = 0; k < count; ++k) {
      const VkCommandBuffer commands = own_->begin();
      submit(commands, record(scene, commands));
    }
  }
  // Gets a channel of the cloth in a submission of its own.
  std::vector<float> get(const Scene& scene, clothc_channel channel) {
    const clothc_buffer buffer = scene.buffer(particles);
    const clothc_region region = {scene.info(scene.cloth).first_particle, 0, particles};
    EXPECT_OK(clothc_solver_get(scene.solver, channel, buffer, nullptr, &region, 1, 0));
    const VkCommandBuffer commands = own_->begin();
    submit(commands, record_queued(scene, commands));
    std::vector<float> values(particles * 4);
    EXPECT_OK(clothc_buffer_read(buffer, 0, values.size() * 4, values.data()));
    EXPECT_OK(clothc_buffer_destroy(buffer));
    return values;
  }
  void expect_same(const Scene& scene, const Scene& on_processor) {
    for (const clothc_channel channel : {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION})
      EXPECT_EQ(get(scene, channel), on_processor.get(channel, on_processor.cloth));
  }
};

TEST_F(Recording, gives_the_same_bits_and_submits_nothing) {
  Scene scene(adopted(false)), alone(CLOTHC_BACKEND_CPU);
  const uint64_t submissions = calls_of("vkQueueSubmit");
  step(scene, 5);
  EXPECT_EQ(calls_of("vkQueueSubmit") - submissions, 5u);
  alone.step(5);
  expect_same(scene, alone);
  EXPECT_EQ(scene.info().update_count, 5u);
}

TEST_F(Recording, takes_several_updates_into_one_command_buffer) {
  Scene scene(adopted(false)), alone(CLOTHC_BACKEND_CPU);
  for (int frame = 0; frame < 3; ++frame) {
    const VkCommandBuffer commands = own_->begin();
    record(scene, commands, 0.01f);
    record(scene, commands, 0.02f);
    submit(commands, record(scene, commands, 0.01f));
    for (const float dt : {0.01f, 0.02f, 0.01f}) alone.step(1, dt);
  }
  expect_same(scene, alone);
}

// Whatever is set, whichever memory grows and whichever fabrics come and go in between.
TEST_F(Recording, records_everything_that_is_queued) {
  Scene scene(adopted(false)), alone(CLOTHC_BACKEND_CPU);
  const auto on_both = [&](auto action) {
    action(scene);
    action(alone);
  };
  const auto step_both = [&](int count) {
    step(scene, count);
    alone.step(count);
  };
  step_both(1);
  std::vector<float> values(particles * 4, 0.25f);
  on_both([&](Scene& s) { s.set(CLOTHC_CHANNEL_ACCELERATION, s.cloth, values); });
  on_both([&](Scene& s) { s.set(CLOTHC_CHANNEL_VELOCITY, s.cloth, values); });
  step_both(2);
  for (size_t k = 3; k < values.size(); k += 4) values[k] = 0.5f;
  on_both([&](Scene& s) { s.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, s.cloth, values); });
  on_both([&](Scene& s) {
    const clothc_collider_set_id set = s.sphere_set(0.5f, -0.5f, 0.5f, 0.4f);
    EXPECT_OK(clothc_cloth_set_collider_sets(s.solver, s.cloth, &set, 1));
  });
  step_both(3);
  on_both([&](Scene& s) {
    for (uint32_t k = 0; k < 4; ++k) {
      const Sheet larger(8 + 3 * k, 7);
      clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
      desc.fabric = cook_fabric(s.device, larger.desc());
      s.add(desc);
      EXPECT_OK(clothc_fabric_destroy(desc.fabric));
    }
  });
  on_both([&](Scene& s) {
    s.change_parameters(s.cloth, [](clothc_cloth_parameters& p) { p.self_collision_distance = 0.05f; });
  });
  step_both(3);
  expect_same(scene, alone);
}

TEST_F(Recording, writes_bound_buffers_for_what_follows_in_the_command_buffer) {
  Scene scene(adopted(false)), alone(CLOTHC_BACKEND_CPU);
  const RawBuffer vertices = own_->make_vertices(particles * 12);
  ASSERT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION,
                              wrap(scene.device, vertices, CLOTHC_FORMAT_FLOAT3, particles), nullptr));
  std::vector<RawBuffer> drawn;
  for (int frame = 0; frame < 4; ++frame) {
    drawn.push_back(own_->make_vertices(vertices.size));
    const VkCommandBuffer commands = own_->begin();
    const Signal signal = record(scene, commands);
    // What draws in a render graph: it has no barriers of its own for the cloth.
    const VkBufferCopy region = {0, 0, vertices.size};
    own_->CmdCopyBuffer(commands, vertices.buffer, drawn.back().buffer, 1, &region);
    submit(commands, signal);
  }
  own_->wait_idle();
  for (const RawBuffer& seen : drawn) {
    alone.step();
    const std::vector<float> positions = alone.get(CLOTHC_CHANNEL_POSITION, alone.cloth);
    const auto* values = static_cast<const float*>(seen.mapped);
    for (size_t k = 0; k < particles; ++k) EXPECT_EQ(std::memcmp(values + 3 * k, &positions[4 * k], 12), 0);
  }
}

// New memory is zero, also on a device that cannot submit anything to make it so.
TEST_F(Recording, has_zeros_in_new_memory) {
  Scene scene(adopted(false));
  const uint64_t size = uint64_t{3} << 20;
  const RawBuffer seen = own_->make_vertices(size);
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_DEVICE;
  desc.count = size / 16;
  clothc_buffer buffer = nullptr;
  for (int round = 0; round < 2; ++round) {
    ASSERT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
    const clothc_region first = {scene.info(scene.cloth).first_particle, 0, particles};
    ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, &first, 1, 0));
    const VkCommandBuffer commands = own_->begin();
    const Signal signal = record_queued(scene, commands);
    uint64_t handle = 0, offset = 0;
    ASSERT_OK(clothc_vulkan_buffer_get_handle(buffer, &handle, &offset));
    VkBuffer raw = VK_NULL_HANDLE;
    std::memcpy(&raw, &handle, sizeof(raw));
    const VkBufferCopy region = {offset, 0, size};
    own_->CmdCopyBuffer(commands, raw, seen.buffer, 1, &region);
    // What the next buffer finds in this memory.
    own_->CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                             nullptr, 0, nullptr);
    own_->CmdFillBuffer(commands, raw, offset, size, 0x7f7f7f7f);
    submit(commands, signal);
    own_->wait_idle();
    const auto* words = static_cast<const uint32_t*>(seen.mapped);
    EXPECT_NE(words[1], 0u);
    for (uint64_t k = particles * 4; k < size / 4; ++k) ASSERT_EQ(words[k], 0u) << "word " << k;
    EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
    EXPECT_OK(clothc_buffer_destroy(buffer));
  }
}

TEST_F(Recording, tells_when_the_program_s_submission_has_ended) {
  Scene scene(adopted(false));
  const VkCommandBuffer commands = own_->begin();
  const Signal signal = record(scene, commands);
  EXPECT_EQ(signal.value, scene.info().timeline_value);
  EXPECT_EQ(clothc_solver_poll(scene.solver, signal.value, nullptr), CLOTHC_NOT_READY);
  EXPECT_EQ(clothc_solver_wait(scene.solver, signal.value, 1000), CLOTHC_TIMEOUT);
  submit(commands, signal);
  EXPECT_OK(clothc_solver_wait(scene.solver, signal.value, longest_work));
  // Where submissions take no semaphores, the program signals from the host.
  const VkCommandBuffer plain = own_->begin();
  const Signal next = record(scene, plain);
  EXPECT_EQ(next.semaphore, signal.semaphore);
  EXPECT_GT(next.value, signal.value);
  own_->submit(plain);
  own_->wait_idle();
  EXPECT_EQ(clothc_solver_poll(scene.solver, next.value, nullptr), CLOTHC_NOT_READY);
  VkSemaphoreSignalInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
  std::memcpy(&info.semaphore, &next.semaphore, sizeof(info.semaphore));
  info.value = next.value;
  EXPECT_VULKAN(own_->SignalSemaphore(own_->device, &info));
  EXPECT_OK(clothc_solver_poll(scene.solver, next.value, nullptr));
}

TEST_F(Recording, waits_for_nothing_that_has_not_been_recorded) {
  Scene scene(adopted(false));
  step(scene);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  const clothc_buffer buffer = scene.buffer(particles);
  const clothc_region first = {scene.info(scene.cloth).first_particle, 0, particles};
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, &first, 1, 0));
  void* mapped = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_solver_wait(scene.solver, UINT64_MAX, longest_work),
               "clothc_vulkan_record_update");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_map(buffer, CLOTHC_MAP_READ, &mapped),
               "clothc_vulkan_record_update");
  EXPECT_EQ(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_NO_WAIT, &mapped), CLOTHC_NOT_READY);
  // What fetches something at once.
  uint64_t hash = 0, size = 0;
  clothc_cloth_status status = initialised<clothc_cloth_status>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_solver_state_hash(scene.solver, &hash), "only records");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_solver_snapshot(scene.solver, nullptr, &size), "only records");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cloth_get_status(scene.solver, scene.cloth, &status), "only records");
  const clothc_debug_desc drawing = initialised<clothc_debug_desc>();
  uint32_t count = 0;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_solver_get_debug_lines(scene.solver, &drawing, nullptr, &count),
               "only records");
  const VkCommandBuffer commands = own_->begin();
  submit(commands, record_queued(scene, commands));
  EXPECT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &mapped));
  EXPECT_OK(clothc_buffer_unmap(buffer));
}

TEST_F(Recording, does_nothing_with_too_many_updates_in_flight) {
  SceneOptions options = adopted(false);
  options.solver.updates_in_flight = 3;
  Scene scene(options), alone(CLOTHC_BACKEND_CPU);
  std::vector<VkCommandBuffer> recorded;
  std::vector<Signal> signals;
  for (int k = 0; k < 3; ++k) {
    recorded.push_back(own_->begin());
    signals.push_back(record(scene, recorded.back()));
  }
  const VkCommandBuffer commands = own_->begin();
  const clothc_update update = initialised<clothc_update>();
  uint64_t semaphore = 7, value = 7;
  EXPECT_EQ(clothc_vulkan_record_update(scene.solver, commands, &update, &semaphore, &value), CLOTHC_NOT_READY);
  EXPECT_EQ(semaphore, 7u);
  EXPECT_EQ(scene.info().update_count, 3u);
  for (size_t k = 0; k < recorded.size(); ++k) submit(recorded[k], signals[k]);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  submit(commands, record(scene, commands));
  alone.step(4);
  expect_same(scene, alone);
}

TEST_F(Recording, of_two_solvers_goes_into_one_command_buffer) {
  const SceneOptions options = adopted(false);
  Scene one(options), other(options), alone(CLOTHC_BACKEND_CPU);
  for (int frame = 0; frame < 3; ++frame) {
    const VkCommandBuffer commands = own_->begin();
    const Signal first = record(one, commands), second = record(other, commands);
    EXPECT_NE(first.semaphore, second.semaphore);
    submit(commands, first);
    const VkCommandBuffer empty = own_->begin();
    submit(empty, second);
    alone.step();
  }
  expect_same(one, alone);
  expect_same(other, alone);
}

// The times of stages are written by the program's command buffer too.
TEST_F(Recording, measures_times) {
  Scene scene(adopted(false));
  step(scene);
  clothc_update update = initialised<clothc_update>();
  update.flags = CLOTHC_UPDATE_TIMERS;
  const VkCommandBuffer commands = own_->begin();
  Signal signal;
  ASSERT_OK(clothc_vulkan_record_update(scene.solver, commands, &update, &signal.semaphore, &signal.value));
  submit(commands, signal);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  step(scene);
  clothc_timers timers = initialised<clothc_timers>();
  EXPECT_OK(clothc_solver_get_timers(scene.solver, &timers));
  EXPECT_EQ(timers.update, 2u);
}

TEST_F(Recording, ends_with_a_solver_that_was_not_submitted) {
  Scene scene(adopted(false));
  const Stopwatch stopwatch;
  const VkCommandBuffer commands = own_->begin();
  record(scene, commands);
  EXPECT_VULKAN(own_->EndCommandBuffer(commands));
  EXPECT_OK(clothc_solver_destroy(scene.solver));
  EXPECT_OK(clothc_device_destroy(devices_.back()));
  devices_.clear();
  EXPECT_LT(stopwatch.seconds(), 10);
}

// The program should have waited, but forgetting it crashes nothing.
TEST_F(Recording, ends_with_a_solver_whose_work_still_runs) {
  for (int round = 0; round < 5; ++round) {
    Scene scene(adopted(false));
    step(scene, 3);
    EXPECT_OK(clothc_solver_destroy(scene.solver));
  }
}

// What takes effect with the next update needs no wait; what must know the device's state at once does.
TEST_F(Recording, restores_and_counts_intersections_or_says_why_not) {
  Scene scene(adopted(false)), alone(CLOTHC_BACKEND_CPU);
  alone.step(3);
  const std::vector<uint8_t> bytes = alone.snapshot();
  step(scene);
  EXPECT_OK(clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
  step(scene, 2);
  alone.step(2);
  const uint32_t first = scene.info().particle_count;
  EXPECT_EQ(first, alone.info().particle_count);
  std::vector<clothc_cloth_id> ids(1);
  uint32_t count = 1;
  ASSERT_OK(clothc_cloth_list(scene.solver, ids.data(), &count));
  scene.cloth = ids[0];
  expect_same(scene, alone);
  const clothc_buffer counts = scene.buffer(scene.info().particle_capacity, CLOTHC_FORMAT_UINT);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE,
               clothc_solver_get(scene.solver, CLOTHC_CHANNEL_INTERSECTION_COUNT, counts, nullptr, nullptr, 0, 0),
               "clothc_vulkan_record_update");
}

TEST_F(Recording, refuses_what_cannot_be_recorded) {
  Scene scene(adopted(false));
  const VkCommandBuffer commands = own_->begin();
  uint64_t semaphore = 0, value = 0;
  const auto with = [&](clothc_update update) {
    return clothc_vulkan_record_update(scene.solver, commands, &update, &semaphore, &value);
  };
  clothc_update update = initialised<clothc_update>();
  update.wait_fence = scene.fence();
  update.wait_value = 1;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, with(update), "wait_fence has not reached 1");
  update.wait_value = 0;
  EXPECT_OK(with(update));
  update.wait_fence = nullptr;
  update.signal_fence = scene.fence();
  update.signal_value = 1;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, with(update), "signal_fence");
  update = initialised<clothc_update>();
  update.dt = -1;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, with(update), "update.dt is -1");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_vulkan_record_update(scene.solver, nullptr, nullptr, &semaphore, &value), "command_buffer");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_vulkan_record_update(scene.solver, commands, nullptr, nullptr, &value), "semaphore");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_vulkan_record_update(scene.solver, commands, nullptr, &semaphore, nullptr), "value");
  // Memory that only the device sees is copied in command buffers alone.
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_DEVICE;
  desc.count = 4;
  clothc_buffer buffer = nullptr;
  EXPECT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
  float values[16] = {};
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_read(buffer, 0, sizeof(values), values), "HOST buffer");
  submit(commands, record_queued(scene, commands));
  Scene with_queue(adopted(true)), on_cpu(CLOTHC_BACKEND_CPU);
  for (const Scene* foreign : {&with_queue, &on_cpu}) {
    EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED,
                 clothc_vulkan_record_update(foreign->solver, commands, nullptr, &semaphore, &value),
                 "without a queue");
  }
  own_->wait_idle();
}

}  // namespace
}  // namespace recording_test
