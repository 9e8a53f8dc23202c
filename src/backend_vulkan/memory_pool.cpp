// memory_pool.cpp - allocates memory in shared blocks, or in a block of its own if others see it too.
#include "backend_vulkan/memory_pool.h"

#include <algorithm>

#include "backend_gpu/import_handle.h"

namespace clothc::vulkan {
namespace {

bool is_power_of_two(uint64_t size) { return (size & (size - 1)) == 0; }

}  // namespace

MemoryPointer MemoryPool::own_block(const Block::Description& description, uint64_t offset, uint64_t size) {
  return std::make_shared<GpuMemory>(shared_from_this(), std::make_shared<Block>(gpu_, description), offset, size);
}

MemoryPointer MemoryPool::allocate_raw(uint64_t size, MemoryVisibility visibility) {
  gpu_->require_alive();
  const uint64_t most = gpu_->adapter().limits.maxStorageBufferRange;
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_CAPACITY, visibility == MemoryVisibility::host || size <= most,
      "an array of %llu bytes is more than the %llu that kernels reach on \"%s\"; lower the capacities in "
      "solver_desc, or use several solvers",
      static_cast<unsigned long long>(size), static_cast<unsigned long long>(most), gpu_->adapter().info.name);
  Block::Description description;
  description.size = gpu::BlockPool<Block>::aligned(size);
  description.host = visibility == MemoryVisibility::host;
  if (visibility == MemoryVisibility::other_devices) {
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->adapter().shares_memory, no_external_memory);
    description.exportable = true;
    return own_block(description, 0, size);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto range = blocks_.allocate(texel_view_size(size), description.host, [&](uint64_t block_size) {
    // See texel_view_size.
    description.size = is_power_of_two(block_size) ? block_size + gpu::BlockPool<Block>::alignment : block_size;
    return std::make_shared<Block>(gpu_, description);
  });
  try {
    return std::make_shared<GpuMemory>(shared_from_this(), range.block, range.offset, size);
  } catch (...) {
    blocks_.release(range, texel_view_size(size));
    throw;
  }
}

MemoryPointer MemoryPool::allocate(uint64_t size, MemoryVisibility visibility) {
  MemoryPointer memory = allocate_raw(size, visibility);
  if (memory->host_pointer() != nullptr) {
    std::memset(memory->host_pointer(), 0, size);
  } else if (gpu_->only_records()) {
    gpu_memory(memory).need_clearing();
  } else {
    const GpuMemory& fresh = gpu_memory(memory);
    transfers_.clear(fresh.block(), fresh.offset(), gpu::BlockPool<Block>::aligned(size));
  }
  return memory;
}

MemoryPointer MemoryPool::wrap(void* memory, uint64_t size) {
  gpu_->require_alive();
  const uint64_t alignment = gpu_->adapter().host_pointer_alignment;
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_UNSUPPORTED, alignment != 0,
      "\"%s\" reaches no memory of the caller; look for CLOTHC_CAPABILITY_WRAPPED_HOST, or copy through a "
      "HOST buffer",
      gpu_->adapter().info.name);
  // The block covers whole pages around the caller's memory, but only the caller's bytes are accessed.
  const uint64_t address = reinterpret_cast<uintptr_t>(memory);
  const uint64_t offset = address % alignment;
  Block::Description description;
  description.wrapped = static_cast<char*>(memory) - offset;
  description.size = (offset + size + alignment - 1) / alignment * alignment;
  return own_block(description, offset, size);
}

MemoryPointer MemoryPool::wrap_buffer(const NativeBuffer& buffer, uint64_t size) {
  gpu_->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->is_adopted(), "%s", no_native_buffers);
  CLOTHC_REQUIRE(buffer.handle != 0, "vulkan_buffer_desc.buffer is null; want a VkBuffer");
  CLOTHC_REQUIRE(
      buffer.offset % 4 == 0 && buffer.offset <= buffer.size && size <= buffer.size - buffer.offset,
      "vulkan_buffer_desc.offset is %llu, size %llu; want an offset that is a multiple of 4 with the buffer's "
      "%llu bytes behind it",
      static_cast<unsigned long long>(buffer.offset), static_cast<unsigned long long>(buffer.size),
      static_cast<unsigned long long>(size));
  Block::Description description;
  description.size = buffer.size;
  std::memcpy(&description.buffer, &buffer.handle, sizeof(description.buffer));
  if (buffer.queue_family != gpu_->adapter().queue_family) description.queue_family = buffer.queue_family;
  return own_block(description, buffer.offset, size);
}

MemoryPointer MemoryPool::import_memory(const ExternalMemory& external) {
  gpu_->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->adapter().shares_memory, no_external_memory);
  return gpu::import_handle(external.handle, [&](platform::OsHandle copy) {
    Block::Description description;
    description.imported = copy;
    description.size = external.allocation_size;
    return own_block(description, external.offset, external.size);
  });
}

void MemoryPool::release(const std::shared_ptr<Block>& block, uint64_t offset, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // A block that is not shared belongs to this memory alone.
  blocks_.release({block, offset}, texel_view_size(size));
}

}  // namespace clothc::vulkan
