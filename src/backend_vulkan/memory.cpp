// memory.cpp - implements blocks and ranges of blocks.
#include "backend_vulkan/memory.h"

#include <algorithm>

#include "backend_vulkan/external.h"
#include "backend_vulkan/memory_pool.h"

namespace clothc::vulkan {
namespace {

std::atomic<uint64_t> last_number{0};

constexpr VkExternalMemoryHandleTypeFlagBits host_memory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

// Copies by the host are no uses for which the application transfers a buffer.
void require_no_owner(const Block& block) {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, !block.owner().has_value(),
                    "the VkBuffer belongs to queue family %u between its uses, so the host cannot copy from or to it; "
                    "use sets and gets, or create it with VK_SHARING_MODE_CONCURRENT and without queue_family",
                    block.owner().value_or(0));
}

}  // namespace

Block::Block(GpuPointer gpu, const Description& description)
    : gpu_(std::move(gpu)),
      size_(description.size),
      number_(++last_number),
      is_adopted_(description.buffer != VK_NULL_HANDLE),
      owner_(description.queue_family),
      buffer_(description.buffer) {
  if (is_adopted_) return;
  try {
    create_buffer(description);
    allocate(description);
  } catch (...) {
    release();
    throw;
  }
}

Block::~Block() { release(); }

void Block::release() {
  if (is_adopted_) return;
  if (buffer_ != VK_NULL_HANDLE) gpu_->destroy(gpu_->DestroyBuffer, buffer_);
  if (memory_ != VK_NULL_HANDLE) gpu_->destroy(gpu_->FreeMemory, memory_);
}

void Block::create_buffer(const Description& description) {
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  if (description.exportable || description.imported.is_set()) external.handleTypes = memory_handle_type;
  if (description.wrapped != nullptr) external.handleTypes = host_memory;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  if (external.handleTypes != 0) info.pNext = &external;
  info.size = size_;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (external.handleTypes == 0) info.usage |= VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  if (external.handleTypes == 0 && gpu_->is_adopted())
    info.usage |=
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  gpu_->check(gpu_->CreateBuffer(gpu_->handle(), &info, gpu_->allocator(), &buffer_), "vkCreateBuffer");
}

uint32_t Block::choose_type(const Description& description, uint32_t allowed) const {
  if (description.wrapped != nullptr) {
    VkMemoryHostPointerPropertiesEXT properties{};
    properties.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT;
    gpu_->check(gpu_->GetMemoryHostPointerPropertiesEXT(gpu_->handle(), host_memory, description.wrapped, &properties),
                "vkGetMemoryHostPointerPropertiesEXT");
    return gpu_->memory_type(allowed & properties.memoryTypeBits, VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                             VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  }
  if (description.host)
    return gpu_->memory_type(allowed, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                             VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  return gpu_->memory_type(allowed, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

void Block::allocate(const Description& description) {
  VkMemoryRequirements requirements{};
  gpu_->GetBufferMemoryRequirements(gpu_->handle(), buffer_, &requirements);
  VkImportMemoryHostPointerInfoEXT wrap{};
  wrap.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT;
  wrap.handleType = host_memory;
  wrap.pHostPointer = description.wrapped;
  const ImportMemoryInfo import = import_memory_info(description.imported);
  VkExportMemoryAllocateInfo exporting{};
  exporting.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  exporting.handleTypes = memory_handle_type;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  // Wrapped and imported memory keeps the size of its original allocation.
  const bool foreign = description.wrapped != nullptr || description.imported.is_set();
  allocation_size_ = foreign ? size_ : requirements.size;
  info.allocationSize = allocation_size_;
  info.memoryTypeIndex = choose_type(description, requirements.memoryTypeBits);
  if (description.wrapped != nullptr) info.pNext = &wrap;
  if (description.imported.is_set()) info.pNext = &import;
  if (description.exportable) info.pNext = &exporting;
  VkResult allocated = gpu_->AllocateMemory(gpu_->handle(), &info, gpu_->allocator(), &memory_);
  // SwiftShader says this of a handle that it cannot map.
  if (description.imported.is_set() && allocated == VK_ERROR_MEMORY_MAP_FAILED)
    allocated = VK_ERROR_INVALID_EXTERNAL_HANDLE;
  gpu_->check(allocated, "vkAllocateMemory");
  gpu_->count_allocation();
  gpu_->check(gpu_->BindBufferMemory(gpu_->handle(), buffer_, memory_, 0), "vkBindBufferMemory");
  if (description.host) {
    void* mapped = nullptr;
    gpu_->check(gpu_->MapMemory(gpu_->handle(), memory_, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    mapped_ = static_cast<uint8_t*>(mapped);
  } else if (description.wrapped != nullptr) {
    mapped_ = static_cast<uint8_t*>(description.wrapped);
  }
}

GpuMemory::GpuMemory(std::shared_ptr<MemoryPool> pool, std::shared_ptr<Block> block, uint64_t offset, uint64_t size)
    : Memory(size), pool_(std::move(pool)), block_(std::move(block)), offset_(offset) {}

GpuMemory::~GpuMemory() { pool_->release(block_, offset_, size()); }

ExternalMemory GpuMemory::export_memory() const {
  ExternalMemory exported;
  exported.handle = export_handle_of(*block_->gpu(), block_->memory());
  exported.allocation_size = block_->allocation_size();
  exported.offset = offset_;
  exported.size = size();
  return exported;
}

// A handle is a pointer where Vulkan's types are, and otherwise a number.
NativeBuffer GpuMemory::native_buffer() const {
  NativeBuffer native;
  const VkBuffer buffer = block_->buffer();
  std::memcpy(&native.handle, &buffer, sizeof(buffer));
  native.size = block_->size();
  native.offset = offset_;
  return native;
}

void GpuMemory::read(uint64_t offset, void* data, uint64_t size) const {
  if (block_->mapped() != nullptr) {
    Memory::read(offset, data, size);
  } else {
    require_no_owner(*block_);
    pool_->transfers().read(*block_, offset_ + offset, data, size);
  }
}

void GpuMemory::write(uint64_t offset, const void* data, uint64_t size) {
  if (block_->mapped() != nullptr) {
    Memory::write(offset, data, size);
  } else {
    require_no_owner(*block_);
    pool_->transfers().write(*block_, offset_ + offset, data, size);
  }
}

}  // namespace clothc::vulkan
