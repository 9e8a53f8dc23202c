// vulkan_runner.h - carries out a list of jobs on the first GPU that has a Vulkan driver, or on a software device where
// there is none, one dispatch after another. This is test code: memory is always mapped, and every dispatch waits for the
// previous one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parity/dialect/arenas.h"

namespace clothc::probes {

// How the device computes divisions and square roots.
struct Arithmetic {
  // If set, the shaders correct the device's results, and read arenas as storage buffers: what GPUs run. Otherwise they
  // are what software drivers run, and read texels on Mesa's.
  bool strict = true;

  // If set, the device's results are up to two units in the last place off; see wrong_arithmetic.glsl.
  bool wrong = false;
};

class VulkanRunner {
 public:
  // Runs the library's modules. Loads probes, and what divides on a device with wrong arithmetic, from the folder to
  // which check_glsl compiles, or from that which CLOTHC_SHADER_FOLDER names. Returns null and the reason if this machine
  // or build cannot run them.
  static std::unique_ptr<VulkanRunner> create(const std::string& shader_folder, Arithmetic arithmetic,
                                              std::string& reason);

  virtual ~VulkanRunner() = default;
  // Returns whether the device is one whose own divisions and roots the library takes to be exact.
  virtual bool divides_exactly() const = 0;
  virtual void run(Arenas& arenas, const std::vector<Job>& jobs) = 0;
};

}  // namespace clothc::probes
