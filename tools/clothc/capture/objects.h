// objects.h - maps the handles and ids of the recorded program to those of the replay.
#pragma once

#include <clothc.h>

#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace clothc_tool {

class CapturedObjects {
 public:
  // The handle that stands for a recorded one. Where there is none, the result is null for null, and otherwise a handle
  // that the library refuses as the recorded program's library did.
  template <class Handle>
  Handle handle(uint64_t recorded) const {
    const auto& known = std::get<Map<Handle>>(handles_);
    const auto found = known.find(recorded);
    if (found != known.end()) return found->second;
    return recorded == 0 ? nullptr : reinterpret_cast<Handle>(UNKNOWN);
  }
  template <class Handle>
  void add(uint64_t recorded, Handle handle) {
    std::get<Map<Handle>>(handles_)[recorded] = handle;
  }

  enum class IdKind { cloth, collider_set, asset };

  // The id that stands for a recorded one of a solver. An id that no call has made, as after a restore, stands for itself.
  uint32_t id(uint64_t recorded_solver, IdKind kind, uint32_t recorded) const {
    const auto solver = ids_.find(recorded_solver);
    if (solver == ids_.end()) return recorded;
    const auto found = solver->second.find(key(kind, recorded));
    return found == solver->second.end() ? recorded : found->second;
  }
  void add_id(uint64_t recorded_solver, IdKind kind, uint32_t recorded, uint32_t id) {
    ids_[recorded_solver][key(kind, recorded)] = id;
  }
  // A snapshot brings its own ids.
  void forget_ids(uint64_t recorded_solver) { ids_.erase(recorded_solver); }

 private:
  template <class Handle>
  using Map = std::unordered_map<uint64_t, Handle>;

  // No library returns an address at the end of memory as a handle.
  static constexpr uintptr_t UNKNOWN = UINTPTR_MAX - 15;

  static uint64_t key(IdKind kind, uint32_t id) { return uint64_t{static_cast<uint32_t>(kind)} << 32 | id; }

  std::tuple<Map<clothc_device>, Map<clothc_buffer>, Map<clothc_fabric>, Map<clothc_solver>, Map<clothc_fence>>
      handles_;
  std::unordered_map<uint64_t, std::unordered_map<uint64_t, uint32_t>> ids_;
};

}  // namespace clothc_tool
