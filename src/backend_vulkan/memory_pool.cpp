// memory_pool.cpp - implements the pool. Each new shared block is larger than all earlier ones of its kind together, up
// to 256 MiB, so that there are only a few blocks.
#include "backend_vulkan/memory_pool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace clothc::vulkan {
namespace {

// Alignment of ranges in bytes, which is at least the largest alignment that bindings, views and programs may require.
constexpr uint64_t range_alignment = 256;
constexpr uint64_t smallest_block = uint64_t{4} << 20;
constexpr uint64_t largest_block = uint64_t{256} << 20;

bool is_same_file(int a, int b) {
  struct stat of_a {
  }, of_b{};
  return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

bool is_power_of_two(uint64_t size) { return (size & (size - 1)) == 0; }
uint64_t units_of(uint64_t size) { return (std::max<uint64_t>(size, 1) + range_alignment - 1) / range_alignment; }

}  // namespace

MemoryPointer MemoryPool::own_block(const Block::Description& description, uint64_t offset, uint64_t size) {
  return std::make_shared<GpuMemory>(shared_from_this(), std::make_shared<Block>(gpu_, description), offset, size);
}

// The lock must be held. Returns null if the block has no free range of this size.
MemoryPointer MemoryPool::take_range(Shared& shared, uint64_t size) {
  const auto units = static_cast<uint32_t>(units_of(size));
  const uint32_t first = shared.ranges.allocate(units);
  if (first == RangeAllocator::none) return nullptr;
  try {
    MemoryPointer memory = std::make_shared<GpuMemory>(shared_from_this(), shared.block, first * range_alignment, size);
    ++shared.used;
    return memory;
  } catch (...) {
    shared.ranges.release(first, units);
    throw;
  }
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
  description.size = units_of(size) * range_alignment;
  description.host = visibility == MemoryVisibility::host;
  if (visibility == MemoryVisibility::other_devices) {
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->adapter().has_memory_descriptors, no_external_memory);
    description.exportable = true;
    return own_block(description, 0, size);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  uint64_t total = smallest_block;
  for (const std::unique_ptr<Shared>& shared : shared_) {
    if (shared->host != description.host) continue;
    if (MemoryPointer memory = take_range(*shared, size)) return memory;
    total += shared->block->size();
  }
  description.size = std::max(description.size, std::min(total, largest_block));
  // Texel views want this; see TexelView.
  if (is_power_of_two(description.size)) description.size += range_alignment;
  shared_.reserve(shared_.size() + 1);
  auto fresh = std::make_unique<Shared>(
      Shared{std::make_shared<Block>(gpu_, description),
             RangeAllocator(static_cast<uint32_t>(description.size / range_alignment)), description.host});
  MemoryPointer memory = take_range(*fresh, size);
  shared_.push_back(std::move(fresh));
  return memory;
}

MemoryPointer MemoryPool::allocate(uint64_t size, MemoryVisibility visibility) {
  MemoryPointer memory = allocate_raw(size, visibility);
  if (memory->host_pointer() != nullptr) {
    std::memset(memory->host_pointer(), 0, size);
  } else {
    const GpuMemory& fresh = gpu_memory(memory);
    transfers_.clear(fresh.block(), fresh.offset(), units_of(size) * range_alignment);
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

MemoryPointer MemoryPool::import_memory(const ExternalMemory& external) {
  gpu_->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->adapter().has_memory_descriptors, no_external_memory);
  // The driver gets a duplicate of the file descriptor, because some drivers close a descriptor that they refuse.
  const int copy = fcntl(external.file_descriptor, F_DUPFD_CLOEXEC, 0);
  CLOTHC_REQUIRE(copy >= 0, "external_handle.handle is %d, which is no open file descriptor", external.file_descriptor);
  Block::Description description;
  description.imported = copy;
  description.size = external.allocation_size;
  try {
    MemoryPointer memory = own_block(description, external.offset, external.size);
    close(external.file_descriptor);
    return memory;
  } catch (...) {
    if (is_same_file(copy, external.file_descriptor)) close(copy);
    throw;
  }
}

void MemoryPool::release(const std::shared_ptr<Block>& block, uint64_t offset, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(shared_.begin(), shared_.end(), [&](const auto& s) { return s->block == block; });
  // A block that is not shared belongs to this memory alone.
  if (found == shared_.end()) return;
  Shared& shared = **found;
  shared.ranges.release(static_cast<uint32_t>(offset / range_alignment), static_cast<uint32_t>(units_of(size)));
  --shared.used;
  const auto of_kind = [&](const auto& s) { return s->host == shared.host; };
  // The last block of a kind stays, so that a program which frees memory and allocates it again causes no allocation of
  // the driver.
  if (shared.used == 0 && std::count_if(shared_.begin(), shared_.end(), of_kind) > 1) shared_.erase(found);
}

}  // namespace clothc::vulkan
