// device_buffers_test.cpp - buffers in memory that the host may not be able to access. They work on every backend, can
// be used in sets and gets of every channel, including records, are read and written by copies, and are never mapped.
#include "support/scene.h"

using namespace clothc_test;

namespace device_buffers_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(DeviceBuffers);

constexpr uint32_t particles = 30;

clothc_buffer make(const Scene& scene, uint64_t count, clothc_format format = CLOTHC_FORMAT_FLOAT4,
                   uint32_t stride = 0) {
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_DEVICE;
  desc.format = format;
  desc.count = count;
  desc.stride = stride;
  clothc_buffer buffer = nullptr;
  EXPECT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
  return buffer;
}

std::vector<float> values_of(clothc_buffer buffer, size_t count) {
  std::vector<float> values(count);
  EXPECT_OK(clothc_buffer_read(buffer, 0, count * 4, values.data()));
  return values;
}

std::vector<float> counted(size_t count) {
  std::vector<float> values(count);
  for (size_t k = 0; k < count; ++k) values[k] = 0.5f + static_cast<float>(k);
  return values;
}

TEST_P(DeviceBuffers, are_zero_at_first_and_as_described) {
  Scene scene(GetParam());
  const clothc_buffer buffer = make(scene, 7, CLOTHC_FORMAT_FLOAT3, 20);
  clothc_buffer_info info = initialised<clothc_buffer_info>();
  EXPECT_OK(clothc_buffer_get_info(buffer, &info));
  EXPECT_EQ(info.kind, static_cast<uint32_t>(CLOTHC_BUFFER_DEVICE));
  EXPECT_EQ(info.size, 140u);
  EXPECT_EQ(info.mapped, 0u);
  EXPECT_EQ(info.busy, 0u);
  EXPECT_EQ(values_of(buffer, 35), std::vector<float>(35));
}

TEST_P(DeviceBuffers, made_where_others_were_are_zero_too) {
  Scene scene(GetParam());
  for (int k = 0; k < 4; ++k) {
    const clothc_buffer buffer = make(scene, 64);
    EXPECT_EQ(values_of(buffer, 256), std::vector<float>(256));
    EXPECT_OK(clothc_buffer_write(buffer, 0, 1024, counted(256).data()));
    EXPECT_OK(clothc_buffer_destroy(buffer));
  }
}

TEST_P(DeviceBuffers, are_never_mapped) {
  Scene scene(GetParam());
  const clothc_buffer buffer = make(scene, 4);
  void* memory = &scene;
  for (const uint32_t flags : {uint32_t{CLOTHC_MAP_READ}, uint32_t{CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD},
                               uint32_t{CLOTHC_MAP_READ | CLOTHC_MAP_NO_WAIT}}) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_map(buffer, flags, &memory), "cannot be mapped",
                 "clothc_buffer_read");
  }
  EXPECT_EQ(memory, &scene);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_unmap(buffer), "not mapped");
}

TEST_P(DeviceBuffers, are_written_and_read_in_any_part) {
  Scene scene(GetParam());
  // More elements than are staged at a time.
  const size_t count = 300'001;
  const clothc_buffer buffer = make(scene, count, CLOTHC_FORMAT_FLOAT);
  std::vector<float> expected = counted(count);
  EXPECT_OK(clothc_buffer_write(buffer, 0, count * 4, expected.data()));
  EXPECT_EQ(values_of(buffer, count), expected);
  const float part[] = {-1, -2, -3};
  EXPECT_OK(clothc_buffer_write(buffer, 262'143 * 4, 12, part));
  std::copy(part, part + 3, expected.begin() + 262'143);
  std::vector<float> tail(count - 262'000);
  EXPECT_OK(clothc_buffer_read(buffer, 262'000 * 4, tail.size() * 4, tail.data()));
  EXPECT_TRUE(std::equal(tail.begin(), tail.end(), expected.begin() + 262'000));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_read(buffer, count * 4 - 4, 8, tail.data()), "");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_write(buffer, 0, 4, nullptr), "null");
}

// Transferred ranges are in bytes and need not begin or end at words.
TEST_P(DeviceBuffers, are_written_and_read_by_bytes) {
  Scene scene(GetParam());
  const clothc_buffer buffer = make(scene, 8, CLOTHC_FORMAT_UINT);
  const std::string text = "seventeen letters";
  EXPECT_OK(clothc_buffer_write(buffer, 3, text.size(), text.data()));
  std::string read(text.size(), ' ');
  EXPECT_OK(clothc_buffer_read(buffer, 3, read.size(), read.data()));
  EXPECT_EQ(read, text);
  std::string all(32, ' ');
  EXPECT_OK(clothc_buffer_read(buffer, 0, all.size(), all.data()));
  EXPECT_EQ(all, std::string(3, '\0') + text + std::string(12, '\0'));
}

TEST_P(DeviceBuffers, take_part_in_sets_and_gets_as_host_buffers_do) {
  Scene device_scene(GetParam()), host_scene(GetParam());
  for (const clothc_channel channel : {CLOTHC_CHANNEL_VELOCITY, CLOTHC_CHANNEL_ACCELERATION,
                                       CLOTHC_CHANNEL_MOTION_CONSTRAINT, CLOTHC_CHANNEL_POSITION}) {
    for (Scene* scene : {&device_scene, &host_scene}) {
      const clothc_buffer in = scene == &device_scene ? make(*scene, particles) : scene->buffer(particles);
      std::vector<float> values(particles * 4);
      for (size_t k = 0; k < values.size(); ++k) values[k] = 0.0625f * static_cast<float>(k % 7);
      EXPECT_OK(clothc_buffer_write(in, 0, values.size() * 4, values.data()));
      EXPECT_OK(clothc_solver_set(scene->solver, channel, in, nullptr, nullptr, 0, 0));
      scene->step(2);
      EXPECT_OK(clothc_buffer_destroy(in));
    }
    const clothc_buffer out = make(device_scene, particles), reference = host_scene.buffer(particles);
    EXPECT_OK(clothc_solver_get(device_scene.solver, channel, out, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_solver_get(host_scene.solver, channel, reference, nullptr, nullptr, 0, 0));
    EXPECT_EQ(values_of(out, particles * 4), values_of(reference, particles * 4)) << "channel " << channel;
  }
  EXPECT_EQ(device_scene.hash(), host_scene.hash());
}

TEST_P(DeviceBuffers, take_views_and_regions_and_keep_what_lies_between) {
  Scene scene(GetParam());
  const std::vector<float> expected = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  const clothc_buffer vertices = make(scene, particles, CLOTHC_FORMAT_RECORD, 32);
  std::vector<float> memory = counted(particles * 8);
  EXPECT_OK(clothc_buffer_write(vertices, 0, memory.size() * 4, memory.data()));
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  view.byte_offset = 12;
  const clothc_region regions[] = {{2, 5, 3}, {20, 11, 9}};
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, vertices, &view, regions, 2, 0));
  for (const clothc_region& region : regions) {
    for (uint32_t k = 0; k < region.count; ++k) {
      for (uint32_t axis = 0; axis < 3; ++axis)
        memory[(region.target_offset + k) * 8 + 3 + axis] = expected[(region.source_offset + k) * 4 + axis];
    }
  }
  EXPECT_EQ(values_of(vertices, memory.size()), memory);
}

TEST_P(DeviceBuffers, hold_records) {
  Scene scene(GetParam());
  const clothc_cloth_id second_cloth = scene.add();
  const clothc_buffer buffer = make(scene, 2, CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_parameters));
  clothc_cloth_parameters records[2] = {initialised<clothc_cloth_parameters>(), initialised<clothc_cloth_parameters>()};
  records[0].damping[1] = 0.25f;
  records[1].solver_frequency = 240;
  EXPECT_OK(clothc_buffer_write(buffer, 0, sizeof(records), records));
  EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, buffer, nullptr, nullptr, 0, 0));
  EXPECT_EQ(scene.parameters(scene.cloth).damping[1], 0.25f);
  EXPECT_EQ(scene.parameters(second_cloth).solver_frequency, 240);
  scene.change_parameters(second_cloth, [](clothc_cloth_parameters& p) { p.friction = 0.5f; });
  // A get fills records of the size that the caller's elements specify.
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, buffer, nullptr, nullptr, 0, 0));
  EXPECT_OK(clothc_buffer_read(buffer, 0, sizeof(records), records));
  EXPECT_EQ(records[0].damping[1], 0.25f);
  EXPECT_EQ(records[1].friction, 0.5f);

  scene.step();
  const clothc_buffer statuses = make(scene, 2, CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_status));
  clothc_cloth_status status[2] = {initialised<clothc_cloth_status>(), initialised<clothc_cloth_status>()};
  EXPECT_OK(clothc_buffer_write(statuses, 0, sizeof(status), status));
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CLOTH_STATUS, statuses, nullptr, nullptr, 0, 0));
  EXPECT_OK(clothc_buffer_read(statuses, 0, sizeof(status), status));
  EXPECT_EQ(status[0].iteration_count, scene.status(scene.cloth).iteration_count);
  EXPECT_EQ(status[1].iteration_count, scene.status(second_cloth).iteration_count);
  EXPECT_EQ(std::memcmp(status[1].bounds_minimum, scene.status(second_cloth).bounds_minimum, 24), 0);
}

TEST_P(DeviceBuffers, are_busy_until_their_work_has_ended) {
  Scene scene(GetParam());
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  const clothc_buffer buffer = make(scene, particles);
  EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  clothc_buffer_info info = initialised<clothc_buffer_info>();
  EXPECT_OK(clothc_buffer_get_info(buffer, &info));
  EXPECT_EQ(info.busy, 1u);
  EXPECT_OK(clothc_fence_signal(fence, 1));
  EXPECT_EQ(values_of(buffer, particles * 4), scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth));
  EXPECT_OK(clothc_buffer_get_info(buffer, &info));
  EXPECT_EQ(info.busy, 0u);
}

TEST_P(DeviceBuffers, of_a_desc_that_makes_no_sense_are_refused) {
  Scene scene(GetParam());
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_DEVICE;
  desc.count = 4;
  clothc_buffer buffer = nullptr;
  float memory[16];
  desc.memory = memory;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(scene.device, &desc, &buffer), "memory");
  desc.memory = nullptr;
  clothc_external_handle external = initialised<clothc_external_handle>();
  desc.external = &external;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(scene.device, &desc, &buffer), "external");
  desc.external = nullptr;
  EXPECT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_export(buffer, &external), "EXPORTABLE");
}

}  // namespace
}  // namespace device_buffers_test
