// memory.h - memory of a Vulkan device: ranges of few large blocks, each with one buffer over all of it; memory of the
// caller; and memory that other devices export or import.
#pragma once

#include "backend_vulkan/gpu.h"

namespace clothc::vulkan {

// A VkDeviceMemory with a VkBuffer over all of it.
class Block {
 public:
  struct Description {
    uint64_t size = 0;        // of wrapped and imported memory: that of the whole
    bool host = false;        // mapped throughout
    bool exportable = false;  // as a file descriptor
    int imported = -1;        // file descriptor, taken over if the block is made
    void* wrapped = nullptr;  // memory of the caller, aligned as the device wants it
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
  // Where the host sees it; null if it does not.
  uint8_t* mapped() const { return mapped_; }
  // Unlike handles, never used twice.
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
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  uint8_t* mapped_ = nullptr;
};

// A view of a block as texels of four words, for lists of jobs.
class TexelView {
 public:
  TexelView(const Block& block, uint64_t offset, uint64_t size);
  ~TexelView();
  TexelView(const TexelView&) = delete;
  TexelView& operator=(const TexelView&) = delete;
  VkBufferView handle() const { return view_; }
  // Unlike handles, never used twice.
  uint64_t number() const { return number_; }

 private:
  GpuPointer gpu_;
  uint64_t number_;
  VkBufferView view_ = VK_NULL_HANDLE;
};

class MemoryPool;

// Bytes of a block.
class GpuMemory final : public Memory {
 public:
  GpuMemory(std::shared_ptr<MemoryPool> pool, std::shared_ptr<Block> block, uint64_t offset, uint64_t size);
  ~GpuMemory() override;
  void* host_pointer() const override { return block_->mapped() == nullptr ? nullptr : block_->mapped() + offset_; }
  ExternalMemory export_memory() const override;
  void read(uint64_t offset, void* data, uint64_t size) const override;
  void write(uint64_t offset, const void* data, uint64_t size) override;

  const Block& block() const { return *block_; }
  uint64_t offset() const { return offset_; }

 private:
  std::shared_ptr<MemoryPool> pool_;
  std::shared_ptr<Block> block_;
  uint64_t offset_;
};

inline const GpuMemory& gpu_memory(const MemoryPointer& memory) { return static_cast<const GpuMemory&>(*memory); }

}  // namespace clothc::vulkan
