// buffer.cpp - validates descs, maps buffers, copies from and to them, and replaces memory that is in use (renaming).
#include "core/objects/buffer.h"

#include <algorithm>
#include <cstring>

#include "core/objects/device.h"
#include "core/base/formats.h"
#include "core/base/structs.h"

namespace clothc {

std::shared_ptr<Buffer> create_buffer(const std::shared_ptr<Device>& device, clothc_buffer_desc desc,
                                      const NativeBuffer* native) {
  CLOTHC_REQUIRE(desc.kind >= CLOTHC_BUFFER_HOST && desc.kind <= CLOTHC_BUFFER_WRAPPED_DEVICE,
                 "buffer_desc.kind is %u; want one of CLOTHC_BUFFER_...", desc.kind);
  CLOTHC_REQUIRE(desc.format >= CLOTHC_FORMAT_FLOAT && desc.format <= CLOTHC_FORMAT_RECORD,
                 "buffer_desc.format is %u; want one of CLOTHC_FORMAT_...", desc.format);
  const uint32_t tight = size_of_format(desc.format);
  CLOTHC_REQUIRE(desc.stride != 0 || tight != 0,
                 "buffer_desc.stride is 0; a RECORD buffer needs the size of its records");
  if (desc.stride == 0) desc.stride = tight;
  CLOTHC_REQUIRE(desc.stride % 4 == 0 && desc.stride >= tight && desc.stride <= 4096,
                 "buffer_desc.stride is %u; want a multiple of 4 from %u to 4096", desc.stride, tight == 0 ? 4 : tight);
  CLOTHC_REQUIRE(desc.count >= 1 && desc.count <= uint64_t{1} << 31, "buffer_desc.count is %llu; want 1 to 2^31",
                 static_cast<unsigned long long>(desc.count));
  const bool borrows = desc.kind == CLOTHC_BUFFER_WRAPPED_HOST || desc.kind == CLOTHC_BUFFER_WRAPPED_DEVICE;
  if (borrows && native == nullptr) {
    CLOTHC_REQUIRE(desc.memory != nullptr,
                   "buffer_desc.memory is null; a WRAPPED_HOST or WRAPPED_DEVICE buffer needs the caller's memory");
    CLOTHC_REQUIRE(reinterpret_cast<uintptr_t>(desc.memory) % 4 == 0,
                   "buffer_desc.memory is %p; want it aligned to 4 bytes", desc.memory);
  } else {
    CLOTHC_REQUIRE(desc.memory == nullptr,
                   "buffer_desc.memory is %p; want NULL unless kind is WRAPPED_HOST or WRAPPED_DEVICE", desc.memory);
  }
  CLOTHC_REQUIRE((desc.external != nullptr) == (desc.kind == CLOTHC_BUFFER_IMPORTED),
                 "buffer_desc.external is %p; an IMPORTED buffer needs what was exported, others want NULL",
                 static_cast<const void*>(desc.external));
  CLOTHC_REQUIRE((desc.flags & ~uint32_t{CLOTHC_BUFFER_HOST_IF_UNSUPPORTED}) == 0,
                 "buffer_desc.flags is 0x%x; want CLOTHC_BUFFER_HOST_IF_UNSUPPORTED or 0", desc.flags);
  CLOTHC_REQUIRE(desc.reserved == 0, "buffer_desc.reserved is %u; want 0", desc.reserved);
  return std::make_shared<Buffer>(device, desc, native);
}

namespace {

MemoryPointer import_memory(Backend& backend, const clothc_external_handle& external, uint64_t size) {
  CLOTHC_REQUIRE(
      external.offset % 256 == 0 && external.offset <= external.size && size <= external.size - external.offset,
      "external_handle.offset is %llu, size %llu; want an offset that is a multiple of 256 with the buffer's "
      "%llu bytes behind it",
      static_cast<unsigned long long>(external.offset), static_cast<unsigned long long>(external.size),
      static_cast<unsigned long long>(size));
  const bool is_taken = (backend.info().capabilities & shares_memory) != 0;
  return backend.import_memory({checked_handle(external, is_taken), external.size, external.offset, size});
}

// Returns memory of the kind that the desc asks for.
MemoryPointer memory_of(Backend& backend, const clothc_buffer_desc& desc, const NativeBuffer* native) {
  const uint64_t size = desc.count * desc.stride;
  switch (desc.kind) {
    case CLOTHC_BUFFER_WRAPPED_HOST:
      return backend.wrap(desc.memory, size);
    case CLOTHC_BUFFER_WRAPPED_DEVICE:
      return native != nullptr ? backend.wrap_buffer(*native, size)
                               : backend.wrap_device(reinterpret_cast<uintptr_t>(desc.memory), size);
    case CLOTHC_BUFFER_DEVICE:
      return backend.allocate(size, MemoryVisibility::device_only);
    case CLOTHC_BUFFER_EXPORTABLE:
      return backend.allocate(size, MemoryVisibility::other_devices);
    case CLOTHC_BUFFER_IMPORTED:
      return import_memory(backend, adopt(desc.external), size);
    default:
      return backend.allocate(size, MemoryVisibility::host);
  }
}

}  // namespace

Buffer::Buffer(std::shared_ptr<Device> device, const clothc_buffer_desc& desc, const NativeBuffer* native)
    : Object(object_kind, std::move(device)), desc_(desc), requested_kind_(desc.kind) {
  Backend& backend = this->device()->backend();
  storage_ = std::make_shared<Storage>();
  try {
    storage_->memory = memory_of(backend, desc_, native);
  } catch (const Failure& failure) {
    if (failure.result != CLOTHC_ERROR_UNSUPPORTED || (desc.flags & CLOTHC_BUFFER_HOST_IF_UNSUPPORTED) == 0) throw;
    reason_ = failure_message();
    desc_.kind = CLOTHC_BUFFER_HOST;
    storage_->memory = memory_of(backend, desc_, nullptr);
  }
  // The struct belongs to the caller and may not exist after this call.
  desc_.external = nullptr;
}

Buffer::~Buffer() {
  if (is_left_behind()) forget_threads(changed_);
}

clothc_external_handle Buffer::export_memory() const {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, desc_.kind == CLOTHC_BUFFER_EXPORTABLE,
                    "the buffer's kind is %u; only a CLOTHC_BUFFER_EXPORTABLE one can be exported", desc_.kind);
  const ExternalMemory exported = storage_->memory->export_memory();
  clothc_external_handle external = make_default<clothc_external_handle>();
  external.handle = exported.handle.number();
  external.size = exported.allocation_size;
  external.offset = exported.offset;
  return external;
}

bool Buffer::is_mapped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return mapped_;
}

bool Buffer::is_busy() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !storage_->is_done();
}

void Buffer::require_unmapped() const {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !mapped_,
                    "the buffer is mapped; call clothc_buffer_unmap before sets, gets and updates that use it");
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, !ended_, "another thread is destroying the buffer");
}

uint64_t Buffer::device_address() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  require_unmapped();
  return storage_->memory->device_address();
}

NativeBuffer Buffer::native_buffer() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  require_unmapped();
  return storage_->memory->native_buffer();
}

void Buffer::end_uses() {
  // In a child process after a fork, the threads that used the memory do not exist.
  if (is_left_behind()) return;
  std::unique_lock<std::mutex> lock(mutex_);
  ended_ = true;
  try {
    wait(lock);
  } catch (const Failure&) {
    // The device is lost, so it no longer uses the memory.
  }
  changed_.wait(lock, [this] { return host_access_count_ == 0; });
}

void Buffer::rename() {
  if (storage_->is_done()) return;
  const auto done = std::find_if(retired_.begin(), retired_.end(), [](const auto& other) { return other->is_done(); });
  if (done != retired_.end()) {
    std::swap(*done, storage_);
    return;
  }
  auto fresh = std::make_shared<Storage>();
  fresh->memory = device()->backend().allocate(size(), MemoryVisibility::host);
  retired_.push_back(storage_);
  storage_ = std::move(fresh);
}

bool Buffer::map(uint32_t flags, void** pointer) {
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_INVALID_STATE, is_mappable(),
      "the buffer's kind is %u, which cannot be mapped; use clothc_buffer_read and clothc_buffer_write, or a "
      "CLOTHC_BUFFER_HOST buffer",
      desc_.kind);
  std::unique_lock<std::mutex> lock(mutex_);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !mapped_,
                    "the buffer is mapped already; call clothc_buffer_unmap first");
  require_unmapped();
  const bool renamed = (flags & CLOTHC_MAP_DISCARD) != 0 && desc_.kind == CLOTHC_BUFFER_HOST;
  if (renamed) rename();
  if (!renamed && (flags & CLOTHC_MAP_NO_WAIT) != 0 && !storage_->is_done()) return false;
  // Prevents other threads from mapping or using the buffer while this call waits.
  mapped_ = true;
  try {
    if (!renamed) wait(lock);
    changed_.wait(lock, [this] { return host_access_count_ == 0; });
  } catch (...) {
    mapped_ = false;
    throw;
  }
  *pointer = storage_->memory->host_pointer();
  return true;
}

void Buffer::unmap() {
  const std::lock_guard<std::mutex> lock(mutex_);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, mapped_, "the buffer is not mapped");
  mapped_ = false;
}

void Buffer::read(uint64_t offset, uint64_t size, void* data) {
  const HostAccess access(*this);
  access.memory()->read(offset, data, size);
}

void Buffer::write(uint64_t offset, uint64_t size, const void* data) {
  const HostAccess access(*this);
  access.memory()->write(offset, data, size);
}

}  // namespace clothc
