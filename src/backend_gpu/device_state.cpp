// device_state.cpp - see device_state.h.
#include "backend_gpu/device_state.h"

#include "backend_gpu/hang_detection.h"
#include "core/backend/backend.h"

namespace clothc::gpu {

bool DeviceState::is_hung() const { return lost_.load(std::memory_order_acquire) == hang_reason; }

void DeviceState::lose(const char* reason) {
  const char* none = nullptr;
  lost_.compare_exchange_strong(none, reason, std::memory_order_acq_rel);
}

void DeviceState::require_alive() const {
  const char* reason = lost_.load(std::memory_order_acquire);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_DEVICE_LOST, reason == nullptr,
                    "the %s device \"%s\" is lost: %s; what has been read back stays readable, destroy the device and "
                    "create another one",
                    kind_, name_, reason);
}

}  // namespace clothc::gpu
