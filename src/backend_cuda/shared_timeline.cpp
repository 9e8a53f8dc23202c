// shared_timeline.cpp - imports timeline semaphores, signals them from the host, and finds out what value they have.
#include "backend_cuda/shared_timeline.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "backend_gpu/file_descriptor.h"
#include "backend_gpu/hang_detection.h"

namespace clothc::cuda {

std::shared_ptr<GpuTimeline> GpuTimeline::import(const GpuPointer& gpu, const std::shared_ptr<GpuWatcher>& watcher,
                                                 Timeline& timeline, int descriptor) {
  gpu->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu->adapter().has_timeline_semaphores,
                    "\"%s\" imports no semaphores; look for CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_FD, or wait for the "
                    "fence on the host",
                    gpu->adapter().info.name);
  return gpu::import_descriptor(descriptor,
                                [&](int copy) { return std::make_shared<GpuTimeline>(gpu, watcher, timeline, copy); });
}

GpuTimeline::GpuTimeline(const GpuPointer& gpu, std::shared_ptr<GpuWatcher> watcher, Timeline& timeline, int descriptor)
    : gpu_(gpu),
      watcher_(std::move(watcher)),
      known_(std::make_shared<ProgressValue>(gpu)),
      listener_(std::make_shared<Listener>()),
      signals_(gpu) {
  known_->set_stream(signals_.stream());
  listener_->known = known_;
  listener_->watcher = watcher_.get();
  watcher_->follow(known_, timeline);
  try {
    import_descriptor(descriptor);
  } catch (...) {
    watcher_->forget(*known_);
    throw;
  }
}

void GpuTimeline::import_descriptor(int descriptor) {
  const CurrentContext current(*gpu_);
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC handle{};
  handle.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  handle.handle.fd = descriptor;
  const CUresult result = gpu_->driver().ImportExternalSemaphore(&semaphore_, &handle);
  if (result != CUDA_SUCCESS) semaphore_ = nullptr;
  CLOTHC_REQUIRE(
      result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_INVALID_HANDLE,
      "cuImportExternalSemaphore gave %s on \"%s\"; the handle is not a timeline semaphore that such a device "
      "exported",
      gpu_->driver().name_of(result), gpu_->adapter().info.name);
  gpu_->check(result, "cuImportExternalSemaphore");
}

// A wait for a value that nobody signals never ends, and the driver would wait for it. What takes part in it is then
// left to the end of the process, with the context.
GpuTimeline::~GpuTimeline() {
  watcher_->forget(*known_);
  {
    const std::lock_guard<std::mutex> lock(listener_->mutex);
    listener_->watcher = nullptr;
  }
  signals_.drain();
  const bool is_free = is_quiet() && gpu_->may_free();
  const CurrentContext current(*gpu_);
  for (Lane& lane : lanes_) {
    if (is_free) gpu_->driver().StreamDestroy(lane.stream);
    for (std::unique_ptr<Probe>& probe : lane.probes) {
      if (!is_free) static_cast<void>(probe.release());
    }
  }
  if (is_free) gpu_->driver().DestroyExternalSemaphore(semaphore_);
}

bool GpuTimeline::is_quiet() const {
  const auto begin = std::chrono::steady_clock::now();
  const auto most = std::chrono::nanoseconds(std::min<uint64_t>(gpu_->hang_timeout_ns(), INT64_MAX));
  for (const Lane& lane : lanes_) {
    for (const std::unique_ptr<Probe>& probe : lane.probes) {
      while (!probe->was_called.load(std::memory_order_acquire)) {
        // The host functions of a broken context are never called.
        if (std::chrono::steady_clock::now() - begin > most) gpu_->lose(gpu::hang_reason);
        if (gpu_->is_lost()) return gpu_->may_free();
        if (known_->value() < probe->value) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
  }
  return true;
}

void GpuTimeline::will_reach(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  submitted_ = std::max(submitted_, value);
}

void GpuTimeline::signal(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  known_->raise(value);
  if (value <= submitted_ || gpu_->is_lost()) return;
  const CurrentContext current(*gpu_);
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
  parameters.params.fence.value = value;
  submitted_ = value;
  if (!gpu_->note(gpu_->driver().SignalExternalSemaphoresAsync(&semaphore_, &parameters, 1, signals_.stream())))
    gpu_->lose("its driver does not signal a semaphore");
}

void GpuTimeline::expect(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (gpu_->is_lost() || value <= known_->value() || is_expected(value)) return;
  try {
    add_probe(value);
  } catch (const std::exception&) {
    gpu_->lose("it cannot wait for a semaphore");
  }
}

bool GpuTimeline::is_expected(uint64_t value) const {
  return std::any_of(lanes_.begin(), lanes_.end(), [&](const Lane& lane) {
    return std::any_of(lane.probes.begin(), lane.probes.end(), [&](const auto& probe) {
      return probe->value == value && !probe->was_called.load(std::memory_order_acquire);
    });
  });
}

GpuTimeline::Lane& GpuTimeline::lane_for(uint64_t value) {
  for (Lane& lane : lanes_) {
    if (lane.last <= value || lane.last <= known_->value()) return lane;
  }
  lanes_.reserve(lanes_.size() + 1);
  Lane fresh;
  gpu_->check(gpu_->driver().StreamCreate(&fresh.stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  lanes_.push_back(std::move(fresh));
  return lanes_.back();
}

void GpuTimeline::add_probe(uint64_t value) {
  const CurrentContext current(*gpu_);
  Lane& lane = lane_for(value);
  const auto called = std::find_if(lane.probes.begin(), lane.probes.end(),
                                   [](const auto& probe) { return probe->was_called.load(std::memory_order_acquire); });
  if (called == lane.probes.end()) lane.probes.push_back(std::make_unique<Probe>());
  Probe& probe = called == lane.probes.end() ? *lane.probes.back() : **called;
  probe.listener = listener_;
  probe.value = value;
  probe.was_called.store(false, std::memory_order_release);
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
  parameters.params.fence.value = value;
  const Driver& driver = gpu_->driver();
  CUresult result = driver.WaitExternalSemaphoresAsync(&semaphore_, &parameters, 1, lane.stream);
  if (result == CUDA_SUCCESS) result = driver.LaunchHostFunc(lane.stream, on_reached, &probe);
  // Without its host function, the wait has no effect.
  if (result != CUDA_SUCCESS) probe.was_called.store(true, std::memory_order_release);
  gpu_->check(result, "cuWaitExternalSemaphoresAsync");
  lane.last = value;
}

void GpuTimeline::on_reached(void* argument) {
  Probe& probe = *static_cast<Probe*>(argument);
  {
    const std::lock_guard<std::mutex> lock(probe.listener->mutex);
    if (probe.listener->watcher != nullptr) {
      probe.listener->known->raise(probe.value);
      probe.listener->watcher->look();
    }
  }
  probe.was_called.store(true, std::memory_order_release);
}

int GpuTimeline::export_file_descriptor() const {
  fail(CLOTHC_ERROR_UNSUPPORTED,
       "CUDA exports no semaphores; export one of Vulkan, and import it here with clothc_fence_import");
}

}  // namespace clothc::cuda
