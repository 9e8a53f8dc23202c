// adapter.cpp - queries the properties of a device, and decides whether it can be used.
#include "backend_cuda/adapter.h"

#include <cstdio>
#include <cstring>

#include "backend_cuda/external.h"
#include "core/backend/backend.h"

namespace clothc::cuda {
namespace {

// The architecture for which the kernels are compiled: compute capability 7.5, Turing.
constexpr int least_capability = 75;

class Attributes {
 public:
  Attributes(const Driver& driver, CUdevice device) : driver_(driver), device_(device) {}
  // Returns the value of an attribute, or 0 if the driver does not know the attribute.
  int of(CUdevice_attribute attribute) const {
    int value = 0;
    return driver_.DeviceGetAttribute(&value, attribute, device_) == CUDA_SUCCESS ? value : 0;
  }
  uint32_t count_of(CUdevice_attribute attribute) const { return static_cast<uint32_t>(of(attribute)); }

 private:
  const Driver& driver_;
  CUdevice device_;
};

void set_reason(clothc_device_info& info, const char* reason) {
  info.available = 0;
  std::snprintf(info.reason, sizeof(info.reason), "%s", reason);
}

// Writes to info.reason why the device cannot be used, and returns whether there is a reason.
bool has_shortcoming(const Attributes& attributes, Adapter& adapter) {
  clothc_device_info& info = adapter.info;
  if (adapter.compute_capability < least_capability) {
    info.available = 0;
    std::snprintf(
        info.reason, sizeof(info.reason), "its compute capability is %d.%d; the kernels need %d.%d (Turing) or newer",
        adapter.compute_capability / 10, adapter.compute_capability % 10, least_capability / 10, least_capability % 10);
    return true;
  }
  if (attributes.of(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE) == CU_COMPUTEMODE_PROHIBITED) {
    set_reason(info, "its compute mode is PROHIBITED; change it with nvidia-smi -c 0");
    return true;
  }
  if (attributes.of(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) == 0 ||
      attributes.of(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY) == 0) {
    set_reason(info, "it has no addresses in common with the host");
    return true;
  }
  return false;
}

void describe_capabilities(const Driver& driver, const Attributes& attributes, Adapter& adapter) {
  uint32_t& capabilities = adapter.info.capabilities;
  // Every instruction of the kernels' PTX names its rounding, and no driver may contract it. Proved on real hardware with
  // compute capability 9.0.
  capabilities |= CLOTHC_CAPABILITY_STRICT_PARITY | CLOTHC_CAPABILITY_TIMERS | CLOTHC_CAPABILITY_WRAPPED_DEVICE;
  if (driver.is_software()) capabilities |= CLOTHC_CAPABILITY_SOFTWARE_DEVICE;
  if (attributes.of(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED) != 0) capabilities |= CLOTHC_CAPABILITY_WRAPPED_HOST;
  adapter.exports_memory = attributes.of(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) != 0 &&
                           attributes.of(allocation_handle_supported) != 0;
  if (adapter.exports_memory) capabilities |= shares_memory;
  adapter.has_timeline_semaphores = attributes.of(CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED) != 0;
  if (adapter.has_timeline_semaphores) capabilities |= imports_semaphores;
}

}  // namespace

Adapter describe_adapter(const Driver& driver, uint32_t index) {
  Adapter adapter;
  clothc_device_info& info = adapter.info;
  info.backend = CLOTHC_BACKEND_CUDA;
  info.device_index = index;
  const CUresult got = driver.DeviceGet(&adapter.handle, static_cast<int>(index));
  if (got != CUDA_SUCCESS) {
    std::snprintf(info.reason, sizeof(info.reason), "cuDeviceGet gave %s", driver.name_of(got));
    return adapter;
  }
  info.available = 1;
  const Attributes attributes(driver, adapter.handle);
  driver.DeviceGetName(info.name, sizeof(info.name), adapter.handle);
  CUuuid uuid{};
  if (driver.DeviceGetUuid(&uuid, adapter.handle) == CUDA_SUCCESS)
    std::memcpy(info.uuid, uuid.bytes, sizeof(info.uuid));
  size_t memory_size = 0;
  if (driver.DeviceTotalMem(&memory_size, adapter.handle) == CUDA_SUCCESS) info.memory_size = memory_size;
  info.pci[0] = attributes.count_of(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
  info.pci[1] = attributes.count_of(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
  info.pci[2] = attributes.count_of(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
  adapter.multiprocessor_count = attributes.count_of(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  adapter.shared_memory_per_block = attributes.count_of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  adapter.compute_capability = 10 * attributes.of(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                               attributes.of(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  if (!has_shortcoming(attributes, adapter)) describe_capabilities(driver, attributes, adapter);
  return adapter;
}

}  // namespace clothc::cuda
