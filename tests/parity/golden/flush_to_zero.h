// flush_to_zero.h - sets the calling thread's floating-point mode as some host programs do: denormal results and
// operands are treated as zero.
#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace golden {

class FlushToZero {
 public:
  explicit FlushToZero(bool on) : before_(read()) {
    if (on) write(before_ | bits);
  }
  ~FlushToZero() { write(before_); }
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
#if defined(__x86_64__) || defined(_M_X64)
  using Word = unsigned int;
  static constexpr Word bits = 0x8040;
  static Word read() { return _mm_getcsr(); }
  static void write(Word word) { _mm_setcsr(word); }
#elif defined(__aarch64__)
  using Word = uint64_t;
  static constexpr Word bits = 1u << 24;
  static Word read() {
    Word word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void write(Word word) { __asm__ volatile("msr fpcr, %0" : : "r"(word)); }
#else
  using Word = unsigned int;
  static constexpr Word bits = 0;
  static Word read() { return 0; }
  static void write(Word) {}
#endif
  Word before_;
};

}  // namespace golden
