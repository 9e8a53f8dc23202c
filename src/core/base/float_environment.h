// float_environment.h - sets the floating-point control register to its default for the lifetime of an object, because
// applications often set flush-to-zero or another rounding mode, which would change results. It uses compiler builtins
// so that no header of intrinsics is included.
#pragma once

#include <cstdint>

namespace clothc {

class FloatEnvironment {
 public:
#if defined(__x86_64__) || defined(__i386__)
  FloatEnvironment() : saved_(__builtin_ia32_stmxcsr()) {
    // 0x1f80 rounds to nearest and masks all exceptions.
    __builtin_ia32_ldmxcsr(0x1f80);
  }
  ~FloatEnvironment() { __builtin_ia32_ldmxcsr(saved_); }

 private:
  uint32_t saved_;
#elif defined(__aarch64__)
  FloatEnvironment() {
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved_));
    __asm__ volatile("msr fpcr, %0" : : "r"(uint64_t{0}));
  }
  ~FloatEnvironment() { __asm__ volatile("msr fpcr, %0" : : "r"(saved_)); }

 private:
  uint64_t saved_;
#else
  FloatEnvironment() {}
#endif
 public:
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;
};

}  // namespace clothc
