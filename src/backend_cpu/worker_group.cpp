// worker_group.cpp - defines the order in which a schedule's programs and passes run, and divides them into tiles.
#include "backend_cpu/worker_group.h"

#include <algorithm>
#include <cstring>

#include "backend_cpu/radix.h"

namespace clothc::cpu {

namespace {

KernelContext context_of(const Arenas& arenas, const FrameConstants& frame) {
  KernelContext context;
  context.particles = static_cast<float*>(arenas.particles->host_pointer());
  context.topology = static_cast<const uint32_t*>(arenas.topology->host_pointer());
  context.records = static_cast<GroupRecord*>(arenas.records->host_pointer());
  context.tables = static_cast<uint32_t*>(arenas.tables->host_pointer());
  context.frame = frame;
  return context;
}

}  // namespace

uint32_t WorkerGroup::begin(const Dispatch& dispatch) {
  dispatch_ = &dispatch;
  context_ = context_of(dispatch.arenas, dispatch.frame);
  pass_.of_programs = true;
  pass_.repeated = false;
  pass_.first_item = 0;
  pass_.item_count = static_cast<uint32_t>(dispatch.schedule->programs.size());
  pass_.position = 0;
  pass_.repetitions = 0;
  takes_samples_ = false;
  if (dispatch.times != nullptr) begin_timing();
  const uint32_t tiles = pass_.item_count > 0 ? divide_into_tiles() : next_pass();
  if (tiles > 0) publish(tiles);
  return tiles;
}

uint32_t WorkerGroup::divide_into_tiles() {
  const auto divided_up = [](uint32_t a, uint32_t b) { return (a + b - 1) / b; };
  pass_.items_per_tile = divided_up(pass_.item_count, TilePartition::most_tiles);
  return divided_up(pass_.item_count, pass_.items_per_tile);
}

// Moves to the next pass that has jobs. Returns false at the end of the run.
bool WorkerGroup::advance_position() {
  const Schedule& schedule = *dispatch_->schedule;
  uint32_t next = pass_.of_programs ? 0 : pass_.position + 1;
  pass_.of_programs = false;
  while (true) {
    const bool at_end_of_range = next == schedule.repeat_end && schedule.repeat_begin < schedule.repeat_end;
    if (at_end_of_range && pass_.repeated) {
      ++pass_.repetitions;
      pass_.repeated = false;
      if (pass_.repetitions < dispatch_->repeat_count) next = schedule.repeat_begin;
    }
    if (next == schedule.repeat_begin && pass_.repetitions >= dispatch_->repeat_count) next = schedule.repeat_end;
    if (next >= schedule.passes.size()) return false;
    pass_.position = next;
    pass_.repeated = next >= schedule.repeat_begin && next < schedule.repeat_end;
    pass_.first_item = schedule.passes[next].first_job;
    const bool is_operation = schedule.passes[next].operation != no_operation;
    pass_.item_count = is_operation ? 1 : schedule.passes[next].job_count;
    if (pass_.item_count > 0) return true;
    ++next;
  }
}

uint32_t WorkerGroup::next_pass() {
  if (dispatch_->times != nullptr) time_pass();
  return advance_position() ? divide_into_tiles() : 0;
}

void WorkerGroup::publish(uint32_t tiles) {
  const TilePartition::Pass last = pass_.number.load(std::memory_order_relaxed);
  remaining_.store(tiles, std::memory_order_relaxed);
  pass_.number.store(TilePartition::make_pass(TilePartition::number_of(last) + 1, tiles), std::memory_order_release);
}

bool WorkerGroup::is_running(const Job& job) const {
  return !is_predicated(info_of(static_cast<Kernel>(job.kernel))) ||
         CLOTHC_PREDICATE(context_.records[job.record]) != 0;
}

void WorkerGroup::run_tile(uint32_t tile) {
  const Schedule& schedule = *dispatch_->schedule;
  const uint32_t operation = pass_.of_programs ? no_operation : schedule.passes[pass_.position].operation;
  if (operation != no_operation) return run_operation(schedule.operations[operation]);
  const uint32_t begin = pass_.first_item + tile * pass_.items_per_tile;
  const uint32_t last = pass_.first_item + pass_.item_count;
  const uint32_t end = begin + pass_.items_per_tile < last ? begin + pass_.items_per_tile : last;
  for (uint32_t k = begin; k < end; ++k) {
    if (pass_.of_programs) {
      // One program in 64 is enough to tell how the time is divided.
      constexpr uint32_t programs_per_sample = 64;
      const bool is_sampled = takes_samples_ && k % programs_per_sample == 0;
      is_sampled ? run_sampled(schedule.programs[k]) : run_program(schedule.programs[k]);
    } else if (!pass_.repeated || is_running(schedule.jobs[k])) {
      run_job(schedule.jobs[k]);
    }
  }
}

void WorkerGroup::run_operation(const TableOperation& operation) const {
  uint32_t* tables = context_.tables;
  uint32_t* first = tables + operation.first;
  uint32_t* second = tables + operation.second;
  uint32_t* scratch = tables + operation.scratch;
  switch (operation.kind) {
    case TableOperation::Kind::sort:
      sort_pairs(first, second, scratch, scratch + operation.count, operation.count);
      break;
    case TableOperation::Kind::scan:
      exclusive_scan(first, operation.count);
      break;
    case TableOperation::Kind::copy:
      std::memcpy(second, first, uint64_t{operation.count} * sizeof(uint32_t));
      break;
  }
}

void WorkerGroup::run_job(const Job& job) const {
  const KernelClass of = info_of(static_cast<Kernel>(job.kernel)).class_of_items;
  const KernelTable& table = is_scalar(of) ? scalar_kernels : kernels_;
  table.functions[job.kernel](context_, job);
}

void WorkerGroup::run_jobs(uint32_t begin, uint32_t end) const {
  const std::vector<Job>& jobs = dispatch_->schedule->jobs;
  for (uint32_t k = begin; k < end; ++k) run_job(jobs[k]);
}

uint32_t WorkerGroup::repetitions_of(const Program& program) const {
  uint32_t most = CLOTHC_REPETITIONS(context_.records[program.record]);
  for (uint32_t k = 0; k < program.record_count; ++k) {
    const uint32_t record = dispatch_->schedule->program_records[program.first_record + k];
    most = std::max(most, CLOTHC_REPETITIONS(context_.records[record]));
  }
  return most;
}

bool WorkerGroup::runs_together(const Program& program) const {
  uint32_t running = 0;
  for (uint32_t k = 0; k < program.record_count; ++k) {
    const uint32_t record = dispatch_->schedule->program_records[program.first_record + k];
    running += CLOTHC_PREDICATE(context_.records[record]) != 0 ? 1 : 0;
  }
  return 3 * running >= 2 * program.record_count;
}

template <class Run>
void WorkerGroup::run_iteration(const Program& program, const Run& run) const {
  if (program.record_count == 0) return run(program.iteration, program.after);
  run(program.iteration, program.together);
  runs_together(program) ? run(program.together, program.alone) : run(program.alone, program.rest);
  run(program.rest, program.after);
}

void WorkerGroup::run_iteration(const Program& program) const {
  const std::vector<Job>& jobs = dispatch_->schedule->jobs;
  const bool may_skip = program.record_count > 0;
  run_iteration(program, [&](uint32_t begin, uint32_t end) {
    for (uint32_t k = begin; k < end; ++k) {
      if (!may_skip || is_running(jobs[k])) run_job(jobs[k]);
    }
  });
}

void WorkerGroup::run_program(const Program& program) {
  run_jobs(program.before, program.iteration);
  const uint32_t iterations = repetitions_of(program);
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) run_iteration(program);
  run_jobs(program.after, program.end);
}

void WorkerGroup::run_timed(uint32_t begin, uint32_t end, uint64_t weight, bool may_skip, StageTimes& times) const {
  const std::vector<Job>& jobs = dispatch_->schedule->jobs;
  uint64_t last = now();
  for (uint32_t k = begin; k < end; ++k) {
    if (may_skip && !is_running(jobs[k])) continue;
    run_job(jobs[k]);
    const uint64_t present = now();
    const Stage stage = info_of(static_cast<Kernel>(jobs[k].kernel)).stage;
    if (stage != Stage::none) times[static_cast<size_t>(stage)] += weight * (present - last);
    last = present;
  }
}

// One iteration stands for all of them.
void WorkerGroup::run_sampled(const Program& program) {
  StageTimes times{};
  run_timed(program.before, program.iteration, 1, false, times);
  const uint32_t iterations = repetitions_of(program);
  for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
    if (iteration == iterations / 2) {
      run_iteration(program, [&](uint32_t begin, uint32_t end) {
        run_timed(begin, end, iterations, program.record_count > 0, times);
      });
    } else {
      run_iteration(program);
    }
  }
  run_timed(program.after, program.end, 1, false, times);
  for (size_t k = 0; k < stage_count; ++k) samples_[k].fetch_add(times[k], std::memory_order_relaxed);
}

void WorkerGroup::begin_timing() {
  // Samples of a schedule serve for some more of its runs, because taking them costs up to 1 % of a small cloth's time.
  constexpr uint32_t runs_per_sample = 8;
  const Schedule& schedule = *dispatch_->schedule;
  const bool is_due = &schedule != sampled_ || ++runs_since_samples_ == runs_per_sample;
  takes_samples_ = is_due && !schedule.programs.empty();
  if (takes_samples_) {
    for (std::atomic<uint64_t>& sample : samples_) sample.store(0, std::memory_order_relaxed);
    sampled_ = &schedule;
    runs_since_samples_ = 0;
  }
  pass_begin_ = now();
}

void WorkerGroup::time_pass() {
  const uint64_t present = now();
  const uint64_t elapsed = present - pass_begin_;
  pass_begin_ = present;
  DispatchTimes& times = *dispatch_->times;
  if (pass_.of_programs) {
    StageTimes samples;
    for (size_t k = 0; k < stage_count; ++k) samples[k] = samples_[k].load(std::memory_order_relaxed);
    // A schedule without programs begins here too.
    if (pass_.item_count > 0) times.add_by_samples(DispatchTimes::programs, samples, elapsed, Stage::program);
    return;
  }
  const Schedule& schedule = *dispatch_->schedule;
  const DispatchTimes::Part part = pass_.position < schedule.repeat_begin ? DispatchTimes::before
                                   : pass_.position < schedule.repeat_end ? DispatchTimes::repeated
                                                                          : DispatchTimes::after;
  times.add(part, schedule.passes[pass_.position].stage, elapsed);
}

}  // namespace clothc::cpu
