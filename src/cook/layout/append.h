// append.h - appends arrays and numbers to the words of a laid-out fabric, and trims arrays.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "cook/fabric_layout.h"

namespace clothc::cook {

// Appends an array of 4-byte elements, padded with zeros to a multiple of lane_padding words, and returns its first
// word, or 0 if the array is empty.
template <class Element>
uint32_t append(std::vector<uint32_t>& words, const std::vector<Element>& values) {
  static_assert(sizeof(Element) == 4, "arrays are words");
  if (values.empty()) return 0;
  const size_t first = words.size();
  words.resize(first + (values.size() + lane_padding - 1) / lane_padding * lane_padding, 0u);
  std::memcpy(words.data() + first, values.data(), values.size() * 4);
  return static_cast<uint32_t>(first);
}

// A number as a word.
inline uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

// Releases the memory that an array reserved while it grew. shrink_to_fit may do nothing, and it hides that memory ran
// out.
template <class Element>
void trim(std::vector<Element>& values) {
  if (values.capacity() != values.size()) values = std::vector<Element>(values.begin(), values.end());
}

}  // namespace clothc::cook
