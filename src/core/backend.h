// backend.h - the only interface a backend implements: memory, and a stream of work that runs in order.
//
// Core decides what runs and in which order and hands it over as data; a backend knows how to copy and how to run a
// kernel, not what a cloth is for. Nothing here fails later than at the call, but for the loss of the device.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "clothc.h"
#include "core/float_environment.h"
#include "core/result.h"
#include "core/wait.h"
#include "kernels/layout.h"

namespace clothc {

// A timeline as other devices, APIs and processes see it: a semaphore of a device.
class SharedTimeline {
 public:
  virtual ~SharedTimeline() = default;
  virtual uint64_t value() const = 0;
  // Raises it from the host, unless it has come that far; never fails.
  virtual void signal(uint64_t value) = 0;
  // A new file descriptor, which the caller closes; throws Failure.
  virtual int export_file_descriptor() const = 0;
};

// A value that only grows, which work waits for and raises: what a stream sees of a fence.
class Timeline {
 public:
  virtual ~Timeline() = default;
  // Raises the value and resumes who waits for it.
  virtual void signal(uint64_t value) = 0;
  // One who waits; a link of a list, so that waiting allocates nothing.
  struct Waiter {
    void (*resume)(void*) = nullptr;
    void* argument = nullptr;
    uint64_t value = 0;
    Waiter* next = nullptr;
  };
  // Calls waiter.resume(waiter.argument) once, when waiter.value has been reached. Returns false, without keeping the
  // waiter, if it has been.
  virtual bool call_when(Waiter& waiter) = 0;
  // Forgets a waiter that call_when kept; true if it was still kept.
  virtual bool forget(Waiter& waiter) = 0;
  // The value will not be raised any more: the device that was to do it is lost. Never fails.
  virtual void abandon() = 0;
  // What others see of it; null if nobody does.
  virtual std::shared_ptr<SharedTimeline> shared() const { return nullptr; }
};

// Memory that devices and processes share: bytes [offset, offset + size) of an allocation.
struct ExternalMemory {
  int file_descriptor = -1;
  uint64_t allocation_size = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Bytes that a stream's work reads and writes; kept alive by the work that uses them.
class Memory {
 public:
  virtual ~Memory() = default;
  uint64_t size() const { return size_; }
  // Where the host sees the bytes; null if it does not.
  virtual void* host_pointer() const = 0;
  // Copies bytes to or from the host, now, while no work uses them; throws Failure.
  virtual void read(uint64_t offset, void* data, uint64_t size) const {
    if (size > 0) std::memcpy(data, static_cast<const char*>(host_pointer()) + offset, size);
  }
  virtual void write(uint64_t offset, const void* data, uint64_t size) {
    if (size > 0) std::memcpy(static_cast<char*>(host_pointer()) + offset, data, size);
  }
  // Exports memory allocated for other_devices; throws Failure.
  virtual ExternalMemory export_memory() const {
    fail(CLOTHC_ERROR_UNSUPPORTED, "this memory cannot be seen by other devices");
  }

 protected:
  explicit Memory(uint64_t size) : size_(size) {}

 private:
  uint64_t size_;
};

using MemoryPointer = std::shared_ptr<Memory>;

// Where a stream sorts words: keys, words, and scratch arrays for both.
using SortedWords = std::array<MemoryPointer, 4>;

using KernelSet = std::bitset<static_cast<size_t>(Kernel::count)>;

// Who reaches memory beside the device.
enum class MemoryVisibility : uint8_t { device_only, host, other_devices };

// The four arrays that kernels address by offsets (few, since GPUs promise few bindings).
struct Arenas {
  MemoryPointer particles;  // float4 blocks of per-particle data
  MemoryPointer fabric;     // words of constraints and tethers, read only
  MemoryPointer cloths;     // ClothRecord per slot
  MemoryPointer tables;     // words of phase configs, collider shapes and scratch
};

// A copy of count elements of element_size bytes from stride to stride.
struct Copy {
  MemoryPointer source;
  MemoryPointer target;
  uint64_t source_offset = 0;
  uint64_t target_offset = 0;
  uint64_t source_stride = 0;
  uint64_t target_stride = 0;
  uint64_t element_size = 0;
  uint64_t count = 1;
};

// Items of a job in a pass, at most: few enough to share a colour among workers.
constexpr uint32_t items_per_tile = 1024;

// Jobs that may run in any order and at the same time, sorted by kernel. All passes before end first where there is a
// barrier; otherwise the pass has nothing to do with those since the last barrier and may run beside them.
struct Pass {
  uint32_t first_job = 0;
  uint32_t job_count = 0;
  bool barrier = true;
};

// The jobs of one cloth, for one worker: once before, then once per iteration of the cloth, then once after.
struct Program {
  uint32_t cloth = 0;
  uint32_t before = 0;     // first job
  uint32_t iteration = 0;  // first job
  uint32_t after = 0;      // first job
  uint32_t end = 0;
  // Upper bound on loop iterations that a worker runs in one of the jobs, for devices that stop what runs too long.
  uint32_t max_loops_per_job = 0;
};

// What an update runs. First all programs, each by one worker; then the passes, those of the repeated range once per
// iteration. Jobs of the repeated range are skipped in cloths whose own iterations are done (ClothStep.running), but
// for kernels of the cloth domain. Immutable once handed to a stream.
struct Schedule {
  std::vector<Job> jobs;
  std::vector<Program> programs;
  std::vector<Pass> passes;
  uint32_t repeat_begin = 0;  // passes
  uint32_t repeat_end = 0;    // passes
  // How much there is to do, in loop iterations of one lane each: outside iterations, and in one of them.
  uint64_t loops_once = 0;
  uint64_t loops_per_iteration = 0;
};

// A run of a schedule.
struct Dispatch {
  Arenas arenas;
  FrameConstants frame{};
  std::shared_ptr<const Schedule> schedule;
  uint32_t repeat_count = 0;
  uint32_t program_iterations = 0;  // of any program, at most
};

// What a stream has done to get its work done, since it was created.
struct StreamCounters {
  uint64_t submissions = 0;     // hand-overs of work to a GPU's queue
  uint64_t dispatches = 0;      // kernels started on a GPU
  uint64_t uploaded_bytes = 0;  // sent on its own account: schedules
};

// Work that runs in the order of the calls, while the calls return at once. Nothing queued runs before the next mark or
// keep, so that a caller who fails halfway may discard it. Every call may be made by one thread at a time; wait, check
// and completed by any. Once the device is lost, calls that queue or wait throw Failure with DEVICE_LOST.
class Stream {
 public:
  virtual ~Stream() = default;  // closes the stream and finishes the work marked or kept
  // Gives up waiting for timelines, now and later, so that the work queued ends soon. From any thread.
  virtual void close() = 0;

  // Copies size bytes, now, and writes them to memory in order.
  virtual void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) = 0;
  virtual void copy(const Copy& copy) = 0;
  // Fills with 16-byte patterns; size is a multiple of 16.
  virtual void fill(const MemoryPointer& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]) = 0;
  virtual void run(const Dispatch& dispatch) = 0;
  // Sorts count pairs by key, equal keys in their order. The scratch arrays are as long as the others.
  virtual void sort_pairs(const MemoryPointer& keys, const MemoryPointer& values, const MemoryPointer& scratch_keys,
                          const MemoryPointer& scratch_values, uint64_t count) = 0;
  // Replaces each of count words by the sum of those before it, modulo 2^32.
  virtual void exclusive_scan(const MemoryPointer& words, uint64_t count) = 0;
  virtual void wait_for(const std::shared_ptr<Timeline>& timeline, uint64_t value) = 0;
  virtual void signal(const std::shared_ptr<Timeline>& timeline, uint64_t value) = 0;
  // Makes the timeline reach the next value when everything queued so far has ended; returns that value. Never fails.
  virtual uint64_t mark() = 0;
  // What has been queued so far may run and is not discarded any more. Never fails.
  virtual void keep() = 0;
  // Takes back what has been queued since the last mark or keep.
  virtual void discard() = 0;

  virtual uint64_t completed() const = 0;
  // Throws Failure if the device is lost, so that values not completed never will be.
  virtual void check() const = 0;
  virtual StreamCounters counters() const = 0;
  // False if the time-out passed first.
  virtual bool wait(uint64_t value, uint64_t timeout_ns) = 0;
};

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
