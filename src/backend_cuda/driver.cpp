// driver.cpp - loads the driver library and its functions.
#include "backend_cuda/driver.h"

#include <cstdlib>
#include <mutex>

#include "core/base/process.h"

namespace clothc::cuda {
namespace {

// The first version that has all functions of functions.def.
constexpr int least_version = 11040;

// The shared driver. A child of fork does not use that of its parent: it opens the driver anew, which then says that it
// cannot work there.
struct Sharing {
  ForkMutex mutex;
  std::weak_ptr<Driver> driver;
  // The process that opened the driver.
  Origin origin;
};
Sharing& sharing() {
  static auto* shared = new Sharing;
  return *shared;
}

#if defined(_WIN32)
constexpr const char* usual_library = "nvcuda.dll";
#else
constexpr const char* usual_library = "libcuda.so.1";
#endif

std::string library_name() {
  const char* named = std::getenv("CLOTHC_CUDA_LIBRARY");
  return named != nullptr && *named != 0 ? named : usual_library;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::shared_ptr<Driver> Driver::open(std::string& reason) {
  Sharing& shared = sharing();
  const std::lock_guard<std::mutex> lock(shared.mutex);
  if (std::shared_ptr<Driver> living = shared.driver.lock(); living != nullptr && shared.origin.is_here())
    return living;
  std::shared_ptr<Driver> fresh(new Driver());
  if (!fresh->load(reason)) return nullptr;
  shared.driver = fresh;
  shared.origin = Origin();
  return fresh;
}

bool Driver::load(std::string& reason) {
  const std::string name = library_name();
  if (!library_.open(name.c_str())) {
    reason = "there is no " + name + "; install NVIDIA's driver";
    return false;
  }
  const char* missing = nullptr;
#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters)   \
  name = library_.find<CUresult(*) parameters>(#symbol); \
  if (name == nullptr && missing == nullptr) missing = #symbol;
#include "backend_cuda/functions.def"
#undef CLOTHC_CUDA_FUNCTION
  if (Init == nullptr || DriverGetVersion == nullptr || GetErrorName == nullptr) {
    reason = name + " is no CUDA driver: it has no " + missing;
    return false;
  }
  const CUresult initialised = Init(0);
  if (initialised != CUDA_SUCCESS) {
    reason = std::string("cuInit gave ") + name_of(initialised);
    reason += initialised == CUDA_ERROR_NO_DEVICE ? ": this machine has no NVIDIA GPU that programs may use"
                                                  : "; is the driver running, and does it fit its library?";
    return false;
  }
  const CUresult asked = DriverGetVersion(&version_);
  if (asked != CUDA_SUCCESS) {
    reason = std::string("cuDriverGetVersion gave ") + name_of(asked) + "; does the driver fit its library?";
    return false;
  }
  if (version_ < least_version || missing != nullptr) {
    reason = "the driver is made for CUDA " + version_text(version_) + "; update it to one for CUDA " +
             version_text(least_version) + " or newer";
    return false;
  }
  const auto is_software = library_.find<int (*)()>("clothc_cuda_device_is_software");
  is_software_ = is_software != nullptr && is_software() != 0;
  return true;
}

const char* Driver::name_of(CUresult result) const {
  const char* name = nullptr;
  return GetErrorName(result, &name) == CUDA_SUCCESS && name != nullptr ? name : "an unknown error";
}

}  // namespace clothc::cuda
