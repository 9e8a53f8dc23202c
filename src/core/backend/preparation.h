// preparation.h - what a device is to compile before it is needed, and how far it has come.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/layout.h"

namespace clothc {

// Kernels and programs that updates will run.
struct Preparation {
  std::vector<Kernel> kernels;
  std::vector<ProgramFeature> programs;
};

// How many of the things that a device was asked to compile are compiled.
struct PreparationProgress {
  uint32_t done = 0;
  uint32_t total = 0;
};

}  // namespace clothc
