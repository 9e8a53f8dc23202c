// yardstick.h - yardsticks: small loops whose run time tells how fast this machine is at the moment. Ratios to them are
// stable even on a noisy machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clothc_tool {

struct YardstickSheet;

// The yardstick E: nanoseconds per constraint of a hand-written AVX2 edge loop on one thread.
class EdgeYardstick {
 public:
  // processors: where it is measured; none = on the processor of the calling thread.
  explicit EdgeYardstick(std::vector<uint32_t> processors = {});
  ~EdgeYardstick();
  bool available() const { return sheet_ != nullptr; }

  // Says why it is not available.
  const std::string& reason() const { return reason_; }

  const std::vector<uint32_t>& processors() const { return processors_; }

  // Returns E in ns per constraint: the mean over the first few processors of the median of a few bursts on each, which
  // takes about 2 ms in total. Requires available().
  double measure();

 private:
  double measure_here();
  double measure_burst();
  std::vector<uint32_t> processors_;
  std::unique_ptr<YardstickSheet> sheet_;
  std::string reason_;
};

// Measures STREAM's triad a = b + s c over arrays far larger than the caches, on one thread. Returns 1e9 bytes per
// second, the best of five runs.
double measure_triad();

// Measures a chain of dependent scalar float additions. Returns ns per addition, the best of five runs.
double measure_add_chain();

}  // namespace clothc_tool
