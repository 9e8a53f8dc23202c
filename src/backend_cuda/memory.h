// memory.h - memory that a CUDA device can access: ranges of a few large blocks, memory of the caller, and memory that
// is exported to or imported from other devices.
#pragma once

#include "backend_cuda/gpu.h"

namespace clothc::cuda {

// Owns a range of addresses of the device, and of the host where the host can access it.
class Block {
 public:
  struct Description {
    // Size in bytes. For imported memory it is the size of the whole allocation.
    uint64_t size = 0;

    // Whether the host can access the memory.
    bool host = false;

    // Whether the memory can be exported.
    bool exportable = false;

    // Handle of memory to import, or one that is not set. If the constructor succeeds, the handle belongs to the driver,
    // where drivers take handles over.
    platform::OsHandle imported;

    // Memory of the caller to wrap, on the host, or null.
    void* wrapped = nullptr;

    // The same on the device, or 0.
    CUdeviceptr wrapped_device = 0;
  };
  Block(GpuPointer gpu, const Description& description);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const GpuPointer& gpu() const { return gpu_; }
  CUdeviceptr address() const { return address_; }
  uint64_t size() const { return size_; }
  // Returns the host's address of the memory, or null if the host cannot access it.
  uint8_t* mapped() const { return mapped_; }
  // Returns a new handle of exportable memory, and the size of its allocation. The context must be current.
  platform::OsHandle export_handle() const;
  uint64_t allocation_size() const { return allocation_size_; }

 private:
  void allocate(const Description& description);
  void wrap(const Description& description);
  void wrap_device(const Description& description);
  // knows(value, attribute, address) asks the driver for an attribute of an address.
  template <class Knows>
  void require_memory_at_end(CUdeviceptr wanted, uint64_t size_of_range, Knows knows) const;
  void import(const Description& description);
  CUresult import_external(platform::OsHandle exported);
  // Reserves addresses for the allocation handle_, and maps it there. call: receives the call of the driver that failed.
  CUresult map_allocation(const char*& call);
  CUmemAllocationProp properties() const;
  void release();
  void release_allocation();

  GpuPointer gpu_;
  uint64_t size_;
  CUdeviceptr address_ = 0;
  uint8_t* mapped_ = nullptr;

  // What release must free; only that of the block's kind is set.
  bool is_device_memory_ = false;
  void* pinned_ = nullptr;
  void* registered_ = nullptr;
  CUexternalMemory external_ = nullptr;
  // An allocation that is mapped at addresses which were reserved for it.
  CUmemGenericAllocationHandle handle_ = 0;
  uint64_t allocation_size_ = 0;
  CUdeviceptr reserved_ = 0;
  bool is_mapped_ = false;
};

class MemoryPool;

// A range of bytes of a block, which goes back to the pool when this object is destroyed.
class GpuMemory final : public Memory {
 public:
  GpuMemory(std::shared_ptr<MemoryPool> pool, std::shared_ptr<Block> block, uint64_t offset, uint64_t size);
  ~GpuMemory() override;
  void* host_pointer() const override { return block_->mapped() == nullptr ? nullptr : block_->mapped() + offset_; }
  ExternalMemory export_memory() const override;
  void read(uint64_t offset, void* data, uint64_t size) const override;
  void write(uint64_t offset, const void* data, uint64_t size) override;

  uint64_t device_address() const override { return address(); }
  CUdeviceptr address() const { return block_->address() + offset_; }

 private:
  std::shared_ptr<MemoryPool> pool_;
  std::shared_ptr<Block> block_;
  uint64_t offset_;
};

inline CUdeviceptr address_of(const MemoryPointer& memory) { return static_cast<const GpuMemory&>(*memory).address(); }

}  // namespace clothc::cuda
