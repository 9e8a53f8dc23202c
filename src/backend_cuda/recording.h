// recording.h - turns schedules into launches: their words go to the device, and the repeated range and what follows it
// become graphs, which are launched once per iteration and once per update.
#pragma once

#include "backend_cuda/graph.h"
#include "backend_cuda/memory_pool.h"
#include "backend_cuda/modules.h"
#include "backend_gpu/schedule_launches.h"

namespace clothc::cuda {

// The largest number of particles of a group, with padding, whose positions fit into the shared memory of a block.
uint32_t largest_program_particles(const Adapter& adapter);

// The data that all launches of a dispatch have in common.
struct Plan {
  const Schedule& schedule;
  const Arenas& arenas;
  FrameConstants frame;
  // Address of the schedule's words.
  CUdeviceptr words;
  uint32_t multiprocessor_count;
};

// Adds the launches of a schedule to a list: a Launcher of schedule_launches.h. The context must be current.
class PassLauncher {
 public:
  PassLauncher(Functions& functions, const Plan& plan, OperationList& operations)
      : functions_(functions), plan_(plan), operations_(operations) {}
  // iterations is an upper bound on the number of iterations of any program.
  void programs(uint32_t iterations);
  // Adds the passes [begin, end).
  void passes(uint32_t begin, uint32_t end) { gpu::launch_passes(plan_.schedule, begin, end, *this); }
  // Returns the number of launches so far.
  uint64_t launch_count() const { return launches_; }

  void separate() { operations_.separate(); }
  void program(ProgramFeature feature, const gpu::ProgramLaunch& launch);
  void kernel(Kernel kernel, const gpu::JobLaunch& launch);
  void table_operation(gpu::TableKernel kernel, const TableLaunch& constants);

 private:
  Functions& functions_;
  const Plan plan_;
  OperationList& operations_;
  uint64_t launches_ = 0;
};

// Count elements of size bytes, whose beginnings are stride bytes apart. A stride of 0 means the same element again and
// again.
struct Elements {
  CUdeviceptr address;
  uint64_t stride;
  uint64_t size;
  uint64_t count;
  bool is_dense() const { return stride == size; }
};

inline Elements source_of(const Copy& copy) {
  const uint64_t stride = copy.count == 1 ? copy.element_size : copy.source_stride;
  return {address_of(copy.source) + copy.source_offset, stride, copy.element_size, copy.count};
}
inline Elements target_of(const Copy& copy) {
  const uint64_t stride = copy.count == 1 ? copy.element_size : copy.target_stride;
  return {address_of(copy.target) + copy.target_offset, stride, copy.element_size, copy.count};
}

// Adds a copy of elements to Lane::work. If their strides differ, all of these are multiples of 4. is_in_host: whether
// both sides are memory of the host. A call of the driver for these would return when the copy has ended, so a kernel
// copies where it can.
void add_copy(Functions& functions, OperationList& operations, const Elements& target, const Elements& source,
              bool is_in_host = false);

// Adds a fill, which may be empty. stage(pattern, size) returns the address of a copy of the pattern that the device can
// read; it is called where the words of the pattern differ.
template <class Stage>
void add_fill(Functions& functions, OperationList& operations, const Fill& fill, Stage stage) {
  if (fill.size == 0) return;
  const CUdeviceptr target = address_of(fill.target) + fill.offset;
  const std::array<uint32_t, 4>& pattern = fill.pattern;
  if (pattern[0] == pattern[1] && pattern[1] == pattern[2] && pattern[2] == pattern[3])
    return operations.fill(target, fill.size, pattern[0]);
  constexpr uint64_t size = sizeof(pattern);
  const uint64_t count = fill.size / size;
  add_copy(functions, operations, {target, size, size, count}, {stage(pattern.data(), size), 0, size, count});
}

// Whether a schedule has iterations, so that it is worth a recording, or words in device memory.
inline bool has_iterations(const Schedule& schedule) {
  return !schedule.programs.empty() || schedule.repeat_begin < schedule.repeat_end;
}

// Loads the functions that a schedule needs, so that adding its launches does not fail halfway.
void prepare_functions(Functions& functions, const Schedule& schedule);

// The launches and graphs of a schedule with iterations, which can be used any number of times.
class Recording {
 public:
  // Takes over the graphs of the recording before, if there is one whose graphs fit and are not waiting to be launched.
  // The context must be current. Throws Failure.
  Recording(const GpuPointer& gpu, Functions& functions, MemoryPool& memory, const Dispatch& dispatch,
            const Recording* before);

  // Returns whether this is a recording of the dispatch's schedule and arenas. The time steps may differ.
  bool serves(const Dispatch& dispatch) const { return gpu::are_recorded_alike(dispatch, dispatch_); }
  const MemoryPointer& words() const { return words_; }
  // Adds what runs before the iterations: all programs, and the passes that are not repeated. Takes the same time for
  // many groups as for few.
  void add_begin(OperationList& operations, const FrameConstants& frame) const;
  // Number of launches that add_begin adds.
  size_t begin_launches() const { return begin_.operations().size(); }
  const Graph& iteration() const { return *iteration_; }
  const Graph& after() const { return *after_; }

  // Counts the batches that have this recording and have not been sent yet.
  void begin_waiting() { ++*waiting_; }
  void end_waiting() { --*waiting_; }

 private:
  std::shared_ptr<Graph> graph_of(OperationList& launches, const std::shared_ptr<Graph>& before);

  GpuPointer gpu_;
  Dispatch dispatch_;
  MemoryPointer words_;
  OperationList begin_;
  std::shared_ptr<Graph> iteration_;
  std::shared_ptr<Graph> after_;
  // Shared with the recordings that had the graphs before.
  std::shared_ptr<std::atomic<uint32_t>> waiting_;
};

}  // namespace clothc::cuda
