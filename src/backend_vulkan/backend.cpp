// backend.cpp - the Vulkan backend, which presents each physical device as a device.
#include "core/backend/backend.h"

#include <cstdio>
#include <string>

#include "backend_gpu/entry_compiler.h"
#include "backend_vulkan/adoption.h"
#include "backend_vulkan/first_run.h"
#include "backend_vulkan/modules.h"
#include "backend_vulkan/shared_timeline.h"
#include "backend_vulkan/stream.h"

namespace clothc {
namespace vulkan {
namespace {

constexpr uint64_t nanoseconds_per_millisecond = 1'000'000;

DeviceLimits limits_of(const Gpu& gpu) {
  const Adapter& adapter = gpu.adapter();
  DeviceLimits limits;
  limits.only_records = gpu.only_records();
  limits.worker_count = workgroups_at_a_time;
  limits.lanes_per_worker = adapter.program_lanes;
  limits.prefers_passes = (adapter.info.capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE) != 0;
  limits.max_loops_per_job = adapter.max_loops_per_dispatch;
  limits.largest_program = ProgramFeature::extended;
  return limits;
}

class VulkanBackend final : public Backend {
 public:
  explicit VulkanBackend(const GpuPointer& gpu)
      : Backend(gpu->adapter().info, limits_of(*gpu)),
        device_context_{gpu, std::make_shared<Pipelines>(gpu), std::make_shared<MemoryPool>(gpu),
                        std::make_shared<GpuWatcher>(gpu)},
        first_run_(gpu, device_context_.pipelines, device_context_.memory) {}
  MemoryPointer allocate(uint64_t size, MemoryVisibility visibility) override {
    return device_context_.memory->allocate(size, visibility);
  }
  MemoryPointer wrap(void* memory, uint64_t size) override { return device_context_.memory->wrap(memory, size); }
  MemoryPointer import_memory(const ExternalMemory& external) override {
    return device_context_.memory->import_memory(external);
  }
  MemoryPointer wrap_buffer(const NativeBuffer& buffer, uint64_t size) override {
    return device_context_.memory->wrap_buffer(buffer, size);
  }
  std::shared_ptr<SharedTimeline> share(Timeline& timeline, uint64_t value) override {
    return GpuTimeline::create(device_context_.gpu, device_context_.watcher, timeline, value);
  }
  std::shared_ptr<SharedTimeline> import_timeline(platform::OsHandle handle, Timeline& timeline) override {
    return GpuTimeline::import(device_context_.gpu, device_context_.watcher, timeline, handle);
  }
  uint64_t allocation_count() const override { return device_context_.gpu->allocation_count(); }
  std::shared_ptr<Stream> create_stream() override { return std::make_shared<GpuStream>(device_context_); }
  void prepare(const Preparation& wanted) override {
    device_context_.gpu->require_alive();
    compiler_.add(wanted);
  }
  bool wait_prepared(uint64_t timeout_ns, PreparationProgress& progress) override {
    return compiler_.wait(timeout_ns, progress);
  }
  void end_preparation() override { compiler_.close(); }
  std::string compiler_identity() const override { return identity_of(device_context_.gpu->adapter()); }
  std::vector<uint8_t> compiled_code() override { return device_context_.pipelines->compiled_code(); }
  void add_compiled_code(const uint8_t* data, uint64_t size) override {
    device_context_.pipelines->add_compiled_code(data, size);
  }

 private:
  void compile(gpu::EntryPoint entry) {
    device_context_.pipelines->of(entry);
    if (!device_context_.gpu->only_records()) first_run_.run(entry);
  }

  DeviceContext device_context_;
  FirstRun first_run_;
  // Destroyed first, because its thread uses the others.
  gpu::EntryCompiler compiler_{[this](gpu::EntryPoint entry) { compile(entry); }};
};

clothc_device_info absent(const std::string& reason) {
  clothc_device_info info{};
  info.backend = CLOTHC_BACKEND_VULKAN;
  std::snprintf(info.reason, sizeof(info.reason), "%s", reason.c_str());
  return info;
}

std::vector<Adapter> adapters(const std::shared_ptr<Instance>& instance) {
  std::vector<Adapter> all;
  for (const VkPhysicalDevice device : instance->physical_devices())
    all.push_back(describe_adapter(*instance, device, static_cast<uint32_t>(all.size())));
  return all;
}

constexpr const char* no_device = "the Vulkan drivers of this machine offer no device";

void enumerate(std::vector<clothc_device_info>& infos) {
  std::string reason;
  const std::shared_ptr<Instance> instance = Instance::of_process(reason);
  if (instance == nullptr) {
    infos.push_back(absent(reason));
    return;
  }
  const std::vector<Adapter> all = adapters(instance);
  if (all.empty()) infos.push_back(absent(no_device));
  for (const Adapter& adapter : all) infos.push_back(adapter.info);
}

std::unique_ptr<Backend> make(const std::shared_ptr<Instance>& instance, const Adapter& adapter,
                              const clothc_device_desc& desc, const Adopted& adopted) {
  const uint64_t hang_timeout_ns = desc.hang_timeout_ms * nanoseconds_per_millisecond;
  return std::make_unique<VulkanBackend>(std::make_shared<Gpu>(instance, adapter, hang_timeout_ns, adopted));
}

std::unique_ptr<Backend> create(const clothc_device_desc& desc) {
  std::string reason;
  const std::shared_ptr<Instance> instance = Instance::of_process(reason);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, instance != nullptr, "the Vulkan backend does not work here: %s",
                    reason.c_str());
  const std::vector<Adapter> all = adapters(instance);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, !all.empty(), "the Vulkan backend does not work here: %s", no_device);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, desc.device_index < all.size(),
                    "device_desc.device_index is %u; there are %zu Vulkan devices here, from 0", desc.device_index,
                    all.size());
  const Adapter& adapter = all[desc.device_index];
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, adapter.info.available != 0,
                    "Vulkan device %u, \"%s\", cannot be used: %s", desc.device_index, adapter.info.name,
                    adapter.info.reason);
  return make(instance, adapter, desc, {});
}

std::unique_ptr<Backend> adopt(const clothc_device_desc& desc, const void* native) {
  const auto& objects = *static_cast<const clothc_vulkan_device_desc*>(native);
  const std::shared_ptr<Instance> instance = adopted_instance(objects);
  return make(instance, adopted_adapter(*instance, objects), desc, adopted_objects(objects));
}

}  // namespace
}  // namespace vulkan

BackendKind vulkan_backend_kind() {
  return {CLOTHC_BACKEND_VULKAN, vulkan::enumerate, vulkan::create, vulkan::adopt, vulkan::require};
}

}  // namespace clothc
