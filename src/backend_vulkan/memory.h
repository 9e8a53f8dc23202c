// memory.h - memory that a Vulkan device can access: ranges of a few large blocks, memory of the caller, and memory
// that is exported to or imported from other devices. Each block has one buffer that covers all of it.
#pragma once

#include "backend_vulkan/gpu.h"

namespace clothc::vulkan {

// Owns a VkDeviceMemory and a VkBuffer that covers all of it, or uses a VkBuffer of the application.
class Block {
 public:
  struct Description {
    // Size in bytes. For wrapped and imported memory it is the size of the whole allocation.
    uint64_t size = 0;

    // Whether the host can access the memory, which then stays mapped as long as the block exists.
    bool host = false;

    // Whether the memory can be exported.
    bool exportable = false;

    // Handle of memory to import, or one that is not set. If the constructor succeeds, the handle belongs to the driver,
    // where drivers take handles over.
    platform::OsHandle imported;

    // Memory of the caller to wrap, aligned to Adapter::host_pointer_alignment, or null.
    void* wrapped = nullptr;

    // Buffer of the application to use, or null, and the queue family that owns it between the uses of streams.
    VkBuffer buffer = VK_NULL_HANDLE;
    std::optional<uint32_t> queue_family;
  };
  Block(GpuPointer gpu, const Description& description);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const GpuPointer& gpu() const { return gpu_; }
  VkBuffer buffer() const { return buffer_; }
  VkDeviceMemory memory() const { return memory_; }
  uint64_t size() const { return size_; }
  uint64_t allocation_size() const { return allocation_size_; }
  // Returns the host's address of the memory, or null if the host cannot access it.
  uint8_t* mapped() const { return mapped_; }
  // Returns the queue family that owns the buffer between the uses of streams, if it has to be transferred.
  const std::optional<uint32_t>& owner() const { return owner_; }
  // Returns the block's number. Unlike Vulkan's handles, numbers are never used twice.
  uint64_t number() const { return number_; }

 private:
  void create_buffer(const Description& description);
  void allocate(const Description& description);
  uint32_t choose_type(const Description& description, uint32_t allowed) const;
  void release();

  GpuPointer gpu_;
  uint64_t size_;
  uint64_t allocation_size_ = 0;
  uint64_t number_;
  bool is_adopted_;
  std::optional<uint32_t> owner_;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  uint8_t* mapped_ = nullptr;
};

// Returns the size of the view of size bytes as texels: an odd multiple of 256. Mesa's software driver (22.3) compiles a
// shader again, which takes seconds, for a view of a buffer whose size is a power of two, and for a view of whose size
// the bits 8 .. 15 are 0. So that it compiles each shader once, no block with texels and no view has such a size.
constexpr uint64_t texel_view_size(uint64_t size) { return (size + 255) / 512 * 512 + 256; }

class MemoryPool;

// A range of bytes of a block, which goes back to the pool when this object is destroyed.
class GpuMemory final : public Memory {
 public:
  GpuMemory(std::shared_ptr<MemoryPool> pool, std::shared_ptr<Block> block, uint64_t offset, uint64_t size);
  ~GpuMemory() override;
  void* host_pointer() const override { return block_->mapped() == nullptr ? nullptr : block_->mapped() + offset_; }
  ExternalMemory export_memory() const override;
  NativeBuffer native_buffer() const override;
  void read(uint64_t offset, void* data, uint64_t size) const override;
  void write(uint64_t offset, const void* data, uint64_t size) override;

  const Block& block() const { return *block_; }
  uint64_t offset() const { return offset_; }

  // On a device that only records, memory is set to 0 by the first stream that uses it. take_clearing returns true once
  // after each call of need_clearing. Any thread may call these.
  void need_clearing() const { needs_clearing_ = true; }
  bool take_clearing() const {
    return needs_clearing_.load(std::memory_order_relaxed) && needs_clearing_.exchange(false);
  }

 private:
  std::shared_ptr<MemoryPool> pool_;
  std::shared_ptr<Block> block_;
  uint64_t offset_;
  mutable std::atomic<bool> needs_clearing_{false};
};

inline const GpuMemory& gpu_memory(const MemoryPointer& memory) { return static_cast<const GpuMemory&>(*memory); }

}  // namespace clothc::vulkan
