// driver.h - NVIDIA's driver library, loaded at run time, and its functions.
#pragma once

#include <memory>
#include <string>

#include "backend_cuda/driver_api.h"
#include "platform/shared_library.h"

namespace clothc::cuda {

class Driver {
 public:
  // Returns the driver, which all devices share, or null with the reason why there is none. The environment variable
  // CLOTHC_CUDA_LIBRARY names another library, such as a software device.
  static std::shared_ptr<Driver> open(std::string& reason);
  // The library stays loaded, because a driver may have threads that run its code until the process ends.
  ~Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // Returns the version of CUDA that the driver was made for: 1000 times the major number plus 10 times the minor one.
  int version() const { return version_; }
  // Whether the library says that its devices are made of software.
  bool is_software() const { return is_software_; }
  const char* name_of(CUresult result) const;

#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters) CUresult(*name) parameters = nullptr;
#include "backend_cuda/functions.def"
#undef CLOTHC_CUDA_FUNCTION

 private:
  Driver() = default;
  bool load(std::string& reason);

  platform::SharedLibrary library_;
  int version_ = 0;
  bool is_software_ = false;
};

}  // namespace clothc::cuda
