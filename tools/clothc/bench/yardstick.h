// Yardsticks: small loops whose time says how fast this machine is right now, for ratios that hold on a noisy machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clothc_tool {

struct YardstickSheet;

// E: nanoseconds per constraint of a hand-written AVX2 edge loop on one thread.
class EdgeYardstick {
 public:
  // processors: where it is measured; none = where the calling thread is.
  explicit EdgeYardstick(std::vector<uint32_t> processors = {});
  ~EdgeYardstick();
  bool available() const { return sheet_ != nullptr; }
  const std::string& reason() const { return reason_; }  // why it is not available
  const std::vector<uint32_t>& processors() const { return processors_; }
  // ns per constraint, the mean over the first few processors, of each the median of a few bursts, about 2 ms in all; needs
  // available().
  double measure();

 private:
  double measure_here();
  double measure_burst();
  std::vector<uint32_t> processors_;
  std::unique_ptr<YardstickSheet> sheet_;
  std::string reason_;
};

// STREAM's triad a = b + s c over arrays far larger than the caches, one thread: 1e9 bytes per second, the best of five.
double measure_triad();

// A chain of dependent scalar float additions: ns each, the best of five.
double measure_add_chain();

}  // namespace clothc_tool
