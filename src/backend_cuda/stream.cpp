// stream.cpp - turns lists of commands into batches of operations, and sends these to the device.
#include "backend_cuda/stream.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace clothc::cuda {
namespace {

// Returns the semaphore that shares a timeline, or null. The timelines of a stream's commands are those of its device.
std::shared_ptr<GpuTimeline> semaphore_of(const Timeline& timeline) {
  return std::static_pointer_cast<GpuTimeline>(timeline.shared());
}

}  // namespace

void Batch::clear() {
  operations.clear();
  memories.clear();
  recordings.clear();
  semaphores.clear();
  signals.clear();
  timestamps.reset();
  clear_order();
}

CudaStream::CudaStream(const DeviceContext& device_context)
    : gpu_(device_context.gpu),
      functions_(device_context.functions),
      memory_(device_context.memory),
      watcher_(device_context.watcher),
      captures_(device_context.captures),
      work_(gpu_, gpu_->adopted_stream()),
      progress_(gpu_, watcher_, work_.progress()),
      copies_(gpu_, functions_, work_) {
  gpu_->require_alive();
  constexpr size_t spare_count = 8;
  queue_.make_spares(spare_count);
}

CudaStream::~CudaStream() {
  close();
  queue_.finish();
  try {
    wait(progress_.submitted(), UINT64_MAX);
  } catch (const Failure&) {
    // The device counts as lost, but may still be working.
  }
  work_.drain();
  watcher_->finish(*work_.progress(), UINT64_MAX);
  watcher_->finish(*work_.steps(), UINT64_MAX);
  queue_.drop();
}

std::unique_ptr<Batch> CudaStream::make_batch() {
  auto fresh = std::make_unique<Batch>();
  fresh->operations.reserve(64);
  fresh->memories.reserve(16);
  fresh->recordings.reserve(2);
  fresh->semaphores.reserve(4);
  fresh->signals.reserve(4);
  work_.reserve_mark();
  return fresh;
}

void CudaStream::use(const MemoryPointer& memory) {
  std::vector<MemoryPointer>& used = queue_.draft().memories;
  if (std::find(used.begin(), used.end(), memory) == used.end()) used.push_back(memory);
}

Staging::Slice CudaStream::stage(uint64_t size) {
  return staging_.allocate(size, queue_.taken() + 1, completed(),
                           [this](uint64_t room) { return std::make_unique<StagingPiece>(gpu_, room, true); });
}

void CudaStream::record(const CommandList& list, const Write& write) {
  use(write.target);
  const Staging::Slice slice = stage(write.size);
  std::memcpy(slice.bytes(), list.data_of(write), write.size);
  OperationList& operations = queue_.draft().operations;
  copies_.before(write.target, write.offset, write.size, true, operations);
  add_copy(*functions_, operations, {address_of(write.target) + write.offset, write.size, write.size, 1},
           {address_of(slice), write.size, write.size, 1}, write.target->host_pointer() != nullptr);
}

void CudaStream::record(const CommandList&, const Copy& copy) {
  use(copy.source);
  use(copy.target);
  copies_.add(copy, queue_.draft().operations);
}

void CudaStream::record(const CommandList&, const Fill& fill) {
  if (fill.size == 0) return;
  use(fill.target);
  OperationList& operations = queue_.draft().operations;
  copies_.before(fill.target, fill.offset, fill.size, true, operations);
  add_fill(*functions_, operations, fill, [this](const void* pattern, uint64_t size) {
    const Staging::Slice slice = stage(size);
    std::memcpy(slice.bytes(), pattern, size);
    return address_of(slice);
  });
}

void CudaStream::record(const CommandList&, const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  if (schedule.programs.empty() && schedule.passes.empty()) return;
  for (const MemoryPointer& memory :
       {dispatch.arenas.particles, dispatch.arenas.topology, dispatch.arenas.records, dispatch.arenas.tables}) {
    use(memory);
    copies_.before(memory, 0, memory->size(), true, queue_.draft().operations);
  }
  if (timestamps_ != nullptr && dispatch.times != nullptr) {
    run_timed(dispatch);
  } else if (has_iterations(schedule)) {
    run_recorded(dispatch);
  } else {
    run_once(dispatch);
  }
}

// Kernels read the words from pinned memory of the host: they are few, and each is read once.
Plan CudaStream::plan_once(const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  prepare_functions(*functions_, schedule);
  const Staging::Slice slice = stage(gpu::schedule_bytes(schedule));
  gpu::write_schedule(schedule, 0, slice.bytes());
  return {schedule, dispatch.arenas, dispatch.frame, address_of(slice), gpu_->adapter().multiprocessor_count};
}

void CudaStream::run_once(const Dispatch& dispatch) {
  PassLauncher launcher(*functions_, plan_once(dispatch), queue_.draft().operations);
  launcher.passes(0, static_cast<uint32_t>(dispatch.schedule->passes.size()));
  launches_ += launcher.launch_count();
}

// Launches all repetitions one by one, with a timestamp behind each pass. The words are where those of other updates are,
// so that the times are the same.
void CudaStream::run_timed(const Dispatch& dispatch) {
  OperationList& operations = queue_.draft().operations;
  const bool has_recording = has_iterations(*dispatch.schedule);
  if (has_recording) use_recording(dispatch);
  const Plan plan = has_recording ? Plan{*dispatch.schedule, dispatch.arenas, dispatch.frame,
                                         address_of(recording_->words()), gpu_->adapter().multiprocessor_count}
                                  : plan_once(dispatch);
  PassLauncher launcher(*functions_, plan, operations);
  gpu::launch_timed(dispatch, gpu::any_number_of_loops, timestamps_->intervals(), launcher,
                    [&](uint32_t number) { operations.event(timestamps_->event(number)); });
  launches_ += launcher.launch_count();
}

void CudaStream::record_again(const Dispatch& dispatch) {
  const uint64_t size = gpu::schedule_bytes(*dispatch.schedule);
  prepare_functions(*functions_, *dispatch.schedule);
  auto fresh = std::make_shared<Recording>(gpu_, *functions_, *memory_, dispatch, recording_.get());
  const Staging::Slice slice = stage(size);
  gpu::write_schedule(*dispatch.schedule, 0, slice.bytes());
  queue_.draft().operations.copy(Lane::work, address_of(fresh->words()), address_of(slice), size);
  uploaded_bytes_ += size;
  recording_ = std::move(fresh);
}

void CudaStream::use_recording(const Dispatch& dispatch) {
  if (recording_ == nullptr || !recording_->serves(dispatch)) record_again(dispatch);
  queue_.draft().recordings.push_back(recording_);
  recording_->begin_waiting();
}

void CudaStream::run_recorded(const Dispatch& dispatch) {
  Batch& batch = queue_.draft();
  use_recording(dispatch);
  recording_->add_begin(batch.operations, dispatch.frame);
  launches_ += recording_->begin_launches();
  const Graph& iteration = recording_->iteration();
  const Graph& after = recording_->after();
  const uint32_t repetitions = iteration.executable() != nullptr ? dispatch.repeat_count : 0;
  for (uint32_t k = 0; k < repetitions; ++k) batch.operations.graph(iteration.executable());
  if (after.executable() != nullptr) batch.operations.graph(after.executable());
  launches_ += repetitions * iteration.launch_count() + after.launch_count();
}

void CudaStream::raise(const std::shared_ptr<Timeline>& timeline, uint64_t value,
                       const std::shared_ptr<GpuTimeline>& shared) {
  Batch& batch = queue_.draft();
  batch.signals.reserve(batch.signals.size() + 1);
  batch.semaphores.reserve(batch.semaphores.size() + 1);
  watcher_->prepare();
  batch.signals.push_back({timeline, value, shared != nullptr});
  if (shared != nullptr) batch.semaphores.push_back(shared);
}

// The device itself waits for a semaphore. For any other timeline, the host holds the rest of the list back.
void CudaStream::record(const CommandList&, const Wait& wait) {
  if (wait.timeline->value() >= wait.value) return;
  if (const std::shared_ptr<GpuTimeline> shared = semaphore_of(*wait.timeline)) {
    raise(wait.timeline, wait.value, shared);
    queue_.draft().operations.wait_for(shared->semaphore(), wait.value);
    // What raises the semaphore may have written what is uploaded.
    copies_.hold_uploads(queue_.draft().operations);
    return;
  }
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->adopted_stream() == nullptr,
                    "the fence has not reached %llu, and work that the program adds to its stream meanwhile would "
                    "overtake the update; wait for the fence first, or let the stream wait with cuStreamWaitEvent",
                    static_cast<unsigned long long>(wait.value));
  if (!queue_.draft().is_empty()) queue_.add_draft();
  queue_.draft().awaited = wait.timeline;
  queue_.draft().awaited_value = wait.value;
}

void CudaStream::record(const CommandList&, const Signal& signal) {
  const std::shared_ptr<GpuTimeline> shared = semaphore_of(*signal.timeline);
  raise(signal.timeline, signal.value, shared);
  if (shared != nullptr) queue_.draft().operations.signal(shared->semaphore(), signal.value);
}

void CudaStream::record(const CommandList& list, const Mark& mark) {
  if (mark.point == UpdateTimes::begin) timestamps_ = std::make_unique<Timestamps>(gpu_, list, mark.times);
  assert(timestamps_ != nullptr);
  queue_.draft().operations.event(timestamps_->event(timestamps_->intervals().add_point(mark.point)));
  if (mark.point == UpdateTimes::end) queue_.draft().timestamps = std::move(timestamps_);
}

void CudaStream::discard_drafts() {
  for (const auto& batch : queue_.drafts()) {
    for (const std::shared_ptr<Recording>& recording : batch->recordings) recording->end_waiting();
  }
  queue_.discard_drafts();
  timestamps_.reset();
  copies_.drop_list();
}

uint64_t CudaStream::submit(CommandList& list) {
  const WorkingContext current(*gpu_);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !work_.is_captured(),
                    "the device's stream %p is being captured, and this work must not become a part of the graph; end "
                    "the capture first, or capture updates in another stream and launch the graph in this one",
                    static_cast<void*>(work_.stream()));
  reap();
  const std::shared_ptr<Recording> recording_before = recording_;
  try {
    queue_.add_draft();
    staging_.release_idle(queue_.taken() + 1, completed());
    copies_.begin_list(queue_.taken() + 1, completed());
    for (const Command& command : list.commands()) std::visit([&](const auto& each) { record(list, each); }, command);
  } catch (...) {
    discard_drafts();
    // The upload of a new recording's words has been discarded, and its graphs may be those of the one before.
    if (recording_ != recording_before) recording_.reset();
    throw;
  }
  list.clear();
  for (const auto& batch : queue_.drafts()) batch->operations.announce_waits();
  return queue_.hand_over();
}

void CudaStream::capture(CommandList& list, void* native_stream) {
  const WorkingContext current(*gpu_);
  captures_->add(list, static_cast<CUstream>(native_stream));
  list.clear();
}

void CudaStream::send(Batch& batch) {
  for (const std::shared_ptr<Recording>& recording : batch.recordings) recording->end_waiting();
  const CurrentContext current(*gpu_);
  if (gpu_->is_lost()) {
    for (const PendingSignal& signal : batch.signals) signal.timeline->abandon();
    return;
  }
  ++submissions_;
  const std::shared_ptr<ProgressValue>& progress = batch.last ? work_.progress() : work_.steps();
  const uint64_t value = batch.last ? batch.value : ++step_count_;
  if (batch.last) progress_.sending(value, !batch.signals.empty());
  CUresult result = batch.operations.issue(gpu_->driver(), work_.lanes());
  // The watches begin before the work can end, so that no thread sees its end without its signals. If the device is
  // lost, the watcher abandons the timelines.
  for (PendingSignal& signal : batch.signals)
    watcher_->watch(progress, value, std::move(signal.timeline), signal.value, signal.is_raised_there);
  batch.signals.clear();
  if (result == CUDA_SUCCESS) result = work_.mark(progress, value, batch.operations.has_downloads());
  if (!gpu_->note(result)) gpu_->lose("its driver did not take work");
}

void CudaStream::reap() {
  queue_.reap(completed(), [](Batch& done) {
    if (done.timestamps != nullptr) done.timestamps->collect();
  });
}

StreamCounters CudaStream::counters() const {
  return {submissions_.load(std::memory_order_relaxed), launches_, uploaded_bytes_};
}

}  // namespace clothc::cuda
