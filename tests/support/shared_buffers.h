// shared_buffers.h - buffers that tests export and import.
#pragma once

#if defined(_WIN32)
#include <windows.h>
#else
#include <fcntl.h>
#endif

#include "support/scene.h"

namespace clothc_test {

inline bool is_open(int64_t handle) {
#if defined(_WIN32)
  DWORD flags = 0;
  return GetHandleInformation(reinterpret_cast<HANDLE>(static_cast<intptr_t>(handle)), &flags) != 0;
#else
  return fcntl(static_cast<int>(handle), F_GETFD) >= 0;
#endif
}

inline clothc_buffer_desc desc_of(clothc_buffer_kind kind, uint64_t count,
                                  const clothc_external_handle* external = nullptr) {
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = kind;
  desc.count = count;
  desc.external = external;
  return desc;
}

inline clothc_buffer make(clothc_device device, const clothc_buffer_desc& desc) {
  clothc_buffer buffer = nullptr;
  EXPECT_OK(clothc_buffer_create(device, &desc, &buffer));
  return buffer;
}

inline clothc_external_handle exported(clothc_buffer buffer) {
  clothc_external_handle external = initialised<clothc_external_handle>();
  EXPECT_OK(clothc_buffer_export(buffer, &external));
  EXPECT_TRUE(is_open(external.handle));
  return external;
}

}  // namespace clothc_test
