// header_test.cpp - the driver API as the backend declares it agrees with NVIDIA's header: all constants, sizes and
// offsets of structs, and parameters of functions. It is compiled only where cuda.h is found; compiling it is the test,
// but for the completeness of its list of constants.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>

// NVIDIA's header declares the first versions of functions only then.
#define __CUDA_API_VERSION_INTERNAL

namespace ours {
#include "backend_cuda/driver_api.h"

// Some constants are macros in NVIDIA's header, so their values are kept under other names.
#define CLOTHC_CUDA_CONSTANT(name) constexpr long long value_of_##name = name;
#include "cuda/device/driver/constants.def"
#undef CLOTHC_CUDA_CONSTANT

#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters) using type_of_##name = CUresult(*) parameters;
#include "backend_cuda/functions.def"
#undef CLOTHC_CUDA_FUNCTION
}  // namespace ours

#include <cuda.h>

namespace clothc::cuda_device::header_test {
namespace {

#define CLOTHC_CUDA_CONSTANT(name) static_assert(ours::value_of_##name == static_cast<long long>(name));
#include "cuda/device/driver/constants.def"
#undef CLOTHC_CUDA_CONSTANT

#define CHECK_SIZE(type, theirs) \
  static_assert(sizeof(ours::type) == sizeof(theirs) && alignof(ours::type) == alignof(theirs));
#define CHECK_MEMBER(type, theirs, member)                                 \
  static_assert(offsetof(ours::type, member) == offsetof(theirs, member)); \
  static_assert(sizeof(ours::type::member) == sizeof(theirs::member));

CHECK_SIZE(CUdevice, CUdevice)
CHECK_SIZE(CUdeviceptr, CUdeviceptr)
CHECK_SIZE(CUmemGenericAllocationHandle, CUmemGenericAllocationHandle)
CHECK_SIZE(CUresult, CUresult)
CHECK_SIZE(CUuuid, CUuuid)
CHECK_MEMBER(CUuuid, CUuuid, bytes)
CHECK_SIZE(CUexternalHandle, decltype(CUDA_EXTERNAL_MEMORY_HANDLE_DESC::handle))
static_assert(std::is_same_v<ours::CUhostFn, CUhostFn>);

CHECK_SIZE(CUDA_MEMCPY2D, CUDA_MEMCPY2D)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, srcXInBytes)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, srcY)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, srcMemoryType)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, srcHost)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, srcDevice)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, srcArray)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, srcPitch)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, dstXInBytes)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, dstY)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, dstMemoryType)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, dstHost)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, dstDevice)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, dstArray)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, dstPitch)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, WidthInBytes)
CHECK_MEMBER(CUDA_MEMCPY2D, CUDA_MEMCPY2D, Height)

CHECK_SIZE(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, func)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, gridDimX)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, gridDimY)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, gridDimZ)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, blockDimX)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, blockDimY)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, blockDimZ)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, sharedMemBytes)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, kernelParams)
CHECK_MEMBER(CUDA_KERNEL_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v1, extra)

CHECK_SIZE(CUmemLocation, CUmemLocation)
CHECK_MEMBER(CUmemLocation, CUmemLocation, type)
CHECK_MEMBER(CUmemLocation, CUmemLocation, id)

CHECK_SIZE(CUmemAllocationProp, CUmemAllocationProp)
CHECK_MEMBER(CUmemAllocationProp, CUmemAllocationProp, type)
CHECK_MEMBER(CUmemAllocationProp, CUmemAllocationProp, requestedHandleTypes)
CHECK_MEMBER(CUmemAllocationProp, CUmemAllocationProp, location)
CHECK_MEMBER(CUmemAllocationProp, CUmemAllocationProp, win32HandleMetaData)
CHECK_MEMBER(CUmemAllocationProp, CUmemAllocationProp, allocFlags)

CHECK_SIZE(CUmemAccessDesc, CUmemAccessDesc)
CHECK_MEMBER(CUmemAccessDesc, CUmemAccessDesc, location)
CHECK_MEMBER(CUmemAccessDesc, CUmemAccessDesc, flags)

CHECK_SIZE(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, CUDA_EXTERNAL_MEMORY_HANDLE_DESC)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, CUDA_EXTERNAL_MEMORY_HANDLE_DESC, type)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, CUDA_EXTERNAL_MEMORY_HANDLE_DESC, handle)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, CUDA_EXTERNAL_MEMORY_HANDLE_DESC, size)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, CUDA_EXTERNAL_MEMORY_HANDLE_DESC, flags)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, CUDA_EXTERNAL_MEMORY_HANDLE_DESC, reserved)

CHECK_SIZE(CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_BUFFER_DESC)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_BUFFER_DESC, offset)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_BUFFER_DESC, size)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_BUFFER_DESC, flags)
CHECK_MEMBER(CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_BUFFER_DESC, reserved)

CHECK_SIZE(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, type)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, handle)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, flags)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, reserved)

CHECK_SIZE(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, params)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, flags)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, reserved)

CHECK_SIZE(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, params)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, flags)
CHECK_MEMBER(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, reserved)

// Members of nested structs.
#define CHECK_NESTED(type, member) static_assert(offsetof(ours::type, member) == offsetof(type, member));
CHECK_NESTED(CUmemAllocationProp, allocFlags.gpuDirectRDMACapable)
CHECK_NESTED(CUmemAllocationProp, allocFlags.usage)
CHECK_NESTED(CUmemAllocationProp, allocFlags.reserved)
CHECK_NESTED(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, handle.fd)
CHECK_NESTED(CUDA_EXTERNAL_MEMORY_HANDLE_DESC, handle.win32.name)
CHECK_NESTED(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, params.fence.value)
CHECK_NESTED(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, params.nvSciSync)
CHECK_NESTED(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, params.keyedMutex.key)
CHECK_NESTED(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, params.reserved)
CHECK_NESTED(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, params.fence.value)
CHECK_NESTED(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, params.nvSciSync)
CHECK_NESTED(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, params.keyedMutex.timeoutMs)
CHECK_NESTED(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, params.reserved)

// Whether a parameter is passed in the same way: both are pointers, or neither is, and the sizes are equal.
template <typename Ours, typename Theirs>
constexpr bool is_same_parameter =
    sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> ==
                                          std::is_pointer_v<Theirs>&& std::is_floating_point_v<Ours> ==
                                          std::is_floating_point_v<Theirs>;

template <typename... Ours, typename... Theirs>
constexpr bool agree(ours::CUresult (*)(Ours...), CUresult (*)(Theirs...)) {
  if constexpr (sizeof...(Ours) == sizeof...(Theirs)) {
    return (is_same_parameter<Ours, Theirs> && ...);
  } else {
    return false;
  }
}

#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters) \
  static_assert(agree(ours::type_of_##name{}, static_cast<decltype(&::symbol)>(nullptr)), #symbol);
#include "backend_cuda/functions.def"
#undef CLOTHC_CUDA_FUNCTION

TEST(Header, all_constants_are_compared) {
  std::ifstream file(CLOTHC_SOURCE_DIR "/src/backend_cuda/driver_api.h");
  ASSERT_TRUE(file.is_open());
  std::stringstream text;
  text << file.rdbuf();
  const std::string compared =
#define CLOTHC_CUDA_CONSTANT(name) " " #name " "
#include "cuda/device/driver/constants.def"
#undef CLOTHC_CUDA_CONSTANT
      ;
  const std::string declarations = text.str();
  const std::regex constant("(CU_\\w+|CUDA_\\w+) = ");
  for (std::sregex_iterator found(declarations.begin(), declarations.end(), constant), end; found != end; ++found) {
    const std::string name = (*found)[1];
    EXPECT_NE(compared.find(" " + name + " "), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace clothc::cuda_device::header_test
