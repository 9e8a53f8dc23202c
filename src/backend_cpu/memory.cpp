// memory.cpp - implements the memory of memory.h.
#include "backend_cpu/memory.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace clothc::cpu {
namespace {

constexpr size_t alignment = 64;

class OwnedMemory final : public Memory {
 public:
  OwnedMemory(const Allocator& allocator, uint64_t size) : Memory(size), allocator_(allocator) {
    if (size > SIZE_MAX - 2 * alignment) throw std::bad_alloc();
    const size_t bytes = static_cast<size_t>(size);
    if (allocator_.allocate != nullptr) {
      block_ = allocator_.allocate(bytes == 0 ? 1 : bytes, alignment, allocator_.user);
      start_ = block_;
      if (block_ != nullptr) std::memset(start_, 0, bytes);
    } else {
      block_ = std::calloc(bytes + alignment, 1);
      if (block_ == nullptr) throw std::bad_alloc();
      const uintptr_t address = reinterpret_cast<uintptr_t>(block_);
      start_ = static_cast<char*>(block_) + (alignment - address % alignment);
    }
    if (block_ == nullptr) throw std::bad_alloc();
  }
  ~OwnedMemory() override {
    if (allocator_.allocate != nullptr) {
      allocator_.free(block_, allocator_.user);
    } else {
      std::free(block_);
    }
  }
  OwnedMemory(const OwnedMemory&) = delete;
  OwnedMemory& operator=(const OwnedMemory&) = delete;
  void* host_pointer() const override { return start_; }

 private:
  Allocator allocator_;
  void* block_ = nullptr;
  void* start_ = nullptr;
};

class WrappedMemory final : public Memory {
 public:
  WrappedMemory(void* memory, uint64_t size) : Memory(size), memory_(memory) {}
  void* host_pointer() const override { return memory_; }

 private:
  void* memory_;
};

}  // namespace

MemoryPointer allocate_memory(const Allocator& allocator, uint64_t size) {
  return std::make_shared<OwnedMemory>(allocator, size);
}

MemoryPointer wrap_memory(void* memory, uint64_t size) { return std::make_shared<WrappedMemory>(memory, size); }

}  // namespace clothc::cpu
