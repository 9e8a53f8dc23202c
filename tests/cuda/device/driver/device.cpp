// device.cpp - cuInit, and the properties of the devices.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda/device/driver/device.h"
#include "cuda/device/driver/external.h"
#include "cuda/device/driver/report.h"

namespace clothc::cuda_device {
namespace {

struct Attribute {
  CUdevice_attribute attribute;
  int value;
};
// A device of compute capability 7.5 with two multiprocessors.
constexpr Attribute attributes[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 2},
    {CU_DEVICE_ATTRIBUTE_INTEGRATED, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT},
    {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 0},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 1024},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 0},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 7},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 5},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 64 << 10},
    {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
    {allocation_handle_supported, 1},
    {CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, 1},
};
// Not in driver_api.h.
constexpr int max_block_dimensions[] = {2, 3, 4};

std::optional<int> find_attribute(CUdevice_attribute attribute, CUdevice device) {
  const std::map<int, int>& ruled = state().rules.attributes;
  if (const auto found = ruled.find(attribute); found != ruled.end()) return found->second;
  if (attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) return device + 1;
  if (attribute == 7) return 65535;
  for (size_t k = 0; k < 3; ++k) {
    if (attribute == max_block_dimensions[k]) return k == 2 ? 64 : 1024;
  }
  for (const Attribute& entry : attributes) {
    if (entry.attribute == attribute) return entry.value;
  }
  return std::nullopt;
}

}  // namespace

void require_device(CUdevice device) {
  require(device >= 0 && device < state().rules.device_count, CUDA_ERROR_INVALID_DEVICE);
}

int attribute_of(CUdevice device, CUdevice_attribute attribute) {
  const std::optional<int> value = find_attribute(attribute, device);
  require(value.has_value(), CUDA_ERROR_INVALID_VALUE);
  return *value;
}

}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuInit(unsigned flags) {
  return perform(Function::Init, Needs::nothing, [&](Call&) {
    require(flags == 0, CUDA_ERROR_INVALID_VALUE);
    read_environment();
    const Rules& rules = state().rules;
    require(rules.init == CUDA_SUCCESS, rules.init);
    require(rules.device_count > 0, CUDA_ERROR_NO_DEVICE);
    state().is_initialised = true;
  });
}

CUresult cuDriverGetVersion(int* version) {
  return perform(Function::DriverGetVersion, Needs::nothing, [&](Call&) {
    require(version != nullptr, CUDA_ERROR_INVALID_VALUE);
    *version = state().rules.driver_version;
  });
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  return perform(Function::GetErrorName, Needs::nothing, [&](Call&) {
    require(name != nullptr, CUDA_ERROR_INVALID_VALUE);
    *name = name_of(error);
    require(*name != nullptr, CUDA_ERROR_INVALID_VALUE);
  });
}

CUresult cuDeviceGetCount(int* count) {
  return perform(Function::DeviceGetCount, Needs::driver, [&](Call&) {
    require(count != nullptr, CUDA_ERROR_INVALID_VALUE);
    *count = state().rules.device_count;
  });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return perform(Function::DeviceGet, Needs::driver, [&](Call&) {
    require(device != nullptr, CUDA_ERROR_INVALID_VALUE);
    require_device(ordinal);
    *device = ordinal;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return perform(Function::DeviceGetName, Needs::driver, [&](Call&) {
    require(name != nullptr && length > 0, CUDA_ERROR_INVALID_VALUE);
    require_device(device);
    std::snprintf(name, static_cast<size_t>(length), "clothc software CUDA device");
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return perform(Function::DeviceGetUuid, Needs::driver, [&](Call&) {
    require(uuid != nullptr, CUDA_ERROR_INVALID_VALUE);
    require_device(device);
    std::memcpy(uuid->bytes, "clothc software", 15);
    uuid->bytes[15] = static_cast<char>(device);
  });
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return perform(Function::DeviceTotalMem, Needs::driver, [&](Call&) {
    require(bytes != nullptr, CUDA_ERROR_INVALID_VALUE);
    require_device(device);
    *bytes = state().rules.memory_size;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return perform(Function::DeviceGetAttribute, Needs::driver, [&](Call&) {
    require(value != nullptr, CUDA_ERROR_INVALID_VALUE);
    require_device(device);
    *value = attribute_of(device, attribute);
  });
}
