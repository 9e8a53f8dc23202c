// allocations.cpp - device memory, pinned memory, and the program's own memory that it registers.
#include "cuda/device/driver/blocks.h"
#include "cuda/device/driver/capture.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

// Frees memory in stream order.
class FreeTask : public Task {
 public:
  explicit FreeTask(BlockPointer block) : Task("cuMemFreeAsync"), block_(std::move(block)) {}
  bool is_device_work() const override { return false; }
  void run(const Turn&) const override {
    const InsideDevice inside;
    const std::lock_guard lock(state().mutex);
    remove_block(block_);
  }

 private:
  const BlockPointer block_;
};

// Returns the block that begins there and has one of two kinds.
BlockPointer find_own(const Call& call, uint64_t begin, BlockKind kind, BlockKind other, CUresult error) {
  const BlockPointer block = find_block(begin);
  if (block && block->begin == begin && (block->kind == kind || block->kind == other)) return block;
  throw call.misuse(error, was_freed(begin) ? "the memory was freed before" : "no such memory begins there");
}

void register_memory(const Call& call, uint64_t begin, uint64_t size) {
  const uint64_t pages_begin = begin / page_size * page_size;
  const uint64_t pages_end = round_up(begin + size, page_size);
  require(!overlaps_block(pages_begin, pages_end), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  require(is_mapped(pages_begin, pages_end), CUDA_ERROR_INVALID_VALUE);
  const BlockPointer block = std::make_shared<Block>();
  block->kind = BlockKind::registered;
  block->begin = begin;
  block->size = size;
  block->context = call.context;
  block->device = call.context->device;
  add_block(block);
}

// Returns the reserved addresses that an address belongs to, or those of no size.
std::pair<uint64_t, uint64_t> reservation_of(uint64_t address) {
  const auto after = state().address_ranges.upper_bound(address);
  if (after == state().address_ranges.begin()) return {0, 0};
  const auto& [begin, range] = *std::prev(after);
  return address < begin + range.size ? std::make_pair(begin, range.size) : std::make_pair(uint64_t{0}, uint64_t{0});
}

// Whether the attribute is that by which a pointer to reserved addresses without memory is told, if it is told at all.
bool is_told_unmapped(CUpointer_attribute attribute, uint64_t address) {
  return attribute == CU_POINTER_ATTRIBUTE_MAPPED && state().rules.holes == Holes::told &&
         find_block(address) == nullptr && reservation_of(address).second != 0;
}

void get_attribute(void* value, CUpointer_attribute attribute, const Block& block) {
  const auto [first, size] =
      state().rules.holes == Holes::outside ? std::make_pair(uint64_t{0}, uint64_t{0}) : reservation_of(block.begin);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(value) = block.context ? block.context->handle : nullptr;
      return;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) = block.is_host() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = block.device;
      return;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr*>(value) = size != 0 ? first : block.begin;
      return;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t*>(value) = size != 0 ? size : block.size;
      return;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<int*>(value) = 1;
      return;
  }
  throw Failure(CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t size) {
  return perform(Function::MemAlloc, Needs::working_context, [&](Call& call) {
    require_no_capture(call);
    require(pointer != nullptr, CUDA_ERROR_INVALID_VALUE);
    *pointer = allocate_block(call.context, BlockKind::device, size)->begin;
  });
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return perform(Function::MemFree, Needs::context, [&](Call& call) {
    require_no_capture(call);
    if (pointer == 0) return;
    const BlockPointer block =
        find_own(call, pointer, BlockKind::device, BlockKind::external, CUDA_ERROR_INVALID_VALUE);
    if (block->context != call.context) {
      throw call.misuse(CUDA_ERROR_INVALID_VALUE, "the memory belongs to another context");
    }
    drain(call, *call.context);
    remove_block(block);
  });
}

CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t size, CUstream handle) {
  return perform(Function::MemAllocAsync, Needs::working_context, [&](Call& call) {
    require(pointer != nullptr, CUDA_ERROR_INVALID_VALUE);
    require_not_capturing(*find_stream(call, handle));
    *pointer = allocate_block(call.context, BlockKind::device, size)->begin;
  });
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream handle) {
  return perform(Function::MemFreeAsync, Needs::working_context, [&](Call& call) {
    const StreamPointer stream = find_stream(call, handle);
    require_not_capturing(*stream);
    const BlockPointer block = find_own(call, pointer, BlockKind::device, BlockKind::device, CUDA_ERROR_INVALID_VALUE);
    submit(call, stream, std::make_shared<FreeTask>(block));
  });
}

CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  return perform(Function::MemGetInfo, Needs::working_context, [&](Call& call) {
    require(free != nullptr && total != nullptr, CUDA_ERROR_INVALID_VALUE);
    *total = state().rules.memory_size;
    *free = *total - std::min(*total, used_memory(call.context->device));
  });
}

CUresult cuMemHostAlloc(void** pointer, size_t size, unsigned flags) {
  return perform(Function::MemHostAlloc, Needs::working_context, [&](Call& call) {
    require_no_capture(call);
    require(pointer != nullptr && flags < 8, CUDA_ERROR_INVALID_VALUE);
    *pointer = reinterpret_cast<void*>(allocate_block(call.context, BlockKind::pinned, size)->begin);
  });
}

CUresult cuMemFreeHost(void* pointer) {
  return perform(Function::MemFreeHost, Needs::context, [&](Call& call) {
    require_no_capture(call);
    const BlockPointer block = find_own(call, reinterpret_cast<uint64_t>(pointer), BlockKind::pinned, BlockKind::pinned,
                                        CUDA_ERROR_INVALID_VALUE);
    wait_for_running(call);
    remove_block(block);
  });
}

CUresult cuMemHostRegister_v2(void* pointer, size_t size, unsigned flags) {
  return perform(Function::MemHostRegister, Needs::working_context, [&](Call& call) {
    require_no_capture(call);
    require(pointer != nullptr && size > 0, CUDA_ERROR_INVALID_VALUE);
    require((flags & ~(CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP)) == 0, CUDA_ERROR_INVALID_VALUE);
    register_memory(call, reinterpret_cast<uint64_t>(pointer), size);
  });
}

CUresult cuMemHostUnregister(void* pointer) {
  return perform(Function::MemHostUnregister, Needs::context, [&](Call& call) {
    require_no_capture(call);
    const BlockPointer block = find_own(call, reinterpret_cast<uint64_t>(pointer), BlockKind::registered,
                                        BlockKind::registered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    wait_for_running(call);
    remove_block(block);
  });
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned flags) {
  return perform(Function::MemHostGetDevicePointer, Needs::working_context, [&](Call&) {
    require(device != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
    const BlockPointer block = find_block(reinterpret_cast<uint64_t>(host));
    require(block && block->is_host(), CUDA_ERROR_INVALID_VALUE);
    *device = reinterpret_cast<uint64_t>(host);
  });
}

CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return perform(Function::PointerGetAttribute, Needs::working_context, [&](Call&) {
    require(value != nullptr, CUDA_ERROR_INVALID_VALUE);
    if (is_told_unmapped(attribute, pointer)) {
      *static_cast<int*>(value) = 0;
      return;
    }
    const BlockPointer block = find_block(pointer);
    require(block != nullptr, CUDA_ERROR_INVALID_VALUE);
    get_attribute(value, attribute, *block);
  });
}
