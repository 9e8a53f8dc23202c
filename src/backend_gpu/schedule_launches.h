// schedule_launches.h - divides the programs and passes of a schedule into launches of kernels of a GPU.
//
// A Launcher launches them, in the order in which its functions are called; launches may run at the same time unless
// separate is called between them:
//   void separate();
//   void program(ProgramFeature, const ProgramLaunch&);
//   void kernel(Kernel, const JobLaunch&);
//   void table_operation(gpu::TableKernel, const TableLaunch&);
#pragma once

#include <algorithm>

#include "backend_gpu/schedule_words.h"
#include "backend_gpu/table_launches.h"

namespace clothc::gpu {

// Largest number of groups of threads in a dimension of a launch that every device supports.
constexpr uint32_t most_groups = 65535;
// For devices on which a launch may run for as long as it takes.
constexpr uint32_t any_number_of_loops = UINT32_MAX;
// Number of threads in a group of all kernels but programs.
constexpr uint32_t group_threads = 128;

// Runs programs, each by a group of threads. first: index of the words of the first one, counted from those of the
// schedule.
struct ProgramLaunch {
  uint32_t first;
  uint32_t count;
  // The jobs to run, numbered consecutively through all iterations.
  uint32_t first_step;
  uint32_t end_step;
};

// Runs jobs of one kernel, and of its rider: each by a row of groups of threads or, where jobs have one item, by a thread. first: index
// of the words of the first one, counted from those of the schedule.
struct JobLaunch {
  uint32_t first;
  uint32_t count;
  // Number of groups of threads: along a row, and of rows.
  uint32_t groups;
  uint32_t rows;
  // Whether jobs are skipped where the predicate of their group is 0.
  bool is_repeated;
};

// Launches the programs [first, end), which have the same feature. iterations is an upper bound on the iterations of
// any program, and max_loops on the loop iterations that one launch may run.
template <class Launcher>
void launch_programs_of_feature(const Schedule& schedule, uint32_t first, uint32_t end, uint32_t iterations,
                                uint32_t max_loops, Launcher& launcher) {
  // Number of jobs of the longest program, counted through all iterations.
  uint64_t steps = 0;
  uint32_t loops = 1;
  for (uint32_t k = first; k < end; ++k) {
    const Program& program = schedule.programs[k];
    const uint64_t repeated = uint64_t{program.after - program.iteration} * iterations;
    steps = std::max(steps, program.iteration - program.before + repeated + program.end - program.after);
    loops = std::max(loops, program.max_loops_per_job);
  }
  const uint32_t steps_at_a_time = max_loops == any_number_of_loops ? UINT32_MAX : std::max(max_loops / loops, 1u);
  for (uint64_t step = 0; step < steps; step += steps_at_a_time) {
    if (step > 0) launcher.separate();
    const auto first_step = static_cast<uint32_t>(step);
    for (uint32_t done = first; done < end; done += most_groups) {
      const uint32_t part = std::min(most_groups, end - done);
      launcher.program(schedule.programs[first].feature, {done, part, first_step, first_step + steps_at_a_time});
    }
  }
}

// Launches all programs of a schedule.
template <class Launcher>
void launch_programs(const Schedule& schedule, uint32_t iterations, uint32_t max_loops, Launcher& launcher) {
  const auto count = static_cast<uint32_t>(schedule.programs.size());
  for (uint32_t first = 0; first < count;) {
    uint32_t end = first + 1;
    while (end < count && schedule.programs[end].feature == schedule.programs[first].feature) ++end;
    launch_programs_of_feature(schedule, first, end, iterations, max_loops, launcher);
    first = end;
  }
}

// Calls visit(kernel, first, count) for the jobs of each kernel in a pass. Those of a rider go with its kernel.
template <class Visitor>
void for_each_kernel(const Schedule& schedule, const Pass& pass, Visitor visit) {
  const std::vector<Job>& jobs = schedule.jobs;
  const uint32_t last = pass.first_job + pass.job_count;
  for (uint32_t first = pass.first_job; first < last;) {
    auto kernel = static_cast<Kernel>(jobs[first].kernel);
    uint32_t next = first + 1;
    for (; next < last; ++next) {
      const auto following = static_cast<Kernel>(jobs[next].kernel);
      if (following != kernel && !rides(kernel, following)) break;
      kernel = following;
    }
    visit(kernel, first, next - first);
    first = next;
  }
}

// Launches count jobs of one kernel and of its rider, from the job first on.
template <class Launcher>
void launch_jobs(const Schedule& schedule, Kernel kernel, uint32_t first, uint32_t count, bool is_repeated,
                 Launcher& launcher) {
  const std::vector<Job>& jobs = schedule.jobs;
  const uint32_t words = words_of_job(schedule, 0, first);
  if (info_of(kernel).class_of_items == KernelClass::one_per_group) {
    launcher.kernel(kernel, {words, count, (count + group_threads - 1) / group_threads, 1, is_repeated});
    return;
  }
  uint32_t items = 0;
  for (uint32_t k = first; k < first + count; ++k) items = std::max(items, jobs[k].end - jobs[k].begin);
  for (uint32_t done = 0; done < count; done += most_groups) {
    const uint32_t part = std::min(most_groups, count - done);
    launcher.kernel(kernel, {words + done, part, (items + group_threads - 1) / group_threads, part, is_repeated});
  }
}

// Launches the passes [begin, end).
template <class Launcher>
void launch_passes(const Schedule& schedule, uint32_t begin, uint32_t end, Launcher& launcher) {
  for (uint32_t k = begin; k < end; ++k) {
    const Pass& pass = schedule.passes[k];
    const bool is_repeated = k >= schedule.repeat_begin && k < schedule.repeat_end;
    if (pass.barrier) launcher.separate();
    if (pass.operation != no_operation) {
      bool is_first = true;
      for_each_launch(schedule.operations[pass.operation], [&](TableKernel kernel, const TableLaunch& constants) {
        if (!is_first) launcher.separate();
        is_first = false;
        launcher.table_operation(kernel, constants);
      });
    }
    for_each_kernel(schedule, pass, [&](Kernel kernel, uint32_t first, uint32_t count) {
      launch_jobs(schedule, kernel, first, count, is_repeated, launcher);
    });
  }
}

// Calls program(feature), table_kernel(kernel) and kernel(kernel) for everything that a schedule launches, so that what
// may fail for each of them fails before the first launch.
template <class Visitor>
void for_each_entry(const Schedule& schedule, Visitor visit) {
  for (const Program& program : schedule.programs) visit(program.feature);
  for (const TableOperation& operation : schedule.operations)
    for_each_launch(operation, [&](TableKernel kernel, const TableLaunch&) { visit(kernel); });
  for (const Pass& pass : schedule.passes)
    for_each_kernel(schedule, pass, [&](Kernel kernel, uint32_t, uint32_t) { visit(kernel); });
}

}  // namespace clothc::gpu
