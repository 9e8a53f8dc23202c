// places.cpp - see places.h.
#include "parity/lockstep/places.h"

#include <algorithm>

namespace lockstep {
namespace {

const char* const isa_names[] = {"auto", "scalar", "sse4.1", "avx2", "avx512", "neon"};
const char* const schedule_names[] = {"auto", "cloth", "pass"};

clothc_device_desc processor(clothc_isa isa, uint32_t threads) {
  auto desc = initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  desc.isa = isa;
  desc.worker_count = threads;
  return desc;
}

// Mesa's software driver ends all loops of an invocation after 65,535 loop iterations in sum (docs/vulkan.md), which are
// not enough where an edge of a large cloth is near all of its triangles.
uint32_t most_particles_on(const std::string& device) { return device.compare(0, 8, "llvmpipe") == 0 ? 1600 : 100'000; }

}  // namespace

Places::Places(const std::string& backend) {
  add("scalar", processor(CLOTHC_ISA_SCALAR, 1), {CLOTHC_SCHEDULE_CLOTH});
  const clothc_backend wanted = backend == "vulkan" ? CLOTHC_BACKEND_VULKAN
                                : backend == "cuda" ? CLOTHC_BACKEND_CUDA
                                                    : CLOTHC_BACKEND_CPU;
  if (wanted == CLOTHC_BACKEND_CPU) {
    add_processor();
    return;
  }
  absence_ = "this build has no " + backend;
  for (const clothc_device_info& info : clothc_test::enumerate_devices()) {
    if (info.backend != wanted || absence_.empty()) continue;
    absence_ = info.available == 0 ? info.reason : "";
    if (absence_.empty()) add_gpu(info);
  }
}

Places::~Places() {
  for (const clothc_device device : devices_) clothc_device_destroy(device);
}

std::vector<Place> Places::of_seed(uint64_t seed) const {
  std::vector<Place> places;
  for (const std::vector<Place>& choice : choices_) places.push_back(choice[seed % choice.size()]);
  return places;
}

// Adds a choice between schedules of a device, or adds them to the last choice if it has that name.
void Places::add(const std::string& name, clothc_device_desc desc, std::vector<clothc_schedule> schedules) {
  const clothc_device device = clothc_test::create_device(desc);
  devices_.push_back(device);
  auto info = initialised<clothc_device_info>();
  require(clothc_device_get_info(device, &info));
  choices_.emplace_back();
  for (const clothc_schedule schedule : schedules) {
    choices_.back().push_back({name + " " + schedule_names[schedule], device, schedule,
                               (info.capabilities & CLOTHC_CAPABILITY_TIMERS) != 0, most_particles_on(name)});
  }
}

void Places::add_processor() {
  auto info = initialised<clothc_device_info>();
  require(clothc_device_get_info(devices_[0], &info));
  std::vector<clothc_isa> isas;
  for (clothc_isa isa = CLOTHC_ISA_SSE4_1; isa <= CLOTHC_ISA_NEON; ++isa) {
    if ((info.isa_mask >> isa & 1) != 0) isas.push_back(isa);
  }
  add("best instruction set, 2 threads,", processor(CLOTHC_ISA_AUTO, 2), {CLOTHC_SCHEDULE_PASS});
  task_thread_ = std::make_unique<golden::TaskThread>();
  clothc_device_desc in_tasks = processor(CLOTHC_ISA_AUTO, 1);
  in_tasks.flags = CLOTHC_DEVICE_TASKS_ONLY;
  in_tasks.submit = golden::TaskThread::submit;
  in_tasks.submit_user = task_thread_.get();
  add("tasks", in_tasks, {CLOTHC_SCHEDULE_AUTO, CLOTHC_SCHEDULE_PASS, CLOTHC_SCHEDULE_CLOTH});
  // The best one runs in any case.
  if (isas.size() < 2) return;
  isas.pop_back();
  std::vector<Place> others;
  for (const clothc_isa isa : isas) {
    add(isa_names[isa], processor(isa, 1), {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS});
    others.insert(others.end(), choices_.back().begin(), choices_.back().end());
    choices_.pop_back();
  }
  choices_.push_back(others);
}

void Places::add_gpu(const clothc_device_info& info) {
  auto desc = initialised<clothc_device_desc>();
  desc.backend = info.backend;
  desc.device_index = info.device_index;
  // Software devices on a loaded machine are no reason to give up.
  desc.hang_timeout_ms = 600000;
  add(info.name, desc, {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS});
  const std::vector<Place> schedules = choices_.back();
  choices_.back() = {schedules[0]};
  choices_.push_back({schedules[1]});
}

}  // namespace lockstep
