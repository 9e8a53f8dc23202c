// host_transfers.cpp - implements host transfers with one block of staging memory of 1 MiB.
#include "backend_cuda/host_transfers.h"

#include <algorithm>
#include <cstring>

#include "backend_gpu/hang_detection.h"

namespace clothc::cuda {
namespace {

constexpr uint64_t staging_size = uint64_t{1} << 20;

Block::Description staging_description() {
  Block::Description description;
  description.size = staging_size;
  description.host = true;
  return description;
}

}  // namespace

HostTransfers::HostTransfers(const GpuPointer& gpu) : gpu_(gpu), queue_(gpu), staging_(gpu, staging_description()) {
  queue_.reserve_mark();
}

void HostTransfers::finish() {
  gpu_->check(queue_.mark(queue_.progress(), submitted_ + 1, false),
              "one of cuEventRecord, cuStreamWaitEvent and cuLaunchHostFunc");
  ++submitted_;
  gpu::wait_unless_hung(*gpu_, *queue_.progress(), submitted_, UINT64_MAX, [&] { return submitted_; });
}

void HostTransfers::read(CUdeviceptr source, void* data, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const WorkingContext current(*gpu_);
  for (uint64_t done = 0; done < size; done += staging_size) {
    const uint64_t part = std::min(staging_size, size - done);
    gpu_->check(gpu_->driver().MemcpyAsync(staging_.address(), source + done, part, queue_.stream()), "cuMemcpyAsync");
    finish();
    std::memcpy(static_cast<uint8_t*>(data) + done, staging_.mapped(), part);
  }
}

void HostTransfers::write(CUdeviceptr target, const void* data, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const WorkingContext current(*gpu_);
  for (uint64_t done = 0; done < size; done += staging_size) {
    const uint64_t part = std::min(staging_size, size - done);
    std::memcpy(staging_.mapped(), static_cast<const uint8_t*>(data) + done, part);
    gpu_->check(gpu_->driver().MemcpyAsync(target + done, staging_.address(), part, queue_.stream()), "cuMemcpyAsync");
    finish();
  }
}

void HostTransfers::clear(CUdeviceptr target, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const WorkingContext current(*gpu_);
  gpu_->check(gpu_->driver().MemsetD32Async(target, 0, size / 4, queue_.stream()), "cuMemsetD32Async");
  finish();
}

}  // namespace clothc::cuda
