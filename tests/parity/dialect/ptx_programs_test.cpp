// ptx_programs_test.cpp - the PTX entries whose threads share memory, run by the interpreter: programs give the bits of
// their jobs one by one, sorts and scans are right, both without races; and a barrier that is taken out of the text is
// missed.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "backend_cuda/modules.h"
#include "backend_gpu/schedule_words.h"
#include "cuda/device/ptx/interpreter.h"
#include "parity/dialect/sheets.h"

namespace clothc {
namespace cuda {

#define CLOTHC_ADDRESS(type) uint64_t
#include "backend_cuda/launch.h"
#undef CLOTHC_ADDRESS

}  // namespace cuda

namespace probes::ptx_programs_test {
namespace {

using Races = std::vector<std::string>;

struct Way {
  ptx::Order order = ptx::Order::permuted;
  bool delays_stores = false;
};
constexpr Way every_way[] = {
    {ptx::Order::forward, false}, {ptx::Order::backward, true}, {ptx::Order::permuted, true}, {}};

template <class T>
uint64_t address_of(const std::vector<T>& array) {
  return reinterpret_cast<uint64_t>(array.data());
}

template <class T>
void add(ptx::AddressSpace& space, const std::vector<T>& array, const char* name, bool is_writable = true) {
  space.add(address_of(array), array.size() * sizeof(T), name, is_writable);
}

// Returns the text of an entry point without its barrier of that number, counted from 0, or with all barriers for -1.
std::string text_without_barrier(gpu::EntryPoint entry, int removed) {
  std::string text = cuda::module_text(entry);
  const std::string barrier = "bar.sync 0;\n";
  size_t at = text.find(barrier);
  for (int k = 0; k < removed && at != std::string::npos; ++k) at = text.find(barrier, at + 1);
  EXPECT_NE(at, std::string::npos) << cuda::function_name(entry) << " has no barrier " << removed;
  if (removed >= 0 && at != std::string::npos) text.erase(at, barrier.size());
  return text;
}

template <class Parameters>
void run(const std::string& text, gpu::EntryPoint entry, const ptx::AddressSpace& space, const Parameters& parameters,
         uint32_t blocks, uint32_t threads, uint32_t shared_size, const Way& way = {}, uint32_t number = 1) {
  const ptx::Module module(text);
  ptx::Launch launch;
  launch.kernel = module.find(cuda::function_name(entry));
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.dynamic_shared_size = shared_size;
  launch.parameters = &parameters;
  launch.order = way.order;
  launch.delays_stores = way.delays_stores;
  launch.seed = number;
  ASSERT_EQ(launch.kernel->info.parameter_size, sizeof(parameters));
  ptx::Operation operation;
  operation.number = number;
  operation.seen = {number};
  operation.name = cuda::function_name(entry);
  ptx::Checker checker(space, operation, true);
  ptx::run(launch, checker);
}

// The jobs of the first sheet that a program of the feature may run.
std::vector<Job> program_jobs(const Scene& scene, ProgramFeature feature) {
  std::vector<Job> jobs;
  for (const Job& job : jobs_of_frame(scene, 0, 1)) {
    const bool is_held = job.kernel < kernel_count && info_of(static_cast<Kernel>(job.kernel)).program <= feature &&
                         info_of(static_cast<Kernel>(job.kernel)).program != ProgramFeature::none;
    if (is_held && job.record == 0) jobs.push_back(job);
  }
  return jobs;
}

// Runs the jobs as a program, whose jobs are all in front of the iterations.
void run_program(Arenas& arenas, const std::vector<Job>& jobs, ProgramFeature feature, int removed_barrier,
                 const Way& way = {}) {
  Schedule schedule;
  schedule.jobs = jobs;
  Program program;
  program.iteration = program.after = program.end = static_cast<uint32_t>(jobs.size());
  schedule.programs.push_back(program);
  std::vector<uint32_t> words(gpu::schedule_bytes(schedule) / sizeof(uint32_t));
  gpu::write_schedule(schedule, 0, words.data());
  ptx::AddressSpace space;
  add(space, arenas.particles, "the particles");
  add(space, arenas.topology, "the topology", false);
  add(space, arenas.tables, "the tables");
  add(space, arenas.records, "the records");
  add(space, words, "the words", false);
  cuda::KernelLaunch parameters{};
  parameters.arenas = {address_of(arenas.particles), address_of(arenas.topology), address_of(arenas.tables),
                       address_of(arenas.records)};
  parameters.words = address_of(words);
  parameters.frame = arenas.frame;
  parameters.job_count = 1;
  const uint32_t elements = arenas.records[0].settings.padded_count + cuda::program_padding;
  const gpu::EntryPoint entry = gpu::entry_of(feature);
  run(text_without_barrier(entry, removed_barrier), entry, space, parameters, 1, 128, elements * 32, way);
}

TEST(PtxPrograms, give_the_bits_of_their_jobs_without_races) {
  for (const ProgramFeature feature : {ProgramFeature::plain, ProgramFeature::extended}) {
    const Scene scene = make_scene();
    const std::vector<Job> jobs = program_jobs(scene, feature);
    Arenas expected = scene.arenas;
    prepare_frame(scene, expected, 0);
    probes::run({&cpu::scalar_kernels, scalar_functions}, expected, jobs);
    for (const Way& way : every_way) {
      Arenas arenas = scene.arenas;
      prepare_frame(scene, arenas, 0);
      run_program(arenas, jobs, feature, -1, way);
      EXPECT_EQ(first_difference(expected, arenas), "");
      EXPECT_EQ(ptx::take_races(), Races());
    }
  }
}

TEST(PtxPrograms, without_the_barrier_between_jobs_have_races) {
  for (const ProgramFeature feature : {ProgramFeature::plain, ProgramFeature::extended}) {
    const Scene scene = make_scene();
    Arenas arenas = scene.arenas;
    prepare_frame(scene, arenas, 0);
    run_program(arenas, program_jobs(scene, feature), feature, 1);
    EXPECT_NE(ptx::take_races(), Races());
  }
}

// Sorts words by the launches that a backend would make.
struct Sorting {
  explicit Sorting(uint32_t count) : count(count), tables(2 * count + sort_scratch_words(count)) {
    for (uint32_t k = 0; k < count; ++k) {
      tables[k] = k * 2654435761u >> 12;
      tables[count + k] = k;
    }
    add(space, tables, "the tables");
  }
  void run_all(int removed_barrier, gpu::TableKernel changed, const Way& way = {}) {
    TableOperation operation;
    operation.kind = TableOperation::Kind::sort;
    operation.second = count;
    operation.scratch = 2 * count;
    operation.count = count;
    gpu::for_each_launch(operation, [&](gpu::TableKernel kernel, const TableLaunch& constants) {
      const gpu::EntryPoint entry = gpu::entry_of(kernel);
      const bool is_changed = kernel == changed && removed_barrier >= 0;
      const std::string text = is_changed ? text_without_barrier(entry, removed_barrier) : cuda::module_text(entry);
      run(text, entry, space, cuda::TableOperationLaunch{address_of(tables), constants}, constants.blocks,
          table_group_threads, 0, way, ++launches);
    });
  }

  uint32_t count;
  std::vector<uint32_t> tables;
  ptx::AddressSpace space;
  uint32_t launches = 0;
};

TEST(PtxTableOperations, sort_stably_without_races) {
  for (const Way& way : every_way) {
    Sorting sorting(5000);
    std::vector<uint32_t> order(sorting.count);
    std::iota(order.begin(), order.end(), 0u);
    const std::vector<uint32_t> keys(sorting.tables.begin(), sorting.tables.begin() + sorting.count);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    sorting.run_all(-1, gpu::TableKernel::count, way);
    const auto values = sorting.tables.begin() + sorting.count;
    EXPECT_EQ(std::vector<uint32_t>(values, values + sorting.count), order);
    EXPECT_EQ(ptx::take_races(), Races());
  }
}

TEST(PtxTableOperations, without_a_barrier_have_races) {
  for (const gpu::TableKernel changed :
       {gpu::TableKernel::scan_blocks, gpu::TableKernel::sort_count, gpu::TableKernel::sort_scatter}) {
    Sorting sorting(3000);
    try {
      sorting.run_all(0, changed);
    } catch (const ptx::Fault&) {
      // Wrong counts lead to indices that are out of bounds.
    }
    EXPECT_NE(ptx::take_races(), Races()) << static_cast<int>(changed);
  }
}

}  // namespace
}  // namespace probes::ptx_programs_test
}  // namespace clothc
