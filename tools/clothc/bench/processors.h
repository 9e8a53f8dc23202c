// processors.h - pins threads to processors, so that the yardstick is measured on the same ones as the workers. On
// shared machines one core can be a third slower than another, because of what else runs on its second hardware thread.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc_tool {

struct Processors {
  std::vector<uint32_t> of_workers, others;
};

// Splits the processors that this process may use: the first ones, as many as there are workers (0 = all), and the
// rest. Both are empty if the system does not tell.
Processors divide_processors(uint32_t workers);

// While an instance exists, the calling thread and the threads that it starts run on the given processors. An empty
// list changes nothing.
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
