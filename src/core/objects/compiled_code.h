// compiled_code.h - saves what a device has compiled, and whether it was verified, as bytes that a program stores, and
// loads them in a later run.
#pragma once

#include <cstdint>
#include <vector>

#include "core/objects/device.h"

namespace clothc {

// Throws Failure.
std::vector<uint8_t> save_compiled_code(const Device& device);
// Throws Failure, and changes nothing, if the bytes are damaged or come from another device, driver or library.
void load_compiled_code(Device& device, const uint8_t* data, uint64_t size);

}  // namespace clothc
