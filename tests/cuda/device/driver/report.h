// report.h - the rules in force, and what the device reports when the process ends. Called with the state's lock held.
#pragma once

#include "cuda/device/driver/state.h"

namespace clothc::cuda_device {

// Reads the rules of the environment variable. A wrong one is reported on stderr and changes nothing.
void read_environment();
// Adds the races that the interpreter has found. It is called after each operation, because the interpreter forgets
// them before the process ends.
void take_races();

}  // namespace clothc::cuda_device
