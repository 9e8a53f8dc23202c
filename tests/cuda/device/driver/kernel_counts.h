// kernel_counts.h - what kernels have executed, summed over their launches, and the text of it, which control.h
// describes.
#pragma once

#include <string>

#include "cuda/device/ptx/counts.h"

namespace clothc::cuda_device {

// The state's lock is not held.
void add_kernel_counts(const std::string& kernel, const ptx::Counts& counts);

// The state's lock is held.
std::string kernel_counts_text();

// Writes the text to the file that CLOTHC_CUDA_DEVICE_COUNTS names, if it is set. The state's lock is held.
void write_kernel_counts();

}  // namespace clothc::cuda_device
