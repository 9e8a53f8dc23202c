// blob_checksum.h - corrects the checksum of a modified fabric blob, so that tests reach the checks that follow the
// checksum.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace clothc_test {

// Computes the checksum as blob.cpp does, on a little-endian machine.
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
