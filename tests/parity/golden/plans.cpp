// plans.cpp - see plans.h.
#include "parity/golden/plans.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace golden {
namespace {

const char* const backend_names[] = {"auto", "cpu", "cuda", "vulkan"};
const char* const schedule_names[] = {"auto", "cloth", "pass"};
const char* const isa_names[] = {"auto", "scalar", "sse4.1", "avx2", "avx512", "neon"};

template <size_t count>
uint32_t find(const char* const (&names)[count], const std::string& name) {
  std::string known;
  for (uint32_t k = 0; k < count; ++k) {
    if (name == names[k]) return k;
    known += std::string(" ") + names[k];
  }
  std::fprintf(stderr, "unknown name %s; known are%s\n", name.c_str(), known.c_str());
  std::exit(2);
}

// Returns the instruction sets that both this machine and the build support.
std::vector<clothc_isa> runnable_isas(const clothc_device_info& cpu) {
  std::vector<clothc_isa> isas;
  for (clothc_isa isa = CLOTHC_ISA_SCALAR; isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((cpu.isa_mask >> isa & 1) != 0)
      isas.push_back(isa);
    else
      std::printf("skipping %s: this build or this machine does not run it\n", isa_names[isa]);
  }
  return isas;
}

void add_cpu(const clothc_device_info& cpu, bool quick, std::vector<Plan>& plans) {
  const std::vector<clothc_isa> isas = runnable_isas(cpu);
  plans.push_back({{1, CLOTHC_SCHEDULE_AUTO, CLOTHC_ISA_AUTO, false, false}, {}});
  plans.push_back({{1, CLOTHC_SCHEDULE_PASS, CLOTHC_ISA_AUTO, true, false}, {}});
  plans.push_back({{2, CLOTHC_SCHEDULE_AUTO, CLOTHC_ISA_AUTO, false, true}, {}});
  if (quick) {
    plans.push_back({{7, CLOTHC_SCHEDULE_PASS, isas.back(), false, false}, {}});
    plans.push_back({{2, CLOTHC_SCHEDULE_CLOTH, CLOTHC_ISA_SCALAR, false, false}, {}});
    return;
  }
  for (const clothc_isa isa : isas) {
    for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
      for (const uint32_t threads : {1u, 2u, 7u, 16u}) plans.push_back({{threads, schedule, isa, false, false}, {}});
    }
  }
}

Configuration on_gpu(const clothc_device_info& gpu, clothc_schedule schedule) {
  Configuration configuration;
  configuration.backend = gpu.backend;
  configuration.device_index = gpu.device_index;
  configuration.schedule = schedule;
  return configuration;
}

void add_gpu(const clothc_device_info& gpu, bool quick, std::vector<Plan>& plans) {
  const bool strict = (gpu.capabilities & CLOTHC_CAPABILITY_STRICT_PARITY) != 0;
  if (gpu.available == 0 || !strict) {
    std::printf("skipping %s %u: %s\n", backend_names[gpu.backend], gpu.device_index,
                gpu.available == 0 ? gpu.reason : "it does not promise the same bits");
    return;
  }
  const Configuration cpu;
  if (quick) {
    plans.push_back({cpu, on_gpu(gpu, CLOTHC_SCHEDULE_PASS)});
    plans.push_back({on_gpu(gpu, CLOTHC_SCHEDULE_CLOTH), cpu});
    return;
  }
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    const Configuration there = on_gpu(gpu, schedule);
    plans.push_back({there, {}});
    plans.push_back({cpu, there});
    plans.push_back({there, cpu});
  }
}

// Adds changes from each GPU to each one of another backend. Prints why if there are none.
void add_handovers(const std::vector<clothc_device_info>& devices, std::vector<Plan>& plans) {
  for (const clothc_device_info& from : devices) {
    for (const clothc_device_info& to : devices) {
      const bool are_usable = from.available != 0 && to.available != 0 &&
                              (from.capabilities & to.capabilities & CLOTHC_CAPABILITY_STRICT_PARITY) != 0;
      const bool are_gpus = from.backend != CLOTHC_BACKEND_CPU && to.backend != CLOTHC_BACKEND_CPU;
      if (!are_usable || !are_gpus || from.backend == to.backend) continue;
      plans.push_back({on_gpu(from, CLOTHC_SCHEDULE_PASS), on_gpu(to, CLOTHC_SCHEDULE_CLOTH)});
    }
  }
  if (plans.empty()) std::printf("skipping: there are no GPUs of two backends here\n");
}

// Returns the single configuration that threads, schedule and instruction set specify.
Configuration only(const PlanChoice& choice) {
  Configuration configuration;
  if (!choice.backend.empty()) configuration.backend = find(backend_names, choice.backend);
  if (!choice.threads.empty()) configuration.threads = static_cast<uint32_t>(std::atoi(choice.threads.c_str()));
  if (!choice.schedule.empty()) configuration.schedule = find(schedule_names, choice.schedule);
  if (!choice.isa.empty()) configuration.isa = find(isa_names, choice.isa);
  return configuration;
}

std::string describe(const Configuration& configuration) {
  const std::string schedule = std::string(", schedule ") + schedule_names[configuration.schedule];
  if (configuration.backend != CLOTHC_BACKEND_CPU)
    return backend_names[configuration.backend] + (" " + std::to_string(configuration.device_index)) + schedule;
  return std::to_string(configuration.threads) + " threads" + schedule + ", " + isa_names[configuration.isa] +
         (configuration.application_scheduler ? ", application scheduler" : "") +
         (configuration.flush_to_zero ? ", flush to zero" : "");
}

}  // namespace

std::vector<Plan> list_plans(const PlanChoice& choice) {
  if (!choice.threads.empty() || !choice.schedule.empty() || !choice.isa.empty()) return {{only(choice), {}}};
  const uint32_t backend = choice.backend.empty() ? 0 : find(backend_names, choice.backend);
  std::vector<Plan> cpu_plans, gpu_plans;
  if (choice.handovers) {
    add_handovers(clothc_test::enumerate_devices(), gpu_plans);
    return gpu_plans;
  }
  for (const clothc_device_info& info : clothc_test::enumerate_devices()) {
    if (backend != CLOTHC_BACKEND_AUTO && backend != info.backend) continue;
    if (info.backend == CLOTHC_BACKEND_CPU)
      add_cpu(info, choice.quick, cpu_plans);
    else
      add_gpu(info, choice.quick, gpu_plans);
  }
  // The processor comes first, because its hashes become the reference for new scenes.
  cpu_plans.insert(cpu_plans.end(), gpu_plans.begin(), gpu_plans.end());
  return cpu_plans;
}

std::string describe(const Plan& plan) {
  if (!plan.end) return describe(plan.begin);
  return describe(plan.begin) + "; from frame " + std::to_string(handover_frame) + " on " + describe(*plan.end);
}

}  // namespace golden
