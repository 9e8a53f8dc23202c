// processor.h - what the operating system and the processor say of this machine.
#pragma once

#include <cstdint>
#include <string>

namespace clothc::platform {

// Which extensions of x86-64 the processor and the operating system support; none on other processors.
struct ProcessorFeatures {
  bool sse4_1 = false;
  bool avx2 = false;
  // AVX-512 with its parts F, VL, DQ and BW.
  bool avx512 = false;
  bool avx512_vbmi2 = false;
};
ProcessorFeatures processor_features();

// Returns the name of the processor, or that of its architecture where none is known.
std::string processor_name();

// Returns the bytes of memory of this machine, or 0 if they are not known.
uint64_t memory_size();

}  // namespace clothc::platform
