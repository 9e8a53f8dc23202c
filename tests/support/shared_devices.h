// shared_devices.h - devices that tests share, since drivers compile their kernels anew for each. They are made when first
// asked for and destroyed when all tests have run.
#pragma once

#include "clothc.h"

namespace clothc_test {

// The device of this description, which has no callbacks; null, with a failed test, if there is none. Tests leave it
// working, and leave alone its timeline, its memory and whatever else may be other tests'.
clothc_device shared_device(const clothc_device_desc& desc);

}  // namespace clothc_test
