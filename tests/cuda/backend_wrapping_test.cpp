// backend_wrapping_test.cpp - memory of the program on the device as buffers, and the addresses of buffers.
#include "cuda/application.h"

using namespace clothc_test;

namespace backend_wrapping_test {
namespace {

class CudaWrapping : public AsApplication {
 protected:
  static clothc_buffer_desc wrapping(CUdeviceptr memory, uint64_t count) {
    clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
    desc.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
    desc.count = count;
    desc.memory = reinterpret_cast<void*>(memory);
    return desc;
  }
};

TEST_F(CudaWrapping, memory_is_read_written_set_and_got) {
  const World world = populate(adopt(context_, nullptr));
  const uint32_t count = world.vertices();
  const CUdeviceptr memory = allocate(size_t{count} * 16 + 64);
  // A part of an allocation, which begins in its middle.
  const clothc_buffer_desc desc = wrapping(memory + 64, count);
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(world.device, &desc, &buffer));
  uint64_t address = 0;
  ASSERT_OK(clothc_cuda_buffer_get_pointer(buffer, &address));
  EXPECT_EQ(address, memory + 64);
  ASSERT_OK(clothc_solver_get(world.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  std::vector<float> got(size_t{count} * 4), moved = got;
  ASSERT_OK(clothc_buffer_read(buffer, 0, got.size() * 4, got.data()));
  EXPECT_EQ(got, get_particles<float>(world.device, world.solver, world.cloth, CLOTHC_CHANNEL_POSITION));
  for (float& value : got) value += 1;
  ASSERT_OK(clothc_buffer_write(buffer, 0, got.size() * 4, got.data()));
  ASSERT_OK(clothc_solver_set(world.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  EXPECT_EQ(get_particles<float>(world.device, world.solver, world.cloth, CLOTHC_CHANNEL_POSITION), got);
  ASSERT_OK(clothc_buffer_destroy(buffer));
  // The memory is still the program's.
  EXPECT_EQ(read_floats(memory + 64, got.size()), got);
}

TEST_F(CudaWrapping, memory_can_be_bound) {
  const World world = populate(adopt(context_, nullptr));
  const uint32_t count = world.vertices();
  const CUdeviceptr memory = allocate(size_t{count} * 16);
  const clothc_buffer_desc desc = wrapping(memory, count);
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(world.device, &desc, &buffer));
  ASSERT_OK(clothc_cloth_bind(world.solver, world.cloth, CLOTHC_CHANNEL_POSITION, buffer, nullptr));
  world.step(3);
  ASSERT_OK(clothc_solver_wait(world.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  EXPECT_NE(read_floats(memory, size_t{count} * 4), std::vector<float>(size_t{count} * 4));
  EXPECT_EQ(world.hash(), expected_hash(3));
}

TEST_F(CudaWrapping, destroying_a_buffer_waits_until_its_memory_is_unused) {
  const World world = populate(adopt(context_, nullptr));
  const CUdeviceptr memory = allocate(size_t{world.vertices()} * 16);
  const clothc_buffer_desc desc = wrapping(memory, world.vertices());
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(world.device, &desc, &buffer));
  if (software_device().is_here()) software_device().set("start=late");
  world.step(2);
  ASSERT_OK(clothc_solver_get(world.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  ASSERT_OK(clothc_buffer_destroy(buffer));
  ASSERT_CUDA(driver().MemFree(memory));
  allocated_.clear();
}

TEST_F(CudaWrapping, refuses_what_is_no_memory_of_the_device) {
  const clothc_device device = adopt(context_, nullptr);
  clothc_buffer buffer = nullptr;
  clothc_buffer_desc desc = wrapping(0, 4);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "memory is null");
  desc = wrapping(allocate(64) + 2, 1);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "aligned to 4 bytes");
  desc = wrapping(allocate(64) + 16, 4);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "has 64 bytes",
               "after 48 bytes");
  alignas(16) float mine[16] = {};
  desc = wrapping(reinterpret_cast<CUdeviceptr>(mine), 4);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "does not know");
  void* pinned = nullptr;
  ASSERT_CUDA(driver().MemHostAlloc(&pinned, 64, 0));
  desc = wrapping(reinterpret_cast<CUdeviceptr>(pinned), 4);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "the host");
  ASSERT_CUDA(driver().MemFreeHost(pinned));
  EXPECT_EQ(buffer, nullptr);
}

// A range of addresses, as growing arrays reserve it, of which only the first half has memory.
TEST_F(CudaWrapping, refuses_addresses_without_memory) {
  const clothc_device device = adopt(context_, nullptr);
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  ASSERT_CUDA(driver().CtxGetDevice(&wanted.location.id));
  size_t unit = 0;
  ASSERT_CUDA(driver().MemGetAllocationGranularity(&unit, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUmemGenericAllocationHandle handle = 0;
  ASSERT_CUDA(driver().MemCreate(&handle, unit, &wanted, 0));
  CUdeviceptr range = 0;
  ASSERT_CUDA(driver().MemAddressReserve(&range, 2 * unit, 0, 0, 0));
  ASSERT_CUDA(driver().MemMap(range, unit, 0, handle, 0));
  const CUmemAccessDesc access = {wanted.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  ASSERT_CUDA(driver().MemSetAccess(range, unit, &access, 1));
  clothc_buffer buffer = nullptr;
  clothc_buffer_desc desc = wrapping(range + unit - 64, 8);
  // Whatever the driver tells of addresses without memory.
  for (const char* rule : {"", "holes=told", "holes=outside"}) {
    if (software_device().is_here()) software_device().set(rule);
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "has 128 bytes",
                 "the memory ends");
  }
  desc = wrapping(range + unit, 8);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "does not know");
  desc = wrapping(range + unit - 64, 4);
  ASSERT_OK(clothc_buffer_create(device, &desc, &buffer));
  EXPECT_OK(clothc_buffer_destroy(buffer));
  EXPECT_CUDA(driver().MemUnmap(range, unit));
  EXPECT_CUDA(driver().MemRelease(handle));
  EXPECT_CUDA(driver().MemAddressFree(range, 2 * unit));
}

TEST_F(CudaWrapping, refuses_memory_of_another_context) {
  const CUdeviceptr memory = allocate(64);
  const clothc_device device = create_device(cuda_desc());
  devices_.push_back(device);
  clothc_buffer buffer = nullptr;
  const clothc_buffer_desc desc = wrapping(memory, 4);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "memory of the context",
               "clothc_cuda_device_create");
}

TEST_F(CudaWrapping, a_wrapped_buffer_is_not_mapped_or_exported) {
  const clothc_device device = adopt(context_, nullptr);
  const clothc_buffer_desc desc = wrapping(allocate(64), 4);
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(device, &desc, &buffer));
  void* pointer = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_map(buffer, CLOTHC_MAP_READ, &pointer), "cannot be mapped");
  clothc_external_handle external = initialised<clothc_external_handle>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_buffer_export(buffer, &external), "EXPORTABLE");
}

TEST_F(CudaWrapping, every_kind_of_buffer_has_an_address) {
  const clothc_device device = adopt(context_, nullptr);
  alignas(64) static float mine[64] = {};
  for (const clothc_buffer_kind kind :
       {CLOTHC_BUFFER_HOST, CLOTHC_BUFFER_WRAPPED_HOST, CLOTHC_BUFFER_DEVICE, CLOTHC_BUFFER_EXPORTABLE}) {
    clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
    desc.kind = kind;
    desc.count = 16;
    desc.memory = kind == CLOTHC_BUFFER_WRAPPED_HOST ? mine : nullptr;
    clothc_buffer buffer = nullptr;
    ASSERT_OK(clothc_buffer_create(device, &desc, &buffer));
    uint64_t address = 0;
    ASSERT_OK(clothc_cuda_buffer_get_pointer(buffer, &address));
    // What a kernel of the program writes there, the buffer reads.
    ASSERT_CUDA(driver().MemsetD32Async(address, 0x3f800000, 64, nullptr));
    ASSERT_CUDA(driver().CtxSynchronize());
    std::vector<float> values(64);
    ASSERT_OK(clothc_buffer_read(buffer, 0, 256, values.data()));
    EXPECT_EQ(values, std::vector<float>(64, 1.0f)) << "kind " << kind;
    ASSERT_OK(clothc_buffer_destroy(buffer));
  }
}

TEST_F(CudaWrapping, only_buffers_of_cuda_have_an_address) {
  clothc_device_desc desc = initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  const clothc_device processor = create_device(desc);
  devices_.push_back(processor);
  const clothc_buffer buffer = create_buffer(processor, 4, CLOTHC_FORMAT_FLOAT4, 0);
  uint64_t address = 0;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_cuda_buffer_get_pointer(buffer, &address), "no CUDA device");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_cuda_buffer_get_pointer(nullptr, &address), "buffer");
  clothc_buffer_desc wrapped = wrapping(0x1000, 4);
  clothc_buffer refused = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_create(processor, &wrapped, &refused), "WRAPPED_DEVICE");
  const clothc_buffer mine = create_buffer(adopt(context_, nullptr), 4, CLOTHC_FORMAT_FLOAT4, 0);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cuda_buffer_get_pointer(mine, nullptr), "pointer");
  void* mapped = nullptr;
  ASSERT_OK(clothc_buffer_map(mine, CLOTHC_MAP_WRITE, &mapped));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_cuda_buffer_get_pointer(mine, &address), "unmap");
}

}  // namespace
}  // namespace backend_wrapping_test
