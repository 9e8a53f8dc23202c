// vulkan_test.cpp - what clothc_vulkan.hpp gives without a GPU: the library's refusals, with their messages.
#include <gtest/gtest.h>

#include <clothc_vulkan.hpp>
#include <string>

namespace {

struct OnProcessor {
  clothc::Device device = make_device();
  clothc::Solver solver = device.create_solver().value();

  static clothc::Device make_device() {
    auto desc = clothc::initialised<clothc_device_desc>();
    desc.backend = CLOTHC_BACKEND_CPU;
    return clothc::Device::create(desc).value();
  }
};

// The message belongs to the last failing call, so it is read at once.
template <class T>
void expect_error(clothc_result result, const char* part, const clothc::Result<T>& given) {
  EXPECT_EQ(given.status(), result);
  EXPECT_NE(std::string(given.status().message()).find(part), std::string::npos) << given.status().message();
}

TEST(CppVulkan, structs_have_their_defaults) {
  const auto vulkan = clothc::initialised<clothc_vulkan_device_desc>();
  EXPECT_EQ(vulkan.struct_size, sizeof(vulkan));
  EXPECT_EQ(vulkan.api_version, 0x401000u);
  EXPECT_EQ(vulkan.lock_queue, nullptr);
  EXPECT_EQ(clothc::initialised<clothc_vulkan_buffer_desc>().queue_family, CLOTHC_VULKAN_NO_QUEUE_FAMILY);
}

TEST(CppVulkan, a_device_without_an_instance_is_refused) {
  const auto vulkan = clothc::initialised<clothc_vulkan_device_desc>();
  expect_error(CLOTHC_ERROR_INVALID_ARGUMENT, "instance is null", clothc::vulkan_requirements(vulkan));
  expect_error(CLOTHC_ERROR_INVALID_ARGUMENT, "instance is null", clothc::create_vulkan_device(vulkan));
  auto desc = clothc::initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  expect_error(CLOTHC_ERROR_INVALID_ARGUMENT, "device_desc.backend", clothc::create_vulkan_device(vulkan, desc));
}

TEST(CppVulkan, a_processor_has_nothing_of_Vulkan) {
  const OnProcessor world;
  auto desc = clothc::initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
  desc.count = 4;
  auto vulkan = clothc::initialised<clothc_vulkan_buffer_desc>();
  vulkan.buffer = 1;
  vulkan.size = 64;
  expect_error(CLOTHC_ERROR_UNSUPPORTED, "", clothc::create_vulkan_buffer(world.device, desc, vulkan));
  const clothc::Buffer buffer = world.device.create_buffer(CLOTHC_FORMAT_FLOAT4, 4).value();
  expect_error(CLOTHC_ERROR_UNSUPPORTED, "", clothc::vulkan_handle(buffer));

  int commands = 0;
  expect_error(CLOTHC_ERROR_UNSUPPORTED, "", clothc::vulkan_record_update(world.solver, &commands));
  expect_error(CLOTHC_ERROR_UNSUPPORTED, "", clothc::vulkan_record_queued(world.solver, &commands));
  expect_error(CLOTHC_ERROR_INVALID_ARGUMENT, "command_buffer", clothc::vulkan_record_update(world.solver, nullptr));
  EXPECT_EQ(world.solver.info().value().update_count, 0u);
}

}  // namespace
