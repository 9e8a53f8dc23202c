// report.cpp - see report.h and control.h.
#include "cuda/device/driver/report.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda/device/driver/kernel_counts.h"
#include "cuda/device/driver/sanitizer.h"

#define DEVICE_EXPORT extern "C" __attribute__((visibility("default")))

namespace clothc::cuda_device {
namespace {

constexpr int status_of_findings = 86;

// Races of which more are counted but not reported.
constexpr size_t max_races = 200;

uint64_t count_blocks(BlockKind kind) {
  uint64_t count = 0;
  for (const auto& [begin, block] : state().blocks) count += block->kind == kind;
  return count;
}

void count_objects(clothc_cuda_device_counts& counts) {
  const State& all = state();
  counts.contexts = all.contexts.size();
  counts.streams = all.streams.size();
  counts.events = all.events.size();
  counts.modules = all.modules.size();
  counts.graphs = all.graphs.size();
  counts.executable_graphs = all.executables.size();
  counts.user_objects = all.user_objects.size();
  counts.device_blocks = count_blocks(BlockKind::device);
  counts.pinned_blocks = count_blocks(BlockKind::pinned);
  counts.registered_blocks = count_blocks(BlockKind::registered);
  counts.mapped_blocks = count_blocks(BlockKind::mapped) + count_blocks(BlockKind::external);
  counts.shareable_allocations = all.shareables.size();
  counts.address_ranges = all.address_ranges.size();
  counts.external_memories = all.external_memories.size();
  counts.external_semaphores = all.external_semaphores.size();
}

void add_living(uint64_t count, const char* what) {
  if (count == 0) return;
  state().findings.push_back("leak: " + std::to_string(count) + " " + what + " never destroyed");
}

void add_living_objects() {
  clothc_cuda_device_counts living{};
  count_objects(living);
  add_living(living.contexts, "contexts were");
  add_living(living.streams, "streams were");
  add_living(living.events, "events were");
  add_living(living.modules, "modules were");
  add_living(living.graphs, "graphs were");
  add_living(living.executable_graphs, "executable graphs were");
  add_living(living.user_objects, "user objects were");
  add_living(living.device_blocks, "blocks of device memory were");
  add_living(living.pinned_blocks, "blocks of pinned memory were");
  add_living(living.registered_blocks, "blocks of registered memory were");
  add_living(living.mapped_blocks, "blocks of mapped memory were");
  add_living(living.shareable_allocations, "shareable allocations were");
  add_living(living.address_ranges, "ranges of addresses were");
  add_living(living.external_memories, "external memories were");
  add_living(living.external_semaphores, "external semaphores were");
}

bool is_strict() {
  const char* strict = std::getenv("CLOTHC_CUDA_DEVICE_STRICT");
  return strict && std::strcmp(strict, "1") == 0;
}

bool apply_rules() {
  State& all = state();
  const std::optional<Rules> rules = read_rules(all.controlled, all.environment);
  if (!rules) return false;
  all.rules = *rules;
  all.tasks_under_rules = 0;
  ++all.rules_version;
  all.progress.notify_all();
  return true;
}

// Returns whether there is anything to report.
bool print_findings() {
  const InsideDevice inside;
  const std::lock_guard lock(state().mutex);
  write_kernel_counts();
  add_living_objects();
  for (const std::string& finding : state().findings) std::fprintf(stderr, "cuda device: %s\n", finding.c_str());
  return !state().findings.empty();
}

// Runs after the destructors of the program's static objects, which may still destroy objects of the device.
__attribute__((destructor)) void report_at_exit() {
  if (state().is_forked || !print_findings() || !is_strict()) return;
  std::fflush(nullptr);
  std::_Exit(status_of_findings);
}

}  // namespace

void take_races() {
  State& all = state();
  for (const std::string& race : ptx::take_races()) {
    if (!all.races.insert(race).second) continue;
    ++all.counts.races;
    if (all.races.size() <= max_races) all.findings.push_back("race: " + race);
  }
}

void read_environment() {
  State& all = state();
  static std::string last;
  const char* variable = std::getenv("CLOTHC_CUDA_DEVICE_RULES");
  const std::string text = variable ? variable : "";
  if (text == last) return;
  last = text;
  const std::optional<Rules> rules = read_rules(text, Rules{});
  if (!rules) {
    std::fprintf(stderr, "cuda device: CLOTHC_CUDA_DEVICE_RULES=%s is wrong\n", text.c_str());
    return;
  }
  all.environment = *rules;
  apply_rules();
}

}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

DEVICE_EXPORT int clothc_cuda_device_is_software(void) { return 1; }

DEVICE_EXPORT int clothc_cuda_device_control(const char* rules) {
  const InsideDevice inside;
  const std::lock_guard lock(state().mutex);
  read_environment();
  const std::string before = state().controlled;
  state().controlled = rules ? rules : "";
  if (apply_rules()) return 0;
  state().controlled = before;
  return 1;
}

DEVICE_EXPORT void clothc_cuda_device_statistics(clothc_cuda_device_counts* counts) {
  const InsideDevice inside;
  const std::lock_guard lock(state().mutex);
  *counts = state().counts;
  count_objects(*counts);
}

DEVICE_EXPORT uint64_t clothc_cuda_device_count(const char* function) {
  const InsideDevice inside;
  const std::lock_guard lock(state().mutex);
  const std::optional<Function> found = find_function(function ? function : "");
  return found ? state().calls[static_cast<size_t>(*found)] : 0;
}

DEVICE_EXPORT void clothc_cuda_device_reset_counts(void) {
  const InsideDevice inside;
  const std::lock_guard lock(state().mutex);
  for (uint64_t& calls : state().calls) calls = 0;
  state().kernel_counts.clear();
}

DEVICE_EXPORT size_t clothc_cuda_device_kernel_counts(char* buffer, size_t size) {
  const InsideDevice inside;
  const std::lock_guard lock(state().mutex);
  const std::string text = kernel_counts_text();
  if (buffer && size > 0) std::snprintf(buffer, size, "%s", text.c_str());
  return text.size();
}

DEVICE_EXPORT size_t clothc_cuda_device_report(char* buffer, size_t size) {
  const InsideDevice inside;
  const std::lock_guard lock(state().mutex);
  std::string text;
  for (const std::string& finding : state().findings) text += finding + "\n";
  const size_t count = state().findings.size();
  state().findings.clear();
  state().races.clear();
  if (buffer && size > 0) std::snprintf(buffer, size, "%s", text.c_str());
  return count;
}
