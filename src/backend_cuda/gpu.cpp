// gpu.cpp - retains the context, and tells errors that a call reports from those that break the context.
#include "backend_cuda/gpu.h"

namespace clothc::cuda {
namespace {

// Returns why the device is lost if a call gives this result, or null if the result breaks no context.
const char* loss_reason(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      return "a kernel accessed an address that is not its own";
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_INVALID_PC:
      return "a kernel failed";
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return "the driver stopped a kernel that ran for too long";
    case CUDA_ERROR_ECC_UNCORRECTABLE:
      return "its memory has an error that cannot be corrected";
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
      return "its link to other devices has an error that cannot be corrected";
    case CUDA_ERROR_MPS_RPC_FAILURE:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
      return "the process that shares it among programs (MPS) failed";
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_DEINITIALIZED:
      return "its context was destroyed";
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_UNKNOWN:
      return "the driver reported that work on it failed";
    default:
      return nullptr;
  }
}

}  // namespace

Gpu::Gpu(std::shared_ptr<Driver> driver, const Adapter& adapter, uint64_t hang_timeout_ns, const Adopted& adopted)
    : DeviceState("CUDA", adapter_.info.name, hang_timeout_ns),
      driver_(std::move(driver)),
      adapter_(adapter),
      adopted_(adopted),
      context_(adopted.context) {
  if (context_ != nullptr) return;
  const CUresult retained = driver_->DevicePrimaryCtxRetain(&context_, adapter_.handle);
  CLOTHC_REQUIRE_AS(retained == CUDA_ERROR_OUT_OF_MEMORY ? CLOTHC_ERROR_OUT_OF_MEMORY : CLOTHC_ERROR_UNSUPPORTED,
                    retained == CUDA_SUCCESS,
                    "the CUDA device \"%s\" cannot be opened: cuDevicePrimaryCtxRetain gave %s; use another device or "
                    "CLOTHC_BACKEND_CPU",
                    adapter_.info.name, driver_->name_of(retained));
}

Gpu::~Gpu() {
  if (adopted_.context == nullptr && !is_hung()) driver_->DevicePrimaryCtxRelease(adapter_.handle);
}

CurrentContext::CurrentContext(Gpu& gpu) : gpu_(gpu), result_(gpu.driver().CtxPushCurrent(gpu.context())) {
  gpu_.note(result_);
  if (!is_current()) {
    gpu_.lose("its context cannot be made current");
    return;
  }
  has_exchanged_mode_ = gpu_.driver().ThreadExchangeStreamCaptureMode(&mode_) == CUDA_SUCCESS;
}

CurrentContext::~CurrentContext() {
  if (has_exchanged_mode_) gpu_.driver().ThreadExchangeStreamCaptureMode(&mode_);
  CUcontext popped = nullptr;
  if (is_current()) gpu_.driver().CtxPopCurrent(&popped);
}

bool Gpu::breaks_context(CUresult result) { return loss_reason(result) != nullptr; }

bool Gpu::is_refused_by_capture(CUresult result) {
  return result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && result <= CUDA_ERROR_CAPTURED_EVENT;
}

bool Gpu::note(CUresult result) {
  if (result == CUDA_ERROR_CONTEXT_IS_DESTROYED || result == CUDA_ERROR_INVALID_CONTEXT) lose_context();
  if (const char* reason = loss_reason(result)) lose(reason);
  return result == CUDA_SUCCESS;
}

void Gpu::check(CUresult result, const char* call) {
  if (note(result)) return;
  if (is_lost()) require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_OUT_OF_MEMORY,
                    result != CUDA_ERROR_OUT_OF_MEMORY && result != CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES &&
                        result != CUDA_ERROR_MAP_FAILED,
                    "out of memory: %s gave %s on \"%s\"; free some memory, or lower the capacities in solver_desc",
                    call, driver_->name_of(result), adapter_.info.name);
  fail(CLOTHC_ERROR_INTERNAL, "%s gave %s (%d) on \"%s\"; please report it with the driver's version", call,
       driver_->name_of(result), static_cast<int>(result), adapter_.info.name);
}

void Gpu::check_import(CUresult result, const char* call, const char* wanted) {
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_UNKNOWN && breaks_context(result)) check(result, call);
  CLOTHC_REQUIRE(result == CUDA_SUCCESS || result == CUDA_ERROR_OUT_OF_MEMORY,
                 "%s gave %s on \"%s\"; the handle is not %s that such a device exported", call,
                 driver_->name_of(result), adapter_.info.name, wanted);
  check(result, call);
}

}  // namespace clothc::cuda
