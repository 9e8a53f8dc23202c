// native_code.cpp - see native_code.h.
// Sources: NVIDIA, CUDA C++ Programming Guide, "Binary Compatibility"; CUDA Compatibility, "Minor Version
// Compatibility".
#include "backend_cuda/native_code.h"

#include <cstring>

namespace clothc::cuda {
namespace {

// The one embedded GPU (Tegra) whose major number desktop GPUs have too. It does not run their code.
constexpr int embedded_capability = 87;

// Drivers run what compilers of earlier versions of CUDA have made, and of later ones with the same major number.
bool takes_code_of(int toolkit_version, int driver_version) { return driver_version / 1000 >= toolkit_version / 1000; }

bool runs_on(int architecture, int compute_capability) {
  if (architecture == compute_capability) return true;
  if (architecture == embedded_capability || compute_capability == embedded_capability) return false;
  return architecture / 10 == compute_capability / 10 && architecture < compute_capability;
}

}  // namespace

const void* find_image(const NativeCode& code, const char* function, int compute_capability, int driver_version) {
  if (!takes_code_of(code.toolkit_version, driver_version)) return nullptr;
  const NativeImage* best = nullptr;
  for (const NativeImage* image = code.images; image != code.images + code.count; ++image) {
    if (!runs_on(image->architecture, compute_capability) || std::strcmp(image->function, function) != 0) continue;
    if (best == nullptr || image->architecture > best->architecture) best = image;
  }
  return best == nullptr ? nullptr : best->image;
}

}  // namespace clothc::cuda
