// buffer.cpp - validation of descs, mapping and renaming.
#include "core/buffer.h"

#include <algorithm>
#include <cstring>

#include "core/device.h"
#include "core/formats.h"

namespace clothc {

std::shared_ptr<Buffer> create_buffer(const std::shared_ptr<Device>& device, clothc_buffer_desc desc) {
  CLOTHC_REQUIRE(desc.kind == CLOTHC_BUFFER_HOST || desc.kind == CLOTHC_BUFFER_WRAPPED_HOST,
                 "buffer_desc.kind is %u; want CLOTHC_BUFFER_HOST or CLOTHC_BUFFER_WRAPPED_HOST", desc.kind);
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
  if (desc.kind == CLOTHC_BUFFER_WRAPPED_HOST) {
    CLOTHC_REQUIRE(desc.memory != nullptr,
                   "buffer_desc.memory is null; a WRAPPED_HOST buffer needs the caller's memory");
    CLOTHC_REQUIRE(reinterpret_cast<uintptr_t>(desc.memory) % 4 == 0,
                   "buffer_desc.memory is %p; want it aligned to 4 bytes", desc.memory);
  } else {
    CLOTHC_REQUIRE(desc.memory == nullptr, "buffer_desc.memory is %p; want NULL unless kind is WRAPPED_HOST",
                   desc.memory);
  }
  return std::make_shared<Buffer>(device, desc);
}

Buffer::Buffer(std::shared_ptr<Device> device, const clothc_buffer_desc& desc)
    : Object(object_kind, std::move(device)), desc_(desc) {
  Backend& backend = this->device()->backend();
  memory_ = desc.kind == CLOTHC_BUFFER_WRAPPED_HOST ? backend.wrap(desc.memory, size())
                                                    : backend.allocate(size(), Reach::host);
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
                    "the buffer is mapped; call clothc_buffer_unmap before sets and gets");
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

void Buffer::rename() {
  if (is_done(uses_)) return;
  const auto done = std::find_if(retired_.begin(), retired_.end(), [](const Retired& r) { return is_done(r.uses); });
  if (done != retired_.end()) {
    std::swap(done->memory, memory_);
    std::swap(done->uses, uses_);
    return;
  }
  MemoryPointer fresh = device()->backend().allocate(size(), Reach::host);
  retired_.push_back({memory_, uses_});
  memory_ = std::move(fresh);
  uses_.clear();
}

bool Buffer::map(uint32_t flags, void** pointer) {
  std::unique_lock<std::mutex> lock(mutex_);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !mapped_,
                    "the buffer is mapped already; call clothc_buffer_unmap first");
  const bool renamed = (flags & CLOTHC_MAP_DISCARD) != 0 && desc_.kind == CLOTHC_BUFFER_HOST;
  if (renamed) {
    rename();
  } else if (!is_done(uses_)) {
    if ((flags & CLOTHC_MAP_NO_WAIT) != 0) return false;
    mapped_ = true;  // nobody else maps it while this call waits
    lock.unlock();
    wait();
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
  std::memcpy(data, static_cast<const char*>(memory->host_pointer()) + offset, size);
}

void Buffer::write(uint64_t offset, uint64_t size, const void* data) {
  const MemoryPointer memory = memory_for_transfer();
  wait();
  std::memcpy(static_cast<char*>(memory->host_pointer()) + offset, data, size);
}

}  // namespace clothc
