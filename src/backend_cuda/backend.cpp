// backend.cpp - the CUDA backend, which presents each device of the driver as a device.
#include "core/backend/backend.h"

#include <cstdio>
#include <string>

#include "backend_cuda/stream.h"

namespace clothc {
namespace cuda {
namespace {

constexpr uint64_t nanoseconds_per_millisecond = 1'000'000;
// Number of blocks that a multiprocessor is assumed to run at the same time.
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
                        std::make_shared<GpuWatcher>(gpu)} {}
  MemoryPointer allocate(uint64_t size, MemoryVisibility visibility) override {
    return device_context_.memory->allocate(size, visibility);
  }
  MemoryPointer wrap(void* memory, uint64_t size) override { return device_context_.memory->wrap(memory, size); }
  MemoryPointer import_memory(const ExternalMemory& external) override {
    return device_context_.memory->import_memory(external);
  }
  uint64_t allocation_count() const override { return device_context_.gpu->allocation_count(); }
  std::shared_ptr<Stream> create_stream() override { return std::make_shared<CudaStream>(device_context_); }

 private:
  DeviceContext device_context_;
};

clothc_device_info absent(const std::string& reason) {
  clothc_device_info info{};
  info.backend = CLOTHC_BACKEND_CUDA;
  std::snprintf(info.reason, sizeof(info.reason), "%s", reason.c_str());
  return info;
}

std::vector<Adapter> adapters(const Driver& driver) {
  int count = 0;
  driver.DeviceGetCount(&count);
  std::vector<Adapter> all;
  while (static_cast<int>(all.size()) < count)
    all.push_back(describe_adapter(driver, static_cast<uint32_t>(all.size())));
  return all;
}

constexpr const char* no_device =
    "the CUDA driver of this machine offers no device; look what CUDA_VISIBLE_DEVICES says";

void enumerate(std::vector<clothc_device_info>& infos) {
  std::string reason;
  const std::shared_ptr<Driver> driver = Driver::open(reason);
  if (driver == nullptr) {
    infos.push_back(absent(reason));
    return;
  }
  const std::vector<Adapter> all = adapters(*driver);
  if (all.empty()) infos.push_back(absent(no_device));
  for (const Adapter& adapter : all) infos.push_back(adapter.info);
}

std::unique_ptr<Backend> create(const clothc_device_desc& desc) {
  std::string reason;
  const std::shared_ptr<Driver> driver = Driver::open(reason);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, driver != nullptr, "the CUDA backend does not work here: %s",
                    reason.c_str());
  const std::vector<Adapter> all = adapters(*driver);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, !all.empty(), "the CUDA backend does not work here: %s", no_device);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, desc.device_index < all.size(),
                    "device_desc.device_index is %u; there are %zu CUDA devices here, from 0", desc.device_index,
                    all.size());
  const Adapter& adapter = all[desc.device_index];
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, adapter.info.available != 0, "CUDA device %u, \"%s\", cannot be used: %s",
                    desc.device_index, adapter.info.name, adapter.info.reason);
  return std::make_unique<CudaBackend>(
      std::make_shared<Gpu>(driver, adapter, desc.hang_timeout_ms * nanoseconds_per_millisecond));
}

}  // namespace
}  // namespace cuda

BackendKind cuda_backend_kind() { return {CLOTHC_BACKEND_CUDA, cuda::enumerate, cuda::create}; }

}  // namespace clothc
