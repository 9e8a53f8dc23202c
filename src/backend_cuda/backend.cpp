// backend.cpp - the CUDA backend, which presents each device of the driver as a device.
#include "core/backend/backend.h"

#include <cstdio>
#include <string>

#include "backend_cuda/stream.h"
#include "backend_gpu/entry_compiler.h"
#include "clothc_cuda.h"

namespace clothc {
namespace cuda {
namespace {

constexpr uint64_t nanoseconds_per_millisecond = 1'000'000;
// Number of blocks of a program that every multiprocessor can run at the same time: Turing has room for two of 1,000
// particles, later ones for more.
constexpr uint32_t blocks_per_multiprocessor = 2;

DeviceLimits limits_of(const Adapter& adapter) {
  DeviceLimits limits;
  limits.worker_count = adapter.multiprocessor_count * blocks_per_multiprocessor;
  limits.lanes_per_worker = gpu::group_threads;
  limits.prefers_passes = (adapter.info.capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE) != 0;
  limits.largest_program = ProgramFeature::extended;
  limits.largest_program_particles = largest_program_particles(adapter);
  return limits;
}

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(const GpuPointer& gpu)
      : Backend(gpu->adapter().info, limits_of(gpu->adapter())),
        device_context_{gpu, std::make_shared<Functions>(gpu), std::make_shared<MemoryPool>(gpu),
                        std::make_shared<GpuWatcher>(gpu), nullptr} {
    device_context_.captures = std::make_shared<Captures>(gpu, device_context_.functions, device_context_.memory);
  }
  MemoryPointer allocate(uint64_t size, MemoryVisibility visibility) override {
    return device_context_.memory->allocate(size, visibility);
  }
  MemoryPointer wrap(void* memory, uint64_t size) override { return device_context_.memory->wrap(memory, size); }
  MemoryPointer wrap_device(uint64_t memory, uint64_t size) override {
    return device_context_.memory->wrap_device(memory, size);
  }
  MemoryPointer import_memory(const ExternalMemory& external) override {
    return device_context_.memory->import_memory(external);
  }
  std::shared_ptr<SharedTimeline> import_timeline(platform::OsHandle handle, Timeline&) override {
    return GpuTimeline::import(device_context_.gpu, handle);
  }
  uint64_t allocation_count() const override { return device_context_.gpu->allocation_count(); }
  std::shared_ptr<Stream> create_stream() override { return std::make_shared<CudaStream>(device_context_); }
  void prepare(const Preparation& wanted) override {
    device_context_.gpu->require_alive();
    compiler_.add(wanted);
  }
  bool wait_prepared(uint64_t timeout_ns, PreparationProgress& progress) override {
    return compiler_.wait(timeout_ns, progress);
  }
  void end_preparation() override { compiler_.close(); }
  std::string compiler_identity() const override {
    const Gpu& gpu = *device_context_.gpu;
    const int capability = gpu.adapter().compute_capability, version = gpu.driver().version();
    char text[80];
    std::snprintf(text, sizeof(text), ", compute capability %d.%d, driver for CUDA %d.%d", capability / 10,
                  capability % 10, version / 1000, version % 1000 / 10);
    return info().name + std::string(text);
  }

 private:
  void compile(gpu::EntryPoint entry) {
    const CurrentContext current(*device_context_.gpu);
    device_context_.functions->of(entry);
  }

  DeviceContext device_context_;
  // Destroyed first, because its thread uses the others.
  gpu::EntryCompiler compiler_{[this](gpu::EntryPoint entry) { compile(entry); }};
};

clothc_device_info absent(const std::string& reason) {
  clothc_device_info info{};
  info.backend = CLOTHC_BACKEND_CUDA;
  std::snprintf(info.reason, sizeof(info.reason), "%s", reason.c_str());
  return info;
}

// Returns the number of devices, or 0 and the reason.
int count_devices(const Driver& driver, std::string& reason) {
  int count = 0;
  const CUresult counted = driver.DeviceGetCount(&count);
  if (counted != CUDA_SUCCESS) {
    count = 0;
    reason = std::string("cuDeviceGetCount gave ") + driver.name_of(counted);
  } else if (count == 0) {
    reason = "the CUDA driver of this machine offers no device; look what CUDA_VISIBLE_DEVICES says";
  }
  return count;
}

void enumerate(std::vector<clothc_device_info>& infos) {
  std::string reason;
  const std::shared_ptr<Driver> driver = Driver::open(reason);
  if (driver == nullptr) {
    infos.push_back(absent(reason));
    return;
  }
  const int count = count_devices(*driver, reason);
  if (count == 0) infos.push_back(absent(reason));
  for (int index = 0; index < count; ++index)
    infos.push_back(describe_adapter(*driver, static_cast<uint32_t>(index)).info);
}

std::shared_ptr<Driver> working_driver() {
  std::string reason;
  std::shared_ptr<Driver> driver = Driver::open(reason);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, driver != nullptr, "the CUDA backend does not work here: %s",
                    reason.c_str());
  return driver;
}

// Makes the backend for the device with that number.
std::unique_ptr<Backend> create_for(const std::shared_ptr<Driver>& driver, uint32_t index,
                                    const clothc_device_desc& desc, const Gpu::Adopted& adopted) {
  const Adapter adapter = describe_adapter(*driver, index);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, adapter.info.available != 0, "CUDA device %u, \"%s\", cannot be used: %s",
                    index, adapter.info.name, adapter.info.reason);
  return std::make_unique<CudaBackend>(
      std::make_shared<Gpu>(driver, adapter, desc.hang_timeout_ms * nanoseconds_per_millisecond, adopted));
}

std::unique_ptr<Backend> create(const clothc_device_desc& desc) {
  const std::shared_ptr<Driver> driver = working_driver();
  std::string reason;
  const int count = count_devices(*driver, reason);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, count > 0, "the CUDA backend does not work here: %s", reason.c_str());
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, desc.device_index < static_cast<uint32_t>(count),
                    "device_desc.device_index is %u; there are %d CUDA devices here, from 0", desc.device_index, count);
  return create_for(driver, desc.device_index, desc, {});
}

// Returns the context that the application's objects name.
CUcontext context_of(const Driver& driver, const clothc_cuda_device_desc& objects) {
  // The default streams have small numbers as handles: (void*)1 is the legacy one, (void*)2 that of each thread.
  const auto number = reinterpret_cast<uintptr_t>(objects.stream);
  CLOTHC_REQUIRE(number != 2,
                 "cuda_device_desc.stream is the default stream of each thread, but several threads use it; want a "
                 "stream that was created, or the legacy default stream");
  CLOTHC_REQUIRE(number != 1 || objects.context != nullptr,
                 "cuda_device_desc.stream is the legacy default stream, and context is null; want its context");
  const auto context = static_cast<CUcontext>(objects.context);
  if (number <= 1) return context;
  CUcontext of_stream = nullptr;
  const CUresult result = driver.StreamGetCtx(static_cast<CUstream>(objects.stream), &of_stream);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !Gpu::is_refused_by_capture(result),
                    "cuda_device_desc.stream is %p, whose capture has failed; end it before (cuStreamGetCtx gave %s)",
                    objects.stream, driver.name_of(result));
  CLOTHC_REQUIRE(result == CUDA_SUCCESS, "cuda_device_desc.stream is %p; cuStreamGetCtx gave %s", objects.stream,
                 driver.name_of(result));
  CLOTHC_REQUIRE(context == nullptr || context == of_stream,
                 "cuda_device_desc.stream is %p, a stream of the context %p; want one of the given context %p",
                 objects.stream, static_cast<void*>(of_stream), objects.context);
  return of_stream;
}

// Returns the number of the device that has this context.
uint32_t device_of(const Driver& driver, CUcontext context) {
  CUdevice device = 0;
  CUresult result = driver.CtxPushCurrent(context);
  if (result == CUDA_SUCCESS) {
    result = driver.CtxGetDevice(&device);
    CUcontext popped = nullptr;
    driver.CtxPopCurrent(&popped);
  }
  CLOTHC_REQUIRE(result == CUDA_SUCCESS,
                 "cuda_device_desc.context is %p; cuCtxPushCurrent or cuCtxGetDevice gave %s for it",
                 static_cast<void*>(context), driver.name_of(result));
  std::string reason;
  const int count = count_devices(driver, reason);
  for (int index = 0; index < count; ++index) {
    CUdevice candidate = 0;
    result = driver.DeviceGet(&candidate, index);
    if (result != CUDA_SUCCESS) reason = std::string("cuDeviceGet gave ") + driver.name_of(result);
    if (result == CUDA_SUCCESS && candidate == device) return static_cast<uint32_t>(index);
  }
  fail(CLOTHC_ERROR_UNSUPPORTED, "the device of the context %p is not one of the %d that the driver lists%s%s",
       static_cast<void*>(context), count, reason.empty() ? "" : "; ", reason.c_str());
}

std::unique_ptr<Backend> adopt(const clothc_device_desc& desc, const void* native) {
  const auto& objects = *static_cast<const clothc_cuda_device_desc*>(native);
  const std::shared_ptr<Driver> driver = working_driver();
  const CUcontext context = context_of(*driver, objects);
  return create_for(driver, device_of(*driver, context), desc, {context, static_cast<CUstream>(objects.stream)});
}

}  // namespace
}  // namespace cuda

BackendKind cuda_backend_kind() { return {CLOTHC_BACKEND_CUDA, cuda::enumerate, cuda::create, cuda::adopt}; }

}  // namespace clothc
