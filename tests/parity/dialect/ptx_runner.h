// ptx_runner.h - carries out a list of jobs by the PTX of the CUDA backend, which the interpreter of the software CUDA
// device runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/device/ptx/interpreter.h"
#include "parity/dialect/arenas.h"

namespace clothc::probes {

// How the interpreter runs the kernels.
struct PtxWay {
  ptx::Order order = ptx::Order::forward;
  bool delays_stores = false;
  // Finding races takes ten times as long.
  bool finds_races = true;
};

class PtxRunner {
 public:
  virtual ~PtxRunner() = default;
  // Loads the library's modules, and the probes from the folder to which check_cuda compiles them, if it did, or
  // from that which CLOTHC_PTX_FOLDER names.
  static std::unique_ptr<PtxRunner> create(const std::string& probe_folder);

  // Returns whether there is a module for a kernel or probe.
  virtual bool has(uint32_t kernel) const = 0;
  virtual void run(Arenas& arenas, const std::vector<Job>& jobs, const PtxWay& way) = 0;
};

}  // namespace clothc::probes
