// shared_devices.h - devices that tests share, because drivers compile their kernels anew for each device. A device is
// made when it is first requested and destroyed after all tests have run.
#pragma once

#include "clothc.h"

namespace clothc_test {

// Returns the device of this description, which has no callbacks; or null, after failing the test, if there is none.
// Tests must leave the device working and must not rely on its timeline, its memory or any other state that other tests
// may change.
clothc_device shared_device(const clothc_device_desc& desc);

}  // namespace clothc_test
