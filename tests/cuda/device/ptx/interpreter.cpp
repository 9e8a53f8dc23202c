// interpreter.cpp - runs a launch.
#include "cuda/device/ptx/interpreter.h"

#include "cuda/device/ptx/block.h"

namespace ptx {

uint64_t run(const Launch& launch, Checker& memory) {
  const uint32_t block_count = launch.grid.x * launch.grid.y * launch.grid.z;
  BlockRunner runner(launch, memory.state());
  uint64_t executed = 0;
  for (const uint32_t number : sequence(block_count, launch.order, launch.seed)) executed += runner.run(number);
  runner.finish();
  return executed;
}

}  // namespace ptx
