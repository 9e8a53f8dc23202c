// Which processors workers run on, so that the yardstick is measured where they are: on shared machines one core may be a
// third slower than the next, because of what else runs on its other hardware thread.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc_tool {

struct Processors {
  std::vector<uint32_t> of_workers, others;
};

// Processors for as many workers (0 = all), the first ones that this process may use, and the rest; none where the system
// does not tell.
Processors divide_processors(uint32_t workers);

// While it lives the calling thread, and threads that it starts, run on these processors; nothing happens if there are none.
class OnProcessors {
 public:
  explicit OnProcessors(const std::vector<uint32_t>& processors);
  ~OnProcessors();
  OnProcessors(const OnProcessors&) = delete;
  OnProcessors& operator=(const OnProcessors&) = delete;

 private:
  std::vector<uint32_t> before_;
};

}  // namespace clothc_tool
