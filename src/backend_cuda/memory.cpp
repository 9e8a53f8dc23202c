// memory.cpp - allocates, wraps, exports and imports blocks of memory.
#include "backend_cuda/memory.h"

#include "backend_cuda/external.h"
#include "backend_cuda/memory_pool.h"

namespace clothc::cuda {

Block::Block(GpuPointer gpu, const Description& description) : gpu_(std::move(gpu)), size_(description.size) {
  const WorkingContext current(*gpu_);
  try {
    if (description.imported.is_set()) {
      import(description);
    } else if (description.wrapped != nullptr) {
      wrap(description);
    } else if (description.wrapped_device != 0) {
      wrap_device(description);
    } else {
      allocate(description);
    }
  } catch (...) {
    release();
    throw;
  }
}

Block::~Block() {
  if (!gpu_->may_free()) return;
  const CurrentContext current(*gpu_);
  release();
}

void Block::release() {
  const Driver& driver = gpu_->driver();
  if (is_device_memory_) driver.MemFree(address_);
  if (pinned_ != nullptr) driver.MemFreeHost(pinned_);
  if (registered_ != nullptr) driver.MemHostUnregister(registered_);
  release_allocation();
  // A mapped buffer must be freed before the external memory that it is mapped from.
  if (external_ != nullptr) {
    if (address_ != 0) driver.MemFree(address_);
    driver.DestroyExternalMemory(external_);
  }
}

void Block::release_allocation() {
  const Driver& driver = gpu_->driver();
  if (is_mapped_) driver.MemUnmap(reserved_, allocation_size_);
  if (reserved_ != 0) driver.MemAddressFree(reserved_, allocation_size_);
  if (handle_ != 0) driver.MemRelease(handle_);
  is_mapped_ = false;
  reserved_ = 0;
  handle_ = 0;
}

void Block::allocate(const Description& description) {
  const Driver& driver = gpu_->driver();
  gpu_->count_allocation();
  if (description.host) {
    gpu_->check(driver.MemHostAlloc(&pinned_, size_, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
                "cuMemHostAlloc");
    mapped_ = static_cast<uint8_t*>(pinned_);
    gpu_->check(driver.MemHostGetDevicePointer(&address_, pinned_, 0), "cuMemHostGetDevicePointer");
  } else if (description.exportable) {
    const CUmemAllocationProp wanted = properties();
    size_t unit = 0;
    gpu_->check(driver.MemGetAllocationGranularity(&unit, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
                "cuMemGetAllocationGranularity");
    allocation_size_ = (size_ + unit - 1) / unit * unit;
    gpu_->check(driver.MemCreate(&handle_, allocation_size_, &wanted, 0), "cuMemCreate");
    const char* call = nullptr;
    const CUresult mapped = map_allocation(call);
    gpu_->check(mapped, call);
  } else {
    gpu_->check(driver.MemAlloc(&address_, size_), "cuMemAlloc");
    is_device_memory_ = true;
  }
}

CUmemAllocationProp Block::properties() const {
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.requestedHandleTypes = allocation_handle_type;
  wanted.win32HandleMetaData = platform::OsHandle::default_attributes();
  wanted.location = {CU_MEM_LOCATION_TYPE_DEVICE, gpu_->adapter().handle};
  return wanted;
}

CUresult Block::map_allocation(const char*& call) {
  const Driver& driver = gpu_->driver();
  call = "cuMemAddressReserve";
  CUresult result = driver.MemAddressReserve(&reserved_, allocation_size_, 0, 0, 0);
  if (result != CUDA_SUCCESS) return result;
  call = "cuMemMap";
  result = driver.MemMap(reserved_, allocation_size_, 0, handle_, 0);
  if (result != CUDA_SUCCESS) return result;
  is_mapped_ = true;
  call = "cuMemSetAccess";
  const CUmemAccessDesc access = {properties().location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  result = driver.MemSetAccess(reserved_, allocation_size_, &access, 1);
  if (result == CUDA_SUCCESS) address_ = reserved_;
  return result;
}

void Block::wrap(const Description& description) {
  const Driver& driver = gpu_->driver();
  const CUresult result =
      driver.MemHostRegister(description.wrapped, size_, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
  CLOTHC_REQUIRE(
      result != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED && result != CUDA_ERROR_INVALID_VALUE &&
          result != CUDA_ERROR_NOT_PERMITTED && result != CUDA_ERROR_NOT_SUPPORTED,
      "the driver of \"%s\" takes no memory at %p: cuMemHostRegister gave %s; is a part of its pages wrapped "
      "or registered already, read-only, or memory of a device?",
      gpu_->adapter().info.name, description.wrapped, driver.name_of(result));
  gpu_->check(result, "cuMemHostRegister");
  registered_ = description.wrapped;
  mapped_ = static_cast<uint8_t*>(description.wrapped);
  gpu_->check(driver.MemHostGetDevicePointer(&address_, registered_, 0), "cuMemHostGetDevicePointer");
}

// A reserved range of addresses need not have memory everywhere. Of an address without memory, drivers say that it is not
// mapped, or that they do not know it, or that the range ends before. A hole in the middle is not found.
template <class Knows>
void Block::require_memory_at_end(CUdeviceptr wanted, uint64_t size_of_range, Knows knows) const {
  const auto is_mapped = [&](CUdeviceptr address) {
    int mapped = 0;
    return knows(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, address) && mapped != 0;
  };
  const bool is_inside = size_ <= size_of_range;
  const std::string end = is_inside ? "before that" : "after " + std::to_string(size_of_range) + " bytes";
  CLOTHC_REQUIRE(
      is_inside && is_mapped(wanted) && is_mapped(wanted + size_ - 1),
      "buffer_desc.memory is 0x%llx; the buffer has %llu bytes there, but the memory ends %s; want memory for "
      "all of them",
      wanted, static_cast<unsigned long long>(size_), end.c_str());
}

void Block::wrap_device(const Description& description) {
  const Driver& driver = gpu_->driver();
  const Adapter& adapter = gpu_->adapter();
  const CUdeviceptr wanted = description.wrapped_device;
  const auto knows = [&](void* value, CUpointer_attribute attribute, CUdeviceptr address) {
    const CUresult result = driver.PointerGetAttribute(value, attribute, address);
    if (result != CUDA_ERROR_INVALID_VALUE) gpu_->check(result, "cuPointerGetAttribute");
    return result == CUDA_SUCCESS;
  };
  CUmemorytype type{};
  int ordinal = -1;
  CUdeviceptr first = 0;
  size_t size = 0;
  CLOTHC_REQUIRE(knows(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, wanted) &&
                     knows(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, wanted) &&
                     knows(&first, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, wanted) &&
                     knows(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, wanted),
                 "buffer_desc.memory is 0x%llx, which the driver of \"%s\" does not know; want what cuMemAlloc gave",
                 wanted, adapter.info.name);
  CLOTHC_REQUIRE(type == CU_MEMORYTYPE_DEVICE && ordinal == adapter.handle,
                 "buffer_desc.memory is 0x%llx, memory of %s with the ordinal %d; want memory of \"%s\", ordinal %d",
                 wanted, type == CU_MEMORYTYPE_DEVICE ? "a device" : "the host", ordinal, adapter.info.name,
                 adapter.handle);
  // Memory that several contexts can use has none.
  CUcontext context = nullptr;
  const bool is_of_context =
      driver.PointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, wanted) == CUDA_SUCCESS && context != nullptr;
  CLOTHC_REQUIRE(!is_of_context || context == gpu_->context(),
                 "buffer_desc.memory is 0x%llx, memory of the context %p; the device works in the context %p, which "
                 "clothc_cuda_device_create can adopt",
                 wanted, static_cast<void*>(context), static_cast<void*>(gpu_->context()));
  require_memory_at_end(wanted, first + size - wanted, knows);
  address_ = wanted;
}

// Memory of Vulkan is imported as external memory; that which cuMemCreate made, as an allocation. A driver may take a
// descriptor of Vulkan for one of an allocation, which then cannot be mapped.
void Block::import(const Description& description) {
  const Driver& driver = gpu_->driver();
  void* const shared = reinterpret_cast<void*>(static_cast<intptr_t>(description.imported.number()));
  if (driver.MemImportFromShareableHandle(&handle_, shared, allocation_handle_type) == CUDA_SUCCESS) {
    allocation_size_ = size_;
    const char* call = nullptr;
    const CUresult mapped = map_allocation(call);
    if (mapped == CUDA_ERROR_OUT_OF_MEMORY) gpu_->check(mapped, call);
    if (mapped == CUDA_SUCCESS) {
      // Unlike external memory, an allocation leaves the handle to the caller on every system.
      if (platform::OsHandle::is_taken_by_drivers) description.imported.close();
      return;
    }
    release_allocation();
  }
  handle_ = 0;
  gpu_->check_import(import_external(description.imported), "cuImportExternalMemory", "memory");
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer{};
  buffer.size = size_;
  gpu_->check(driver.ExternalMemoryGetMappedBuffer(&address_, external_, &buffer), "cuExternalMemoryGetMappedBuffer");
}

// A dedicated allocation of Vulkan must be imported as such, which only the program that made it knows.
CUresult Block::import_external(platform::OsHandle exported) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC handle{};
  handle.type = memory_handle_type;
  handle.handle = external_handle(exported);
  handle.size = size_;
  CUresult result = CUDA_SUCCESS;
  for (const unsigned flags : {0u, CUDA_EXTERNAL_MEMORY_DEDICATED}) {
    handle.flags = flags;
    result = gpu_->driver().ImportExternalMemory(&external_, &handle);
    if (result == CUDA_SUCCESS || result == CUDA_ERROR_OUT_OF_MEMORY) break;
  }
  if (result != CUDA_SUCCESS) external_ = nullptr;
  return result;
}

platform::OsHandle Block::export_handle() const {
  platform::OsHandle exported;
  gpu_->check(gpu_->driver().MemExportToShareableHandle(exported.address(), handle_, allocation_handle_type, 0),
              "cuMemExportToShareableHandle");
  return exported;
}

GpuMemory::GpuMemory(std::shared_ptr<MemoryPool> pool, std::shared_ptr<Block> block, uint64_t offset, uint64_t size)
    : Memory(size), pool_(std::move(pool)), block_(std::move(block)), offset_(offset) {}

GpuMemory::~GpuMemory() { pool_->release(block_, offset_, size()); }

ExternalMemory GpuMemory::export_memory() const {
  const WorkingContext current(*block_->gpu());
  ExternalMemory exported;
  exported.handle = block_->export_handle();
  exported.allocation_size = block_->allocation_size();
  exported.offset = offset_;
  exported.size = size();
  return exported;
}

void GpuMemory::read(uint64_t offset, void* data, uint64_t size) const {
  if (block_->mapped() != nullptr) {
    Memory::read(offset, data, size);
  } else {
    pool_->transfers().read(address() + offset, data, size);
  }
}

void GpuMemory::write(uint64_t offset, const void* data, uint64_t size) {
  if (block_->mapped() != nullptr) {
    Memory::write(offset, data, size);
  } else {
    pool_->transfers().write(address() + offset, data, size);
  }
}

}  // namespace clothc::cuda
