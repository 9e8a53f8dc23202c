// work_queue.cpp - see work_queue.h.
#include "backend_cuda/work_queue.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "backend_gpu/hang_detection.h"

namespace clothc::cuda {

bool ProgressValue::wait(uint64_t value, uint64_t timeout_ns) const {
  const auto longest = std::chrono::hours(1);
  const auto timeout =
      std::min<std::chrono::nanoseconds>(std::chrono::nanoseconds(std::min<uint64_t>(timeout_ns, INT64_MAX)), longest);
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (raised_.wait_for(lock, timeout, [&] { return this->value() >= value; })) return true;
  }
  // The host function of a broken context is never called.
  const CurrentContext current(*gpu_);
  if (!current.is_current()) return this->value() >= value;
  const CUresult state = gpu_->driver().StreamQuery(stream_);
  if (state != CUDA_ERROR_NOT_READY) gpu_->note(state);
  return this->value() >= value;
}

void ProgressValue::raise(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (value <= this->value()) return;
  value_.store(value, std::memory_order_release);
  raised_.notify_all();
}

WorkQueue::WorkQueue(GpuPointer gpu, CUstream adopted)
    : gpu_(std::move(gpu)),
      adopted_(adopted),
      progress_(std::make_shared<ProgressValue>(gpu_)),
      steps_(std::make_shared<ProgressValue>(gpu_)) {
  const WorkingContext current(*gpu_);
  try {
    create();
  } catch (...) {
    destroy();
    throw;
  }
}

void WorkQueue::create() {
  const Driver& driver = gpu_->driver();
  const auto create_stream = [&](CUstream& stream) {
    gpu_->check(driver.StreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  };
  CUstream& work = lanes_.streams[static_cast<size_t>(Lane::work)];
  work = adopted_;
  if (adopted_ == nullptr) create_stream(work);
  create_stream(notifications_);
  gpu_->check(driver.EventCreate(&lanes_.event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  progress_->set_stream(notifications_);
  steps_->set_stream(notifications_);
}

void WorkQueue::destroy() {
  const Driver& driver = gpu_->driver();
  if (lanes_.event != nullptr) driver.EventDestroy(lanes_.event);
  if (notifications_ != nullptr) driver.StreamDestroy(notifications_);
  for (const CUstream stream : lanes_.streams) {
    if (stream != nullptr && stream != adopted_) driver.StreamDestroy(stream);
  }
}

bool WorkQueue::is_captured() const {
  if (adopted_ == nullptr) return false;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUresult result = gpu_->driver().StreamIsCapturing(adopted_, &status);
  // The legacy default stream may take no work while any stream that waits for it is captured, and a stream whose capture
  // has failed may give that as an error.
  return Gpu::is_refused_by_capture(result) || (gpu_->note(result) && status != CU_STREAM_CAPTURE_STATUS_NONE);
}

void WorkQueue::prepare_copy_lanes() {
  for (const Lane lane : {Lane::uploads, Lane::downloads}) {
    CUstream& stream = lanes_.streams[static_cast<size_t>(lane)];
    if (stream == nullptr) gpu_->check(gpu_->driver().StreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  }
}

WorkQueue::~WorkQueue() {
  drain();
  if (gpu_->may_free()) {
    const CurrentContext current(*gpu_);
    destroy();
  } else if (gpu_->is_hung()) {
    // The device may still call the host function.
    for (std::unique_ptr<Mark>& mark : marks_) static_cast<void>(mark.release());
  }
}

void WorkQueue::drain() {
  const auto begin = std::chrono::steady_clock::now();
  const auto most = std::chrono::nanoseconds(std::min<uint64_t>(gpu_->hang_timeout_ns(), INT64_MAX));
  mark_lost_work();
  while (gpu_->may_free() && is_working()) {
    if (std::chrono::steady_clock::now() - begin > most) gpu_->lose(gpu::hang_reason);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

// An adopted stream has work of the application too, which need not end. The event is behind all work of the solver, but
// where the device was lost before that could be marked.
void WorkQueue::mark_lost_work() {
  if (adopted_ == nullptr || !gpu_->is_lost()) return;
  const CurrentContext current(*gpu_);
  if (current.is_current() && !is_captured()) gpu_->driver().EventRecord(lanes_.event, adopted_);
}

bool WorkQueue::is_working() const {
  const CurrentContext current(*gpu_);
  // The work of a broken context has ended too. Any other error says nothing about the work.
  const auto runs = [](CUresult state) { return state != CUDA_SUCCESS && !Gpu::breaks_context(state); };
  if (!current.is_current()) return runs(current.result());
  const Driver& driver = gpu_->driver();
  const auto stream_runs = [&](CUstream stream) { return stream != nullptr && runs(driver.StreamQuery(stream)); };
  if (stream_runs(notifications_)) return true;
  if (adopted_ != nullptr) return runs(driver.EventQuery(lanes_.event));
  return std::any_of(lanes_.streams.begin(), lanes_.streams.end(), stream_runs);
}

void WorkQueue::reserve_mark() {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto fresh = std::make_unique<Mark>();
  fresh->progress = progress_;
  marks_.push_back(std::move(fresh));
}

CUresult WorkQueue::mark(const std::shared_ptr<ProgressValue>& progress, uint64_t value, bool has_downloads) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto free = std::find_if(marks_.begin(), marks_.end(),
                                 [](const auto& mark) { return mark->value <= mark->progress->value(); });
  if (free == marks_.end()) return CUDA_ERROR_OUT_OF_MEMORY;
  const auto raise = [](void* argument) {
    // The mark may be used again as soon as its value has been reached.
    const Mark of_call = *static_cast<Mark*>(argument);
    of_call.progress->raise(of_call.value);
  };
  Mark& mark = **free;
  const Mark before = mark;
  mark = {progress, value};
  const Driver& driver = gpu_->driver();
  CUresult result = lanes_.wait(driver, notifications_, Lane::work);
  if (result == CUDA_SUCCESS && has_downloads) result = lanes_.wait(driver, notifications_, Lane::downloads);
  if (result == CUDA_SUCCESS) result = driver.LaunchHostFunc(notifications_, raise, &mark);
  if (result != CUDA_SUCCESS) mark = before;
  return result;
}

}  // namespace clothc::cuda
