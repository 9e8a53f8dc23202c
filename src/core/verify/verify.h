// verify.h - compares a device with the scalar code: every kernel by itself, and whole updates.
#pragma once

#include <functional>
#include <vector>

#include "core/objects/device.h"

namespace clothc {

// Whether the next run of a kernel, an operation or whole updates is to be compared in a form.
using VerifiedChoice = std::function<bool(const char* name, clothc_verified_form form)>;

// Returns the results by kernel and form. is_stopped: asked between steps; if it returns true, this throws Failure. It
// does so too where the device fails. is_chosen: everything without it; what it leaves out takes no time on the device.
std::vector<clothc_verification_row> verify(Device& device, const std::function<bool()>& is_stopped,
                                            const VerifiedChoice& is_chosen = {});

// Begins to verify a device in a thread, unless that goes on already. Throws Failure where the device cannot be verified.
void begin_verification(Device& device);

// Gives a new device the cache of its desc, if that fits. With CLOTHC_DEVICE_STRICT_PARITY it then verifies the device if
// nothing is known of its bits, and throws Failure if they differ.
void require_known_bits(Device& device, const clothc_device_desc& desc);

}  // namespace clothc
