// stream.h - work as data, and the stream that runs it in the order of the calls.
#pragma once

#include <memory>
#include <vector>

#include "core/backend/memory.h"
#include "core/backend/timeline.h"
#include "kernels/layout.h"

namespace clothc {

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

}  // namespace clothc
