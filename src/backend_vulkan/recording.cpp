// recording.cpp - records the programs and passes of schedules.
#include "backend_vulkan/recording.h"

#include <algorithm>

#include "backend_gpu/compile_together.h"

namespace clothc::vulkan {
namespace {

Window whole(const MemoryPointer& memory) {
  const GpuMemory& of = gpu_memory(memory);
  return {&of.block(), of.offset(), of.size()};
}

}  // namespace

void PassRecorder::separate() {
  record_shader_barrier(gpu_, commands_);
  is_separated_ = true;
}

void PassRecorder::dispatch(Shader shader, const void* constants, uint32_t size, uint32_t x, uint32_t y) {
  // Validation layers do not know which parts of arenas are accessed. They overlook two dispatches that write the same
  // storage buffer, but not one that reads it as texels. On the driver where that is done, barriers cost next to nothing.
  if (gpu_.adapter().reads_texels && !is_separated_) separate();
  is_separated_ = false;
  record_dispatch(gpu_, pipelines_, commands_, shader, plan_.set, constants, size, x, y);
  ++dispatches_;
}

void PassRecorder::program(ProgramFeature feature, const gpu::ProgramLaunch& launch) {
  const Launch constants = {plan_.frame,    plan_.first_texel + launch.first, launch.count, 0, launch.first_step,
                            launch.end_step};
  dispatch(entry_of(feature), &constants, sizeof(constants), launch.count, 1);
}

void PassRecorder::kernel(Kernel kernel, const gpu::JobLaunch& launch) {
  const Launch constants = {
      plan_.frame, plan_.first_texel + launch.first, launch.count, launch.is_repeated ? 1u : 0u, 0, 0};
  dispatch(entry_of(kernel), &constants, sizeof(constants), launch.groups, launch.rows);
}

void PassRecorder::table_operation(gpu::TableKernel kernel, const TableLaunch& constants) {
  // The shaders number the blocks in this way.
  const uint32_t x = std::min(constants.blocks, gpu::most_groups);
  const uint32_t y = (constants.blocks + gpu::most_groups - 1) / gpu::most_groups;
  dispatch(entry_of(kernel), &constants, sizeof(constants), x, y);
}

void PassRecorder::programs(uint32_t iterations) {
  gpu::launch_programs(plan_.schedule, iterations, gpu_.adapter().max_loops_per_dispatch, *this);
}

void PassRecorder::passes(uint32_t begin, uint32_t end) { gpu::launch_passes(plan_.schedule, begin, end, *this); }

void prepare_pipelines(Pipelines& pipelines, const Schedule& schedule) {
  std::vector<Shader> missing;
  gpu::for_each_entry(schedule, [&](auto entry) {
    const Shader shader = entry_of(entry);
    if (!pipelines.has(shader) && std::find(missing.begin(), missing.end(), shader) == missing.end())
      missing.push_back(shader);
  });
  if (!missing.empty()) gpu::compile_together(missing, [&](Shader shader) { pipelines.of(shader); });
}

Bindings bindings_of(const Arenas& arenas, const Window& jobs) {
  return {{whole(arenas.particles), whole(arenas.topology), whole(arenas.records), whole(arenas.tables)}, jobs};
}

Recording::Recording(const GpuPointer& gpu, Pipelines& pipelines, MemoryPool& memory, const Dispatch& dispatch)
    : gpu_(gpu),
      dispatch_(dispatch),
      texels_(memory.allocate_raw(gpu::schedule_bytes(*dispatch.schedule), MemoryVisibility::device_only)),
      descriptors_(gpu, pipelines.set_layout()) {
  set_ = descriptors_.set_for(bindings_of(dispatch_.arenas, whole(texels_)), 0, 0);
  VkCommandPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  info.queueFamilyIndex = gpu_->adapter().queue_family;
  gpu_->check(gpu_->CreateCommandPool(gpu_->handle(), &info, gpu_->allocator(), &pool_), "vkCreateCommandPool");
  try {
    record(pipelines);
  } catch (...) {
    gpu_->destroy(gpu_->DestroyCommandPool, pool_);
    throw;
  }
}

Recording::~Recording() { gpu_->destroy(gpu_->DestroyCommandPool, pool_); }

void Recording::record(Pipelines& pipelines) {
  gpu_->allocate_commands(pool_, 2, commands_);
  const Schedule& schedule = *dispatch_.schedule;
  const Plan all = plan(dispatch_.frame);
  const auto record_range = [&](VkCommandBuffer commands, uint32_t begin, uint32_t end) {
    gpu_->begin_commands(commands, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    PassRecorder recorder(*gpu_, pipelines, commands, all);
    recorder.passes(begin, end);
    gpu_->check(gpu_->EndCommandBuffer(commands), "vkEndCommandBuffer");
    return recorder.dispatch_count();
  };
  iteration_dispatches_ = record_range(commands_[0], schedule.repeat_begin, schedule.repeat_end);
  after_dispatches_ = record_range(commands_[1], schedule.repeat_end, static_cast<uint32_t>(schedule.passes.size()));
}

}  // namespace clothc::vulkan
