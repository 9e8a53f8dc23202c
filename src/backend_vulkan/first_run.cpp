// first_run.cpp - see first_run.h.
#include "backend_vulkan/first_run.h"

#include "backend_gpu/hang_detection.h"
#include "backend_vulkan/recorder.h"

namespace clothc::vulkan {
namespace {

// Bytes of memory that stands for all arenas.
constexpr uint64_t arena_size = 4096;

}  // namespace

FirstRun::Resources::Resources(const GpuPointer& gpu, const Pipelines& pipelines, MemoryPool& memory)
    : arena(memory.allocate_raw(arena_size, MemoryVisibility::device_only)),
      descriptors(gpu, pipelines.set_layout()),
      commands(gpu) {
  const GpuMemory& of = gpu_memory(arena);
  const Window window = {&of.block(), of.offset(), of.size()};
  set = descriptors.set_for({{window, window, window, window}, window}, 0, 0);
}

void FirstRun::run(Shader shader) {
  if (!resources_.has_value()) resources_.emplace(gpu_, *pipelines_, *memory_);
  const VkCommandBuffer commands = resources_->commands.begin();
  // The run before it had the same memory.
  record_shader_barrier(*gpu_, commands);
  constexpr uint8_t constants[push_constant_bytes] = {};
  record_dispatch(*gpu_, *pipelines_, commands, shader, resources_->set, constants, push_constant_bytes, 0, 0);
  const FirstUse first_use(gpu_);
  const uint64_t value = resources_->commands.submit();
  gpu::wait_unless_hung(*gpu_, resources_->commands.semaphore(), value, UINT64_MAX, [&] { return value; });
}

}  // namespace clothc::vulkan
