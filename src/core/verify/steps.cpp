// steps.cpp - see steps.h.
#include "core/verify/steps.h"

#include <algorithm>
#include <utility>

#include "core/base/result.h"

namespace clothc {
namespace {

// Estimated loop iterations of a step, which decide who runs it on a processor.
constexpr uint64_t loops_per_item = 16;

// Returns a dispatch with a single pass, which is repeated once if it was repeated before: then jobs are skipped where
// the predicate of their group is 0.
Dispatch alone(const Dispatch& dispatch, Schedule schedule, bool is_repeated) {
  schedule.repeat_begin = is_repeated ? 0 : 1;
  schedule.repeat_end = 1;
  if (is_repeated) std::swap(schedule.loops_per_iteration, schedule.loops_once);
  Dispatch only = dispatch;
  only.schedule = std::make_shared<const Schedule>(std::move(schedule));
  only.repeat_count = is_repeated ? 1 : 0;
  only.program_iterations = 0;
  only.times = nullptr;
  return only;
}

Step step_of_jobs(const Dispatch& dispatch, const Job* first, const Job* end, bool is_repeated) {
  Schedule schedule;
  schedule.jobs.assign(first, end);
  Pass pass;
  pass.job_count = static_cast<uint32_t>(schedule.jobs.size());
  schedule.passes.push_back(pass);
  for (const Job& job : schedule.jobs) schedule.loops_once += loops_per_item * (job.end - job.begin);
  Step step;
  step.kernel = static_cast<Kernel>(first->kernel);
  // Other schedules have no repeated range, and jobs that differ from those of programs in their arguments.
  step.may_be_in_programs = dispatch.schedule->repeat_begin < dispatch.schedule->repeat_end;
  step.pass = alone(dispatch, std::move(schedule), is_repeated);
  return step;
}

Step step_of_operation(const Dispatch& dispatch, const TableOperation& operation, bool is_repeated) {
  Schedule schedule;
  schedule.operations.push_back(operation);
  Pass pass;
  pass.operation = 0;
  schedule.passes.push_back(pass);
  schedule.loops_once = loops_per_item * operation.count;
  Step step;
  step.operation = operation.kind;
  step.pass = alone(dispatch, std::move(schedule), is_repeated);
  return step;
}

// Appends the steps of a pass.
void append(const Dispatch& dispatch, uint32_t index, std::vector<Step>& steps) {
  const Schedule& schedule = *dispatch.schedule;
  const Pass& pass = schedule.passes[index];
  const bool is_repeated = index >= schedule.repeat_begin && index < schedule.repeat_end;
  if (pass.operation != no_operation)
    steps.push_back(step_of_operation(dispatch, schedule.operations[pass.operation], is_repeated));
  const Job* const end = schedule.jobs.data() + pass.first_job + pass.job_count;
  for (const Job* first = end - pass.job_count; first != end;) {
    const Job* next = std::find_if(first, end, [&](const Job& job) { return job.kernel != first->kernel; });
    steps.push_back(step_of_jobs(dispatch, first, next, is_repeated));
    first = next;
  }
}

// Returns a program with no jobs yet.
Program program_of(uint32_t record, ProgramFeature feature, const DeviceLimits& limits, uint32_t particle_count,
                   size_t first_job) {
  Program program;
  program.record = record;
  program.feature = feature;
  program.particle_count = particle_count;
  program.before = static_cast<uint32_t>(first_job);
  program.max_loops_per_job = limits.max_loops_per_job;
  return program;
}

}  // namespace

std::vector<Step> steps_of(const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INTERNAL, schedule.programs.empty(), "a verification met a program; please report it");
  std::vector<Step> steps;
  for (uint32_t k = 0; k < schedule.repeat_begin; ++k) append(dispatch, k, steps);
  for (uint32_t repetition = 0; repetition < dispatch.repeat_count; ++repetition) {
    for (uint32_t k = schedule.repeat_begin; k < schedule.repeat_end; ++k) append(dispatch, k, steps);
  }
  for (auto k = schedule.repeat_end; k < schedule.passes.size(); ++k) append(dispatch, k, steps);
  return steps;
}

std::shared_ptr<const Schedule> as_programs(const Step& step, ProgramFeature feature, const DeviceLimits& limits,
                                            const GroupRecord* records) {
  if (!step.may_be_in_programs || info_of(step.kernel).scope != Scope::group) return nullptr;
  const bool may_be_skipped = step.pass.repeat_count > 0 && is_predicated(info_of(step.kernel));
  std::vector<Job> jobs = step.pass.schedule->jobs;
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.record < b.record; });
  Schedule schedule;
  for (const Job& job : jobs) {
    const GroupRecord& record = records[job.record];
    if (may_be_skipped && CLOTHC_PREDICATE(record) == 0) continue;
    if (record.settings.padded_count > limits.largest_program_particles) return nullptr;
    if (schedule.programs.empty() || schedule.programs.back().record != job.record)
      schedule.programs.push_back(
          program_of(job.record, feature, limits, record.settings.padded_count, schedule.jobs.size()));
    schedule.jobs.push_back(job);
    Program& program = schedule.programs.back();
    program.iteration = program.after = program.end = static_cast<uint32_t>(schedule.jobs.size());
    schedule.loops_once += loops_per_item * (job.end - job.begin);
  }
  if (schedule.programs.empty()) return nullptr;
  std::stable_sort(schedule.programs.begin(), schedule.programs.end(),
                   [](const Program& a, const Program& b) { return a.particle_count > b.particle_count; });
  return std::make_shared<const Schedule>(std::move(schedule));
}

}  // namespace clothc
