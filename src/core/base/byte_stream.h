// byte_stream.h - writes and reads arrays of little-endian bytes. Reads are checked against the end of the array.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/result.h"

namespace clothc {

inline void store_u32(uint8_t* bytes, uint32_t value) {
  for (unsigned k = 0; k < 4; ++k) bytes[k] = static_cast<uint8_t>(value >> (8 * k));
}

inline uint32_t load_u32(const uint8_t* bytes) {
  uint32_t value = 0;
  for (unsigned k = 0; k < 4; ++k) value |= uint32_t{bytes[k]} << (8 * k);
  return value;
}

// Copies count 4-byte words from little-endian bytes to target, in the byte order of the host.
inline void load_words(const uint8_t* bytes, void* target, size_t count) {
  for (size_t k = 0; k < count; ++k) {
    const uint32_t word = load_u32(bytes + 4 * k);
    std::memcpy(static_cast<uint8_t*>(target) + 4 * k, &word, 4);
  }
}

// Computes the checksum of whole words, with one multiplication and one shift per word.
inline uint64_t checksum_of(const uint8_t* bytes, uint64_t size) {
  uint64_t state = 0x636c6f7468626c62u;
  for (uint64_t k = 0; k + 4 <= size; k += 4) {
    state = (state ^ load_u32(bytes + k)) * 0x9e3779b97f4a7c15u;
    state ^= state >> 32;
  }
  return state;
}

// Appends to an array of bytes.
class ByteWriter {
 public:
  explicit ByteWriter(std::vector<uint8_t>& bytes) : bytes_(bytes) {}
  void put_u32(uint32_t value) { put_words(&value, 1); }
  void put_u64(uint64_t value) {
    put_u32(static_cast<uint32_t>(value));
    put_u32(static_cast<uint32_t>(value >> 32));
  }
  void put_words(const void* words, size_t count) {
    const auto* source = static_cast<const uint8_t*>(words);
    const size_t begin = bytes_.size();
    bytes_.resize(begin + count * 4);
    for (size_t k = 0; k < count; ++k) {
      uint32_t word;
      std::memcpy(&word, source + 4 * k, 4);
      store_u32(&bytes_[begin + 4 * k], word);
    }
  }
  template <class T>
  void put_array(const std::vector<T>& values) {
    static_assert(sizeof(T) == 4, "words");
    put_u32(static_cast<uint32_t>(values.size()));
    put_words(values.data(), values.size());
  }

 private:
  std::vector<uint8_t>& bytes_;
};

// Reads an array of bytes from front to back. Fails with INVALID_ARGUMENT where a read would pass the end.
class ByteReader {
 public:
  ByteReader(const uint8_t* bytes, uint64_t size) : bytes_(bytes), size_(size) {}
  uint64_t remaining() const { return size_ - offset_; }
  uint32_t u32() {
    require(4);
    const uint32_t value = load_u32(bytes_ + offset_);
    offset_ += 4;
    return value;
  }
  uint64_t u64() {
    const uint64_t low = u32();
    return low | uint64_t{u32()} << 32;
  }
  void words(void* target, size_t count) {
    require(uint64_t{count} * 4);
    load_words(bytes_ + offset_, target, count);
    offset_ += uint64_t{count} * 4;
  }
  template <class T>
  std::vector<T> array() {
    static_assert(sizeof(T) == 4, "words");
    const uint32_t count = u32();
    require(uint64_t{count} * 4);
    std::vector<T> values(count);
    words(values.data(), count);
    return values;
  }

 private:
  void require(uint64_t bytes) const {
    CLOTHC_REQUIRE(remaining() >= bytes, "the snapshot is truncated: %llu bytes, more are needed at %llu",
                   static_cast<unsigned long long>(size_), static_cast<unsigned long long>(offset_));
  }
  const uint8_t* bytes_;
  uint64_t size_;
  uint64_t offset_ = 0;
};

}  // namespace clothc
