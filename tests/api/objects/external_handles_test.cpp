// external_handles_test.cpp - what every device says of handles that it cannot import, whatever it shares otherwise.
#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "support/scene.h"

using namespace clothc_test;

namespace external_handles_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ExternalHandles);

#if defined(_WIN32)
constexpr clothc_external_type native_type = CLOTHC_EXTERNAL_OPAQUE_WIN32;
constexpr clothc_external_type foreign_type = CLOTHC_EXTERNAL_OPAQUE_FD;
constexpr const char* native_name = "CLOTHC_EXTERNAL_OPAQUE_WIN32";
constexpr const char* foreign_name = "CLOTHC_EXTERNAL_OPAQUE_FD";
constexpr uint32_t foreign_capabilities = CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD |
                                          CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD |
                                          CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_FD;
#else
constexpr clothc_external_type native_type = CLOTHC_EXTERNAL_OPAQUE_FD;
constexpr clothc_external_type foreign_type = CLOTHC_EXTERNAL_OPAQUE_WIN32;
constexpr const char* native_name = "CLOTHC_EXTERNAL_OPAQUE_FD";
constexpr const char* foreign_name = "CLOTHC_EXTERNAL_OPAQUE_WIN32";
constexpr uint32_t foreign_capabilities = CLOTHC_CAPABILITY_EXTERNAL_MEMORY_WIN32 |
                                          CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_WIN32 |
                                          CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_WIN32;
#endif

struct Refusal {
  clothc_result result;
  const char* first_word;
  const char* second_word;
};

// Imports a buffer and a fence by the handle, and expects both calls to fail and to write nothing.
void expect_refusals(clothc_device device, const clothc_external_handle& external, const Refusal& of_buffer,
                     const Refusal& of_fence) {
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_IMPORTED;
  desc.count = 16;
  desc.external = &external;
  clothc_buffer buffer = nullptr;
  clothc_fence fence = nullptr;
  EXPECT_FAILS(of_buffer.result, clothc_buffer_create(device, &desc, &buffer), of_buffer.first_word,
               of_buffer.second_word);
  EXPECT_FAILS(of_fence.result, clothc_fence_import(device, &external, &fence), of_fence.first_word,
               of_fence.second_word);
  EXPECT_EQ(buffer, nullptr);
  EXPECT_EQ(fence, nullptr);
}

void expect_refusal(clothc_device device, const clothc_external_handle& external, clothc_result expected,
                    const char* first_word, const char* second_word) {
  const Refusal refusal = {expected, first_word, second_word};
  expect_refusals(device, external, refusal, refusal);
}

clothc_external_handle make_handle(clothc_external_type type, int64_t handle) {
  clothc_external_handle external = initialised<clothc_external_handle>();
  external.type = type;
  external.handle = handle;
  external.size = 4096;
  return external;
}

TEST_P(ExternalHandles, are_by_default_of_the_type_of_this_system_and_none) {
  const auto external = initialised<clothc_external_handle>();
  EXPECT_EQ(external.type, native_type);
  EXPECT_EQ(external.handle, -1);
}

TEST_P(ExternalHandles, of_another_system_are_unsupported_and_the_message_names_the_type_of_this_one) {
  Scene scene(GetParam());
  expect_refusal(scene.device, make_handle(foreign_type, 3), CLOTHC_ERROR_UNSUPPORTED, foreign_name, native_name);
}

TEST_P(ExternalHandles, of_no_known_type_are_refused) {
  Scene scene(GetParam());
  for (const clothc_external_type type : {0u, 3u, 0xffffffffu})
    expect_refusal(scene.device, make_handle(type, 3), CLOTHC_ERROR_INVALID_ARGUMENT, "type", native_name);
}

TEST_P(ExternalHandles, that_stand_for_none_are_refused) {
  Scene scene(GetParam());
  expect_refusal(scene.device, make_handle(native_type, -1), CLOTHC_ERROR_INVALID_ARGUMENT, "handle is -1",
                 native_name);
}

#if !defined(_WIN32)
// A driver that reads from one may wait for ever. That of these tests finds their end at once.
// Expects a refusal for what the handle is where the device takes handles, and else for that it takes none.
void expect_refusal_of_kind(clothc_device device, int descriptor, const char* kind) {
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(device, &info));
  const auto refusal = [&](uint32_t capability) {
    return (info.capabilities & capability) != 0
               ? Refusal{CLOTHC_ERROR_INVALID_ARGUMENT, kind, "exported"}
               : Refusal{CLOTHC_ERROR_UNSUPPORTED, "the device shares no", "look for"};
  };
  expect_refusals(device, make_handle(native_type, descriptor), refusal(CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD),
                  refusal(CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_FD));
}

TEST_P(ExternalHandles, that_no_device_exports_are_refused_before_a_driver_sees_them) {
  Scene scene(GetParam());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[1]);
  ASSERT_EQ(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  expect_refusal_of_kind(scene.device, ends[0], "which is a pipe");
  EXPECT_EQ(close(ends[0]), 0) << "a handle that is refused stays the program's";
  const int folder = open("/", O_RDONLY);
  expect_refusal_of_kind(scene.device, folder, "which is a folder");
  close(folder);
}
#endif

TEST_P(ExternalHandles, of_another_system_are_no_capability_of_a_device) {
  Scene scene(GetParam());
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(scene.device, &info));
  EXPECT_EQ(info.capabilities & foreign_capabilities, 0u);
}

}  // namespace
}  // namespace external_handles_test
