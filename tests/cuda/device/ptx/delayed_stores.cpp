// delayed_stores.cpp - a buffer of stores with a record per word.
#include "cuda/device/ptx/delayed_stores.h"

#include <cstring>

namespace ptx {

void DelayedStores::store(uint64_t address, const unsigned char* bytes, uint32_t size) {
  for (uint32_t k = 0; k < size; ++k) {
    Stored& word = words_[(address + k) & ~uint64_t{3}];
    word.bytes[(address + k) & 3] = bytes[k];
    word.is_stored[(address + k) & 3] = true;
  }
}

void DelayedStores::overlay(uint64_t address, unsigned char* bytes, uint32_t size) const {
  for (uint32_t k = 0; k < size; ++k) {
    const auto word = words_.find((address + k) & ~uint64_t{3});
    const uint32_t byte = (address + k) & 3;
    if (word != words_.end() && word->second.is_stored[byte]) bytes[k] = word->second.bytes[byte];
  }
}

void DelayedStores::write(uint64_t address, uint32_t size) {
  for (uint64_t at = address & ~uint64_t{3}; at < address + size; at += 4) {
    const auto word = words_.find(at);
    if (word == words_.end()) continue;
    write_word(at, word->second);
    words_.erase(word);
  }
}

void DelayedStores::write_all() {
  for (const auto& [address, word] : words_) write_word(address, word);
  words_.clear();
}

void DelayedStores::write_word(uint64_t address, const Stored& word) {
  auto* const to = reinterpret_cast<unsigned char*>(address);
  if (word.is_stored[0] && word.is_stored[1] && word.is_stored[2] && word.is_stored[3]) {
    std::memcpy(to, word.bytes, 4);
    return;
  }
  for (uint32_t k = 0; k < 4; ++k) {
    if (word.is_stored[k]) to[k] = word.bytes[k];
  }
}

}  // namespace ptx
