// program.h - what api_fuzz.cpp decodes: the bytes of a program, the living and destroyed objects that it has made so
// far, and the checks that hold for every call.
#pragma once

#include <clothc.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "support/structs.h"

namespace clothc_fuzz {

using clothc_test::initialised;

inline void require(bool condition) {
  if (!condition) std::abort();
}

// The bytes of the program, followed by zeros.
class Program {
 public:
  Program(const uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}
  bool is_over() const { return next_ >= size_; }
  uint8_t byte() { return next_ < size_ ? bytes_[next_++] : 0; }
  uint32_t below(uint32_t limit) { return byte() % limit; }
  uint32_t word() {
    uint32_t value = 0;
    for (int k = 0; k < 4; ++k) value = value << 8 | byte();
    return value;
  }
  // Returns mostly sensible numbers and occasionally arbitrary bits.
  float number() {
    const uint8_t kind = byte();
    if (kind < 200) return static_cast<float>(kind) * 0.01f;
    if (kind < 240) return static_cast<float>(static_cast<int8_t>(byte()));
    const uint32_t bits = word();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }

 private:
  const uint8_t* bytes_;
  size_t size_;
  size_t next_ = 0;
};

// Handles of one kind: some living, some destroyed, and occasionally one that never existed.
template <class Handle>
class Pool {
 public:
  Handle pick(Program& program) const {
    const uint8_t choice = program.byte();
    if (choice >= 250) return reinterpret_cast<Handle>(static_cast<uintptr_t>(program.word()) << (choice % 5));
    return all_.empty() ? nullptr : all_[choice % all_.size()];
  }
  void add(Handle handle) { all_.push_back(handle); }
  size_t size() const { return all_.size(); }

 private:
  std::vector<Handle> all_;
};

class IdPool {
 public:
  uint32_t pick(Program& program) const {
    const uint8_t choice = program.byte();
    if (choice >= 250) return program.word();
    return all_.empty() ? 0 : all_[choice % all_.size()];
  }
  void add(uint32_t id) { all_.push_back(id); }

 private:
  std::vector<uint32_t> all_;
};

struct World {
  Pool<clothc_device> devices;
  Pool<clothc_buffer> buffers;
  Pool<clothc_fabric> fabrics;
  Pool<clothc_solver> solvers;
  Pool<clothc_fence> fences;
  IdPool cloths;
  IdPool sets;
  IdPool assets;
  std::vector<uint8_t> snapshot;
  std::vector<float> wrapped = std::vector<float>(4 * 256);
  uint32_t updates = 0;
};

// Makes a struct with its defaults. Occasionally its size is wrong.
template <class T>
T make(Program& program) {
  T value = initialised<T>();
  if (program.byte() == 255) value.struct_size = program.byte();
  return value;
}

inline clothc_result check(clothc_result result) {
  require(result >= CLOTHC_ERROR_INTERNAL && result <= CLOTHC_INCOMPLETE);
  require(result != CLOTHC_ERROR_INTERNAL);
  require(std::strncmp(clothc_result_name(result), "CLOTHC_", 7) == 0);
  if (result < 0) require(std::strlen(clothc_last_error_message()) > 0);
  return result;
}

// Calls create with an output that must stay unchanged on failure.
template <class Handle, class Create>
void create(Pool<Handle>& pool, Create call) {
  Handle const untouched = reinterpret_cast<Handle>(uintptr_t{0x5a5a});
  Handle handle = untouched;
  if (check(call(&handle)) == CLOTHC_SUCCESS) {
    pool.add(handle);
  } else {
    require(handle == untouched);
  }
}

}  // namespace clothc_fuzz
