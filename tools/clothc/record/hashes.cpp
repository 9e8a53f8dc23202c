// hashes.cpp - counts updates, and asks for hashes through the library itself.
#include "record/hashes.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "record/symbols.h"

namespace clothc_tool {
namespace {

constexpr uint64_t LONGEST_WAIT_NS = 5'000'000'000;

pid_t this_thread() {
  static thread_local const pid_t id = static_cast<pid_t>(syscall(SYS_gettid));
  return id;
}

bool runs_in_another_thread(pid_t thread) {
  const std::string path = "/proc/self/task/" + std::to_string(thread);
  return thread != 0 && thread != this_thread() && access(path.c_str(), F_OK) == 0;
}

bool is_reached(const std::pair<clothc_fence, uint64_t>& wait) {
  uint64_t value = 0;
  return library().fence_get_value(wait.first, &value) >= 0 && value >= wait.second;
}

uint32_t cloth_count_of(clothc_solver solver) {
  clothc_solver_info info = {};
  info.struct_size = sizeof info;
  return library().solver_get_info(solver, &info) >= 0 ? info.cloth_count : 0;
}

}  // namespace

void StateHashes::add_device_with_tasks_only(clothc_device device) {
  const std::lock_guard lock(mutex_);
  if (every_ != 0 && devices_with_tasks_only_.empty()) {
    std::fputs(
        "clothc record: a device works in tasks of the program only, so the capture has no hashes of its solvers\n",
        stderr);
  }
  devices_with_tasks_only_.insert(device);
}

void StateHashes::add(clothc_solver solver, clothc_device device) {
  const std::lock_guard lock(mutex_);
  solvers_[solver] = {};
  solvers_[solver].device = device;
  solvers_[solver].is_off = devices_with_tasks_only_.count(device) != 0;
}

void StateHashes::remove(clothc_solver solver) {
  const std::lock_guard lock(mutex_);
  solvers_.erase(solver);
}

void StateHashes::remove_all(clothc_device device) {
  const std::lock_guard lock(mutex_);
  for (auto it = solvers_.begin(); it != solvers_.end();) it = it->second.device == device ? solvers_.erase(it) : ++it;
}

std::optional<HashEvent> StateHashes::updated(clothc_solver handle, const clothc_update& update) {
  {
    const std::lock_guard lock(mutex_);
    Solver& solver = solvers_[handle];
    ++solver.update_count;
    solver.thread = this_thread();
    if (update.wait_fence) solver.waits.emplace_back(update.wait_fence, update.wait_value);
    if (every_ == 0) return std::nullopt;
    solver.is_due = solver.is_due || solver.update_count % every_ == 0;
    if (!solver.is_due) return std::nullopt;
  }
  return ask(handle);
}

std::optional<HashEvent> StateHashes::last_of(clothc_solver handle) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = solvers_.find(handle);
    if (every_ == 0 || found == solvers_.end() || found->second.hashed_update == found->second.update_count) return {};
  }
  return ask(handle);
}

std::vector<HashEvent> StateHashes::last_of_all(clothc_device device) {
  std::vector<clothc_solver> handles;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, solver] : solvers_) {
      const bool wanted = device ? solver.device == device : !runs_in_another_thread(solver.thread);
      if (wanted) handles.push_back(handle);
    }
  }
  std::sort(handles.begin(), handles.end());
  std::vector<HashEvent> events;
  for (clothc_solver handle : handles) {
    if (const auto event = last_of(handle)) events.push_back(*event);
  }
  return events;
}

// Tells whether all work of a solver ends without this thread. A solver whose work does not end in time is not asked
// again.
bool StateHashes::can_wait(clothc_solver handle, Solver& solver) {
  auto& waits = solver.waits;
  waits.erase(std::remove_if(waits.begin(), waits.end(), is_reached), waits.end());
  if (!waits.empty() || solver.is_off) return false;
  const clothc_result result = library().solver_wait(handle, UINT64_MAX, LONGEST_WAIT_NS);
  solver.is_off = result == CLOTHC_TIMEOUT;
  if (solver.is_off) {
    std::fputs("clothc record: the work of a solver did not end within 5 s, so the capture has no more hashes of it\n",
               stderr);
  }
  return result == CLOTHC_SUCCESS;
}

std::optional<HashEvent> StateHashes::ask(clothc_solver handle) {
  Solver* solver = nullptr;
  {
    // No other thread uses or destroys this solver meanwhile, and elements of this map do not move.
    const std::lock_guard lock(mutex_);
    solver = &solvers_[handle];
  }
  if (!can_wait(handle, *solver)) return std::nullopt;
  uint64_t hash = 0;
  if (library().solver_state_hash(handle, &hash) < 0) return std::nullopt;
  return asked_for(handle, hash);
}

HashEvent StateHashes::asked_for(clothc_solver handle, uint64_t hash) {
  const uint32_t cloth_count = cloth_count_of(handle);
  const std::lock_guard lock(mutex_);
  Solver& solver = solvers_[handle];
  solver.is_due = false;
  solver.hashed_update = solver.update_count;
  return {reinterpret_cast<uintptr_t>(handle), hash, solver.update_count, cloth_count, 0};
}

}  // namespace clothc_tool
