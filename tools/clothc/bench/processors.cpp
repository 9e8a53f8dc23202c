// processors.cpp - sets processor affinities on Linux; on other systems threads run on any processor.
#include "bench/processors.h"

#if defined(__linux__)
#include <sched.h>
#endif

namespace clothc_tool {
namespace {

#if defined(__linux__)
std::vector<uint32_t> allowed_processors() {
  std::vector<uint32_t> processors;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return processors;
  for (uint32_t k = 0; k < CPU_SETSIZE; ++k)
    if (CPU_ISSET(k, &set)) processors.push_back(k);
  return processors;
}

void run_on(const std::vector<uint32_t>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const uint32_t processor : processors) CPU_SET(processor, &set);
  // If this fails the threads keep their affinity.
  sched_setaffinity(0, sizeof set, &set);
}
#else
std::vector<uint32_t> allowed_processors() { return {}; }
void run_on(const std::vector<uint32_t>&) {}
#endif

}  // namespace

Processors divide_processors(uint32_t workers) {
  Processors processors;
  for (const uint32_t processor : allowed_processors()) {
    const bool is_for_worker = workers == 0 || processors.of_workers.size() < workers;
    (is_for_worker ? processors.of_workers : processors.others).push_back(processor);
  }
  return processors;
}

OnProcessors::OnProcessors(const std::vector<uint32_t>& processors) {
  if (processors.empty()) return;
  before_ = allowed_processors();
  run_on(processors);
}

OnProcessors::~OnProcessors() {
  if (!before_.empty()) run_on(before_);
}

}  // namespace clothc_tool
