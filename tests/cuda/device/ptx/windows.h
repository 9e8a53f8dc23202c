// windows.h - where the generic address space has what is no global memory. Global addresses are addresses of the host,
// which never have these high bits.
#pragma once

#include <cstdint>

namespace ptx {

constexpr uint64_t shared_window = uint64_t{0x51} << 56;
constexpr uint64_t local_window = uint64_t{0x4c} << 56;
constexpr uint64_t parameter_window = uint64_t{0x50} << 56;
constexpr uint64_t window_size = uint64_t{1} << 32;

// Whether a generic address is one of global memory.
inline bool is_global(uint64_t address) { return address >> 60 == 0; }

}  // namespace ptx
