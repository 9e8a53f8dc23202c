// device.h - properties of the devices. Called with the state's lock held.
#pragma once

#include "cuda/device/driver/calls.h"

namespace clothc::cuda_device {

// Throws if there is no such device.
void require_device(CUdevice device);
// Throws if there is no such attribute.
int attribute_of(CUdevice device, CUdevice_attribute attribute);

}  // namespace clothc::cuda_device
