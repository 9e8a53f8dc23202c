// memory.h - memory of a device, and the sets of arrays that the operations of a stream use.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "platform/os_handle.h"

namespace clothc {

// Memory shared among devices and processes: the bytes [offset, offset + size) of an allocation.
struct ExternalMemory {
  platform::OsHandle handle;
  uint64_t allocation_size = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
};

// A part of a buffer of the application's own API, in the types of that API.
struct NativeBuffer {
  // The buffer, in bytes, and where the part begins.
  uint64_t handle = 0;
  uint64_t size = 0;
  uint64_t offset = 0;
  // The queue family that owns the buffer between the uses of streams, if it has to be transferred.
  std::optional<uint32_t> queue_family;
};

// Bytes that the operations of a stream read and write. Operations share ownership of the memory they use until they
// end.
class Memory {
 public:
  virtual ~Memory() = default;
  uint64_t size() const { return size_; }
  // Returns the host's address of the bytes, or null if the host cannot access this memory.
  virtual void* host_pointer() const = 0;
  // Copy bytes to or from the host during the call. No operation of a stream may use them meanwhile. Throw Failure.
  virtual void read(uint64_t offset, void* data, uint64_t size) const {
    if (size > 0) std::memcpy(data, static_cast<const char*>(host_pointer()) + offset, size);
  }
  virtual void write(uint64_t offset, const void* data, uint64_t size) {
    if (size > 0) std::memcpy(static_cast<char*>(host_pointer()) + offset, data, size);
  }
  // Returns the address of the bytes for kernels of the application, 0 if the device has no such addresses.
  virtual uint64_t device_address() const { return 0; }
  // Returns the buffer of the backend's own API that has the bytes, with the handle 0 if there is none.
  virtual NativeBuffer native_buffer() const { return {}; }
  // Exports memory that was allocated with MemoryVisibility::other_devices. Throws Failure.
  virtual ExternalMemory export_memory() const {
    fail(CLOTHC_ERROR_UNSUPPORTED, "this memory cannot be seen by other devices");
  }

 protected:
  explicit Memory(uint64_t size) : size_(size) {}

 private:
  uint64_t size_;
};

using MemoryPointer = std::shared_ptr<Memory>;

// Specifies who can access memory apart from the device itself.
enum class MemoryVisibility : uint8_t { device_only, host, other_devices };

// The arrays in which kernels address all their data by offsets. There are only four because GPUs guarantee few
// bindings.
struct Arenas {
  // Blocks of per-particle data, of float4 elements.
  MemoryPointer particles;

  // Words that describe constraints and triangles. Kernels only read them.
  MemoryPointer topology;

  // One GroupRecord per slot.
  MemoryPointer records;

  // Words of constraint records, collider shapes and scratch data.
  MemoryPointer tables;
};

}  // namespace clothc
