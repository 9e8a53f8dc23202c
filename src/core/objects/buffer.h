// buffer.h - the object behind clothc_buffer: memory, its mapping, and which streams still use it.
#pragma once

#include <mutex>

#include "core/backend/backend.h"
#include "core/objects/handles.h"

namespace clothc {

class Buffer final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::buffer;

  // desc has been validated, its stride filled in.
  Buffer(std::shared_ptr<Device> device, const clothc_buffer_desc& desc);

  const clothc_buffer_desc& desc() const { return desc_; }
  uint64_t size() const { return desc_.count * desc_.stride; }
  bool is_mapped() const;
  bool is_busy() const;

  bool is_mappable() const { return desc_.kind == CLOTHC_BUFFER_HOST || desc_.kind == CLOTHC_BUFFER_WRAPPED_HOST; }
  // Fails for other kinds than EXPORTABLE.
  clothc_external_handle export_memory() const;

  // The memory for a set or get; fails while mapped. It is noted as used by used_by.
  MemoryPointer memory_for_transfer() const;
  // The stream uses the memory until its timeline reaches value.
  void used_by(const std::shared_ptr<Stream>& stream, uint64_t value);
  // Makes sure that a following used_by for the stream cannot fail.
  void prepare_use(const std::shared_ptr<Stream>& stream);

  // False if flags ask not to wait and there is work to wait for.
  bool map(uint32_t flags, void** pointer);
  void unmap();
  void read(uint64_t offset, uint64_t size, void* data);
  void write(uint64_t offset, uint64_t size, const void* data);
  // Waits until no set or get uses the memory; fails if the device is lost meanwhile.
  void wait();
  // The same, but what a lost device was to do with the memory is over too. Never fails.
  void wait_until_unused();

 private:
  struct Use {
    std::weak_ptr<Stream> stream;
    uint64_t value;
  };
  struct Retired {
    MemoryPointer memory;
    std::vector<Use> uses;
  };
  static bool is_done(const std::vector<Use>& uses);
  // Takes other memory, so that the present one's users need not be waited for.
  void rename();

  clothc_buffer_desc desc_;
  mutable std::mutex mutex_;
  MemoryPointer memory_;
  std::vector<Use> uses_;
  std::vector<Retired> retired_;
  bool mapped_ = false;
};

// The file descriptor of a handle, if it is one.
int checked_descriptor(const clothc_external_handle& external);

// Makes a buffer of a desc as a caller gave it.
std::shared_ptr<Buffer> create_buffer(const std::shared_ptr<Device>& device, clothc_buffer_desc desc);

}  // namespace clothc
