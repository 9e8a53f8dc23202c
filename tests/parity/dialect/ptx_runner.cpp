// ptx_runner.cpp - launches a kernel per job, with the parameters that the CUDA backend would give it.
#include "parity/dialect/ptx_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "backend_cuda/modules.h"
#include "backend_gpu/schedule_words.h"
#include "support/given_path.h"

namespace clothc {
namespace cuda {

#define CLOTHC_ADDRESS(type) uint64_t
#include "backend_cuda/launch.h"
#undef CLOTHC_ADDRESS

}  // namespace cuda

namespace probes {
namespace {

constexpr uint32_t block_threads = 128;
constexpr const char* probe_names[] = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) "clothc_" #name,
#include "parity/dialect/probes.def"
#undef CLOTHC_KERNEL
};

template <class T>
uint64_t address_of(const std::vector<T>& array) {
  return reinterpret_cast<uint64_t>(array.data());
}

class Runner final : public PtxRunner {
 public:
  explicit Runner(const std::string& probe_folder) {
    std::ifstream file(probe_folder + "/probes.ptx");
    std::stringstream text;
    if (file) text << file.rdbuf();
    if (file) probes_ = std::make_unique<ptx::Module>(text.str());
  }
  bool has(uint32_t kernel) const override { return kernel < kernel_count || probes_ != nullptr; }
  void run(Arenas& arenas, const std::vector<Job>& jobs, const PtxWay& way) override {
    // Each job is a schedule of its own.
    Schedule schedule;
    schedule.jobs = jobs;
    std::vector<uint32_t> words(gpu::schedule_bytes(schedule) / sizeof(uint32_t));
    gpu::write_schedule(schedule, 0, words.data());
    ptx::AddressSpace space;
    const auto add = [&](const auto& array, const char* name, bool is_writable) {
      space.add(address_of(array), array.size() * sizeof(array[0]), name, is_writable);
    };
    add(arenas.particles, "the particles", true);
    add(arenas.topology, "the topology", false);
    add(arenas.tables, "the tables", true);
    add(arenas.records, "the records", true);
    add(words, "the jobs", false);
    cuda::KernelLaunch parameters{};
    parameters.arenas = {address_of(arenas.particles), address_of(arenas.topology), address_of(arenas.tables),
                         address_of(arenas.records)};
    parameters.words = address_of(words);
    parameters.frame = arenas.frame;
    parameters.job_count = 1;
    for (uint32_t k = 0; k < jobs.size(); ++k) {
      parameters.first_job = k;
      launch(space, jobs[k], parameters, way);
    }
  }

 private:
  void launch(const ptx::AddressSpace& space, const Job& job, const cuda::KernelLaunch& parameters, const PtxWay& way) {
    ptx::Launch launch;
    launch.kernel = &kernel_of(job.kernel);
    launch.grid.x = (std::max(job.end - job.begin, 1u) + block_threads - 1) / block_threads;
    launch.block.x = block_threads;
    launch.parameters = &parameters;
    launch.order = way.order;
    launch.seed = ++launches_;
    launch.delays_stores = way.delays_stores;
    ASSERT_EQ(launch.kernel->info.parameter_size, sizeof(parameters)) << launch.kernel->info.name;
    ptx::Operation operation;
    operation.number = launches_;
    operation.seen = {launches_};
    operation.name = launch.kernel->info.name;
    ptx::Checker checker(space, operation, way.finds_races);
    ptx::run(launch, checker);
  }
  const ptx::Kernel& kernel_of(uint32_t kernel) {
    const ptx::Kernel*& found = kernels_[kernel];
    if (found == nullptr) found = load(kernel);
    return *found;
  }
  const ptx::Kernel* load(uint32_t kernel) {
    if (kernel >= kernel_count) return probes_->find(probe_names[kernel - kernel_count]);
    const auto entry = gpu::entry_of(static_cast<Kernel>(kernel));
    modules_.push_back(std::make_unique<ptx::Module>(cuda::module_text(entry)));
    return modules_.back()->find(cuda::function_name(entry));
  }

  std::unique_ptr<ptx::Module> probes_;
  std::vector<std::unique_ptr<ptx::Module>> modules_;
  std::map<uint32_t, const ptx::Kernel*> kernels_;
  uint32_t launches_ = 0;
};

}  // namespace

std::unique_ptr<PtxRunner> PtxRunner::create(const std::string& probe_folder) {
  return std::make_unique<Runner>(clothc_test::given_path("CLOTHC_PTX_FOLDER", probe_folder));
}

}  // namespace probes
}  // namespace clothc
