// buffer.h - the object behind clothc_buffer. It owns the memory and its mapping, and knows who uses it: the host, calls
// that are queuing work, and streams.
// Invariant: the host does not access memory between the begin of a call that queues work on it and the end of that work.
#pragma once

#include <condition_variable>
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
  // Returns whether work that uses the memory is being queued or has not ended.
  bool is_busy() const;

  // Returns whether buffers of this kind can be mapped.
  bool is_mappable() const { return desc_.kind == CLOTHC_BUFFER_HOST || desc_.kind == CLOTHC_BUFFER_WRAPPED_HOST; }
  // Whether the memory is the caller's, so that it may be gone once the buffer is destroyed.
  bool is_borrowed() const {
    return desc_.kind == CLOTHC_BUFFER_WRAPPED_HOST || desc_.kind == CLOTHC_BUFFER_WRAPPED_DEVICE;
  }
  // Exports the memory. Fails for kinds other than EXPORTABLE.
  clothc_external_handle export_memory() const;

  // Returns the address of element 0 on the device. Fails while the buffer is mapped.
  uint64_t device_address() const;

  // Maps the memory, which waits until nothing uses it unless flags have CLOTHC_MAP_DISCARD. Returns false if it would
  // have to wait but flags have CLOTHC_MAP_NO_WAIT.
  bool map(uint32_t flags, void** pointer);
  void unmap();
  void read(uint64_t offset, uint64_t size, void* data);
  void write(uint64_t offset, uint64_t size, const void* data);
  // Refuses later uses, and waits until nothing uses the memory. Never fails: a lost device no longer uses it.
  void end_uses();

 private:
  friend class BufferUse;
  friend class HostAccess;
  // Memory is in use until the stream has reached value.
  struct Use {
    std::weak_ptr<Stream> stream;
    uint64_t value;
  };
  struct Storage {
    MemoryPointer memory;
    std::vector<Use> uses;
    // Number of calls that are queuing work on this memory.
    uint32_t queuing_count = 0;

    bool is_done() const;
    // Returns the use by a stream, or null.
    Use* find(const std::shared_ptr<Stream>& stream);
  };

  void require_unmapped() const;
  // Waits until nothing uses the memory, with the lock held at the begin and the end. Fails if the device is lost.
  void wait(std::unique_lock<std::mutex>& lock);
  // Replaces the memory by other memory if it is in use, so that the caller need not wait for that use to end. It
  // takes retired memory that is no longer in use, if there is any, or else allocates new memory.
  void rename();

  clothc_buffer_desc desc_;
  // Guards everything below. changed_ is notified when a count becomes 0.
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Storage> storage_;
  // Memory that rename has replaced. rename takes it again once it is no longer in use.
  std::vector<std::shared_ptr<Storage>> retired_;
  // Number of calls that are copying from or to the memory.
  uint32_t host_access_count_ = 0;
  bool mapped_ = false;
  bool ended_ = false;
};

// The use of a buffer's memory by a call that queues work. Meanwhile the buffer counts as busy, so that no other thread
// accesses the memory between the begin of the call and the end of the work.
class BufferUse {
 public:
  // Fails while the buffer is mapped. Waits for copies by the host, which are short.
  BufferUse(std::shared_ptr<Buffer> buffer, std::shared_ptr<Stream> stream);
  BufferUse(BufferUse&&) noexcept = default;
  BufferUse& operator=(BufferUse&&) = delete;
  ~BufferUse();

  const clothc_buffer_desc& desc() const { return buffer_->desc(); }
  const MemoryPointer& memory() const { return storage_->memory; }
  // Says that the work has been queued, and that the stream uses the memory until its timeline reaches value. Without
  // this call, the destructor takes the use back. Cannot fail.
  void queued(uint64_t value);

 private:
  std::shared_ptr<Buffer> buffer_;
  std::shared_ptr<Stream> stream_;
  std::shared_ptr<Buffer::Storage> storage_;
};

// The access of a call that copies from or to a buffer's memory. Calls that queue work wait until it ends.
class HostAccess {
 public:
  // Fails while the buffer is mapped. Waits until nothing uses the memory; fails if the device is lost meanwhile.
  explicit HostAccess(Buffer& buffer);
  HostAccess(const HostAccess&) = delete;
  HostAccess& operator=(const HostAccess&) = delete;
  ~HostAccess();

  const MemoryPointer& memory() const { return buffer_.storage_->memory; }

 private:
  Buffer& buffer_;
};

// Validates the desc as the caller passed it, and makes the buffer.
std::shared_ptr<Buffer> create_buffer(const std::shared_ptr<Device>& device, clothc_buffer_desc desc);

}  // namespace clothc
