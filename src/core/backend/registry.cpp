// registry.cpp - the list of backends in this build. To add a backend, change this file and no other file of core.
#include "core/base/structs.h"
#include "core/backend/backend.h"

#include <cstdio>

namespace clothc {

BackendKind cpu_backend_kind();
BackendKind cuda_backend_kind();
#if CLOTHC_HAS_VULKAN
BackendKind vulkan_backend_kind();
#else
namespace {

// Lists one unavailable device for the backend that is not part of this build, so that users see the reason.
void enumerate_absent(std::vector<clothc_device_info>& infos) {
  clothc_device_info info = make_default<clothc_device_info>();
  info.backend = CLOTHC_BACKEND_VULKAN;
  std::snprintf(info.reason, sizeof(info.reason), "this build of clothc has no such backend");
  infos.push_back(info);
}

std::unique_ptr<Backend> create_absent(const clothc_device_desc& desc) {
  fail(CLOTHC_ERROR_UNSUPPORTED, "backend %u is not part of this build of clothc; use CLOTHC_BACKEND_CPU or AUTO",
       desc.backend);
}

BackendKind vulkan_backend_kind() { return {CLOTHC_BACKEND_VULKAN, enumerate_absent, create_absent}; }

}  // namespace
#endif

const std::vector<BackendKind>& backend_kinds() {
  static const auto* kinds =
      new std::vector<BackendKind>{cuda_backend_kind(), vulkan_backend_kind(), cpu_backend_kind()};
  return *kinds;
}

}  // namespace clothc
