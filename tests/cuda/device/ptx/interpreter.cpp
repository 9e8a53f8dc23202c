// interpreter.cpp - runs a launch.
#include "cuda/device/ptx/interpreter.h"

#include <optional>

#include "cuda/device/ptx/block.h"
#include "cuda/device/ptx/counting.h"

namespace ptx {

uint64_t run(const Launch& launch, Checker& memory) {
  const uint32_t block_count = launch.grid.x * launch.grid.y * launch.grid.z;
  std::optional<Counting> counting;
  if (launch.counts != nullptr) counting.emplace(launch, *launch.counts);
  BlockRunner runner(launch, memory.state(), counting ? &*counting : nullptr);
  uint64_t executed = 0;
  for (const uint32_t number : sequence(block_count, launch.order, launch.seed)) executed += runner.run(number);
  runner.finish();
  if (counting) counting->finish();
  return executed;
}

}  // namespace ptx
