// compiler.h - what compilers and processors have words of their own for: attributes, pragmas, and single instructions.
// Each has its form for GNU-like compilers (g++, clang, clang-cl) and for MSVC beside each other, and no other file asks
// which compiler it is. The functions are inlined always, so that no object of an instruction set holds a copy of them.
#pragma once

#include <stdint.h>

#if defined(__x86_64__) || defined(_M_X64)
#define CLOTHC_X86_64
#endif
#if defined(CLOTHC_X86_64) || defined(__i386__) || defined(_M_IX86)
#define CLOTHC_X86
#elif defined(__aarch64__) || defined(_M_ARM64)
#define CLOTHC_ARM64
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CLOTHC_INLINE inline __attribute__((always_inline))
#define CLOTHC_NOINLINE __attribute__((noinline))
#define CLOTHC_HIDDEN __attribute__((visibility("hidden")))
// The checks are those of the C library's own format, which on Windows is not that of the compiler's default.
#if defined(__MINGW32__)
#define CLOTHC_PRINTF(format_index, first_argument) __attribute__((format(gnu_printf, format_index, first_argument)))
#else
#define CLOTHC_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#endif
#else
#include <intrin.h>
#include <math.h>
#include <string.h>
#define CLOTHC_INLINE __forceinline
#define CLOTHC_NOINLINE __declspec(noinline)
#define CLOTHC_HIDDEN
#define CLOTHC_PRINTF(format_index, first_argument)
#endif

// Stands in front of a loop of a few steps that is to become straight code.
#if defined(__clang__)
#define CLOTHC_UNROLLED _Pragma("unroll")
#elif defined(__GNUC__)
#define CLOTHC_UNROLLED _Pragma("GCC unroll 16")
#else
#define CLOTHC_UNROLLED
#endif

namespace clothc::platform {

// The state of a thread's floating-point unit: rounding, flushing to zero, traps.
#if defined(CLOTHC_ARM64)
using FloatControl = uint64_t;
constexpr FloatControl default_float_control = 0;
#else
using FloatControl = uint32_t;
// This rounds to nearest and masks all exceptions.
constexpr FloatControl default_float_control = 0x1f80;
#endif

#if defined(__GNUC__) || defined(__clang__)

// Returns the index of the lowest bit that is set. There must be one.
CLOTHC_INLINE int first_bit(uint32_t bits) { return __builtin_ctz(bits); }
CLOTHC_INLINE float square_root(float a) { return __builtin_sqrtf(a); }
// Makes the compiler store the object and read it from memory after that.
template <class Object>
CLOTHC_INLINE void keep_in_memory(Object& object) {
  __asm__("" : "+m"(object));
}
CLOTHC_INLINE void copy_word(void* to, const void* from) { __builtin_memcpy(to, from, 4); }
// Adds to a number that other threads add to. The order of the additions is not defined.
CLOTHC_INLINE void add_atomically(uint32_t* sum, uint32_t value) { __atomic_fetch_add(sum, value, __ATOMIC_RELAXED); }

#if defined(CLOTHC_X86)
CLOTHC_INLINE FloatControl float_control() { return __builtin_ia32_stmxcsr(); }
CLOTHC_INLINE void set_float_control(FloatControl control) { __builtin_ia32_ldmxcsr(control); }
// Tells the processor that the thread spins.
CLOTHC_INLINE void pause_briefly() { __builtin_ia32_pause(); }
#elif defined(CLOTHC_ARM64)
CLOTHC_INLINE FloatControl float_control() {
  FloatControl control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
CLOTHC_INLINE void set_float_control(FloatControl control) { __asm__ volatile("msr fpcr, %0" : : "r"(control)); }
CLOTHC_INLINE void pause_briefly() { __asm__ volatile("yield"); }
#else
CLOTHC_INLINE FloatControl float_control() { return default_float_control; }
CLOTHC_INLINE void set_float_control(FloatControl) {}
CLOTHC_INLINE void pause_briefly() {}
#endif

#else

CLOTHC_INLINE int first_bit(uint32_t bits) {
  unsigned long index;
  _BitScanForward(&index, bits);
  return static_cast<int>(index);
}
template <class Object>
CLOTHC_INLINE void keep_in_memory(Object&) {
  _ReadWriteBarrier();
}
CLOTHC_INLINE void copy_word(void* to, const void* from) { memcpy(to, from, 4); }
CLOTHC_INLINE void add_atomically(uint32_t* sum, uint32_t value) {
  _InterlockedExchangeAdd(reinterpret_cast<volatile long*>(sum), static_cast<long>(value));
}
#if defined(CLOTHC_X86)
CLOTHC_INLINE float square_root(float a) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))); }
CLOTHC_INLINE FloatControl float_control() { return _mm_getcsr(); }
CLOTHC_INLINE void set_float_control(FloatControl control) { _mm_setcsr(control); }
CLOTHC_INLINE void pause_briefly() { _mm_pause(); }
#else
CLOTHC_INLINE float square_root(float a) { return sqrtf(a); }
CLOTHC_INLINE FloatControl float_control() { return static_cast<FloatControl>(_ReadStatusReg(ARM64_FPCR)); }
CLOTHC_INLINE void set_float_control(FloatControl control) {
  _WriteStatusReg(ARM64_FPCR, static_cast<__int64>(control));
}
CLOTHC_INLINE void pause_briefly() { __yield(); }
#endif

#endif

}  // namespace clothc::platform
