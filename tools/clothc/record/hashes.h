// hashes.h - decides when the recorder asks for the state hash of a solver. Asking waits for the device, so it must not
// happen while an update waits for a fence that the program has yet to raise, nor while another thread uses the solver, nor
// where only the program's own tasks can do the work.
#pragma once

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "capture/format.h"
#include "capture/generated/calls.h"

namespace clothc_tool {

class StateHashes {
 public:
  // every: after how many updates of a solver its hash is asked for; 0 = never.
  explicit StateHashes(uint32_t every) : every_(every) {}

  // A device has been created whose work runs in tasks of the program only, which need not run while the recorder waits.
  void add_device_with_tasks_only(clothc_device device);

  void add(clothc_solver solver, clothc_device device);
  void remove(clothc_solver solver);
  void remove_all(clothc_device device);

  // An update has succeeded. Returns the hash if it is time for one.
  std::optional<HashEvent> updated(clothc_solver solver, const clothc_update& update);

  // Returns the hash of a solver that is about to be destroyed, if an update has happened since the last one.
  std::optional<HashEvent> last_of(clothc_solver solver);

  // The same for all solvers of a device, or with null for all that no other thread can be using.
  std::vector<HashEvent> last_of_all(clothc_device device);

  // The event of a hash that the program itself asked for.
  HashEvent asked_for(clothc_solver solver, uint64_t hash);

 private:
  struct Solver {
    clothc_device device = nullptr;
    uint64_t update_count = 0;
    uint64_t hashed_update = 0;
    bool is_due = false;
    bool is_off = false;
    // The thread of the last update.
    pid_t thread = 0;
    // What updates wait for that was not reached when last looked at.
    std::vector<std::pair<clothc_fence, uint64_t>> waits;
  };
  bool can_wait(clothc_solver handle, Solver& solver);
  std::optional<HashEvent> ask(clothc_solver handle);

  uint32_t every_;
  std::mutex mutex_;
  std::unordered_set<clothc_device> devices_with_tasks_only_;
  std::unordered_map<clothc_solver, Solver> solvers_;
};

}  // namespace clothc_tool
