// recording.cpp - adds the programs and passes of schedules to lists of operations, and makes graphs of them.
#include "backend_cuda/recording.h"

#include <algorithm>

namespace clothc::cuda {

#define CLOTHC_ADDRESS(type) CUdeviceptr
#include "backend_cuda/launch.h"
#undef CLOTHC_ADDRESS

namespace {

// Size of what a program has in shared memory for each particle, in bytes: two positions.
constexpr uint32_t shared_bytes_per_particle = 32;

uint32_t shared_size_of(uint32_t particle_count) {
  return (particle_count + program_padding) * shared_bytes_per_particle;
}

// Number of threads in the block of a program. Few programs get more threads, so that each ends sooner, but not more than
// the constraints in a colour, which are about half as many as particles, can use. The most are the launch bounds of
// program.cu. program_count: of the programs that may run at the same time.
uint32_t program_threads(uint32_t particle_count, size_t program_count, uint32_t multiprocessor_count) {
  constexpr uint32_t most_threads = 512;
  uint32_t threads = particle_count <= 256 ? 64 : particle_count <= 1024 ? 128 : 256;
  // Four blocks of 128 threads on each multiprocessor are about as many as have room there.
  while (threads < most_threads && threads * 2 <= particle_count &&
         program_count * threads * 2 <= uint64_t{multiprocessor_count} * most_threads) {
    threads *= 2;
  }
  return threads;
}

LaunchArenas arenas_of(const Arenas& arenas) {
  return {address_of(arenas.particles), address_of(arenas.topology), address_of(arenas.tables),
          address_of(arenas.records)};
}

KernelLaunch launch_of(const Plan& plan, uint32_t first, uint32_t count, bool is_repeated) {
  return {arenas_of(plan.arenas), plan.words, plan.frame, first, count, is_repeated ? 1u : 0u, 0};
}

}  // namespace

uint32_t largest_program_particles(const Adapter& adapter) {
  const uint32_t elements = adapter.shared_memory_per_block / shared_bytes_per_particle;
  return elements < program_padding ? 0 : elements - program_padding;
}

// All blocks of a launch have as much shared memory as its largest program, which comes first. A launch ends where that
// would be more than twice of what a program needs, so that more of them run at the same time.
void PassLauncher::program(ProgramFeature feature, const gpu::ProgramLaunch& launch) {
  const std::vector<Program>& programs = plan_.schedule.programs;
  const uint32_t end = launch.first + launch.count;
  for (uint32_t first = launch.first; first < end;) {
    const uint32_t particle_count = programs[first].particle_count;
    uint32_t next = first + 1;
    while (next < end && programs[next].particle_count * 2 >= particle_count) ++next;
    operations_.launch(functions_.of(gpu::entry_of(feature)), next - first, 1,
                       program_threads(particle_count, programs.size(), plan_.multiprocessor_count),
                       shared_size_of(particle_count), launch_of(plan_, first, next - first, false));
    ++launches_;
    first = next;
  }
}

void PassLauncher::kernel(Kernel kernel, const gpu::JobLaunch& launch) {
  operations_.launch(functions_.of(gpu::entry_of(kernel)), launch.groups, launch.rows, gpu::group_threads, 0,
                     launch_of(plan_, launch.first, launch.count, launch.is_repeated));
  ++launches_;
}

void PassLauncher::table_operation(gpu::TableKernel kernel, const TableLaunch& constants) {
  operations_.launch(functions_.of(gpu::entry_of(kernel)), constants.blocks, 1, table_group_threads, 0,
                     TableOperationLaunch{address_of(plan_.arenas.tables), constants});
  ++launches_;
}

void PassLauncher::programs(uint32_t iterations) {
  gpu::launch_programs(plan_.schedule, iterations, gpu::any_number_of_loops, *this);
}

void add_copy(Functions& functions, OperationList& operations, const Elements& target, const Elements& source,
              bool is_in_host) {
  const auto has_words = [](const Elements& all) { return (all.address | all.stride | all.size) % 4 == 0; };
  const bool is_for_kernel = is_in_host && has_words(target) && has_words(source);
  if (target.is_dense() && source.is_dense() && !is_for_kernel)
    return operations.copy(Lane::work, target.address, source.address, source.size * source.count);
  constexpr uint64_t most_blocks = 65535;
  const uint64_t words = source.size / 4 * source.count;
  const CopyLaunch launch = {source.address,
                             target.address,
                             source.stride / 4,
                             target.stride / 4,
                             words,
                             static_cast<uint32_t>(source.size / 4),
                             0};
  const uint64_t blocks = std::min((words + gpu::group_threads - 1) / gpu::group_threads, most_blocks);
  operations.launch(functions.of(gpu::EntryPoint::copy), static_cast<uint32_t>(blocks), 1, gpu::group_threads, 0,
                    launch);
}

void prepare_functions(Functions& functions, const Schedule& schedule) {
  gpu::for_each_entry(schedule, [&](auto entry) { functions.of(gpu::entry_of(entry)); });
}

Recording::Recording(const GpuPointer& gpu, Functions& functions, MemoryPool& memory, const Dispatch& dispatch,
                     const Recording* before)
    : gpu_(gpu),
      dispatch_(dispatch),
      words_(memory.allocate_raw(gpu::schedule_bytes(*dispatch.schedule), MemoryVisibility::device_only)) {
  const Schedule& schedule = *dispatch_.schedule;
  const Plan all = {schedule, dispatch_.arenas, dispatch_.frame, address_of(words_),
                    gpu->adapter().multiprocessor_count};
  PassLauncher begin(functions, all, begin_);
  begin.programs(dispatch_.program_iterations);
  begin.passes(0, schedule.repeat_begin);
  OperationList iteration, after;
  PassLauncher(functions, all, iteration).passes(schedule.repeat_begin, schedule.repeat_end);
  PassLauncher(functions, all, after).passes(schedule.repeat_end, static_cast<uint32_t>(schedule.passes.size()));
  const bool is_reused =
      before != nullptr && *before->waiting_ == 0 && before->iteration_->fits(iteration) && before->after_->fits(after);
  waiting_ = is_reused ? before->waiting_ : std::make_shared<std::atomic<uint32_t>>(0);
  iteration_ = graph_of(iteration, is_reused ? before->iteration_ : nullptr);
  after_ = graph_of(after, is_reused ? before->after_ : nullptr);
}

void Recording::add_begin(OperationList& operations, const FrameConstants& frame) const {
  const size_t first = operations.operations().size();
  operations.append(begin_);
  for (size_t k = first; k < operations.operations().size(); ++k) {
    const Operation& launch = operations.operations()[k];
    // Operations on tables have no frame.
    if (launch.parameter_words * sizeof(uint64_t) != sizeof(KernelLaunch)) continue;
    static_cast<KernelLaunch*>(operations.parameter_of(launch))->frame = frame;
  }
}

std::shared_ptr<Graph> Recording::graph_of(OperationList& launches, const std::shared_ptr<Graph>& before) {
  if (before == nullptr) return std::make_shared<Graph>(gpu_, launches);
  before->update(launches);
  return before;
}

}  // namespace clothc::cuda
