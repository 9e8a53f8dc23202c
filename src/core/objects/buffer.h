// buffer.h - the object behind clothc_buffer. It owns the memory and its mapping, and knows who uses it: the host, calls
// that are queuing work, and streams.
// Invariant: the host does not access memory between the begin of a call that queues work on it and the end of that work.
//
// Turns: a call that copies from or to the memory waits until no work uses it. So that this moment comes, calls that
// would queue more work meanwhile give way, which means that they wait until the copies have had their turn: all of them
// at once, because copies do not exclude each other. They give way only while all the work on the memory is certain to
// end by itself (Stream::ends_by_itself). If it waits for a fence, what raises the fence may be work of the call that
// would give way, or what its thread does afterwards, so that the threads would wait for each other for ever. A call that
// maps the memory needs no turn, since from its begin on no other call can queue work on the memory.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>

#include "core/backend/backend.h"
#include "core/objects/handles.h"

namespace clothc {

class Buffer final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::buffer;

  // desc must have been validated, and its stride must not be 0. See create_buffer.
  Buffer(std::shared_ptr<Device> device, const clothc_buffer_desc& desc, const NativeBuffer* native);
  ~Buffer() override;

  // The kind in it is the one that the buffer has.
  const clothc_buffer_desc& desc() const { return desc_; }
  clothc_buffer_kind requested_kind() const { return requested_kind_; }
  // Returns why the buffer has another kind than the requested one, or an empty text.
  const std::string& reason() const { return reason_; }
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

  // Return where the application finds element 0 on the device: its address, and the buffer of the device's own API.
  // Fail while the buffer is mapped.
  uint64_t device_address() const;
  NativeBuffer native_buffer() const;

  // Maps the memory, which waits until nothing uses it unless flags have CLOTHC_MAP_DISCARD. Returns false if it would
  // have to wait but flags have CLOTHC_MAP_NO_WAIT.
  bool map(uint32_t flags, void** pointer);
  void unmap();
  void read(uint64_t offset, uint64_t size, void* data);
  void write(uint64_t offset, uint64_t size, const void* data);
  // Refuses later uses, and waits until nothing uses the memory. Never fails: a lost device no longer uses it.
  void end_uses();

  // Called before a call queues work on the memory. Lets the copies that wait now go first, as described above; if that
  // takes waiting but may_wait is false, returns false at once. The calling thread must not have a BufferUse, for whose
  // end copies wait.
  bool give_way(bool may_wait) { return waiting_copies() == 0 || give_way_if_needed(may_wait); }
  // Returns how many copies wait, for any buffer. If none does, give_way has nothing to do.
  static uint32_t waiting_copies() { return all_waiting_copies.load(std::memory_order_relaxed); }

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
    // Returns whether all queued work that uses the memory is certain to end by itself.
    bool ends_by_itself() const;
    // Returns the use by a stream, or null.
    Use* find(const std::shared_ptr<Stream>& stream);
  };

  void require_unmapped() const;
  // Waits until nothing uses the memory, with the lock held at the begin and the end. Fails if the device is lost.
  void wait(std::unique_lock<std::mutex>& lock);
  // Does the same for a copy, and begins its host access. The lock must be held in all of these.
  void await_turn(std::unique_lock<std::mutex>& lock);
  // Begins the host accesses of all copies that wait.
  void begin_turn();
  void end_waiting(uint32_t copies);
  void end_host_access();
  // Returns whether a call that came after that number of turns need not give way, or no longer.
  bool may_queue(uint64_t turn) const;
  bool give_way_if_needed(bool may_wait);
  // Replaces the memory by other memory if it is in use, so that the caller need not wait for that use to end. It
  // takes retired memory that is no longer in use, if there is any, or else allocates new memory.
  void rename();

  static std::atomic<uint32_t> all_waiting_copies;

  clothc_buffer_desc desc_;
  clothc_buffer_kind requested_kind_;
  std::string reason_;
  // Guards everything below. changed_ is notified when a count becomes 0, and when a turn begins.
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Storage> storage_;
  // Memory that rename has replaced. rename takes it again once it is no longer in use.
  std::vector<std::shared_ptr<Storage>> retired_;
  // Number of calls that are copying from or to the memory, and of those that wait until they may.
  uint32_t host_access_count_ = 0;
  uint32_t waiting_copies_ = 0;
  // Number of turns that copies have had.
  uint64_t turn_ = 0;
  bool mapped_ = false;
  bool ended_ = false;
};

// The use of a buffer's memory by a call that queues work. Meanwhile the buffer counts as busy, so that no other thread
// accesses the memory between the begin of the call and the end of the work. Copies wait for its end while other calls
// give way to them, so a thread that has one must not wait for anything of the program, nor for queued work.
class BufferUse {
 public:
  // Fails while the buffer is mapped. Waits for copies by the host that have begun, which are short.
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

// Validates the desc as the caller passed it, and makes the buffer. native: the memory of a WRAPPED_DEVICE buffer in
// place of desc.memory, or null.
std::shared_ptr<Buffer> create_buffer(const std::shared_ptr<Device>& device, clothc_buffer_desc desc,
                                      const NativeBuffer* native = nullptr);

}  // namespace clothc
