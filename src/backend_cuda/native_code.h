// native_code.h - native code of entry points, which ptxas made of their PTX texts when the library was built, and the
// choice of an image for a device. Invariant: an image is chosen only where NVIDIA says that it runs.
#pragma once

#include <cstddef>

namespace clothc::cuda {

struct NativeImage {
  // Name of the one function of the image.
  const char* function;
  // Compute capability that it was made for: ten times the major number plus the minor one.
  int architecture;
  // An ELF file, as cuModuleLoadDataEx takes it.
  const void* image;
};

struct NativeCode {
  const NativeImage* images = nullptr;
  size_t count = 0;
  // Version of CUDA that the compiler belongs to, in the form of Driver::version.
  int toolkit_version = 0;
};

// Returns what the build has put into the library: no images if the option CLOTHC_CUDA_NATIVE_CODE is OFF, or if it is
// AUTO and ptxas was not found.
const NativeCode& built_in_code();

// Returns the image of a function that suits a device and its driver best, or null if there is none: that of the
// device's compute capability, or of the nearest smaller one with the same major number.
// driver_version: as Driver::version gives it.
const void* find_image(const NativeCode& code, const char* function, int compute_capability, int driver_version);

}  // namespace clothc::cuda
