// memory.h - memory of a device, and the arenas and scratch arrays that work is given.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include "core/base/result.h"

namespace clothc {

// Memory that devices and processes share: bytes [offset, offset + size) of an allocation.
struct ExternalMemory {
  int file_descriptor = -1;
  uint64_t allocation_size = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Bytes that a stream's work reads and writes; kept alive by the work that uses them.
class Memory {
 public:
  virtual ~Memory() = default;
  uint64_t size() const { return size_; }
  // Where the host sees the bytes; null if it does not.
  virtual void* host_pointer() const = 0;
  // Copies bytes to or from the host, now, while no work uses them; throws Failure.
  virtual void read(uint64_t offset, void* data, uint64_t size) const {
    if (size > 0) std::memcpy(data, static_cast<const char*>(host_pointer()) + offset, size);
  }
  virtual void write(uint64_t offset, const void* data, uint64_t size) {
    if (size > 0) std::memcpy(static_cast<char*>(host_pointer()) + offset, data, size);
  }
  // Exports memory allocated for other_devices; throws Failure.
  virtual ExternalMemory export_memory() const {
    fail(CLOTHC_ERROR_UNSUPPORTED, "this memory cannot be seen by other devices");
  }

 protected:
  explicit Memory(uint64_t size) : size_(size) {}

 private:
  uint64_t size_;
};

using MemoryPointer = std::shared_ptr<Memory>;

// Where a stream sorts words: keys, words, and scratch arrays for both.
using SortedWords = std::array<MemoryPointer, 4>;

// Who reaches memory beside the device.
enum class MemoryVisibility : uint8_t { device_only, host, other_devices };

// The four arrays that kernels address by offsets (few, since GPUs promise few bindings).
struct Arenas {
  MemoryPointer particles;  // float4 blocks of per-particle data
  MemoryPointer fabric;     // words of constraints and tethers, read only
  MemoryPointer cloths;     // ClothRecord per slot
  MemoryPointer tables;     // words of phase configs, collider shapes and scratch
};

}  // namespace clothc
