// stream.cpp - records lists of commands as batches; submission.cpp hands these to the GPU.
#include "backend_vulkan/stream.h"

#include <algorithm>
#include <cstring>

#include "backend_vulkan/shared_timeline.h"

namespace clothc::vulkan {

void Batch::clear() {
  commands.clear();
  own.clear();
  memories.clear();
  recordings.clear();
  signals.clear();
  timestamps.reset();
  first_use.reset();
  clear_order();
}

GpuStream::GpuStream(const DeviceContext& device_context)
    : gpu_(device_context.gpu),
      pipelines_(device_context.pipelines),
      memory_(device_context.memory),
      watcher_(device_context.watcher),
      progress_(gpu_, watcher_, std::make_shared<TimelineSemaphore>(gpu_)),
      steps_(std::make_shared<TimelineSemaphore>(gpu_)),
      recorder_(gpu_, pipelines_) {
  gpu_->require_alive();
  VkCommandPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  info.queueFamilyIndex = gpu_->adapter().queue_family;
  gpu_->check(gpu_->CreateCommandPool(gpu_->handle(), &info, gpu_->allocator(), &pool_), "vkCreateCommandPool");
  try {
    make_spares();
  } catch (...) {
    gpu_->destroy(gpu_->DestroyCommandPool, pool_);
    throw;
  }
}

// Creates spare command buffers and batches: enough that updates in a steady state create none.
void GpuStream::make_spares() {
  constexpr size_t spare_count = 8;
  free_commands_.resize(spare_count);
  gpu_->allocate_commands(pool_, spare_count, free_commands_.data());
  queue_.make_spares(spare_count);
}

void GpuStream::open() {
  if (current_ != VK_NULL_HANDLE) return;
  Batch& batch = queue_.draft();
  batch.commands.reserve(batch.commands.size() + 1);
  batch.own.reserve(batch.own.size() + 1);
  // Number of command buffers in drafts, all of which may be returned by discard_drafts.
  size_t drafted = 1;
  for (const auto& each : queue_.drafts()) drafted += each->own.size();
  free_commands_.reserve(free_commands_.size() + drafted);
  if (free_commands_.empty()) {
    VkCommandBuffer fresh = VK_NULL_HANDLE;
    gpu_->allocate_commands(pool_, 1, &fresh);
    free_commands_.push_back(fresh);
  }
  gpu_->begin_commands(free_commands_.back(), VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  current_ = free_commands_.back();
  free_commands_.pop_back();
  // Since the last batch, other streams may have written memory that this stream uses. The caller orders such writes,
  // but they become visible here only behind a barrier.
  const bool is_first = batch.own.empty();
  if (is_first) recorder_.forget_barriers();
  batch.commands.push_back(current_);
  batch.own.push_back(current_);
  recorder_.into(current_);
  if (is_first && meets_application()) recorder_.begin_after_all();
  recorder_.set_values(queue_.taken() + 1, completed());
}

void GpuStream::seal() {
  if (current_ == VK_NULL_HANDLE) return;
  const VkResult ended = gpu_->EndCommandBuffer(current_);
  current_ = VK_NULL_HANDLE;
  gpu_->check(ended, "vkEndCommandBuffer");
}

void GpuStream::use(const MemoryPointer& memory) {
  std::vector<MemoryPointer>& used = queue_.draft().memories;
  if (std::find(used.begin(), used.end(), memory) != used.end()) return;
  used.push_back(memory);
  const GpuMemory& of = gpu_memory(memory);
  if (of.block().owner().has_value() && std::find(acquired_.begin(), acquired_.end(), memory) == acquired_.end()) {
    acquired_.push_back(memory);
    recorder_.acquire(of);
  }
  cleared_.reserve(cleared_.size() + 1);
  if (of.take_clearing()) {
    cleared_.push_back(memory);
    constexpr uint32_t zeros[4] = {};
    recorder_.fill(of, 0, of.size(), zeros);
  }
}

void GpuStream::use_target(const MemoryPointer& memory) {
  use(memory);
  writes_for_host_ = writes_for_host_ || memory->host_pointer() != nullptr;
}

void GpuStream::record(const CommandList& list, const Write& write) {
  open();
  use_target(write.target);
  const Staging::Slice slice = recorder_.stage(write.size);
  std::memcpy(slice.bytes(), list.data_of(write), write.size);
  recorder_.upload(slice, gpu_memory(write.target), write.offset, write.size);
}

void GpuStream::record(const CommandList&, const Copy& copy) {
  open();
  use(copy.source);
  use_target(copy.target);
  recorder_.copy(copy);
}

void GpuStream::record(const CommandList&, const Fill& fill) {
  open();
  use_target(fill.target);
  recorder_.fill(gpu_memory(fill.target), fill.offset, fill.size, fill.pattern.data());
}

// Orders everything that was recorded before a schedule before the whole schedule.
void GpuStream::record_accesses(const Arenas& arenas, const gpu::MemoryAccess& texels) {
  const auto whole = [](const MemoryPointer& memory, bool writes) {
    const GpuMemory& of = gpu_memory(memory);
    return gpu::MemoryAccess{of.block().number(), of.offset(), of.offset() + of.size(), writes};
  };
  const gpu::MemoryAccess accesses[] = {whole(arenas.particles, true), whole(arenas.topology, false),
                                        whole(arenas.records, true), whole(arenas.tables, true), texels};
  recorder_.before(accesses, 5);
}

void GpuStream::record(const CommandList&, const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  if (schedule.programs.empty() && schedule.passes.empty()) return;
  open();
  for (const MemoryPointer& memory :
       {dispatch.arenas.particles, dispatch.arenas.topology, dispatch.arenas.records, dispatch.arenas.tables})
    use(memory);
  const bool repeats = !schedule.programs.empty() || schedule.repeat_begin < schedule.repeat_end;
  if (timestamps_ != nullptr && dispatch.times != nullptr) {
    run_timed(dispatch);
  } else if (repeats) {
    run_recorded(dispatch);
  } else {
    run_once(dispatch);
  }
}

Plan GpuStream::plan_once(const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  prepare_pipelines(*pipelines_, schedule);
  const uint64_t size = gpu::schedule_bytes(schedule);
  const Staging::Slice slice = recorder_.stage(size);
  const auto first = static_cast<uint32_t>(slice.offset / gpu::schedule_unit_bytes);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY,
                    first + size / gpu::schedule_unit_bytes <= gpu_->adapter().limits.maxTexelBufferElements,
                    "a call consists of %llu jobs, more than \"%s\" takes; split it into several calls",
                    static_cast<unsigned long long>(size / gpu::schedule_unit_bytes), gpu_->adapter().info.name);
  gpu::write_schedule(schedule, first, slice.bytes());
  const Plan plan = {
      schedule, dispatch.frame, first,
      recorder_.set_for(bindings_of(dispatch.arenas, {&slice.piece->block(), 0, slice.piece->block().size()}))};
  record_accesses(dispatch.arenas, {slice.piece->block().number(), slice.offset, slice.offset + size, false});
  return plan;
}

void GpuStream::run_once(const Dispatch& dispatch) {
  const Plan plan = plan_once(dispatch);
  PassRecorder recorder(*gpu_, *pipelines_, current_, plan);
  recorder.passes(0, static_cast<uint32_t>(plan.schedule.passes.size()));
  recorded_dispatches_ += recorder.dispatch_count();
}

// Records all repetitions, with a timestamp behind each pass.
void GpuStream::run_timed(const Dispatch& dispatch) {
  PassRecorder recorder(*gpu_, *pipelines_, current_, plan_once(dispatch));
  gpu::launch_timed(dispatch, gpu_->adapter().max_loops_per_dispatch, timestamps_->intervals(), recorder,
                    [&](uint32_t number) { timestamps_->record(current_, number); });
  recorded_dispatches_ += recorder.dispatch_count();
}

void GpuStream::record_again(const Dispatch& dispatch) {
  const uint64_t size = gpu::schedule_bytes(*dispatch.schedule), most = gpu_->adapter().limits.maxTexelBufferElements;
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, size / gpu::schedule_unit_bytes <= most,
                    "the update consists of %llu jobs; \"%s\" takes %llu: use several solvers",
                    static_cast<unsigned long long>(size / gpu::schedule_unit_bytes), gpu_->adapter().info.name,
                    static_cast<unsigned long long>(most));
  prepare_pipelines(*pipelines_, *dispatch.schedule);
  auto fresh = std::make_shared<Recording>(gpu_, *pipelines_, *memory_, dispatch);
  const Staging::Slice slice = recorder_.stage(size);
  gpu::write_schedule(*dispatch.schedule, 0, slice.bytes());
  recorder_.upload(slice, fresh->texels(), 0, size);
  uploaded_bytes_ += size;
  recording_ = std::move(fresh);
}

void GpuStream::run_recorded(const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  Batch& batch = queue_.draft();
  batch.recordings.reserve(batch.recordings.size() + 1);
  const bool has_end = schedule.repeat_end < schedule.passes.size();
  const uint32_t repetitions = schedule.repeat_begin < schedule.repeat_end ? dispatch.repeat_count : 0;
  batch.commands.reserve(batch.commands.size() + repetitions + 2);
  if (recording_ == nullptr || !recording_->serves(dispatch)) record_again(dispatch);
  const GpuMemory& texels = recording_->texels();
  record_accesses(dispatch.arenas, {texels.block().number(), texels.offset(), texels.offset() + texels.size(), false});
  PassRecorder recorder(*gpu_, *pipelines_, current_, recording_->plan(dispatch.frame));
  recorder.programs(dispatch.program_iterations);
  recorder.passes(0, schedule.repeat_begin);
  recorded_dispatches_ += recorder.dispatch_count();
  seal();
  for (uint32_t k = 0; k < repetitions; ++k) batch.commands.push_back(recording_->iteration());
  if (has_end) batch.commands.push_back(recording_->after());
  recorded_dispatches_ += repetitions * recording_->iteration_dispatches();
  recorded_dispatches_ += has_end ? recording_->after_dispatches() : 0;
  batch.recordings.push_back(recording_);
}

void GpuStream::record(const CommandList&, const Wait& wait) {
  if (gpu_->only_records()) {
    CLOTHC_REQUIRE_AS(
        CLOTHC_ERROR_UNSUPPORTED, wait.timeline->value() >= wait.value,
        "update.wait_fence has not reached %llu, and a device that only records cannot wait for it; let the "
        "submission that has the command buffer wait",
        static_cast<unsigned long long>(wait.value));
    return;
  }
  if (!queue_.draft().is_empty()) {
    seal();
    queue_.add_draft();
  }
  queue_.draft().awaited = wait.timeline;
  queue_.draft().awaited_value = wait.value;
}

void GpuStream::record(const CommandList&, const Signal& signal) {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, !gpu_->only_records(),
                    "update.signal_fence is set, and a device that only records cannot signal it; let the submission "
                    "that has the command buffer signal a semaphore");
  Batch& batch = queue_.draft();
  batch.signals.reserve(batch.signals.size() + 1);
  batch.semaphores.reserve(batch.signals.size() + 2);
  batch.values.reserve(batch.signals.size() + 2);
  watcher_->prepare();
  // The timelines of a stream's commands are those of its device.
  const auto shared = std::static_pointer_cast<GpuTimeline>(signal.timeline->shared());
  batch.signals.push_back({signal.timeline, signal.value, shared == nullptr ? nullptr : shared->semaphore()});
}

void GpuStream::record(const CommandList& list, const Mark& mark) {
  open();
  if (mark.point == UpdateTimes::begin) {
    timestamps_ = std::make_unique<Timestamps>(gpu_, list, mark.times);
    timestamps_->record_reset(current_);
  }
  timestamps_->record(current_, timestamps_->intervals().add_point(mark.point));
  if (mark.point == UpdateTimes::end) queue_.draft().timestamps = std::move(timestamps_);
}

void GpuStream::discard_drafts() {
  if (current_ != VK_NULL_HANDLE) gpu_->EndCommandBuffer(current_);
  current_ = VK_NULL_HANDLE;
  for (const auto& batch : queue_.drafts()) {
    for (const VkCommandBuffer commands : batch->own) free_commands_.push_back(commands);
  }
  queue_.discard_drafts();
  for (const MemoryPointer& memory : cleared_) gpu_memory(memory).need_clearing();
  cleared_.clear();
  acquired_.clear();
  timestamps_.reset();
  recorder_.forget_barriers();
}

uint64_t GpuStream::submit(CommandList& list) {
  gpu_->require_alive();
  reap();
  const std::shared_ptr<Recording> recording_before = recording_;
  writes_for_host_ = false;
  try {
    queue_.add_draft();
    for (const Command& command : list.commands()) std::visit([&](const auto& each) { record(list, each); }, command);
    complete_list();
  } catch (...) {
    discard_drafts();
    // The upload of a new recording's texels has been discarded too.
    recording_ = recording_before;
    throw;
  }
  list.clear();
  cleared_.clear();
  acquired_.clear();
  return queue_.hand_over();
}

void GpuStream::complete_list() {
  const bool needs_end = meets_application() && !queue_.draft().commands.empty();
  if (writes_for_host_ || needs_end || !acquired_.empty()) open();
  for (const MemoryPointer& memory : acquired_) recorder_.release(gpu_memory(memory));
  if (writes_for_host_) recorder_.host_barrier();
  if (needs_end) recorder_.end_before_all();
  seal();
  if (!gpu_->only_records()) return;
  // send must not fail.
  size_t count = unrecorded_.size();
  for (const auto& batch : queue_.drafts()) count += batch->commands.size();
  unrecorded_.reserve(count);
}

StreamCounters GpuStream::counters() const {
  return {submissions_.load(std::memory_order_relaxed), recorder_.dispatch_count() + recorded_dispatches_,
          uploaded_bytes_};
}

}  // namespace clothc::vulkan
