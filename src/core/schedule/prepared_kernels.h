// prepared_kernels.h - chooses the kernels and programs that updates with given stages may run on a device.
#pragma once

#include "core/backend/limits.h"
#include "core/backend/preparation.h"

namespace clothc {

// The bit of a stage in a set of them.
constexpr uint32_t mask_of(Stage stage) { return 1u << static_cast<uint32_t>(stage); }

constexpr uint32_t all_stages = (1u << static_cast<uint32_t>(Stage::count)) - 1;

// stages: a set of them; 0 = all that updates with CLOTHC_SCHEDULE_AUTO may have. What belongs to no stage, such as
// reading and writing channels, is always included.
Preparation prepared_kernels(uint32_t stages, const DeviceLimits& limits);

}  // namespace clothc
