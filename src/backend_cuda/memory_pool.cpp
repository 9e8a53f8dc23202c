// memory_pool.cpp - allocates memory in shared blocks, or in a block of its own if others see it too.
#include "backend_cuda/memory_pool.h"

#include "backend_gpu/import_handle.h"

namespace clothc::cuda {

MemoryPointer MemoryPool::own_block(const Block::Description& description, uint64_t offset, uint64_t size) {
  return std::make_shared<GpuMemory>(shared_from_this(), std::make_shared<Block>(gpu_, description), offset, size);
}

MemoryPointer MemoryPool::allocate_raw(uint64_t size, MemoryVisibility visibility) {
  gpu_->require_alive();
  Block::Description description;
  description.size = gpu::BlockPool<Block>::aligned(size);
  description.host = visibility == MemoryVisibility::host;
  if (visibility == MemoryVisibility::other_devices) {
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->adapter().exports_memory, no_external_memory);
    description.exportable = true;
    return own_block(description, 0, size);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto range = blocks_.allocate(size, description.host, [&](uint64_t block_size) {
    description.size = block_size;
    return std::make_shared<Block>(gpu_, description);
  });
  try {
    return std::make_shared<GpuMemory>(shared_from_this(), range.block, range.offset, size);
  } catch (...) {
    blocks_.release(range, size);
    throw;
  }
}

MemoryPointer MemoryPool::allocate(uint64_t size, MemoryVisibility visibility) {
  MemoryPointer memory = allocate_raw(size, visibility);
  if (memory->host_pointer() != nullptr) {
    std::memset(memory->host_pointer(), 0, size);
  } else {
    transfers_.clear(address_of(memory), gpu::BlockPool<Block>::aligned(size));
  }
  return memory;
}

MemoryPointer MemoryPool::wrap(void* memory, uint64_t size) {
  gpu_->require_alive();
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_UNSUPPORTED, (gpu_->adapter().info.capabilities & CLOTHC_CAPABILITY_WRAPPED_HOST) != 0,
      "\"%s\" reaches no memory of the caller; look for CLOTHC_CAPABILITY_WRAPPED_HOST, or copy through a "
      "HOST buffer",
      gpu_->adapter().info.name);
  Block::Description description;
  description.wrapped = memory;
  description.size = size;
  return own_block(description, 0, size);
}

MemoryPointer MemoryPool::wrap_device(CUdeviceptr memory, uint64_t size) {
  gpu_->require_alive();
  Block::Description description;
  description.wrapped_device = memory;
  description.size = size;
  return own_block(description, 0, size);
}

MemoryPointer MemoryPool::import_memory(const ExternalMemory& external) {
  gpu_->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->adapter().exports_memory, no_external_memory);
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
  blocks_.release({block, offset}, size);
}

}  // namespace clothc::cuda
