// delayed_stores.h - the stores of a block to global memory that other blocks do not see yet.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace ptx {

class DelayedStores {
 public:
  void store(uint64_t address, const unsigned char* bytes, uint32_t size);
  // Puts the bytes that are stored here over those that were loaded from the address.
  void overlay(uint64_t address, unsigned char* bytes, uint32_t size) const;
  // Writes what is stored at the words of the range, or everything, to the memory.
  void write(uint64_t address, uint32_t size);
  void write_all();

 private:
  struct Stored {
    unsigned char bytes[4] = {};
    // Which of the bytes are stored.
    bool is_stored[4] = {};
  };
  static void write_word(uint64_t address, const Stored& word);
  // By address, which is a multiple of 4.
  std::unordered_map<uint64_t, Stored> words_;
};

}  // namespace ptx
