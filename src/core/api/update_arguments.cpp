// update_arguments.cpp - see update_arguments.h.
#include "core/api/update_arguments.h"

#include "core/base/structs.h"
#include "core/objects/device.h"

namespace clothc {
namespace {

// Returns the fence of a handle, or null for a null handle. Fails if the fence belongs to another device than the
// solver.
std::shared_ptr<Fence> resolve_fence(clothc_fence handle, const Solver& solver, const char* name) {
  if (handle == nullptr) return nullptr;
  std::shared_ptr<Fence> fence = resolve<Fence>(handle);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, fence->device() == solver.device(),
                    "update.%s belongs to another device than the solver", name);
  return fence;
}

}  // namespace

UpdateArguments checked_update(const Solver& solver, const clothc_update* update) {
  UpdateArguments checked{adopt(update), nullptr, nullptr};
  const clothc_update& u = checked.update;
  CLOTHC_REQUIRE(is_time_step(u.dt), "update.dt is %g; want 0, or 1e-6 to 10 s", static_cast<double>(u.dt));
  CLOTHC_REQUIRE((u.flags & ~uint32_t{CLOTHC_UPDATE_NO_WAIT | CLOTHC_UPDATE_TIMERS}) == 0 && u.reserved == 0,
                 "update.flags is 0x%x, reserved %u; want known flags and 0", u.flags, u.reserved);
  checked.wait = resolve_fence(u.wait_fence, solver, "wait_fence");
  checked.signal = resolve_fence(u.signal_fence, solver, "signal_fence");
  return checked;
}

}  // namespace clothc
