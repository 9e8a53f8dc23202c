// device_sharing_test.cpp - memory of the software device that processes and other APIs share, and their semaphores.
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "cuda/device/driver/fixture.h"
#include "cuda/device/driver/semaphore.h"

namespace clothc::cuda_device::device_sharing_test {
namespace {

constexpr size_t unit = size_t{2} << 20;

class VirtualMemory : public DeviceTest {
 protected:
  static CUmemAllocationProp properties() {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    return properties;
  }
  static CUmemGenericAllocationHandle create() {
    const CUmemAllocationProp wanted = properties();
    CUmemGenericAllocationHandle handle = 0;
    EXPECT_EQ(cuda().MemCreate(&handle, unit, &wanted, 0), CUDA_SUCCESS);
    return handle;
  }
  static CUdeviceptr map(CUmemGenericAllocationHandle handle) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(cuda().MemAddressReserve(&pointer, unit, 0, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuda().MemMap(pointer, unit, 0, handle, 0), CUDA_SUCCESS);
    return pointer;
  }
  static CUresult allow(CUdeviceptr pointer) {
    const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    return cuda().MemSetAccess(pointer, unit, &access, 1);
  }
  static void unmap(CUdeviceptr pointer) {
    EXPECT_EQ(cuda().MemUnmap(pointer, unit), CUDA_SUCCESS);
    EXPECT_EQ(cuda().MemAddressFree(pointer, unit), CUDA_SUCCESS);
  }
};

TEST_F(VirtualMemory, an_exported_allocation_is_the_same_memory_when_imported) {
  const CUmemGenericAllocationHandle handle = create();
  int descriptor = -1;
  ASSERT_EQ(cuda().MemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_SUCCESS);
  CUmemGenericAllocationHandle imported = 0;
  ASSERT_EQ(cuda().MemImportFromShareableHandle(&imported, reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
                                                CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
            CUDA_SUCCESS);
  ::close(descriptor);
  const CUdeviceptr first = map(handle);
  const CUdeviceptr second = map(imported);
  ASSERT_EQ(allow(first), CUDA_SUCCESS);
  ASSERT_EQ(allow(second), CUDA_SUCCESS);
  // A mapping keeps the memory without its handle.
  EXPECT_EQ(cuda().MemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(cuda().MemRelease(imported), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", first, 5, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(read(second), all(5));
  unmap(first);
  unmap(second);
}

TEST_F(VirtualMemory, memory_is_used_only_after_access_was_set) {
  const CUmemGenericAllocationHandle handle = create();
  const CUdeviceptr pointer = map(handle);
  EXPECT_EQ(cuda().MemsetD32Async(pointer, 0, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(allow(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuda().MemsetD32Async(pointer, 0, 1, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
  unmap(pointer);
  EXPECT_EQ(cuda().MemRelease(handle), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", pointer, 5, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  report();
}

TEST_F(VirtualMemory, attributes_tell_the_reserved_range_and_where_it_has_memory) {
  const CUmemGenericAllocationHandle handle = create();
  CUdeviceptr range = 0;
  ASSERT_EQ(cuda().MemAddressReserve(&range, 2 * unit, 0, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemMap(range, unit, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(allow(range), CUDA_SUCCESS);
  struct Answer {
    const char* rule;
    size_t size_of_range;
    CUresult of_hole;
  };
  for (const Answer& answer :
       {Answer{"", 2 * unit, CUDA_ERROR_INVALID_VALUE}, Answer{"holes=told", 2 * unit, CUDA_SUCCESS},
        Answer{"holes=outside", unit, CUDA_ERROR_INVALID_VALUE}}) {
    SCOPED_TRACE(answer.rule);
    ASSERT_EQ(cuda().control(answer.rule), 0);
    size_t size = 0;
    EXPECT_EQ(cuda().PointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, range + 4), CUDA_SUCCESS);
    EXPECT_EQ(size, answer.size_of_range);
    int is_mapped = 0;
    EXPECT_EQ(cuda().PointerGetAttribute(&is_mapped, CU_POINTER_ATTRIBUTE_MAPPED, range), CUDA_SUCCESS);
    EXPECT_EQ(is_mapped, 1);
    is_mapped = 0;
    EXPECT_EQ(cuda().PointerGetAttribute(&is_mapped, CU_POINTER_ATTRIBUTE_MAPPED, range + unit), answer.of_hole);
    EXPECT_EQ(is_mapped, 0);
    unsigned type = 0;
    EXPECT_EQ(cuda().PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, range + unit),
              CUDA_ERROR_INVALID_VALUE);
  }
  EXPECT_EQ(cuda().MemUnmap(range, unit), CUDA_SUCCESS);
  EXPECT_EQ(cuda().MemAddressFree(range, 2 * unit), CUDA_SUCCESS);
  EXPECT_EQ(cuda().MemRelease(handle), CUDA_SUCCESS);
}

TEST_F(VirtualMemory, sizes_are_whole_units) {
  CUmemAllocationProp wanted = properties();
  size_t granularity = 0;
  EXPECT_EQ(cuda().MemGetAllocationGranularity(&granularity, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM), CUDA_SUCCESS);
  EXPECT_EQ(granularity, unit);
  CUmemGenericAllocationHandle handle = 0;
  EXPECT_EQ(cuda().MemCreate(&handle, unit / 2, &wanted, 0), CUDA_ERROR_INVALID_VALUE);
  wanted.location.id = 1;
  EXPECT_EQ(cuda().MemCreate(&handle, unit, &wanted, 0), CUDA_ERROR_INVALID_DEVICE);
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuda().MemAddressReserve(&pointer, unit + 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
}

class ExternalObjects : public DeviceTest {
 protected:
  CUexternalSemaphore import(const SharedSemaphore& semaphore) {
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
    description.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    description.handle.fd = dup(semaphore.handle());
    CUexternalSemaphore imported = nullptr;
    EXPECT_EQ(cuda().ImportExternalSemaphore(&imported, &description), CUDA_SUCCESS);
    return imported;
  }
  CUresult signal(CUexternalSemaphore semaphore, uint64_t value, CUstream stream) {
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
    parameters.params.fence.value = value;
    return cuda().SignalExternalSemaphoresAsync(&semaphore, &parameters, 1, stream);
  }
  CUresult wait(CUexternalSemaphore semaphore, uint64_t value, CUstream stream) {
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
    parameters.params.fence.value = value;
    return cuda().WaitExternalSemaphoresAsync(&semaphore, &parameters, 1, stream);
  }
};

TEST_F(ExternalObjects, imported_memory_is_that_of_the_exporter) {
  const int descriptor = memfd_create("exported", 0);
  ASSERT_EQ(ftruncate(descriptor, 8192), 0);
  void* mapped = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
  description.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  description.handle.fd = descriptor;
  description.size = 8193;
  CUexternalMemory memory = nullptr;
  EXPECT_EQ(cuda().ImportExternalMemory(&memory, &description), CUDA_ERROR_INVALID_VALUE);
  description.size = 8192;
  ASSERT_EQ(cuda().ImportExternalMemory(&memory, &description), CUDA_SUCCESS);
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer{};
  buffer.offset = 4096 + 256;
  buffer.size = size;
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuda().ExternalMemoryGetMappedBuffer(&pointer, memory, &buffer), CUDA_SUCCESS);
  buffer.size = 8192;
  CUdeviceptr other = 0;
  EXPECT_EQ(cuda().ExternalMemoryGetMappedBuffer(&other, memory, &buffer), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(launch("fill", pointer, 5, make_stream()), CUDA_SUCCESS);
  ASSERT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
  uint32_t word = 0;
  std::memcpy(&word, static_cast<char*>(mapped) + 4096 + 256, sizeof word);
  EXPECT_EQ(word, 5u);
  EXPECT_EQ(cuda().MemFree(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuda().DestroyExternalMemory(memory), CUDA_SUCCESS);
  EXPECT_EQ(::close(descriptor), -1) << "the import owns the descriptor";
  munmap(mapped, 8192);
}

TEST_F(ExternalObjects, a_stream_waits_for_a_semaphore_and_signals_it) {
  SharedSemaphore shared = SharedSemaphore::create(0);
  const CUexternalSemaphore semaphore = import(shared);
  const CUstream stream = make_stream();
  ASSERT_EQ(wait(semaphore, 1, stream), CUDA_SUCCESS);
  ASSERT_EQ(signal(semaphore, 2, stream), CUDA_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(cuda().StreamQuery(stream), CUDA_ERROR_NOT_READY);
  EXPECT_TRUE(shared.signal(1));
  EXPECT_TRUE(shared.wait(2, std::chrono::seconds(10)));
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().DestroyExternalSemaphore(semaphore), CUDA_SUCCESS);
}

TEST_F(ExternalObjects, a_semaphore_orders_streams) {
  const SharedSemaphore shared = SharedSemaphore::create(0);
  const CUexternalSemaphore semaphore = import(shared);
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  const CUstream second = make_stream();
  ASSERT_EQ(wait(semaphore, 3, second), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, second), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", words, 5, first), CUDA_SUCCESS);
  ASSERT_EQ(signal(semaphore, 3, first), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(6));
  EXPECT_EQ(cuda().DestroyExternalSemaphore(semaphore), CUDA_SUCCESS);
}

TEST_F(ExternalObjects, a_value_is_signalled_once) {
  const SharedSemaphore shared = SharedSemaphore::create(5);
  const CUexternalSemaphore semaphore = import(shared);
  const CUstream stream = make_stream();
  ASSERT_EQ(signal(semaphore, 5, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuda().DestroyExternalSemaphore(semaphore), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_NE(report().find("reached before"), std::string::npos);
}

TEST_F(ExternalObjects, a_file_that_is_no_semaphore_is_refused) {
  const int descriptor = memfd_create("nothing", 0);
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
  description.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  description.handle.fd = descriptor;
  CUexternalSemaphore imported = nullptr;
  EXPECT_EQ(cuda().ImportExternalSemaphore(&imported, &description), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(::close(descriptor), 0) << "a failed import leaves the descriptor to the program";
}

}  // namespace
}  // namespace clothc::cuda_device::device_sharing_test
