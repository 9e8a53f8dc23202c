// backend.cpp - the CPU backend, which presents this machine's processor as one device.
#include "core/backend/backend.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>

#include "backend_cpu/isa.h"
#include "backend_cpu/memory.h"
#include "backend_cpu/scheduler.h"
#include "backend_cpu/stream.h"
#include "platform/processor.h"

namespace clothc {
namespace cpu {
namespace {

uint32_t hardware_threads() { return std::clamp(std::thread::hardware_concurrency(), 1u, 256u); }

clothc_device_info describe() {
  clothc_device_info info{};
  info.backend = CLOTHC_BACKEND_CPU;
  info.available = 1;
  info.capabilities = CLOTHC_CAPABILITY_STRICT_PARITY | CLOTHC_CAPABILITY_APPLICATION_TASKS |
                      CLOTHC_CAPABILITY_WRAPPED_HOST | CLOTHC_CAPABILITY_TIMERS;
  info.isa = preferred_isa();
  info.isa_mask = runnable_isas();
  info.worker_count = hardware_threads();
  info.memory_size = platform::memory_size();
  std::snprintf(info.name, sizeof(info.name), "%s", platform::processor_name().c_str());
  return info;
}

// With narrower registers, the shuffles of gathers run beside the arithmetic, and cost little or nothing.
// docs/log/2026-11-28-lattice.md has the measurements.
uint32_t lattice_batch_cost(clothc_isa isa) { return isa == CLOTHC_ISA_AVX512 ? 65 : UINT32_MAX; }

DeviceLimits limits_of(const clothc_device_info& info, const KernelTable& kernels) {
  DeviceLimits limits;
  limits.worker_count = info.worker_count;
  limits.lanes_per_worker = static_cast<uint32_t>(kernels.lane_count);
  limits.smallest_tile = 128;
  // At 16 bytes per particle this is half of a third-level cache of 32 MiB. On machines with a smaller cache, half as
  // many particles would benefit as well.
  limits.particles_in_cache = 1u << 20;
  limits.lattice_batch_cost = lattice_batch_cost(info.isa);
  limits.forms_crowds = info.isa == CLOTHC_ISA_AVX2 || info.isa == CLOTHC_ISA_AVX512;
  limits.is_freed_after_fork = true;
  return limits;
}

class CpuBackend final : public Backend {
 public:
  CpuBackend(const clothc_device_desc& desc, const clothc_device_info& info, const KernelTable& kernels)
      : Backend(info, limits_of(info, kernels)),
        kernels_(kernels),
        tasks_only_((desc.flags & CLOTHC_DEVICE_TASKS_ONLY) != 0),
        allocator_{desc.allocate, desc.free, desc.allocator_user} {
    if (desc.submit != nullptr) {
      scheduler_ = std::make_unique<ApplicationScheduler>(desc.submit, desc.submit_user, info.worker_count);
    } else {
      scheduler_ = std::make_unique<ThreadPool>(info.worker_count);
    }
  }
  MemoryPointer allocate(uint64_t size, MemoryVisibility visibility) override {
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, visibility != MemoryVisibility::other_devices, no_external_memory);
    ++allocation_count_;
    return allocate_memory(allocator_, size);
  }
  MemoryPointer wrap(void* memory, uint64_t size) override { return wrap_memory(memory, size); }
  uint64_t allocation_count() const override { return allocation_count_; }
  std::string compiler_identity() const override { return std::string(info().name) + ", " + name_of_isa(info().isa); }
  std::shared_ptr<Stream> create_stream() override {
    return std::make_shared<CpuStream>(*scheduler_, kernels_, loops_in_caller());
  }

 private:
  // Returns the number of loop iterations of a single lane that take some 10 microseconds, which is the time that
  // waking a thread takes.
  uint64_t loops_in_caller() const {
    constexpr uint64_t batches = 1024;
    return tasks_only_ ? 0 : batches * static_cast<uint64_t>(std::max(kernels_.lane_count, 4));
  }

  const KernelTable& kernels_;
  const bool tasks_only_;
  Allocator allocator_;
  std::atomic<uint64_t> allocation_count_{0};
  std::unique_ptr<Scheduler> scheduler_;
};

std::string runnable_names() {
  std::string names;
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((runnable_isas() & 1u << isa) != 0) names += std::string(names.empty() ? "" : ", ") + name_of_isa(isa);
  }
  return names;
}

void enumerate(std::vector<clothc_device_info>& infos) { infos.push_back(describe()); }

std::unique_ptr<Backend> create(const clothc_device_desc& desc) {
  clothc_device_info info = describe();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, desc.device_index == 0,
                    "device_desc.device_index is %u; the cpu backend has device 0 only", desc.device_index);
  if (desc.isa != CLOTHC_ISA_AUTO) info.isa = desc.isa;
  if (desc.worker_count != 0) info.worker_count = desc.worker_count;
  const KernelTable* kernels = kernels_of(info.isa);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, kernels != nullptr,
                    "device_desc.isa is %u (%s), which this library does not run on this machine; it runs %s", desc.isa,
                    name_of_isa(desc.isa), runnable_names().c_str());
  return std::make_unique<CpuBackend>(desc, info, *kernels);
}

}  // namespace
}  // namespace cpu

BackendKind cpu_backend_kind() { return {CLOTHC_BACKEND_CPU, cpu::enumerate, cpu::create}; }

}  // namespace clothc
