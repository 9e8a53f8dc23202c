// drivers.h - what is known of single drivers and cannot be queried.
#pragma once

#include <cstdint>

#include "backend_vulkan/headers.h"

namespace clothc::vulkan {

// The values are those for drivers of which nothing is known.
struct DriverTraits {
  // Whether the project lists the driver as proved: CI compares every kernel and whole simulations on it, bit by bit.
  // What a driver promises is not enough: docs/log/2026-11-30-verification.md has one that promised and differed.
  bool is_proved = false;

  // Whether the device computes with the instructions of the processor: + - * / and the square root are correctly
  // rounded to nearest, and NaN and infinities are kept. Denormals may be flushed.
  bool computes_as_processors = false;

  // Whether shaders may declare float controls. A driver may optimise less where they do.
  bool takes_float_controls = true;

  // Number of invocations in the workgroup that runs a program.
  uint32_t program_lanes = 128;

  // Upper bound on loop iterations of a lane in one dispatch. GPUs stop a dispatch that takes seconds; one loop
  // iteration takes less than a microsecond.
  uint32_t max_loops_per_dispatch = 1'000'000;

  // Whether the driver may unroll the loops of kernels.
  bool unrolls_loops = true;

  // Whether the driver compiles a shader only when it first runs, during which nothing shows that it makes progress.
  bool compiles_when_run = false;

  // Whether kernels read arenas as texels, where all of an arena fits into a view.
  bool reads_texels = false;
};

DriverTraits traits_of(VkDriverId driver);

}  // namespace clothc::vulkan
