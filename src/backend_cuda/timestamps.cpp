// timestamps.cpp - see timestamps.h.
#include "backend_cuda/timestamps.h"

namespace clothc::cuda {

Timestamps::Timestamps(GpuPointer gpu, const CommandList& list, std::shared_ptr<UpdateTimes> times)
    : gpu_(std::move(gpu)), intervals_(list, std::move(times)), nanoseconds_(intervals_.capacity()) {
  events_.reserve(intervals_.capacity());
  try {
    while (events_.size() < intervals_.capacity()) {
      CUevent event = nullptr;
      gpu_->check(gpu_->driver().EventCreate(&event, CU_EVENT_DEFAULT), "cuEventCreate");
      events_.push_back(event);
    }
  } catch (...) {
    release();
    throw;
  }
}

Timestamps::~Timestamps() {
  if (!gpu_->may_free()) return;
  const CurrentContext current(*gpu_);
  release();
}

void Timestamps::release() {
  for (const CUevent event : events_) gpu_->driver().EventDestroy(event);
}

void Timestamps::collect() {
  constexpr double millisecond = 1e6;
  for (uint32_t k = 0; k < intervals_.count(); ++k) {
    float milliseconds = 0;
    // Without results, for example after the loss of the device, the times never become complete.
    if (!gpu_->note(gpu_->driver().EventElapsedTime(&milliseconds, events_[0], events_[k]))) return;
    nanoseconds_[k] = static_cast<uint64_t>(static_cast<double>(milliseconds) * millisecond);
  }
  intervals_.collect(nanoseconds_);
}

}  // namespace clothc::cuda
