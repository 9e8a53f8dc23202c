// native_images.h - what the device does with native code, which it cannot run: it finds the PTX text that the code was
// made of. Called with the state's lock held.
#pragma once

#include <string>

#include "cuda/device/driver/device.h"

namespace clothc::cuda_device {

// Whether an image begins like an ELF file. Reads no further than the first byte that says no.
bool is_elf(const void* image);

// Returns the PTX text of an ELF image, and counts the image. Throws CUDA_ERROR_INVALID_IMAGE if it is no code for GPUs,
// CUDA_ERROR_NO_BINARY_FOR_GPU if it is for another device or if no rule names a folder of images, and
// CUDA_ERROR_INVALID_IMAGE if the folder has no image with the same bytes. Nobody says how long an image is, so that it
// is read up to the first byte that is wrong only.
std::string text_of_native_image(const void* image, CUdevice device);

}  // namespace clothc::cuda_device
