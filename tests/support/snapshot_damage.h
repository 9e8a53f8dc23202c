// snapshot_damage.h - damages snapshots in ways that their checksum does not reveal.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace clothc_test {

// Corrects the checksum (FNV-1a of the bytes that follow it), as someone who tampers with a snapshot would.
inline void repair(std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t k = 16; k < bytes.size(); ++k) hash = (hash ^ bytes[k]) * 0x100000001b3u;
  for (unsigned k = 0; k < 8 && bytes.size() >= 16; ++k) bytes[8 + k] = static_cast<uint8_t>(hash >> (8 * k));
}

// Returns the offset at which the words occur in the bytes. They must occur exactly once.
template <class T, size_t count>
size_t offset_of(const std::vector<uint8_t>& bytes, const T (&words)[count]) {
  size_t found = 0;
  for (size_t at = 16; at + sizeof(words) <= bytes.size(); at += 4) {
    if (std::memcmp(&bytes[at], words, sizeof(words)) != 0) continue;
    EXPECT_EQ(found, 0u) << "found twice";
    found = at;
  }
  EXPECT_NE(found, 0u) << "not found";
  return found;
}

}  // namespace clothc_test
