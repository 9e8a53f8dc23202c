// fences.h - the fences of a replay. A replay has one thread, and no other API raises fences in it. So where a call must
// wait for work that waits for a fence which nothing in the capture has raised so far, the fence is raised for it.
#pragma once

#include <clothc.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace clothc_tool {

class ReplayedFences {
 public:
  // A fence has been created with this value, or a call that raises it to this value has been made.
  void raised(clothc_fence fence, uint64_t value);

  // An update that waits for a fence has been queued.
  void awaited(clothc_fence fence, uint64_t value);

  // Whether an update waits for a value that no call has raised a fence to.
  bool is_stuck();

  // Raises what updates wait for. Returns how many fences it raised.
  uint32_t release();

  // Whether release() has raised a fence to this value or a higher one.
  bool was_released(clothc_fence fence, uint64_t value) const;

 private:
  std::unordered_map<clothc_fence, uint64_t> values_;
  std::unordered_map<clothc_fence, uint64_t> released_;
  std::vector<std::pair<clothc_fence, uint64_t>> waits_;
};

}  // namespace clothc_tool
