// buffers_test.cpp - mapping, renaming, reading and writing of buffers, memory of the caller, and busy buffers.
#include <atomic>
#include <thread>

#include "support/scene.h"

using namespace clothc_test;

namespace buffers_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Buffers);

clothc_buffer_info info_of(clothc_buffer buffer) {
  clothc_buffer_info info = initialised<clothc_buffer_info>();
  EXPECT_OK(clothc_buffer_get_info(buffer, &info));
  return info;
}

// Queues a get that cannot run before the fence is signalled.
void queue_blocked_get(Scene& scene, clothc_fence fence, clothc_buffer buffer) {
  scene.block_behind(fence);
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
}

TEST_P(Buffers, a_new_host_buffer_is_zero_aligned_and_as_described) {
  Scene scene(GetParam());
  const struct {
    clothc_format format;
    uint32_t stride, size;
  } cases[] = {{CLOTHC_FORMAT_FLOAT, 0, 4},    {CLOTHC_FORMAT_FLOAT3, 0, 12},  {CLOTHC_FORMAT_FLOAT4, 0, 16},
               {CLOTHC_FORMAT_UINT, 0, 4},     {CLOTHC_FORMAT_FLOAT3, 32, 32}, {CLOTHC_FORMAT_RECORD, 4096, 4096},
               {CLOTHC_FORMAT_FLOAT4, 20, 20}, {CLOTHC_FORMAT_RECORD, 4, 4}};
  for (const auto& c : cases) {
    const clothc_buffer buffer = scene.buffer(7, c.format, c.stride);
    const clothc_buffer_info info = info_of(buffer);
    EXPECT_EQ(info.stride, c.size);
    EXPECT_EQ(info.size, 7u * c.size);
    EXPECT_EQ(info.count, 7u);
    EXPECT_EQ(info.format, c.format);
    EXPECT_EQ(info.kind, static_cast<uint32_t>(CLOTHC_BUFFER_HOST));
    EXPECT_EQ(info.mapped, 0u);
    EXPECT_EQ(info.busy, 0u);
    void* memory = nullptr;
    ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &memory));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    for (uint64_t k = 0; k < info.size; ++k) ASSERT_EQ(static_cast<const char*>(memory)[k], 0);
    EXPECT_EQ(info_of(buffer).mapped, 1u);
    ASSERT_OK(clothc_buffer_unmap(buffer));
  }
}

TEST_P(Buffers, map_flags_that_make_no_sense_are_refused) {
  Scene scene(GetParam());
  const clothc_buffer buffer = scene.buffer(4);
  void* memory = &scene;
  for (const uint32_t flags : {0u, uint32_t{CLOTHC_MAP_NO_WAIT}, uint32_t{CLOTHC_MAP_DISCARD}, 16u | CLOTHC_MAP_READ,
                               uint32_t{CLOTHC_MAP_READ | CLOTHC_MAP_DISCARD},
                               uint32_t{CLOTHC_MAP_READ | CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD}}) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_map(buffer, flags, &memory), "map flags");
  }
  EXPECT_EQ(memory, &scene);
  EXPECT_EQ(info_of(buffer).mapped, 0u);
}

TEST_P(Buffers, a_buffer_has_one_mapping_at_a_time_and_takes_no_part_in_copies_meanwhile) {
  Scene scene(GetParam());
  const clothc_buffer buffer = scene.buffer(16);
  const uint64_t hash = scene.hash();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_unmap(buffer), "not mapped");
  void* memory = nullptr;
  ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_WRITE, &memory));
  void* again = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_map(buffer, CLOTHC_MAP_READ, &again), "mapped already",
               "unmap");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_map(buffer, CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &again),
               "mapped already");
  EXPECT_EQ(again, nullptr);
  float value = 0;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_read(buffer, 0, 4, &value), "mapped", "unmap");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_write(buffer, 0, 4, &value), "mapped", "unmap");
  const clothc_region nothing{0, 0, 0};
  for (const uint32_t region_count : {0u, 1u}) {
    const clothc_region* regions = region_count == 0 ? nullptr : &nothing;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE,
                 clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, regions, region_count, 0),
                 "mapped", "unmap");
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE,
                 clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, regions, region_count, 0),
                 "mapped", "unmap");
  }
  const clothc_buffer records = scene.buffer(1, CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_parameters));
  ASSERT_OK(clothc_buffer_map(records, CLOTHC_MAP_WRITE, &again));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, records, nullptr, nullptr, 0, 0),
               "mapped");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE,
               clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, records, nullptr, nullptr, 0, 0),
               "mapped");
  ASSERT_OK(clothc_buffer_unmap(buffer));
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Buffers, reads_and_writes_beyond_the_end_are_refused_naming_both_sizes) {
  Scene scene(GetParam());
  const clothc_buffer buffer = scene.buffer(4);
  float values[16] = {1, 2, 3};
  ASSERT_OK(clothc_buffer_write(buffer, 0, 64, values));
  float before[16];
  ASSERT_OK(clothc_buffer_read(buffer, 0, 64, before));
  const uint64_t ranges[][2] = {{0, 65}, {64, 1}, {65, 0}, {UINT64_MAX, 2}, {2, UINT64_MAX}, {60, 8}};
  for (const auto& range : ranges) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_read(buffer, range[0], range[1], values), "beyond", "64",
                 std::to_string(range[1]).c_str());
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_write(buffer, range[0], range[1], values), "beyond",
                 "64");
  }
  EXPECT_OK(clothc_buffer_read(buffer, 64, 0, nullptr));
  float after[16];
  ASSERT_OK(clothc_buffer_read(buffer, 0, 64, after));
  EXPECT_EQ(std::memcmp(before, after, 64), 0);
}

TEST_P(Buffers, no_wait_says_not_ready_while_a_get_is_blocked_and_succeeds_afterwards) {
  Scene scene(GetParam());
  const clothc_buffer buffer = scene.buffer(32);
  const clothc_fence fence = scene.fence();
  queue_blocked_get(scene, fence, buffer);
  void* memory = nullptr;
  for (const uint32_t access : {uint32_t{CLOTHC_MAP_READ}, uint32_t{CLOTHC_MAP_WRITE}}) {
    EXPECT_EQ(clothc_buffer_map(buffer, access | CLOTHC_MAP_NO_WAIT, &memory), CLOTHC_NOT_READY);
  }
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(info_of(buffer).busy, 1u);
  EXPECT_EQ(info_of(buffer).mapped, 0u);
  // Another buffer is not affected.
  const clothc_buffer idle = scene.buffer(4);
  EXPECT_OK(clothc_buffer_map(idle, CLOTHC_MAP_READ | CLOTHC_MAP_NO_WAIT, &memory));
  ASSERT_OK(clothc_fence_signal(fence, 1));
  ASSERT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  EXPECT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_NO_WAIT, &memory));
  EXPECT_EQ(info_of(buffer).busy, 0u);
}

TEST_P(Buffers, discard_never_waits_and_earlier_gets_and_sets_keep_their_memory) {
  Scene scene(GetParam());
  scene.change_parameters(scene.cloth, [](auto& p) { p.gravity[1] = 0; });
  std::vector<float> wanted = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (size_t k = 0; k < wanted.size(); k += 4) wanted[k + 1] += 0.125f;
  const clothc_buffer buffer = scene.buffer(30);
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  const clothc_region region{0, scene.info(scene.cloth).first_particle, 30};
  for (int round = 0; round < 3; ++round) {
    void* memory = nullptr;
    ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &memory));
    for (size_t k = 0; k < wanted.size(); ++k) static_cast<float*>(memory)[k] = round < 2 ? 1000.0f : wanted[k];
    if (round == 2) std::memcpy(memory, wanted.data(), wanted.size() * 4);
    ASSERT_OK(clothc_buffer_unmap(buffer));
    ASSERT_OK(
        clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, &region, 1, CLOTHC_SET_AT_REST));
  }
  // This is written after the set was queued, so the set must not see it.
  void* memory = nullptr;
  ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &memory));
  std::memset(memory, 0xff, wanted.size() * 4);
  ASSERT_OK(clothc_buffer_unmap(buffer));
  ASSERT_OK(clothc_fence_signal(fence, 1));
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), wanted);
}

TEST_P(Buffers, map_waits_for_the_buffers_own_work_only) {
  Scene scene(GetParam());
  const clothc_buffer buffer = scene.buffer(32);
  const clothc_fence fence = scene.fence();
  queue_blocked_get(scene, fence, buffer);
  std::atomic<bool> mapped{false};
  std::thread mapper([&] {
    void* memory = nullptr;
    EXPECT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &memory));
    mapped = true;
    EXPECT_EQ(static_cast<const float*>(memory)[1], 1.0f);
    EXPECT_OK(clothc_buffer_unmap(buffer));
  });
  const clothc_buffer idle = scene.buffer(4);
  void* memory = nullptr;
  EXPECT_OK(clothc_buffer_map(idle, CLOTHC_MAP_READ, &memory));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(mapped.load());
  EXPECT_OK(clothc_fence_signal(fence, 1));
  mapper.join();
  EXPECT_TRUE(mapped.load());
}

TEST_P(Buffers, wrapped_memory_is_the_callers_own) {
  Scene scene(GetParam());
  std::vector<float> memory(30 * 4, 7.0f);
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_WRAPPED_HOST;
  desc.memory = memory.data();
  desc.count = 30;
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
  void* mapped = nullptr;
  ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_WRITE, &mapped));
  EXPECT_EQ(mapped, memory.data());
  EXPECT_EQ(memory[0], 7.0f);
  ASSERT_OK(clothc_buffer_unmap(buffer));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_map(buffer, CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &mapped),
               "WRAPPED_HOST", "DISCARD");
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  // This waits for the get.
  ASSERT_OK(clothc_buffer_destroy(buffer));
  EXPECT_EQ(memory[1], 1.0f);
}

TEST_P(Buffers, destroying_wrapped_memory_waits_for_its_copies) {
  Scene scene(GetParam());
  auto memory = std::make_unique<std::vector<float>>(30 * 4, 7.0f);
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_WRAPPED_HOST;
  desc.memory = memory->data();
  desc.count = 30;
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
  const clothc_fence fence = scene.fence();
  queue_blocked_get(scene, fence, buffer);
  std::thread signaller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ((*memory)[1], 7.0f);
    EXPECT_OK(clothc_fence_signal(fence, 1));
  });
  ASSERT_OK(clothc_buffer_destroy(buffer));
  memory.reset();
  signaller.join();
}

TEST_P(Buffers, host_buffers_fabrics_and_fences_can_be_destroyed_while_used) {
  Scene scene(GetParam());
  const clothc_buffer buffer = scene.buffer(30);
  const clothc_fence fence = scene.fence();
  const clothc_fence other = scene.fence();
  clothc_update update = initialised<clothc_update>();
  update.wait_fence = fence;
  update.wait_value = 1;
  update.signal_fence = other;
  update.signal_value = 9;
  ASSERT_OK(clothc_solver_update(scene.solver, &update, nullptr));
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  ASSERT_OK(clothc_buffer_destroy(buffer));
  ASSERT_OK(clothc_fence_destroy(other));
  ASSERT_OK(clothc_fabric_destroy(scene.fabric));
  ASSERT_OK(clothc_fence_signal(fence, 1));
  ASSERT_OK(clothc_fence_destroy(fence));
  scene.step(3);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  EXPECT_EQ(scene.status(scene.cloth).flags, 0u);
}

}  // namespace
}  // namespace buffers_test
