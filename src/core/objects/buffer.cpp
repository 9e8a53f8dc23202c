// buffer.cpp - validates descs, maps buffers, and replaces memory that is in use (renaming).
#include "core/objects/buffer.h"

#include <algorithm>
#include <cstring>

#include "core/objects/device.h"
#include "core/base/formats.h"
#include "core/base/structs.h"

namespace clothc {

std::shared_ptr<Buffer> create_buffer(const std::shared_ptr<Device>& device, clothc_buffer_desc desc) {
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
  if (desc.kind == CLOTHC_BUFFER_WRAPPED_HOST || desc.kind == CLOTHC_BUFFER_WRAPPED_DEVICE) {
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
  return std::make_shared<Buffer>(device, desc);
}

int checked_descriptor(const clothc_external_handle& external) {
  CLOTHC_REQUIRE(external.type == CLOTHC_EXTERNAL_OPAQUE_FD,
                 "external_handle.type is %u; want CLOTHC_EXTERNAL_OPAQUE_FD", external.type);
  CLOTHC_REQUIRE(external.handle >= 0 && external.handle <= INT32_MAX,
                 "external_handle.handle is %lld; want a file descriptor", static_cast<long long>(external.handle));
  return static_cast<int>(external.handle);
}

namespace {

MemoryPointer import_memory(Backend& backend, const clothc_external_handle& external, uint64_t size) {
  CLOTHC_REQUIRE(
      external.offset % 256 == 0 && external.offset <= external.size && size <= external.size - external.offset,
      "external_handle.offset is %llu, size %llu; want an offset that is a multiple of 256 with the buffer's "
      "%llu bytes behind it",
      static_cast<unsigned long long>(external.offset), static_cast<unsigned long long>(external.size),
      static_cast<unsigned long long>(size));
  return backend.import_memory({checked_descriptor(external), external.size, external.offset, size});
}

}  // namespace

Buffer::Buffer(std::shared_ptr<Device> device, const clothc_buffer_desc& desc)
    : Object(object_kind, std::move(device)), desc_(desc) {
  Backend& backend = this->device()->backend();
  switch (desc.kind) {
    case CLOTHC_BUFFER_WRAPPED_HOST:
      memory_ = backend.wrap(desc.memory, size());
      break;
    case CLOTHC_BUFFER_WRAPPED_DEVICE:
      memory_ = backend.wrap_device(reinterpret_cast<uintptr_t>(desc.memory), size());
      break;
    case CLOTHC_BUFFER_DEVICE:
      memory_ = backend.allocate(size(), MemoryVisibility::device_only);
      break;
    case CLOTHC_BUFFER_EXPORTABLE:
      memory_ = backend.allocate(size(), MemoryVisibility::other_devices);
      break;
    case CLOTHC_BUFFER_IMPORTED:
      memory_ = import_memory(backend, adopt(desc.external), size());
      break;
    default:
      memory_ = backend.allocate(size(), MemoryVisibility::host);
  }
  // The struct belongs to the caller and may not exist after this call.
  desc_.external = nullptr;
}

clothc_external_handle Buffer::export_memory() const {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, desc_.kind == CLOTHC_BUFFER_EXPORTABLE,
                    "the buffer's kind is %u; only a CLOTHC_BUFFER_EXPORTABLE one can be exported", desc_.kind);
  const ExternalMemory exported = memory_for_transfer()->export_memory();
  clothc_external_handle external = make_default<clothc_external_handle>();
  external.handle = exported.file_descriptor;
  external.size = exported.allocation_size;
  external.offset = exported.offset;
  return external;
}

bool Buffer::is_done(const std::vector<Use>& uses) {
  return std::all_of(uses.begin(), uses.end(), [](const Use& use) {
    const std::shared_ptr<Stream> stream = use.stream.lock();
    return stream == nullptr || stream->completed() >= use.value;
  });
}

bool Buffer::is_mapped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return mapped_;
}

bool Buffer::is_busy() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !is_done(uses_);
}

MemoryPointer Buffer::memory_for_transfer() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !mapped_,
                    "the buffer is mapped; call clothc_buffer_unmap before sets, gets and updates that use it");
  return memory_;
}

void Buffer::prepare_use(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  uses_.erase(std::remove_if(uses_.begin(), uses_.end(), [](const Use& use) { return use.stream.expired(); }),
              uses_.end());
  for (const Use& use : uses_) {
    if (use.stream.lock() == stream) return;
  }
  uses_.push_back({stream, 0});
}

void Buffer::used_by(const std::shared_ptr<Stream>& stream, uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Use& use : uses_) {
    if (use.stream.lock() == stream) use.value = value;
  }
}

void Buffer::wait() {
  while (true) {
    std::shared_ptr<Stream> stream;
    uint64_t value = 0;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (const Use& use : uses_) {
        stream = use.stream.lock();
        value = use.value;
        if (stream != nullptr && stream->completed() < value) break;
        stream = nullptr;
      }
    }
    if (stream == nullptr) return;
    stream->wait(value, UINT64_MAX);
  }
}

void Buffer::wait_until_unused() {
  try {
    wait();
  } catch (const Failure&) {
    // The device is lost, so it no longer uses the memory.
  }
}

void Buffer::rename() {
  if (is_done(uses_)) return;
  const auto done = std::find_if(retired_.begin(), retired_.end(), [](const Retired& r) { return is_done(r.uses); });
  if (done != retired_.end()) {
    std::swap(done->memory, memory_);
    std::swap(done->uses, uses_);
    return;
  }
  MemoryPointer fresh = device()->backend().allocate(size(), MemoryVisibility::host);
  retired_.push_back({memory_, uses_});
  memory_ = std::move(fresh);
  uses_.clear();
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
  const bool renamed = (flags & CLOTHC_MAP_DISCARD) != 0 && desc_.kind == CLOTHC_BUFFER_HOST;
  if (renamed) {
    rename();
  } else if (!is_done(uses_)) {
    if ((flags & CLOTHC_MAP_NO_WAIT) != 0) return false;
    // Prevents other threads from mapping the buffer while this call waits.
    mapped_ = true;
    lock.unlock();
    try {
      wait();
    } catch (...) {
      lock.lock();
      mapped_ = false;
      throw;
    }
    lock.lock();
  }
  mapped_ = true;
  *pointer = memory_->host_pointer();
  return true;
}

void Buffer::unmap() {
  const std::lock_guard<std::mutex> lock(mutex_);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, mapped_, "the buffer is not mapped");
  mapped_ = false;
}

void Buffer::read(uint64_t offset, uint64_t size, void* data) {
  const MemoryPointer memory = memory_for_transfer();
  wait();
  memory->read(offset, data, size);
}

void Buffer::write(uint64_t offset, uint64_t size, const void* data) {
  const MemoryPointer memory = memory_for_transfer();
  wait();
  memory->write(offset, data, size);
}

}  // namespace clothc
