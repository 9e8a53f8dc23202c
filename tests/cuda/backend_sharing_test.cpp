// backend_sharing_test.cpp - memory that CUDA devices share with each other and with other APIs by handles, and
// the driver's refusals of it. Mesa's lavapipe is not one of these APIs: its descriptors are of files that begin with data
// of its own.
#include "cuda/application.h"
#include "cuda/other_api.h"

using namespace clothc_test;

namespace backend_sharing_test {
namespace {

constexpr uint64_t count = 1000;

std::vector<float> numbers(float first) {
  std::vector<float> values(count * 4);
  for (size_t k = 0; k < values.size(); ++k) values[k] = first + static_cast<float>(k);
  return values;
}

void expect_shared(clothc_buffer one, clothc_buffer other) {
  for (const auto& [writer, reader] : {std::pair(one, other), std::pair(other, one)}) {
    const std::vector<float> written = numbers(writer == one ? 1 : 7);
    std::vector<float> read(written.size());
    ASSERT_OK(clothc_buffer_write(writer, 0, written.size() * 4, written.data()));
    ASSERT_OK(clothc_buffer_read(reader, 0, read.size() * 4, read.data()));
    EXPECT_EQ(read, written);
  }
}

class CudaSharing : public AsApplication {};

TEST_F(CudaSharing, one_device_imports_what_another_exports) {
  const clothc_device giver = adopt(context_, nullptr);
  const clothc_device taker = create_device(cuda_desc());
  devices_.push_back(taker);
  const clothc_buffer given = make(giver, desc_of(CLOTHC_BUFFER_EXPORTABLE, count));
  const clothc_external_handle external = exported(given);
  EXPECT_EQ(external.size % 256, 0u);
  const clothc_buffer taken = make(taker, desc_of(CLOTHC_BUFFER_IMPORTED, count, &external));
  expect_shared(given, taken);
  // The memory exists as long as either of them.
  const std::vector<float> written = numbers(3);
  ASSERT_OK(clothc_buffer_write(given, 0, written.size() * 4, written.data()));
  ASSERT_OK(clothc_device_destroy(giver));
  devices_.erase(devices_.begin());
  std::vector<float> read(written.size());
  ASSERT_OK(clothc_buffer_read(taken, 0, read.size() * 4, read.data()));
  EXPECT_EQ(read, written);
}

TEST_F(CudaSharing, a_part_of_an_allocation_of_another_api_is_imported) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  const World world = populate(adopt(context_, nullptr));
  const uint64_t offset = 512, size = 65536;
  clothc_external_handle external = memory_of_another_api(size);
  const uint64_t pages = clothc::cuda_device::map_shared(handle_of(external), 0, size);
  ASSERT_NE(pages, 0u);
  external.offset = offset;
  const clothc_buffer taken = make(world.device, desc_of(CLOTHC_BUFFER_IMPORTED, count, &external));
  world.step(2);
  ASSERT_OK(clothc_solver_get(world.solver, CLOTHC_CHANNEL_POSITION, taken, nullptr, nullptr, 0, 0));
  ASSERT_OK(clothc_solver_wait(world.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  const std::vector<float> positions =
      get_particles<float>(world.device, world.solver, world.cloth, CLOTHC_CHANNEL_POSITION);
  EXPECT_EQ(std::memcmp(reinterpret_cast<const char*>(pages) + offset, positions.data(), positions.size() * 4), 0);
  clothc::cuda_device::unmap_shared(pages, size);
}

TEST_F(CudaSharing, a_dedicated_allocation_of_another_api_is_imported) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  software_device().set("dedicated=on");
  const clothc_device device = adopt(context_, nullptr);
  const clothc_external_handle external = memory_of_another_api(65536);
  make(device, desc_of(CLOTHC_BUFFER_IMPORTED, count, &external));
}

TEST_F(CudaSharing, of_what_the_driver_does_not_know_leaves_the_device_as_it_is) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  const World world = populate(adopt(context_, nullptr));
  const clothc_external_handle external = memory_of_another_api(65536);
  const clothc_buffer_desc desc = desc_of(CLOTHC_BUFFER_IMPORTED, count, &external);
  for (const char* result : {"1", "304", "999"}) {
    SCOPED_TRACE(result);
    clothc_buffer buffer = nullptr;
    software_device().set("cuImportExternalMemory:1+=" + std::string(result));
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(world.device, &desc, &buffer),
                 "cuImportExternalMemory gave", "not memory");
  }
  software_device().set("");
  close_own(external);
  world.step(1);
  EXPECT_EQ(world.hash(), expected_hash(1));
}

TEST_F(CudaSharing, of_nothing_is_refused_and_leaves_the_handle) {
  const clothc_device device = adopt(context_, nullptr);
  const clothc_external_handle external = handle_of_no_memory();
  const clothc_buffer_desc desc = desc_of(CLOTHC_BUFFER_IMPORTED, count, &external);
  clothc_buffer buffer = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_buffer_create(device, &desc, &buffer), "cuImportExternalMemory");
  close_own(external);
}

// Every call of the driver that makes, exports, imports, wraps or asks for memory fails in turn, with an error that
// names it, and works when it is repeated. Nothing is left over: TearDown looks for leaks.
TEST_F(CudaSharing, that_the_driver_refuses_changes_nothing) {
  SKIP_WITHOUT_SOFTWARE_DEVICE();
  const clothc_device device = adopt(context_, nullptr);
  const CUdeviceptr memory = allocate(count * 16);
  alignas(64) static float mine[count * 4] = {};
  clothc_buffer_desc wrapped_device = desc_of(CLOTHC_BUFFER_WRAPPED_DEVICE, count);
  wrapped_device.memory = reinterpret_cast<void*>(memory);
  clothc_buffer_desc wrapped_host = desc_of(CLOTHC_BUFFER_WRAPPED_HOST, count);
  wrapped_host.memory = mine;
  struct Refusal {
    const char* function;
    clothc_buffer_desc desc;
    int calls;
  };
  const clothc_buffer_desc exportable = desc_of(CLOTHC_BUFFER_EXPORTABLE, count);
  const Refusal refusals[] = {{"cuMemGetAllocationGranularity", exportable, 1},
                              {"cuMemCreate", exportable, 1},
                              {"cuMemAddressReserve", exportable, 1},
                              {"cuMemMap", exportable, 1},
                              {"cuMemSetAccess", exportable, 1},
                              {"cuMemHostRegister", wrapped_host, 1},
                              {"cuMemHostGetDevicePointer", wrapped_host, 1},
                              {"cuPointerGetAttribute", wrapped_device, 4}};
  for (const Refusal& refusal : refusals) {
    for (int n = 1; n <= refusal.calls; ++n) {
      SCOPED_TRACE(refusal.function);
      software_device().set(std::string(refusal.function) + ":" + std::to_string(n) + "=2");
      clothc_buffer buffer = nullptr;
      EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY, clothc_buffer_create(device, &refusal.desc, &buffer), refusal.function);
      software_device().set("");
      EXPECT_OK(clothc_buffer_destroy(make(device, refusal.desc)));
    }
  }
  const clothc_buffer given = make(device, exportable);
  clothc_external_handle external = initialised<clothc_external_handle>();
  software_device().set("cuMemExportToShareableHandle:1=2");
  EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY, clothc_buffer_export(given, &external), "cuMemExportToShareableHandle");
  software_device().set("");
  external = exported(given);
  const clothc_buffer_desc imported = desc_of(CLOTHC_BUFFER_IMPORTED, count, &external);
  for (const char* function : {"cuMemAddressReserve", "cuMemMap", "cuMemSetAccess"}) {
    SCOPED_TRACE(function);
    software_device().set(std::string(function) + ":1=2");
    clothc_buffer buffer = nullptr;
    EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY, clothc_buffer_create(device, &imported, &buffer), function);
    software_device().set("");
  }
  expect_shared(given, make(device, imported));
  external = memory_of_another_api(65536);
  for (const char* function : {"cuImportExternalMemory", "cuExternalMemoryGetMappedBuffer"}) {
    SCOPED_TRACE(function);
    software_device().set(std::string(function) + ":1=2");
    clothc_buffer buffer = nullptr;
    EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY, clothc_buffer_create(device, &imported, &buffer), function);
    software_device().set("");
  }
  make(device, imported);
}

}  // namespace
}  // namespace backend_sharing_test
