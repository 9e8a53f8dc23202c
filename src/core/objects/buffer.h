// buffer.h - the object behind clothc_buffer. It owns the memory and its mapping, and records which streams still use
// it.
#pragma once

#include <mutex>

#include "core/backend/backend.h"
#include "core/objects/handles.h"

namespace clothc {

class Buffer final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::buffer;

  // desc must have been validated, and its stride must not be 0. See create_buffer.
  Buffer(std::shared_ptr<Device> device, const clothc_buffer_desc& desc);

  const clothc_buffer_desc& desc() const { return desc_; }
  uint64_t size() const { return desc_.count * desc_.stride; }
  bool is_mapped() const;
  // Returns whether a set or get that uses the memory has not ended.
  bool is_busy() const;

  // Returns whether buffers of this kind can be mapped.
  bool is_mappable() const { return desc_.kind == CLOTHC_BUFFER_HOST || desc_.kind == CLOTHC_BUFFER_WRAPPED_HOST; }
  // Whether the memory is the caller's, so that it may be gone once the buffer is destroyed.
  bool is_borrowed() const {
    return desc_.kind == CLOTHC_BUFFER_WRAPPED_HOST || desc_.kind == CLOTHC_BUFFER_WRAPPED_DEVICE;
  }
  // Exports the memory. Fails for kinds other than EXPORTABLE.
  clothc_external_handle export_memory() const;

  // Returns the memory for use by a set or get. Fails while the buffer is mapped. The caller records the use by
  // used_by.
  MemoryPointer memory_for_transfer() const;
  // Records that the stream uses the memory until the stream's timeline reaches value.
  void used_by(const std::shared_ptr<Stream>& stream, uint64_t value);
  // Reserves what used_by needs for the stream, so that a later call of used_by cannot fail.
  void prepare_use(const std::shared_ptr<Stream>& stream);

  // Maps the memory, which waits until no set or get uses it unless flags have CLOTHC_MAP_DISCARD. Returns false if it
  // would have to wait but flags have CLOTHC_MAP_NO_WAIT.
  bool map(uint32_t flags, void** pointer);
  void unmap();
  void read(uint64_t offset, uint64_t size, void* data);
  void write(uint64_t offset, uint64_t size, const void* data);
  // Waits until no set or get uses the memory. Fails if the device is lost meanwhile.
  void wait();
  // Does the same as wait but never fails: a lost device no longer uses the memory.
  void wait_until_unused();

 private:
  // Memory is in use until the stream has reached value.
  struct Use {
    std::weak_ptr<Stream> stream;
    uint64_t value;
  };
  // Memory that rename has replaced. rename takes it again once it is no longer in use.
  struct Retired {
    MemoryPointer memory;
    std::vector<Use> uses;
  };
  static bool is_done(const std::vector<Use>& uses);
  // Replaces the memory by other memory if it is in use, so that the caller need not wait for that use to end. It
  // takes retired memory that is no longer in use, if there is any, or else allocates new memory.
  void rename();

  clothc_buffer_desc desc_;
  mutable std::mutex mutex_;
  MemoryPointer memory_;
  std::vector<Use> uses_;
  std::vector<Retired> retired_;
  bool mapped_ = false;
};

// Returns the file descriptor that an external handle holds. Fails if it is of another type or out of range.
int checked_descriptor(const clothc_external_handle& external);

// Validates the desc as the caller passed it, and makes the buffer.
std::shared_ptr<Buffer> create_buffer(const std::shared_ptr<Device>& device, clothc_buffer_desc desc);

}  // namespace clothc
