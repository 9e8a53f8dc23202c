// stream.h - copies, jobs and schedules as data, and the stream that runs them in the order of the calls.
#pragma once

#include <memory>
#include <vector>

#include "core/backend/memory.h"
#include "core/backend/timeline.h"
#include "kernels/layout.h"

namespace clothc {

// Copies count elements of element_size bytes each. The strides are the distances from one element to the next, in
// bytes.
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

// Largest number of items in a tile of a pass, small enough to divide a colour among several workers.
constexpr uint32_t items_per_tile = 1024;

// Jobs that may run in any order and at the same time, sorted by kernel. With a barrier, all earlier passes end before
// this one begins. Without a barrier, the pass is independent of all passes since the last barrier and may run at the
// same time.
struct Pass {
  uint32_t first_job = 0;
  uint32_t job_count = 0;
  bool barrier = true;
};

// All jobs of one cloth, run in order by one worker: the jobs [before, iteration) once, then [iteration, after) once
// per iteration of the cloth, then [after, end) once. These are indices in Schedule::jobs.
struct Program {
  uint32_t cloth = 0;

  uint32_t before = 0;
  uint32_t iteration = 0;
  uint32_t after = 0;
  uint32_t end = 0;

  // Upper bound on the loop iterations that a worker runs in any one of the jobs, for devices that abort long-running
  // code.
  uint32_t max_loops_per_job = 0;
};

// Everything that an update runs: first all programs, each by one worker, then the passes, where those of the repeated
// range run once per iteration. A job of the repeated range is skipped if all iterations of its cloth are done
// (ClothStep.running is 0), unless runs_always holds for the domain of its kernel. A schedule is immutable once it has
// been passed to a stream.
struct Schedule {
  std::vector<Job> jobs;
  std::vector<Program> programs;
  std::vector<Pass> passes;

  // The repeated range, as indices in passes.
  uint32_t repeat_begin = 0;
  uint32_t repeat_end = 0;

  // Estimated cost in loop iterations of a single lane: of everything that runs once, and of one iteration.
  uint64_t loops_once = 0;
  uint64_t loops_per_iteration = 0;
};

// One execution of a schedule.
struct Dispatch {
  Arenas arenas;
  FrameConstants frame{};
  std::shared_ptr<const Schedule> schedule;

  // Number of times that the repeated range runs.
  uint32_t repeat_count = 0;

  // Upper bound on the iterations of any program.
  uint32_t program_iterations = 0;
};

// Counts since a stream was created.
struct StreamCounters {
  // Number of submissions to a GPU's queue.
  uint64_t submissions = 0;

  // Number of kernels started on a GPU.
  uint64_t dispatches = 0;

  // Number of bytes that the stream uploaded without being asked to by write, namely schedules.
  uint64_t uploaded_bytes = 0;
};

// Runs operations asynchronously, in the order of the calls that queue them. Nothing queued runs before the next mark
// or keep, so that a caller that fails halfway can discard it. Only one thread at a time may call a stream, but wait,
// check and completed may be called by any thread at any time. Once the device is lost, calls that queue or wait throw
// Failure with DEVICE_LOST.
class Stream {
 public:
  // Closes the stream, and finishes the operations that were marked or kept.
  virtual ~Stream() = default;
  // Stops waiting for timelines, now and later, so that queued operations end soon. May be called by any thread.
  virtual void close() = 0;

  // Copies size bytes from data during the call, and queues an operation that writes them to memory.
  virtual void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) = 0;
  virtual void copy(const Copy& copy) = 0;
  // Fills size bytes with copies of the 16-byte pattern. size is a multiple of 16.
  virtual void fill(const MemoryPointer& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]) = 0;
  virtual void run(const Dispatch& dispatch) = 0;
  // Sorts count pairs of words by key. The sort is stable. The scratch arrays are as long as keys and values.
  virtual void sort_pairs(const MemoryPointer& keys, const MemoryPointer& values, const MemoryPointer& scratch_keys,
                          const MemoryPointer& scratch_values, uint64_t count) = 0;
  // Replaces each of count words by the sum of all words before it, modulo 2^32.
  virtual void exclusive_scan(const MemoryPointer& words, uint64_t count) = 0;
  // Makes everything queued later wait until the timeline reaches value.
  virtual void wait_for(const std::shared_ptr<Timeline>& timeline, uint64_t value) = 0;
  // Raises the timeline to value once everything queued before has ended.
  virtual void signal(const std::shared_ptr<Timeline>& timeline, uint64_t value) = 0;
  // Lets everything queued so far run, and returns the value of the stream's own timeline that will be reached when it
  // has ended. That is 1 more than the value of the mark before. Never fails.
  virtual uint64_t mark() = 0;
  // Lets everything queued so far run; discard no longer removes it. Never fails.
  virtual void keep() = 0;
  // Removes everything that has been queued since the last mark or keep.
  virtual void discard() = 0;

  // Returns the highest value of a mark that has been reached.
  virtual uint64_t completed() const = 0;
  // Throws Failure if the device is lost. Values that have not been reached by then never will be.
  virtual void check() const = 0;
  virtual StreamCounters counters() const = 0;
  // Waits until the value of a mark has been reached. Returns false if the time-out passes first.
  virtual bool wait(uint64_t value, uint64_t timeout_ns) = 0;
};

}  // namespace clothc
