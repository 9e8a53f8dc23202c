// sharing_test.cpp - memory that Vulkan devices share within a process and between two processes, what cannot be
// shared, and memory of the caller, around which nothing is written.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/shared_buffers.h"
#include "vulkan/fixture.h"

using namespace clothc_test;

namespace sharing_test {
namespace {

class VulkanSharing : public OnVulkan {
 protected:
  void SetUp() override {
    OnVulkan::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if ((vulkan_entry().capabilities & CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD) == 0)
      GTEST_SKIP() << "the driver exports no memory";
  }
};
class VulkanSharingChild : public testing::Test {};
class VulkanWrapping : public OnVulkan {};
class VulkanFences : public OnVulkan {};

constexpr const char* descriptor_variable = "CLOTHC_SHARED_MEMORY";

std::vector<float> values_of(clothc_buffer buffer, uint64_t count) {
  std::vector<float> values(count * 4);
  EXPECT_OK(clothc_buffer_read(buffer, 0, values.size() * 4, values.data()));
  return values;
}

std::vector<float> pattern(uint64_t count, float factor) {
  std::vector<float> values(count * 4);
  for (size_t k = 0; k < values.size(); ++k) values[k] = factor * static_cast<float>(k);
  return values;
}

TEST_F(VulkanSharing, positions_gotten_on_one_device_are_read_on_another) {
  Scene giver(CLOTHC_BACKEND_VULKAN), taker(CLOTHC_BACKEND_VULKAN);
  const clothc_buffer given = make(giver.device, desc_of(CLOTHC_BUFFER_EXPORTABLE, 30));
  EXPECT_EQ(values_of(given, 30), std::vector<float>(120));
  giver.step(3);
  EXPECT_OK(clothc_solver_get(giver.solver, CLOTHC_CHANNEL_POSITION, given, nullptr, nullptr, 0, 0));
  const clothc_external_handle external = exported(given);
  EXPECT_GE(external.size, 480u);
  EXPECT_EQ(external.offset % 256, 0u);
  const clothc_buffer taken = make(taker.device, desc_of(CLOTHC_BUFFER_IMPORTED, 30, &external));
  EXPECT_OK(clothc_solver_wait(giver.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  const std::vector<float> expected = giver.get(CLOTHC_CHANNEL_POSITION, giver.cloth);
  EXPECT_EQ(values_of(taken, 30), expected);
  // The values are also set on the other device's cloth.
  EXPECT_OK(clothc_solver_set(taker.solver, CLOTHC_CHANNEL_POSITION, taken, nullptr, nullptr, 0, CLOTHC_SET_AT_REST));
  EXPECT_EQ(taker.get(CLOTHC_CHANNEL_POSITION, taker.cloth), expected);
  // The memory lives as long as the import.
  EXPECT_OK(clothc_buffer_destroy(given));
  EXPECT_OK(clothc_device_destroy(giver.device));
  giver.device = nullptr;
  EXPECT_EQ(values_of(taken, 30), expected);
}

TEST_F(VulkanSharing, is_not_mappable_and_says_what_it_is) {
  Scene scene(CLOTHC_BACKEND_VULKAN);
  const clothc_buffer given = make(scene.device, desc_of(CLOTHC_BUFFER_EXPORTABLE, 30));
  const clothc_external_handle external = exported(given);
  const clothc_buffer taken = make(scene.device, desc_of(CLOTHC_BUFFER_IMPORTED, 30, &external));
  for (const clothc_buffer buffer : {given, taken}) {
    void* memory = nullptr;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_map(buffer, CLOTHC_MAP_READ, &memory), "map",
                 "clothc_buffer_read");
  }
  EXPECT_OK(clothc_buffer_write(taken, 0, 480, pattern(30, 2).data()));
  EXPECT_EQ(values_of(given, 30), pattern(30, 2));
}

TEST_F(VulkanSharing, a_file_descriptor_is_taken_over_on_success_only) {
  Scene scene(CLOTHC_BACKEND_VULKAN), other(CLOTHC_BACKEND_VULKAN);
  const clothc_buffer given = make(scene.device, desc_of(CLOTHC_BUFFER_EXPORTABLE, 30));
  const clothc_external_handle good = exported(given);
  clothc_buffer buffer = nullptr;
  const auto refuse = [&](clothc_external_handle external, clothc_result expected) {
    const clothc_buffer_desc desc = desc_of(CLOTHC_BUFFER_IMPORTED, 30, &external);
    EXPECT_EQ(clothc_buffer_create(other.device, &desc, &buffer), expected) << clothc_last_error_message();
    EXPECT_EQ(buffer, nullptr);
    EXPECT_TRUE(is_open(good.handle));
  };
  clothc_external_handle bad = good;
  bad.size = 400;
  refuse(bad, CLOTHC_ERROR_INVALID_ARGUMENT);
  bad = good;
  bad.offset = 4;
  refuse(bad, CLOTHC_ERROR_INVALID_ARGUMENT);
  bad = good;
  bad.type = 9;
  refuse(bad, CLOTHC_ERROR_INVALID_ARGUMENT);
  bad = good;
  bad.handle = -1;
  refuse(bad, CLOTHC_ERROR_INVALID_ARGUMENT);
  bad = good;
  bad.struct_size = 3;
  refuse(bad, CLOTHC_ERROR_INVALID_STRUCT);
  set_faults("vkAllocateMemory:1=-2");
  refuse(good, CLOTHC_ERROR_OUT_OF_MEMORY);
  for (const char* const fault : {"vkAllocateMemory:1=-1000072003", "vkAllocateMemory:1=-5"}) {
    set_faults(fault);
    refuse(good, CLOTHC_ERROR_INVALID_ARGUMENT);
  }
  set_faults("");
  buffer = make(other.device, desc_of(CLOTHC_BUFFER_IMPORTED, 30, &good));
  EXPECT_OK(clothc_buffer_destroy(buffer));
  EXPECT_OK(clothc_device_destroy(other.device));
  other.device = nullptr;
  EXPECT_FALSE(is_open(good.handle));
}

// A HOST buffer takes the place of what a device cannot do, and not of what it has too little memory for.
TEST_F(VulkanSharing, that_runs_out_of_memory_fails_whatever_the_flags) {
  Scene scene(CLOTHC_BACKEND_VULKAN);
  clothc_buffer_desc desc = desc_of(CLOTHC_BUFFER_EXPORTABLE, 30);
  desc.flags = CLOTHC_BUFFER_HOST_IF_UNSUPPORTED;
  clothc_buffer buffer = nullptr;
  set_faults("vkAllocateMemory:1=-2");
  EXPECT_EQ(clothc_buffer_create(scene.device, &desc, &buffer), CLOTHC_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(buffer, nullptr);
  set_faults("");
  EXPECT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
  clothc_buffer_info info = initialised<clothc_buffer_info>();
  EXPECT_OK(clothc_buffer_get_info(buffer, &info));
  EXPECT_EQ(info.kind, uint32_t{CLOTHC_BUFFER_EXPORTABLE});
}

TEST_F(VulkanSharing, a_file_descriptor_of_something_else_is_refused_and_left_open) {
  Scene scene(CLOTHC_BACKEND_VULKAN);
  clothc_external_handle external = initialised<clothc_external_handle>();
  external.handle = open("/dev/null", O_RDWR);
  external.size = 4096;
  const clothc_buffer_desc desc = desc_of(CLOTHC_BUFFER_IMPORTED, 30, &external);
  clothc_buffer buffer = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(scene.device, &desc, &buffer), "handle");
  EXPECT_TRUE(is_open(external.handle));
  close(static_cast<int>(external.handle));
}

TEST_F(VulkanSharing, needs_the_right_kind_of_buffer_and_device) {
  Scene scene(CLOTHC_BACKEND_VULKAN), cpu(CLOTHC_BACKEND_CPU);
  clothc_external_handle external = initialised<clothc_external_handle>();
  for (const clothc_buffer_kind kind : {CLOTHC_BUFFER_HOST, CLOTHC_BUFFER_DEVICE}) {
    const clothc_buffer buffer = make(scene.device, desc_of(kind, 30));
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_export(buffer, &external), "EXPORTABLE");
  }
  EXPECT_EQ(external.handle, -1);
  const clothc_buffer given = make(scene.device, desc_of(CLOTHC_BUFFER_EXPORTABLE, 30));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_export(given, nullptr), "null");
  external = exported(given);
  clothc_buffer buffer = nullptr;
  clothc_buffer_desc desc = desc_of(CLOTHC_BUFFER_EXPORTABLE, 30);
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_create(cpu.device, &desc, &buffer), "EXTERNAL_MEMORY_FD");
  desc = desc_of(CLOTHC_BUFFER_IMPORTED, 30, &external);
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_create(cpu.device, &desc, &buffer), "EXTERNAL_MEMORY_FD");
  EXPECT_TRUE(is_open(external.handle));
  close(static_cast<int>(external.handle));
}

// ------------------------------------------------------------------------------------------------------- two processes

TEST_F(VulkanSharing, memory_goes_to_another_process_and_back) {
  Scene scene(CLOTHC_BACKEND_VULKAN);
  const clothc_buffer given = make(scene.device, desc_of(CLOTHC_BUFFER_EXPORTABLE, 1000));
  EXPECT_OK(clothc_buffer_write(given, 0, 16000, pattern(1000, 0.5f).data()));
  const clothc_external_handle external = exported(given);
  const int inherited = dup(static_cast<int>(external.handle));
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
  const std::string command = std::string(descriptor_variable) + "='" + std::to_string(inherited) + " " +
                              std::to_string(external.size) + " " + std::to_string(external.offset) + "' '" + self +
                              "' --gtest_brief=1 --gtest_also_run_disabled_tests "
                              "--gtest_filter=VulkanSharingChild.DISABLED_takes";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(values_of(given, 1000), pattern(1000, 3));
  close(inherited);
  close(static_cast<int>(external.handle));
}

TEST_F(VulkanSharingChild, DISABLED_takes) {
  const char* text = std::getenv(descriptor_variable);
  ASSERT_NE(text, nullptr) << "this test is played by VulkanSharing's";
  clothc_external_handle external = initialised<clothc_external_handle>();
  int descriptor = -1;
  unsigned long long size = 0, offset = 0;
  ASSERT_EQ(std::sscanf(text, "%d %llu %llu", &descriptor, &size, &offset), 3);
  external.handle = descriptor;
  external.size = size;
  external.offset = offset;
  const Scene scene(CLOTHC_BACKEND_VULKAN);
  const clothc_buffer taken = make(scene.device, desc_of(CLOTHC_BUFFER_IMPORTED, 1000, &external));
  EXPECT_EQ(values_of(taken, 1000), pattern(1000, 0.5f));
  EXPECT_OK(clothc_buffer_write(taken, 0, 16000, pattern(1000, 3).data()));
}

// ---------------------------------------------------------------------------------------------- fences, wrapped memory

TEST_F(VulkanFences, are_not_exported_by_a_driver_that_cannot) {
  const clothc_device_info entry = vulkan_entry();
  if ((entry.capabilities & CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD) != 0)
    GTEST_SKIP() << "the driver exports timeline semaphores";
  Scene scene(CLOTHC_BACKEND_VULKAN);
  const clothc_fence fence = scene.fence(3);
  clothc_external_handle external = initialised<clothc_external_handle>();
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_fence_export(fence, &external), "EXTERNAL_SEMAPHORE_FD");
  EXPECT_EQ(external.handle, -1);
  external.handle = open("/dev/null", O_RDWR);
  clothc_fence imported = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_fence_import(scene.device, &external, &imported),
               "EXTERNAL_SEMAPHORE_FD");
  EXPECT_EQ(imported, nullptr);
  EXPECT_TRUE(is_open(external.handle));
  close(static_cast<int>(external.handle));
  EXPECT_OK(clothc_fence_signal(fence, 4));
}

TEST_F(VulkanWrapping, accesses_nothing_around_memory_of_any_address_and_size) {
  if ((vulkan_entry().capabilities & CLOTHC_CAPABILITY_WRAPPED_HOST) == 0)
    GTEST_SKIP() << "the driver reaches no memory of the caller";
  Scene scene(CLOTHC_BACKEND_VULKAN);
  const std::vector<float> expected = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  constexpr unsigned char mark = 0xa5;
  for (const size_t offset : {4u, 60u, 4092u, 4100u, 8188u}) {
    for (const uint32_t count : {1u, 7u, 29u}) {
      SCOPED_TRACE(std::to_string(count) + " at " + std::to_string(offset));
      const size_t size = size_t{count} * 12;
      std::vector<unsigned char> memory(offset + size + 8192, mark);
      auto* bytes = reinterpret_cast<unsigned char*>((reinterpret_cast<uintptr_t>(memory.data()) + 3) / 4 * 4 + offset);
      clothc_buffer_desc desc = desc_of(CLOTHC_BUFFER_WRAPPED_HOST, count);
      desc.format = CLOTHC_FORMAT_FLOAT3;
      desc.memory = bytes;
      const clothc_buffer wrapped = make(scene.device, desc);
      const clothc_region region = {0, 0, count};
      EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, wrapped, nullptr, &region, 1, 0));
      EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, wrapped, nullptr, &region, 1, 0));
      EXPECT_OK(clothc_buffer_destroy(wrapped));
      for (uint32_t k = 0; k < count; ++k) EXPECT_EQ(std::memcmp(bytes + k * 12, &expected[k * 4], 12), 0) << k;
      const auto first = static_cast<size_t>(bytes - memory.data());
      for (size_t k = 0; k < memory.size(); ++k) {
        if (k >= first && k < first + size) continue;
        ASSERT_EQ(memory[k], mark) << "byte " << k;
      }
    }
  }
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), expected);
}

}  // namespace
}  // namespace sharing_test
