// backend.h - the only interface a backend implements: memory, and a stream of work that runs in order.
//
// Core decides what runs and in which order and hands it over as data; a backend knows how to copy and how to run a
// kernel, not what a cloth is for. Nothing here fails later than at the call, but for the loss of the device.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "clothc.h"
#include "core/backend/memory.h"
#include "core/backend/stream.h"
#include "core/backend/timeline.h"
#include "core/base/float_environment.h"
#include "core/base/result.h"
#include "core/base/wait.h"
#include "kernels/layout.h"

namespace clothc {

using KernelSet = std::bitset<static_cast<size_t>(Kernel::count)>;

// What a device without the capability says.
constexpr char no_external_memory[] =
    "the device shares no memory with others; look for CLOTHC_CAPABILITY_EXTERNAL_MEMORY_FD, or copy through a HOST "
    "buffer";
constexpr char no_external_semaphores[] =
    "the device shares no semaphores with others; look for CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD, or wait for the "
    "fence on the host";

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const clothc_device_info& info() const = 0;
  // Workers that run at a time; core splits work by it.
  virtual uint32_t worker_count() const = 0;
  // Lanes in which a worker takes the items of a job.
  virtual uint32_t lanes_per_worker() const = 0;
  // Items of a job in a pass, at least: enough to outweigh taking it.
  virtual uint32_t smallest_tile() const { return items_per_tile; }
  // Particles of a cloth that stay in the cache from colour to colour; larger cloths are solved block by block.
  virtual uint32_t particles_in_cache() const { return UINT32_MAX; }
  // Upper bound on loop iterations that a worker may run in one job of a program; cloths that need more run in passes.
  virtual uint32_t loops_per_job() const { return UINT32_MAX; }
  // Kernels that programs may run; cloths that need others run in passes.
  virtual KernelSet program_kernels() const { return KernelSet().set(); }
  // Zeroed memory, aligned to 64 bytes; throws std::bad_alloc, or Failure where the device has no such memory.
  virtual MemoryPointer allocate(uint64_t size, MemoryVisibility visibility) = 0;
  // Memory of the caller.
  virtual MemoryPointer wrap(void* memory, uint64_t size) = 0;
  // Memory that was exported, whose file descriptor this takes over if it succeeds; throws Failure.
  virtual MemoryPointer import_memory(const ExternalMemory&) { fail(CLOTHC_ERROR_UNSUPPORTED, no_external_memory); }
  // A semaphore of the device that has the timeline's value and moves with it both ways; the timeline owns it. Throws
  // Failure.
  virtual std::shared_ptr<SharedTimeline> share(Timeline&, uint64_t) {
    fail(CLOTHC_ERROR_UNSUPPORTED, no_external_semaphores);
  }
  // The same of a semaphore that was exported, whose file descriptor this takes over if it succeeds.
  virtual std::shared_ptr<SharedTimeline> import_timeline(int, Timeline&) {
    fail(CLOTHC_ERROR_UNSUPPORTED, no_external_semaphores);
  }
  // Whether a child made by fork may destroy it and what was made from it, though their threads are not there; if not,
  // the child leaves them alone.
  virtual bool is_freed_after_fork() const { return false; }
  // Blocks of memory that the backend has asked the device or the host for so far.
  virtual uint64_t allocation_count() const = 0;
  virtual std::shared_ptr<Stream> create_stream() = 0;
};

// A kind of backend: what of it there is on this machine, and how to make one. Defined beside each backend.
struct BackendKind {
  clothc_backend backend;
  // Appends the devices found, available or not; at least one entry with the reason where there is none.
  void (*enumerate)(std::vector<clothc_device_info>& infos);
  // Throws Failure.
  std::unique_ptr<Backend> (*create)(const clothc_device_desc& desc);
};

// All kinds, best first for AUTO.
const std::vector<BackendKind>& backend_kinds();

}  // namespace clothc
