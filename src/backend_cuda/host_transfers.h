// host_transfers.h - copies at once between the host and memory that the host cannot access. This serves rare
// operations, such as creating memory or reading a snapshot. Streams have their own copies, which happen in the order
// of the stream.
#pragma once

#include "backend_cuda/memory.h"
#include "backend_cuda/work_queue.h"

namespace clothc::cuda {

class HostTransfers {
 public:
  // Allocates everything that transfers need, so that they do not run out of memory later. Throws Failure.
  explicit HostTransfers(const GpuPointer& gpu);

  // Each of these functions waits for the device, and throws Failure if the device is lost.
  void read(CUdeviceptr source, void* data, uint64_t size);
  void write(CUdeviceptr target, const void* data, uint64_t size);
  // Sets the bytes to 0. size is a multiple of 4.
  void clear(CUdeviceptr target, uint64_t size);

 private:
  // The lock must be held and the context current. Waits for the work that was queued.
  void finish();

  GpuPointer gpu_;
  std::mutex mutex_;
  WorkQueue queue_;
  Block staging_;
  // The value of the queue that the last transfer reaches.
  uint64_t submitted_ = 0;
};

}  // namespace clothc::cuda
