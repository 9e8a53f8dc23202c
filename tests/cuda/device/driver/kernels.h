// kernels.h - launches of kernels, alone or as nodes of graphs. Called with the state's lock held.
#pragma once

#include "cuda/device/driver/calls.h"

namespace clothc::cuda_device {

// Returns the task that a launch makes. The values of the kernel's parameters are copied. Throws if a real device would
// refuse the launch.
TaskPointer make_kernel_task(const Call& call, const CUDA_KERNEL_NODE_PARAMS& launch);

}  // namespace clothc::cuda_device
