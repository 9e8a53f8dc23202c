// worker_group_test.cpp - schedules run by any number of workers: each job runs as often as it should, and no pass
// starts too early.
#include "backend_cpu/worker_group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "backend_cpu/memory.h"
#include "backend_cpu/scheduler.h"
#include "backend_cpu/stream.h"

namespace clothc::cpu::worker_group_test {
namespace {

// An application's scheduler: threads that take the most recently added task from a queue.
class TestScheduler {
 public:
  explicit TestScheduler(uint32_t thread_count) {
    for (uint32_t k = 0; k < thread_count; ++k) threads_.emplace_back([this] { job(); });
  }
  ~TestScheduler() {
    for (size_t k = 0; k < threads_.size(); ++k) submit(nullptr, nullptr, this);
    for (std::thread& thread : threads_) thread.join();
  }
  static void CLOTHC_CALL submit(clothc_task task, void* argument, void* user) {
    auto* scheduler = static_cast<TestScheduler*>(user);
    const std::lock_guard<std::mutex> lock(scheduler->mutex_);
    scheduler->tasks_.emplace_back(task, argument);
    scheduler->added_.notify_one();
  }

 private:
  void job() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      added_.wait(lock, [this] { return !tasks_.empty(); });
      const auto [task, argument] = tasks_.back();
      tasks_.pop_back();
      if (task == nullptr) return;
      lock.unlock();
      task(argument);
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable added_;
  std::vector<std::pair<clothc_task, void*>> tasks_;
  std::vector<std::thread> threads_;
};

// Calls body with each kind of scheduler.
void for_each_scheduler(const std::function<void(Scheduler&)>& body) {
  for (const uint32_t workers : {1u, 2u, 7u, 16u}) {
    SCOPED_TRACE(std::to_string(workers) + " threads of the library");
    ThreadPool pool(workers);
    body(pool);
  }
  for (const uint32_t threads : {1u, 3u}) {
    SCOPED_TRACE(std::to_string(threads) + " threads of the application");
    TestScheduler application(threads);
    ApplicationScheduler scheduler(TestScheduler::submit, &application, 3);
    body(scheduler);
  }
}

// Records how often each job runs and checks that it does not start too early.
struct Recorder {
  explicit Recorder(size_t job_count) : runs(job_count), earliest(job_count) {}
  // Number of runs of each job.
  std::vector<std::atomic<uint32_t>> runs;

  // For each run of each job, the number of jobs that must have ended before it.
  std::vector<std::vector<uint64_t>> earliest;
  std::atomic<uint64_t> ended{0};
  std::atomic<uint32_t> mistakes{0};

  // The thread that calls mark().
  std::thread::id submitter;

  // Number of jobs that this thread ran itself.
  std::atomic<uint32_t> jobs_of_submitter{0};
};

// Stands for every kernel of the hand-made table. The job's argument is its index, and `tables` points to the recorder.
void record(const KernelContext& context, const Job& job) {
  Recorder& recorder = *reinterpret_cast<Recorder*>(context.tables);
  const uint32_t run = recorder.runs[job.argument]++;
  const std::vector<uint64_t>& earliest = recorder.earliest[job.argument];
  if (run >= earliest.size() || recorder.ended < earliest[run]) ++recorder.mistakes;
  if (std::this_thread::get_id() == recorder.submitter) ++recorder.jobs_of_submitter;
  ++recorder.ended;
}

const KernelTable& recording_kernels() {
  static const std::vector<KernelFunction> functions(static_cast<size_t>(Kernel::count), record);
  static const KernelTable table{"recording", 1, functions.data()};
  return table;
}

struct Case {
  Schedule schedule;
  std::vector<GroupRecord> cloths;
  uint32_t repeat_count = 0;
};

Case make_case_of_one_cloth() {
  Case c;
  c.cloths.resize(1);
  c.cloths[0].step.running = 1;
  return c;
}

uint32_t add_jobs(Schedule& schedule, uint32_t cloth, uint32_t count) {
  const uint32_t first = static_cast<uint32_t>(schedule.jobs.size());
  for (uint32_t k = 0; k < count; ++k) {
    schedule.jobs.push_back({static_cast<uint32_t>(Kernel::integrate), cloth, 0, 16, first + k});
  }
  return first;
}

void add_pass(Schedule& schedule, uint32_t cloth, uint32_t count) {
  schedule.passes.push_back({add_jobs(schedule, cloth, count), count});
}

uint32_t repetitions_of(const Case& c, const Program& program) {
  uint32_t most = c.cloths[program.record].step.iteration_count;
  for (uint32_t k = 0; k < program.record_count; ++k)
    most = std::max(most, c.cloths[c.schedule.program_records[program.first_record + k]].step.iteration_count);
  return most;
}

bool are_together(const Case& c, const Program& program) {
  uint32_t running = 0;
  for (uint32_t k = 0; k < program.record_count; ++k)
    running += c.cloths[c.schedule.program_records[program.first_record + k]].step.running;
  return 3 * running >= 2 * program.record_count;
}

// Computes what the case's jobs should do by running through them sequentially.
void expect_runs(const Case& c, Recorder& recorder) {
  uint64_t ended = 0;
  for (const Program& program : c.schedule.programs) {
    uint64_t own = 0;
    const auto run = [&](uint32_t begin, uint32_t end) {
      for (uint32_t k = begin; k < end; ++k) recorder.earliest[k].push_back(own++);
    };
    run(program.before, program.iteration);
    for (uint32_t k = 0; k < repetitions_of(c, program); ++k) {
      const bool together = are_together(c, program);
      for (uint32_t job = program.iteration; job < program.after; ++job) {
        const bool is_skipped =
            program.record_count > 0 && (c.cloths[c.schedule.jobs[job].record].step.running == 0 ||
                                         (together && program.alone <= job && job < program.rest) ||
                                         (!together && program.together <= job && job < program.alone));
        if (!is_skipped) run(job, job + 1);
      }
    }
    run(program.after, program.end);
    ended += own;
  }
  const auto run_passes = [&](size_t begin, size_t end, bool repeated) {
    for (size_t pass = begin; pass < end; ++pass) {
      const uint64_t earliest = ended;
      for (uint32_t k = 0; k < c.schedule.passes[pass].job_count; ++k) {
        const uint32_t job = c.schedule.passes[pass].first_job + k;
        if (repeated && c.cloths[c.schedule.jobs[job].record].step.running == 0) continue;
        recorder.earliest[job].push_back(earliest);
        ++ended;
      }
    }
  };
  run_passes(0, c.schedule.repeat_begin, false);
  for (uint32_t k = 0; k < c.repeat_count; ++k) run_passes(c.schedule.repeat_begin, c.schedule.repeat_end, true);
  run_passes(c.schedule.repeat_end, c.schedule.passes.size(), false);
}

Dispatch dispatch_of(Case& c, const std::shared_ptr<const Schedule>& schedule, Recorder& recorder) {
  const MemoryPointer nothing = wrap_memory(nullptr, 0);
  Dispatch dispatch;
  dispatch.arenas = {nothing, nothing, wrap_memory(c.cloths.data(), c.cloths.size() * sizeof(GroupRecord)),
                     wrap_memory(&recorder, sizeof(recorder))};
  dispatch.schedule = schedule;
  dispatch.repeat_count = c.repeat_count;
  return dispatch;
}

// Where calls work: each list is too long for the call that submits it, so it is the call that waits.
constexpr uint64_t only_waits_work = 1;

// Runs the case several times, starting each run immediately after the previous one. loops_in_caller: see CpuStream.
void run_case(Scheduler& scheduler, Case& c, int rounds, uint64_t loops_in_caller = 0) {
  CpuStream stream(scheduler, recording_kernels(), loops_in_caller);
  const auto schedule = std::make_shared<const Schedule>(c.schedule);
  std::deque<Recorder> recorders;
  CommandList commands;
  for (int round = 0; round < rounds; ++round) {
    Recorder& recorder = recorders.emplace_back(c.schedule.jobs.size());
    expect_runs(c, recorder);
    commands.add(dispatch_of(c, schedule, recorder));
  }
  stream.wait(stream.submit(commands), CLOTHC_WAIT_FOREVER);
  for (const Recorder& recorder : recorders) {
    EXPECT_EQ(recorder.mistakes, 0u) << "a job began too early or ran too often";
    for (size_t k = 0; k < recorder.runs.size(); ++k) ASSERT_EQ(recorder.runs[k], recorder.earliest[k].size()) << k;
  }
}

Case make_random_case(std::mt19937& random) {
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  Case c;
  c.cloths.resize(1 + below(12));
  for (GroupRecord& cloth : c.cloths) {
    cloth.step.iteration_count = below(4);
    cloth.step.running = below(4) != 0 ? 1 : 0;
  }
  const auto cloth_count = static_cast<uint32_t>(c.cloths.size());
  const uint32_t program_count = below(2) * below(cloth_count + 1);
  for (uint32_t k = 0; k < program_count; ++k) {
    Program program;
    program.record = k;
    program.before = add_jobs(c.schedule, k, below(3));
    program.iteration = add_jobs(c.schedule, k, below(5));
    // Some are of several groups, those from this one on.
    program.first_record = static_cast<uint32_t>(c.schedule.program_records.size());
    program.record_count = below(2) * below(cloth_count - k + 1);
    const auto add_to_each = [&] {
      for (uint32_t other = k; other < k + program.record_count; ++other) add_jobs(c.schedule, other, below(3));
      return static_cast<uint32_t>(c.schedule.jobs.size());
    };
    for (uint32_t other = k; other < k + program.record_count; ++other) c.schedule.program_records.push_back(other);
    program.together = add_to_each();
    program.alone = add_to_each();
    program.rest = add_to_each();
    add_to_each();
    program.after = add_jobs(c.schedule, k, below(3));
    program.end = static_cast<uint32_t>(c.schedule.jobs.size());
    c.schedule.programs.push_back(program);
  }
  const uint32_t pass_count = below(8);
  for (uint32_t k = 0; k < pass_count; ++k) {
    add_pass(c.schedule, below(cloth_count), below(3) == 0 ? 0 : below(4) == 0 ? below(300) : below(6));
  }
  c.schedule.repeat_begin = below(pass_count + 1);
  c.schedule.repeat_end = c.schedule.repeat_begin + below(pass_count - c.schedule.repeat_begin + 1);
  const uint32_t repeat_counts[] = {0, 1, 2, 5};
  c.repeat_count = repeat_counts[below(4)];
  return c;
}

TEST(WorkerGroup, random_schedules_run_each_job_as_often_as_they_say_and_pass_after_pass) {
  for_each_scheduler([](Scheduler& scheduler) {
    std::mt19937 random(11);
    for (int k = 0; k < 150 && !testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE(k);
      Case c = make_random_case(random);
      run_case(scheduler, c, 3);
    }
  });
}

TEST(WorkerGroup, random_schedules_are_run_by_workers_and_the_thread_that_waits_together) {
  for_each_scheduler([](Scheduler& scheduler) {
    std::mt19937 random(12);
    for (int k = 0; k < 150 && !testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE(k);
      Case c = make_random_case(random);
      c.schedule.loops_once = 1000;
      run_case(scheduler, c, 1 + k % 3, only_waits_work);
    }
  });
}

TEST(WorkerGroup, repeated_passes_run_0_1_or_5_times_wherever_the_range_is_and_whichever_passes_are_empty) {
  ThreadPool pool(3);
  for (uint32_t code = 0; code < 4 * 4 * 8 * 3; ++code) {
    SCOPED_TRACE(code);
    Case c = make_case_of_one_cloth();
    for (uint32_t k = 0; k < 3; ++k) add_pass(c.schedule, 0, (code >> k & 1) != 0 ? 2 : 0);
    c.schedule.repeat_begin = code / 8 % 4;
    c.schedule.repeat_end = std::max(c.schedule.repeat_begin, code / 32 % 4);
    const uint32_t counts[] = {0, 1, 5};
    c.repeat_count = counts[code / 128];
    run_case(pool, c, 1);
  }
}

TEST(WorkerGroup, passes_and_programs_of_more_jobs_than_there_are_tiles_run_them_all) {
  ThreadPool pool(4);
  Case c = make_case_of_one_cloth();
  for (const uint32_t count : {(1u << 17) - 1, (1u << 17), (1u << 17) + 1, 300001u, 1u}) add_pass(c.schedule, 0, count);
  c.schedule.repeat_begin = 2;
  c.schedule.repeat_end = 3;
  c.repeat_count = 2;
  for (uint32_t k = 0; k < 140000; ++k) {
    const uint32_t job = add_jobs(c.schedule, 0, 1);
    c.schedule.programs.push_back({0, ProgramFeature::plain, job, job + 1, job + 1, job + 1});
  }
  run_case(pool, c, 1);
}

TEST(WorkerGroup, many_short_runs_follow_each_other_without_losing_one) {
  for_each_scheduler([](Scheduler& scheduler) {
    Case c = make_case_of_one_cloth();
    for (const uint32_t count : {1u, 3u, 1u, 40u}) add_pass(c.schedule, 0, count);
    c.schedule.repeat_begin = 1;
    c.schedule.repeat_end = 3;
    c.repeat_count = 3;
    run_case(scheduler, c, 200);
  });
}

TEST(WorkerGroup, several_streams_share_the_workers) {
  for_each_scheduler([](Scheduler& scheduler) {
    std::vector<std::thread> users;
    for (uint32_t seed = 0; seed < 4; ++seed) {
      users.emplace_back([&scheduler, seed] {
        std::mt19937 random(seed);
        for (Case& c : std::vector<Case>{make_random_case(random), make_random_case(random)})
          run_case(scheduler, c, 30);
      });
    }
    for (std::thread& user : users) user.join();
  });
}

TEST(WorkerGroup, iterations_of_cloths_that_are_done_are_skipped_but_not_their_scalar_kernels) {
  for_each_scheduler([](Scheduler& scheduler) {
    constexpr uint32_t cloth_count = 5;
    Case c;
    c.cloths.resize(cloth_count);
    for (uint32_t k = 0; k < cloth_count; ++k) {
      c.cloths[k].step.iteration = 0xffffffffu;
      c.cloths[k].step.iteration_count = k;
      c.schedule.jobs.push_back({static_cast<uint32_t>(Kernel::begin_iteration), k, k, k + 1, 0});
    }
    for (uint32_t k = 0; k < cloth_count; ++k) add_jobs(c.schedule, k, 1);
    c.schedule.passes = {{0, cloth_count}, {cloth_count, cloth_count}};
    c.schedule.repeat_end = 2;
    c.repeat_count = 6;
    Recorder recorder(c.schedule.jobs.size());
    for (uint32_t k = 0; k < cloth_count; ++k) recorder.earliest[cloth_count + k].resize(k);
    CpuStream stream(scheduler, recording_kernels(), 0);
    CommandList commands;
    commands.add(dispatch_of(c, std::make_shared<const Schedule>(c.schedule), recorder));
    stream.wait(stream.submit(commands), CLOTHC_WAIT_FOREVER);
    for (uint32_t k = 0; k < cloth_count; ++k) {
      EXPECT_EQ(c.cloths[k].step.iteration, 5u) << "begin_iteration ran six times";
      EXPECT_EQ(recorder.runs[cloth_count + k], k) << "the other work ran in the cloth's own iterations";
    }
    EXPECT_EQ(recorder.mistakes, 0u);
  });
}

// Alternates long runs, which workers execute, with short runs, which the thread that submits them executes, while
// workers are still waiting for more jobs of the long run.
TEST(WorkerGroup, short_runs_by_who_submits_and_long_ones_by_workers_take_turns) {
  for_each_scheduler([](Scheduler& scheduler) {
    CpuStream stream(scheduler, recording_kernels(), 100);
    for (int round = 0; round < 200; ++round) {
      const bool is_long = round % 3 == 0;
      Case c = make_case_of_one_cloth();
      for (const uint32_t count : {5u, 1u, 9u}) add_pass(c.schedule, 0, count);
      c.schedule.repeat_end = 2;
      c.repeat_count = 3;
      c.schedule.loops_once = is_long ? 10'000 : 1;
      Recorder recorder(c.schedule.jobs.size());
      recorder.submitter = std::this_thread::get_id();
      expect_runs(c, recorder);
      CommandList commands;
      commands.add(dispatch_of(c, std::make_shared<const Schedule>(c.schedule), recorder));
      const uint64_t value = stream.submit(commands);
      // A wait would do the work itself.
      while (stream.completed() < value) std::this_thread::yield();
      ASSERT_EQ(recorder.mistakes, 0u);
      for (size_t k = 0; k < recorder.runs.size(); ++k) ASSERT_EQ(recorder.runs[k], recorder.earliest[k].size()) << k;
      if (is_long) {
        ASSERT_EQ(recorder.jobs_of_submitter, 0u);
      }
    }
  });
}

// A scheduler that always asks for its workers back at once, and that blocks one of them when asked for the first time.
class HastyScheduler final : public Scheduler {
 public:
  void reserve(uint32_t) override {}
  void release(uint32_t) noexcept override {}
  void submit(clothc_task, void*) noexcept override {}
  uint32_t worker_count() const override { return 2; }
  bool may_spin(bool) const override {
    if (std::this_thread::get_id() != kept_worker) return false;
    is_kept = true;
    while (is_kept) std::this_thread::yield();
    return false;
  }
  std::thread::id kept_worker;
  mutable std::atomic<bool> is_kept{false};
};

TEST(WorkerGroup, whoever_leaves_leaves_no_tile_to_a_worker_that_may_be_leaving_too) {
  WorkerGroup workers(recording_kernels(), 2);
  HastyScheduler scheduler;
  const auto may_spin = [&](bool run_goes_on) { return scheduler.may_spin(run_goes_on); };
  const auto nobody = [](uint32_t) {};
  std::thread leaving([&] {
    scheduler.kept_worker = std::this_thread::get_id();
    EXPECT_FALSE(workers.run_worker(may_spin, nobody)) << "it has the first share, and has found no run";
  });
  while (!scheduler.is_kept) std::this_thread::yield();

  Case c = make_case_of_one_cloth();
  for (const uint32_t count : {4u, 1u, 7u}) add_pass(c.schedule, 0, count);
  Recorder recorder(c.schedule.jobs.size());
  expect_runs(c, recorder);
  const Dispatch dispatch = dispatch_of(c, std::make_shared<const Schedule>(c.schedule), recorder);
  EXPECT_EQ(workers.begin(dispatch), 4u);
  EXPECT_TRUE(workers.run_worker(may_spin, nobody)) << "tiles are left, and nobody takes them";
  EXPECT_EQ(recorder.ended, c.schedule.jobs.size());
  EXPECT_EQ(recorder.mistakes, 0u);
  scheduler.is_kept = false;
  leaving.join();
}

}  // namespace
}  // namespace clothc::cpu::worker_group_test
