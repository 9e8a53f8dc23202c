// external.h - memory and semaphores of other APIs, and what the device knows about the order that semaphores make.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "cuda/device/driver/context.h"
#include "cuda/device/driver/semaphore.h"
#include "cuda/device/driver/virtual_memory.h"

namespace clothc::cuda_device {

struct ExternalMemory {
  ContextPointer context;
  std::shared_ptr<const Descriptor> memory;
  uint64_t size = 0;
};

// The signals that operations have given to one semaphore: what was known to have ended at each value.
struct SignalHistory {
  std::mutex mutex;
  std::map<uint64_t, Clock> known_at;
};

struct ExternalSemaphore {
  ContextPointer context;
  std::shared_ptr<SharedSemaphore> semaphore;
  std::shared_ptr<SignalHistory> history;
};

}  // namespace clothc::cuda_device
