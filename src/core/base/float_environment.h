// float_environment.h - sets the floating-point control register to its default for the lifetime of an object, because
// applications often set flush-to-zero or another rounding mode, which would change results.
#pragma once

#include "platform/compiler.h"

namespace clothc {

class FloatEnvironment {
 public:
  FloatEnvironment() : saved_(platform::float_control()) {
    platform::set_float_control(platform::default_float_control);
  }
  ~FloatEnvironment() { platform::set_float_control(saved_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  platform::FloatControl saved_;
};

}  // namespace clothc
