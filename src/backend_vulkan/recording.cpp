// recording.cpp - writes the texels of schedules and records their programs and passes.
#include "backend_vulkan/recording.h"

#include <algorithm>

namespace clothc::vulkan {
namespace {

constexpr uint32_t kernel_bits = 8;
static_assert(static_cast<uint32_t>(Kernel::count) <= 1u << kernel_bits, "a texel holds the kernel");

static_assert(sizeof(FrameConstants) == 4 * sizeof(uint32_t), "same_blocks compares every block");
// Returns whether the offsets of all per-particle blocks are the same: everything but the time step.
bool same_blocks(const FrameConstants& a, const FrameConstants& b) {
  return a.position == b.position && a.previous == b.previous && a.exchange == b.exchange;
}

Window whole(const MemoryPointer& memory) {
  const GpuMemory& of = gpu_memory(memory);
  return {&of.block(), of.offset(), of.size()};
}

}  // namespace

uint64_t texel_bytes(const Schedule& schedule) {
  return (schedule.programs.size() + schedule.jobs.size()) * texel_size;
}

void write_texels(const Schedule& schedule, uint32_t first, void* texels) {
  auto* word = static_cast<uint32_t*>(texels);
  const uint32_t first_job = first + static_cast<uint32_t>(schedule.programs.size());
  for (const Program& program : schedule.programs) {
    for (const uint32_t job : {program.before, program.iteration, program.after, program.end})
      *word++ = first_job + job;
  }
  for (const Job& job : schedule.jobs) {
    *word++ = job.kernel << (32 - kernel_bits) | job.record;
    *word++ = job.begin;
    *word++ = job.end;
    *word++ = job.argument;
  }
}

void PassRecorder::separate() {
  record_shader_barrier(gpu_, commands_);
  is_separated_ = true;
}

void PassRecorder::dispatch(Shader shader, const Plan& plan, const void* constants, uint32_t size, uint32_t x,
                            uint32_t y) {
  // Validation layers do not know which parts of arenas are accessed. They overlook two dispatches that write the same
  // storage buffer, but not one that reads it as texels. On the driver where that is done, barriers cost next to nothing.
  if (gpu_.adapter().reads_texels && !is_separated_) separate();
  is_separated_ = false;
  record_dispatch(gpu_, pipelines_, commands_, shader, plan.set, constants, size, x, y);
}

uint64_t PassRecorder::programs(const Plan& plan, uint32_t iterations) {
  const std::vector<Program>& all = plan.schedule.programs;
  const auto count = static_cast<uint32_t>(all.size());
  uint64_t dispatches = 0;
  for (uint32_t first = 0; first < count;) {
    uint32_t end = first + 1;
    while (end < count && all[end].feature == all[first].feature) ++end;
    dispatches += programs(plan, first, end, iterations);
    first = end;
  }
  return dispatches;
}

uint64_t PassRecorder::programs(const Plan& plan, uint32_t first, uint32_t end, uint32_t iterations) {
  // Number of jobs of the longest program, counted through all iterations.
  uint64_t steps = 0;
  uint32_t loops = 1;
  for (uint32_t k = first; k < end; ++k) {
    const Program& program = plan.schedule.programs[k];
    const uint64_t repeated = uint64_t{program.after - program.iteration} * iterations;
    steps = std::max(steps, program.iteration - program.before + repeated + program.end - program.after);
    loops = std::max(loops, program.max_loops_per_job);
  }
  const uint32_t steps_at_a_time = std::max(gpu_.adapter().max_loops_per_dispatch / loops, 1u);
  const Shader shader = shader_of(plan.schedule.programs[first].feature);
  uint64_t dispatches = 0;
  for (uint64_t step = 0; step < steps; step += steps_at_a_time) {
    if (step > 0) separate();
    const auto first_step = static_cast<uint32_t>(step);
    for (uint32_t done = first; done < end; done += most_groups) {
      const uint32_t part = std::min(most_groups, end - done);
      const Launch launch = {plan.frame, plan.first_texel + done, part, 0, first_step, first_step + steps_at_a_time};
      dispatch(shader, plan, &launch, sizeof(launch), part, 1);
      ++dispatches;
    }
  }
  return dispatches;
}

// Each job gets a row of workgroups or, where jobs have one item, an invocation.
uint64_t PassRecorder::jobs(const Plan& plan, uint32_t first, uint32_t count, bool repeated) {
  const std::vector<Job>& jobs = plan.schedule.jobs;
  const auto kernel = static_cast<Kernel>(jobs[first].kernel);
  const uint32_t texel = plan.first_texel + static_cast<uint32_t>(plan.schedule.programs.size()) + first;
  Launch launch = {plan.frame, texel, count, repeated ? 1u : 0u, 0, 0};
  if (info_of(kernel).class_of_items == KernelClass::one_per_group) {
    const uint32_t groups = (count + group_size - 1) / group_size;
    dispatch(shader_of(kernel), plan, &launch, sizeof(launch), groups, 1);
    return 1;
  }
  uint32_t items = 0;
  for (uint32_t k = first; k < first + count; ++k) items = std::max(items, jobs[k].end - jobs[k].begin);
  const uint32_t groups = (items + group_size - 1) / group_size;
  uint64_t dispatches = 0;
  for (uint32_t done = 0; done < count; done += most_groups) {
    const uint32_t part = std::min(most_groups, count - done);
    launch.first_job = texel + done;
    launch.job_count = part;
    dispatch(shader_of(kernel), plan, &launch, sizeof(launch), groups, part);
    ++dispatches;
  }
  return dispatches;
}

uint64_t PassRecorder::operation(const Plan& plan, const TableOperation& operation) {
  uint64_t dispatches = 0;
  gpu::for_each_launch(operation, [&](gpu::TableKernel kernel, const TableLaunch& constants) {
    if (dispatches > 0) separate();
    // The shaders number the blocks in this way.
    const uint32_t x = std::min(constants.blocks, most_groups), y = (constants.blocks + most_groups - 1) / most_groups;
    dispatch(shader_of(kernel), plan, &constants, sizeof(constants), x, y);
    ++dispatches;
  });
  return dispatches;
}

uint64_t PassRecorder::passes(const Plan& plan, uint32_t begin, uint32_t end) {
  const Schedule& schedule = plan.schedule;
  uint64_t dispatches = 0;
  for (uint32_t k = begin; k < end; ++k) {
    const Pass& pass = schedule.passes[k];
    const bool repeated = k >= schedule.repeat_begin && k < schedule.repeat_end;
    if (pass.barrier) separate();
    if (pass.operation != no_operation) dispatches += operation(plan, schedule.operations[pass.operation]);
    const uint32_t last = pass.first_job + pass.job_count;
    for (uint32_t first = pass.first_job; first < last;) {
      uint32_t next = first + 1;
      while (next < last && schedule.jobs[next].kernel == schedule.jobs[first].kernel) ++next;
      dispatches += jobs(plan, first, next - first, repeated);
      first = next;
    }
  }
  return dispatches;
}

void prepare_pipelines(Pipelines& pipelines, const Schedule& schedule) {
  for (const Program& program : schedule.programs) pipelines.of(shader_of(program.feature));
  for (const TableOperation& operation : schedule.operations)
    gpu::for_each_launch(operation,
                         [&](gpu::TableKernel kernel, const TableLaunch&) { pipelines.of(shader_of(kernel)); });
  for (const Pass& pass : schedule.passes) {
    uint32_t last = static_cast<uint32_t>(Kernel::count);
    for (uint32_t k = pass.first_job; k < pass.first_job + pass.job_count; ++k) {
      if (schedule.jobs[k].kernel != last) pipelines.of(shader_of(static_cast<Kernel>(schedule.jobs[k].kernel)));
      last = schedule.jobs[k].kernel;
    }
  }
}

Bindings bindings_of(const Arenas& arenas, const Window& jobs) {
  return {{whole(arenas.particles), whole(arenas.topology), whole(arenas.records), whole(arenas.tables)}, jobs};
}

Recording::Recording(const GpuPointer& gpu, Pipelines& pipelines, MemoryPool& memory, const Dispatch& dispatch)
    : gpu_(gpu),
      dispatch_(dispatch),
      texels_(memory.allocate_raw(texel_bytes(*dispatch.schedule), MemoryVisibility::device_only)),
      descriptors_(gpu, pipelines.set_layout()) {
  set_ = descriptors_.set_for(bindings_of(dispatch_.arenas, whole(texels_)), 0, 0);
  VkCommandPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  info.queueFamilyIndex = gpu_->adapter().queue_family;
  gpu_->check(gpu_->CreateCommandPool(gpu_->handle(), &info, nullptr, &pool_), "vkCreateCommandPool");
  try {
    record(pipelines);
  } catch (...) {
    gpu_->DestroyCommandPool(gpu_->handle(), pool_, nullptr);
    throw;
  }
}

Recording::~Recording() { gpu_->DestroyCommandPool(gpu_->handle(), pool_, nullptr); }

void Recording::record(Pipelines& pipelines) {
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 2;
  gpu_->check(gpu_->AllocateCommandBuffers(gpu_->handle(), &allocate, commands_), "vkAllocateCommandBuffers");
  const Schedule& schedule = *dispatch_.schedule;
  const Plan all = plan(dispatch_.frame);
  const auto record_range = [&](VkCommandBuffer commands, uint32_t begin, uint32_t end) {
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    info.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    gpu_->check(gpu_->BeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
    const uint64_t dispatches = PassRecorder(*gpu_, pipelines, commands).passes(all, begin, end);
    gpu_->check(gpu_->EndCommandBuffer(commands), "vkEndCommandBuffer");
    return dispatches;
  };
  iteration_dispatches_ = record_range(commands_[0], schedule.repeat_begin, schedule.repeat_end);
  after_dispatches_ = record_range(commands_[1], schedule.repeat_end, static_cast<uint32_t>(schedule.passes.size()));
}

bool Recording::serves(const Dispatch& dispatch) const {
  const Arenas& a = dispatch.arenas;
  const Arenas& b = dispatch_.arenas;
  return dispatch.schedule == dispatch_.schedule && a.particles == b.particles && a.topology == b.topology &&
         a.records == b.records && a.tables == b.tables && same_blocks(dispatch.frame, dispatch_.frame);
}

}  // namespace clothc::vulkan
