// vulkan_runner.h - carries out a list of jobs on Mesa's software Vulkan device, one dispatch after the other.
// Test code: memory is mapped throughout, and every dispatch waits for the one before.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parity/dialect/arenas.h"

namespace clothc::probes {

// How the device divides and takes square roots.
struct Arithmetic {
  bool strict = true;  // shaders correct what the device gives
  bool wrong = false;  // the device is up to two units in the last place off, see wrong_arithmetic.glsl
};

class VulkanRunner {
 public:
  // Finds shaders as FOLDER/<kernel>.spv. Null, with the reason, where this machine or build cannot run them.
  static std::unique_ptr<VulkanRunner> create(const std::string& shader_folder, Arithmetic arithmetic,
                                              std::string& reason);

  virtual ~VulkanRunner() = default;
  virtual void run(Arenas& arenas, const std::vector<Job>& jobs) = 0;
};

}  // namespace clothc::probes
