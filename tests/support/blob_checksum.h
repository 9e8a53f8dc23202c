// blob_checksum.h - makes the checksum of a changed fabric blob right again, so that tests reach what lies behind it.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace clothc_test {

// As blob.cpp does it, on a little-endian machine.
inline void mend_checksum(std::vector<uint8_t>& bytes) {
  uint64_t state = 0x636c6f7468626c62u;
  for (size_t k = 32; k + 4 <= bytes.size(); k += 4) {
    uint32_t word;
    std::memcpy(&word, &bytes[k], 4);
    state = (state ^ word) * 0x9e3779b97f4a7c15u;
    state ^= state >> 32;
  }
  std::memcpy(&bytes[24], &state, 8);
}

}  // namespace clothc_test
