// replaced_buffers_test.cpp - HOST buffers that the library makes in place of buffers that a device cannot make
// (CLOTHC_BUFFER_HOST_IF_UNSUPPORTED): what is told of them, and that they work as other HOST buffers do.
#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <numeric>

#include "support/shared_buffers.h"

using namespace clothc_test;

namespace replaced_buffers_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ReplacedBuffers);

constexpr uint32_t particles = 30;
constexpr uint32_t shares_memory = CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD | CLOTHC_CAPABILITY_EXTERNAL_MEMORY_WIN32;

bool has_any_of(const Scene& scene, uint32_t capabilities) {
  clothc_device_info info = initialised<clothc_device_info>();
  EXPECT_OK(clothc_device_get_info(scene.device, &info));
  return (info.capabilities & capabilities) != 0;
}

clothc_buffer_info info_of(clothc_buffer buffer) {
  clothc_buffer_info info = initialised<clothc_buffer_info>();
  EXPECT_OK(clothc_buffer_get_info(buffer, &info));
  return info;
}

// Memory of the program, which holds 1, 2, 3 .. and is neither read nor written if a HOST buffer takes its place.
struct Memory {
  alignas(64) float values[particles * 4];
  Memory() { std::iota(values, values + particles * 4, 1.0f); }
  bool is_untouched() const { return std::memcmp(values, Memory().values, sizeof(values)) == 0; }
};

// A handle that stands for nothing, of the type that this system does not have, so that no device imports it.
clothc_external_handle foreign_handle() {
  clothc_external_handle external = initialised<clothc_external_handle>();
  external.type = CLOTHC_EXTERNAL_OPAQUE_FD + CLOTHC_EXTERNAL_OPAQUE_WIN32 - external.type;
  external.handle = 3;
  external.size = 4096;
  return external;
}

// A call that makes a buffer, and whether a device is to make it as asked.
struct Creation {
  clothc_buffer_desc desc;
  bool is_supported;
  bool is_vulkan = false;

  clothc_result operator()(clothc_device device, uint32_t flags, clothc_buffer* buffer) const {
    clothc_buffer_desc flagged = desc;
    flagged.flags = flags;
    if (!is_vulkan) return clothc_buffer_create(device, &flagged, buffer);
    clothc_vulkan_buffer_desc vulkan = initialised<clothc_vulkan_buffer_desc>();
    vulkan.buffer = 1;
    vulkan.size = 4096;
    return clothc_vulkan_buffer_create(device, &flagged, &vulkan, buffer);
  }
};

// Buffers of every kind. No device of these tests was made for a VkDevice of the program, and none imports a handle of
// another system, so each backend has some that it cannot make.
std::vector<Creation> creations(const Scene& scene, Memory& memory, const clothc_external_handle& foreign) {
  std::vector<Creation> list;
  for (const clothc_buffer_kind kind : {CLOTHC_BUFFER_HOST, CLOTHC_BUFFER_DEVICE})
    list.push_back({desc_of(kind, particles), true});
  list.push_back({desc_of(CLOTHC_BUFFER_EXPORTABLE, particles), has_any_of(scene, shares_memory)});
  list.push_back({desc_of(CLOTHC_BUFFER_IMPORTED, particles, &foreign), false});
  list.push_back({desc_of(CLOTHC_BUFFER_WRAPPED_HOST, particles), has_any_of(scene, CLOTHC_CAPABILITY_WRAPPED_HOST)});
  list.back().desc.memory = memory.values;
  // What is wrong with an address of the host shows when a CUDA device wraps it.
  if (!has_any_of(scene, CLOTHC_CAPABILITY_WRAPPED_DEVICE)) {
    list.push_back({desc_of(CLOTHC_BUFFER_WRAPPED_DEVICE, particles), false});
    list.back().desc.memory = memory.values;
  }
  list.push_back({desc_of(CLOTHC_BUFFER_WRAPPED_DEVICE, particles), false, true});
  return list;
}

TEST_P(ReplacedBuffers, take_the_place_of_those_that_the_device_cannot_make_and_no_others) {
  Scene scene(GetParam());
  Memory memory;
  const clothc_external_handle foreign = foreign_handle();
  for (const Creation& create : creations(scene, memory, foreign)) {
    SCOPED_TRACE("kind " + std::to_string(create.desc.kind));
    clothc_buffer buffer = nullptr;
    if (create.is_supported) {
      ASSERT_OK(create(scene.device, 0, &buffer));
      EXPECT_OK(clothc_buffer_destroy(buffer));
    } else {
      ASSERT_EQ(create(scene.device, 0, &buffer), CLOTHC_ERROR_UNSUPPORTED) << clothc_last_error_message();
    }
    ASSERT_OK(create(scene.device, CLOTHC_BUFFER_HOST_IF_UNSUPPORTED, &buffer));
    const clothc_buffer_info info = info_of(buffer);
    EXPECT_EQ(info.requested_kind, create.desc.kind);
    EXPECT_EQ(info.kind, create.is_supported ? create.desc.kind : clothc_buffer_kind{CLOTHC_BUFFER_HOST});
    EXPECT_EQ(info.reason[0] == '\0', create.is_supported) << info.reason;
    EXPECT_EQ(info.size, particles * 16u);
    EXPECT_OK(clothc_buffer_destroy(buffer));
  }
}

TEST_P(ReplacedBuffers, tell_why_in_the_words_of_the_call_without_the_flag) {
  Scene scene(GetParam());
  Memory memory;
  const clothc_external_handle foreign = foreign_handle();
  int replaced = 0;
  for (const Creation& create : creations(scene, memory, foreign)) {
    if (create.is_supported) continue;
    ++replaced;
    clothc_buffer buffer = nullptr;
    EXPECT_EQ(create(scene.device, 0, &buffer), CLOTHC_ERROR_UNSUPPORTED);
    const std::string message = clothc_last_error_message();
    ASSERT_OK(create(scene.device, CLOTHC_BUFFER_HOST_IF_UNSUPPORTED, &buffer));
    const std::string reason = info_of(buffer).reason;
    EXPECT_NE(reason, "");
    // clothc_vulkan_buffer_create names the device besides.
    EXPECT_NE(message.find(reason), std::string::npos) << reason << " is no part of " << message;
  }
  EXPECT_GE(replaced, 2);
}

TEST_P(ReplacedBuffers, are_no_failures) {
  SceneOptions options = with_own_device(GetParam());
  int message_count = 0;
  options.device.message = [](clothc_result, const char*, void* user) { ++*static_cast<int*>(user); };
  options.device.message_user = &message_count;
  Scene scene(options);
  EXPECT_EQ(clothc_buffer_unmap(scene.buffer(1)), CLOTHC_ERROR_INVALID_STATE);
  ASSERT_EQ(message_count, 1);
  const std::string message = clothc_last_error_message();
  const clothc_external_handle foreign = foreign_handle();
  const Creation create = {desc_of(CLOTHC_BUFFER_IMPORTED, particles, &foreign), false};
  clothc_buffer buffer = nullptr;
  ASSERT_OK(create(scene.device, CLOTHC_BUFFER_HOST_IF_UNSUPPORTED, &buffer));
  EXPECT_EQ(message_count, 1);
  EXPECT_EQ(clothc_last_error_message(), message);
}

TEST_P(ReplacedBuffers, are_zero_at_first_and_leave_memory_of_the_program_alone) {
  Scene scene(GetParam());
  Memory memory;
  const clothc_external_handle foreign = foreign_handle();
  for (const Creation& create : creations(scene, memory, foreign)) {
    if (create.is_supported) continue;
    SCOPED_TRACE("kind " + std::to_string(create.desc.kind));
    clothc_buffer buffer = nullptr;
    ASSERT_OK(create(scene.device, CLOTHC_BUFFER_HOST_IF_UNSUPPORTED, &buffer));
    void* mapped = nullptr;
    ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_WRITE, &mapped));
    EXPECT_NE(mapped, memory.values);
    for (uint32_t k = 0; k < particles * 4; ++k) ASSERT_EQ(static_cast<const float*>(mapped)[k], 0);
    std::memset(mapped, 0x40, particles * 16);
    ASSERT_OK(clothc_buffer_unmap(buffer));
    ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD, &mapped));
    ASSERT_OK(clothc_buffer_unmap(buffer));
    EXPECT_OK(clothc_buffer_destroy(buffer));
    EXPECT_TRUE(memory.is_untouched());
  }
}

TEST_P(ReplacedBuffers, get_what_updates_write_to_bound_buffers) {
  Scene scene(GetParam());
  Memory memory;
  const clothc_external_handle foreign = foreign_handle();
  for (const Creation& create : creations(scene, memory, foreign)) {
    if (create.is_supported) continue;
    SCOPED_TRACE("kind " + std::to_string(create.desc.kind));
    clothc_buffer buffer = nullptr;
    ASSERT_OK(create(scene.device, CLOTHC_BUFFER_HOST_IF_UNSUPPORTED, &buffer));
    EXPECT_OK(clothc_cloth_bind(scene.solver, scene.cloth, CLOTHC_CHANNEL_POSITION, buffer, nullptr));
    scene.step(2);
    void* mapped = nullptr;
    ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &mapped));
    const auto* first = static_cast<const float*>(mapped);
    const std::vector<float> bound(first, first + particles * 4);
    ASSERT_OK(clothc_buffer_unmap(buffer));
    EXPECT_EQ(bound, scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth));
    EXPECT_OK(clothc_buffer_destroy(buffer));
  }
  EXPECT_TRUE(memory.is_untouched());
}

TEST_P(ReplacedBuffers, are_not_exported) {
  Scene scene(GetParam());
  if (has_any_of(scene, shares_memory)) GTEST_SKIP() << "the device makes EXPORTABLE buffers";
  const Creation create = {desc_of(CLOTHC_BUFFER_EXPORTABLE, particles), false};
  clothc_buffer buffer = nullptr;
  ASSERT_OK(create(scene.device, CLOTHC_BUFFER_HOST_IF_UNSUPPORTED, &buffer));
  EXPECT_NE(std::string(info_of(buffer).reason).find("CLOTHC_CAPABILITY_EXTERNAL_MEMORY_"), std::string::npos);
  clothc_external_handle external = initialised<clothc_external_handle>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_export(buffer, &external), "kind is 1", "EXPORTABLE");
  EXPECT_EQ(external.handle, -1);
}

#if !defined(_WIN32)
TEST_P(ReplacedBuffers, leave_a_handle_to_the_program) {
  Scene scene(GetParam());
  if (has_any_of(scene, shares_memory)) GTEST_SKIP() << "the device makes IMPORTED buffers";
  clothc_external_handle external = initialised<clothc_external_handle>();
  external.handle = open("/dev/null", O_RDWR);
  external.size = 4096;
  const Creation create = {desc_of(CLOTHC_BUFFER_IMPORTED, particles, &external), false};
  clothc_buffer buffer = nullptr;
  ASSERT_OK(create(scene.device, CLOTHC_BUFFER_HOST_IF_UNSUPPORTED, &buffer));
  EXPECT_EQ(info_of(buffer).kind, clothc_buffer_kind{CLOTHC_BUFFER_HOST});
  EXPECT_OK(clothc_buffer_destroy(buffer));
  EXPECT_TRUE(is_open(external.handle));
  close(static_cast<int>(external.handle));
}
#endif

// The flag forgives what a device lacks, but no mistakes.
TEST_P(ReplacedBuffers, do_not_hide_mistakes) {
  Scene scene(GetParam());
  clothc_buffer buffer = nullptr;
  const auto refuse = [&](clothc_buffer_desc desc, clothc_result expected, const char* part) {
    desc.flags |= CLOTHC_BUFFER_HOST_IF_UNSUPPORTED;
    EXPECT_FAILS(expected, clothc_buffer_create(scene.device, &desc, &buffer), part);
    EXPECT_EQ(buffer, nullptr);
  };
  clothc_buffer_desc desc = desc_of(CLOTHC_BUFFER_EXPORTABLE, particles);
  desc.flags = 2;
  refuse(desc, CLOTHC_ERROR_INVALID_ARGUMENT, "flags is 0x3");
  desc = desc_of(CLOTHC_BUFFER_EXPORTABLE, particles);
  desc.reserved = 5;
  refuse(desc, CLOTHC_ERROR_INVALID_ARGUMENT, "reserved is 5");
  refuse(desc_of(CLOTHC_BUFFER_EXPORTABLE, 0), CLOTHC_ERROR_INVALID_ARGUMENT, "count is 0");
  refuse(desc_of(CLOTHC_BUFFER_WRAPPED_HOST, particles), CLOTHC_ERROR_INVALID_ARGUMENT, "memory is null");
  refuse(desc_of(CLOTHC_BUFFER_IMPORTED, particles), CLOTHC_ERROR_INVALID_ARGUMENT, "external");
  clothc_external_handle external = foreign_handle();
  external.offset = 4;
  refuse(desc_of(CLOTHC_BUFFER_IMPORTED, particles, &external), CLOTHC_ERROR_INVALID_ARGUMENT, "offset is 4");
  external = foreign_handle();
  external.struct_size = 3;
  refuse(desc_of(CLOTHC_BUFFER_IMPORTED, particles, &external), CLOTHC_ERROR_INVALID_STRUCT, "struct_size is 3");
}

}  // namespace
}  // namespace replaced_buffers_test
