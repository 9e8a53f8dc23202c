// virtual_memory.cpp - see virtual_memory.h. Another process can map allocations too.
#include "cuda/device/driver/virtual_memory.h"

#include <cstring>

#include "cuda/device/driver/blocks.h"
#include "cuda/device/driver/device.h"
#include "cuda/device/driver/external.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {

namespace {

// The driver API passes a file descriptor as a pointer.
SharedHandle shared_handle_of(void* passed) {
#if defined(_WIN32)
  return passed;
#else
  return static_cast<int>(reinterpret_cast<intptr_t>(passed));
#endif
}

bool is_whole(uint64_t value) { return value % granularity == 0; }

void require_properties(const CUmemAllocationProp* properties) {
  require(properties != nullptr && properties->type == CU_MEM_ALLOCATION_TYPE_PINNED, CUDA_ERROR_INVALID_VALUE);
  require(properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_INVALID_VALUE);
  require_device(properties->location.id);
  const CUmemAllocationHandleType types = properties->requestedHandleTypes;
  require(types == CU_MEM_HANDLE_TYPE_NONE || types == allocation_handle_type, CUDA_ERROR_NOT_SUPPORTED);
  const bool has_attributes = properties->win32HandleMetaData != nullptr;
  require(has_attributes == (types == CU_MEM_HANDLE_TYPE_WIN32), CUDA_ERROR_INVALID_VALUE);
}

std::shared_ptr<ShareableAllocation> find_shareable(const Call& call, CUmemGenericAllocationHandle handle) {
  return find_any(call, state().shareables, handle, "allocation");
}

// Returns the range that contains these addresses.
std::map<uint64_t, AddressRange>::iterator find_range(uint64_t begin, uint64_t size) {
  std::map<uint64_t, AddressRange>& ranges = state().address_ranges;
  require(size > 0 && is_whole(size) && is_whole(begin), CUDA_ERROR_INVALID_VALUE);
  const auto after = ranges.upper_bound(begin);
  require(after != ranges.begin(), CUDA_ERROR_INVALID_VALUE);
  const auto range = std::prev(after);
  const uint64_t end = range->first + range->second.size;
  require(begin < end && size <= end - begin, CUDA_ERROR_INVALID_VALUE);
  return range;
}

// Returns the first addresses of the mappings that make up these addresses exactly.
std::vector<uint64_t> find_mappings(const AddressRange& range, uint64_t begin, uint64_t size) {
  std::vector<uint64_t> found;
  for (uint64_t next = begin; next < begin + size;) {
    const auto mapping = range.mappings.find(next);
    require(mapping != range.mappings.end(), CUDA_ERROR_INVALID_VALUE);
    found.push_back(next);
    next += mapping->second.size;
    require(next <= begin + size, CUDA_ERROR_INVALID_VALUE);
  }
  return found;
}

bool is_free(const AddressRange& range, uint64_t begin, uint64_t size) {
  const auto after = range.mappings.lower_bound(begin + size);
  return after == range.mappings.begin() || std::prev(after)->first + std::prev(after)->second.size <= begin;
}

// New memory has no zeros on which a program could rely.
void fill_fresh(SharedHandle memory, uint64_t size) {
  const uint64_t pages = map_shared(memory, 0, size);
  if (pages == 0) return;
  std::memset(reinterpret_cast<void*>(pages), fresh_byte, size);
  unmap_shared(pages, size);
}

void make_accessible(uint64_t begin, Mapping& mapping) {
  if (mapping.is_accessible) return;
  allow_pages(begin, mapping.size);
  mapping.is_accessible = true;
  const BlockPointer block = std::make_shared<Block>();
  block->kind = BlockKind::mapped;
  block->begin = begin;
  block->size = mapping.size;
  block->device = mapping.device;
  add_block(block);
}

void unmap(AddressRange& range, uint64_t begin) {
  if (const BlockPointer block = find_block(begin)) remove_block(block);
  forbid_pages(begin, range.mappings[begin].size);
  range.mappings.erase(begin);
}

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp* properties,
                     unsigned long long flags) {
  return perform(Function::MemCreate, Needs::driver, [&](Call&) {
    require(handle != nullptr && size > 0 && is_whole(size) && flags == 0, CUDA_ERROR_INVALID_VALUE);
    require_properties(properties);
    require(size <= state().rules.memory_size, CUDA_ERROR_OUT_OF_MEMORY);
    const SharedHandle memory = create_shared(size);
    require(memory != no_handle, CUDA_ERROR_OUT_OF_MEMORY);
    const std::shared_ptr<ShareableAllocation> allocation = std::make_shared<ShareableAllocation>();
    allocation->memory = std::make_shared<const Descriptor>(memory);
    allocation->size = size;
    allocation->device = properties->location.id;
    allocation->is_exportable = properties->requestedHandleTypes == allocation_handle_type;
    fill_fresh(memory, size);
    *handle = state().shareables.add(allocation);
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return perform(Function::MemRelease, Needs::driver, [&](Call& call) {
    find_shareable(call, handle);
    state().shareables.remove(handle);
  });
}

CUresult cuMemGetAllocationGranularity(size_t* size, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  return perform(Function::MemGetAllocationGranularity, Needs::driver, [&](Call&) {
    require(size != nullptr && (option == CU_MEM_ALLOC_GRANULARITY_MINIMUM || option == 1), CUDA_ERROR_INVALID_VALUE);
    require_properties(properties);
    *size = granularity;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t size, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return perform(Function::MemAddressReserve, Needs::driver, [&](Call&) {
    require(pointer != nullptr && size > 0 && is_whole(size) && flags == 0, CUDA_ERROR_INVALID_VALUE);
    require((alignment & (alignment - 1)) == 0, CUDA_ERROR_INVALID_VALUE);
    const uint64_t unit = std::max<uint64_t>(alignment, granularity);
    require(unit <= UINT64_MAX - size, CUDA_ERROR_OUT_OF_MEMORY);
    const uint64_t pages = reserve_pages(size, unit);
    require(pages != 0, CUDA_ERROR_OUT_OF_MEMORY);
    *pointer = pages;
    state().address_ranges[*pointer].size = size;
  });
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size) {
  return perform(Function::MemAddressFree, Needs::driver, [&](Call& call) {
    const auto range = find_range(pointer, size);
    require(range->first == pointer && range->second.size == size, CUDA_ERROR_INVALID_VALUE);
    if (!range->second.mappings.empty()) throw call.misuse(CUDA_ERROR_INVALID_VALUE, "the range has mappings");
    state().address_ranges.erase(range);
    quarantine(pointer, size);
  });
}

CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return perform(Function::MemMap, Needs::driver, [&](Call& call) {
    require(offset == 0 && flags == 0, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<ShareableAllocation> allocation = find_shareable(call, handle);
    AddressRange& range = find_range(pointer, size)->second;
    require(size <= allocation->size && is_free(range, pointer, size), CUDA_ERROR_INVALID_VALUE);
    require(map_shared_at(allocation->memory->value(), pointer, size), CUDA_ERROR_MAP_FAILED);
    range.mappings[pointer] = {size, allocation->memory, allocation->device, false};
  });
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t size) {
  return perform(Function::MemUnmap, Needs::driver, [&](Call& call) {
    find_mappings(find_range(pointer, size)->second, pointer, size);
    wait_for_running(call);
    AddressRange& range = find_range(pointer, size)->second;
    for (const uint64_t begin : find_mappings(range, pointer, size)) unmap(range, begin);
  });
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc* accesses, size_t count) {
  return perform(Function::MemSetAccess, Needs::driver, [&](Call&) {
    require(accesses != nullptr && count > 0, CUDA_ERROR_INVALID_VALUE);
    AddressRange& range = find_range(pointer, size)->second;
    const std::vector<uint64_t> mappings = find_mappings(range, pointer, size);
    for (size_t k = 0; k < count; ++k) {
      require(accesses[k].location.type == CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_INVALID_VALUE);
      require_device(accesses[k].location.id);
      require(accesses[k].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE, CUDA_ERROR_NOT_SUPPORTED);
      for (const uint64_t begin : mappings) {
        require(range.mappings[begin].device == accesses[k].location.id, CUDA_ERROR_NOT_SUPPORTED);
        make_accessible(begin, range.mappings[begin]);
      }
    }
  });
}

CUresult cuMemExportToShareableHandle(void* exported, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  return perform(Function::MemExportToShareableHandle, Needs::driver, [&](Call& call) {
    require(exported != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
    require(type == allocation_handle_type, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<ShareableAllocation> allocation = find_shareable(call, handle);
    require(allocation->is_exportable, CUDA_ERROR_INVALID_VALUE);
    const SharedHandle copy = duplicate_shared(allocation->memory->value());
    require(copy != no_handle, CUDA_ERROR_OUT_OF_MEMORY);
    *static_cast<SharedHandle*>(exported) = copy;
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* exported,
                                        CUmemAllocationHandleType type) {
  return perform(Function::MemImportFromShareableHandle, Needs::working_context, [&](Call& call) {
    require(handle != nullptr && type == allocation_handle_type, CUDA_ERROR_INVALID_VALUE);
    const SharedHandle shared = shared_handle_of(exported);
    const uint64_t size = size_of_shared(shared);
    // Memory of another API is taken too, and cannot be mapped if its size is not right for that.
    require(size > 0, CUDA_ERROR_INVALID_VALUE);
    const std::shared_ptr<ShareableAllocation> allocation = std::make_shared<ShareableAllocation>();
    // The program keeps its handle, which may be closed as soon as this call has returned.
    allocation->memory = std::make_shared<const Descriptor>(duplicate_shared(shared));
    allocation->size = size;
    allocation->device = call.context->device;
    *handle = state().shareables.add(allocation);
  });
}
