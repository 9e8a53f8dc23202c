// schedule_launches_test.cpp - how programs and passes of a schedule are divided into launches.
#include "backend_gpu/schedule_launches.h"

#include <gtest/gtest.h>

#include <vector>

namespace clothc::schedule_launches_test {
namespace {

// Writes down what it is to launch.
struct Notes {
  void separate() { text += "|"; }
  void program(ProgramFeature, const gpu::ProgramLaunch& launch) {
    text += "p" + std::to_string(launch.first) + "+" + std::to_string(launch.count) + ":" +
            std::to_string(launch.first_step) + ";";
    last_step = launch.end_step;
  }
  void kernel(Kernel launched, const gpu::JobLaunch& launch) {
    kernels.push_back(launched);
    text += "k" + std::to_string(launch.first) + "+" + std::to_string(launch.count) + ":" +
            std::to_string(launch.groups) + "x" + std::to_string(launch.rows) + (launch.is_repeated ? "r;" : ";");
  }
  void table_operation(gpu::TableKernel, const TableLaunch&) { text += "t;"; }

  std::string text;
  std::vector<Kernel> kernels;
  uint32_t last_step = 0;
};

Job job_of(Kernel kernel, uint32_t end) {
  Job job{};
  job.kernel = static_cast<uint32_t>(kernel);
  job.end = end;
  return job;
}

Schedule two_programs(uint32_t loops) {
  Schedule schedule;
  schedule.jobs.resize(8);
  for (const uint32_t first : {0u, 4u}) {
    Program program;
    program.before = first;
    program.iteration = first + 1;
    program.after = first + 3;
    program.end = first + 4;
    program.max_loops_per_job = loops;
    schedule.programs.push_back(program);
  }
  return schedule;
}

TEST(ScheduleLaunches, of_programs_end_where_a_device_stops_what_takes_long) {
  Notes notes;
  // 2 + 2 x 3 jobs, of which 4 fit into a launch.
  gpu::launch_programs(two_programs(250), 3, 1000, notes);
  EXPECT_EQ(notes.text, "p0+2:0;|p0+2:4;");
}

TEST(ScheduleLaunches, of_programs_are_one_where_a_device_stops_nothing) {
  Notes notes;
  gpu::launch_programs(two_programs(4'000'000'000), 1'000'000, gpu::any_number_of_loops, notes);
  EXPECT_EQ(notes.text, "p0+2:0;");
  EXPECT_GE(notes.last_step, 2'000'002u);
}

TEST(ScheduleLaunches, of_programs_are_divided_by_feature) {
  Schedule schedule = two_programs(1);
  schedule.programs[1].feature = ProgramFeature::extended;
  Notes notes;
  gpu::launch_programs(schedule, 1, gpu::any_number_of_loops, notes);
  EXPECT_EQ(notes.text, "p0+1:0;p1+1:0;");
}

TEST(ScheduleLaunches, of_passes_take_the_jobs_of_a_kernel_together) {
  Schedule schedule;
  schedule.jobs = {job_of(Kernel::integrate, 16), job_of(Kernel::integrate, 144), job_of(Kernel::test_sleep, 1),
                   job_of(Kernel::begin_group, 1), job_of(Kernel::begin_group, 1)};
  schedule.passes.resize(2);
  schedule.passes[0].job_count = 3;
  schedule.passes[1].first_job = 3;
  schedule.passes[1].job_count = 2;
  schedule.passes[0].barrier = false;
  schedule.repeat_begin = 1;
  schedule.repeat_end = 2;
  Notes notes;
  gpu::launch_passes(schedule, 0, 2, notes);
  EXPECT_EQ(notes.text, "k0+2:2x2;k2+1:1x1;|k3+2:1x1r;");
}

TEST(ScheduleLaunches, of_constraints_in_rings_take_those_that_are_left_over_along) {
  Schedule schedule;
  const auto edges = job_of(Kernel::solve_edges, 16), rings = job_of(Kernel::solve_rings, 200);
  const auto limited = job_of(Kernel::solve_edges_with_limits, 300);
  schedule.jobs = {edges, rings, rings, limited, edges};
  schedule.passes.resize(2);
  schedule.passes[0].job_count = 4;
  schedule.passes[1].first_job = 4;
  schedule.passes[1].job_count = 1;
  Notes notes;
  gpu::launch_passes(schedule, 0, 2, notes);
  EXPECT_EQ(notes.text, "|k0+3:2x3;k3+1:3x1;|k4+1:1x1;");
  EXPECT_EQ(notes.kernels,
            (std::vector<Kernel>{Kernel::solve_rings, Kernel::solve_edges_with_limits, Kernel::solve_edges}));
  std::vector<Kernel> prepared;
  gpu::for_each_entry(schedule, [&](auto entry) { prepared.push_back(static_cast<Kernel>(entry)); });
  EXPECT_EQ(prepared, notes.kernels);
}

TEST(ScheduleLaunches, of_passes_have_no_more_rows_than_devices_take) {
  Schedule schedule;
  schedule.jobs.assign(gpu::most_groups + 5, job_of(Kernel::integrate, 16));
  schedule.passes.resize(1);
  schedule.passes[0].job_count = gpu::most_groups + 5;
  Notes notes;
  gpu::launch_passes(schedule, 0, 1, notes);
  EXPECT_EQ(notes.text, "|k0+65535:1x65535;k65535+5:1x5;");
}

}  // namespace
}  // namespace clothc::schedule_launches_test
