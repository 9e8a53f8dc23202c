// vulkan_backend.h - opens the Vulkan backend without the API, for tests of its parts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/structs.h"

namespace clothc {

BackendKind vulkan_backend_kind();

// Returns the backend on the first device, or null and the reason if there is none.
inline std::unique_ptr<Backend> open_vulkan(std::string& reason) {
  const BackendKind kind = vulkan_backend_kind();
  std::vector<clothc_device_info> infos;
  kind.enumerate(infos);
  reason = infos.front().reason;
  if (infos.front().available == 0) return nullptr;
  clothc_device_desc desc = make_default<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_VULKAN;
  return kind.create(desc);
}

}  // namespace clothc
