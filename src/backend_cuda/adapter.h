// adapter.h - describes a CUDA device: the properties that the backend needs, and whether the device can be used.
#pragma once

#include "backend_cuda/driver.h"
#include "clothc.h"

namespace clothc::cuda {

struct Adapter {
  CUdevice handle = 0;
  // Ten times the major number plus the minor one.
  int compute_capability = 0;
  uint32_t multiprocessor_count = 0;
  // Most shared memory that a block may have, in bytes.
  uint32_t shared_memory_per_block = 0;

  // Whether memory can be exported as a handle of the operating system.
  bool exports_memory = false;
  // Whether the device signals timeline semaphores of other APIs, and waits for them.
  bool has_timeline_semaphores = false;

  // If the device cannot be used, info.available is 0 and info.reason says why.
  clothc_device_info info{};
};

// Describes the device with that number.
Adapter describe_adapter(const Driver& driver, uint32_t index);

}  // namespace clothc::cuda
