// preparation.cpp - the exported functions that compile what a device runs before it is needed. They find the device,
// check the arguments, and call it.
#include <cstring>

#include "core/base/structs.h"
#include "core/objects/compiled_code.h"
#include "core/objects/device.h"
#include "core/schedule/prepared_kernels.h"

using namespace clothc;

clothc_result clothc_device_prepare(clothc_device device, uint32_t stages) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    CLOTHC_REQUIRE((stages & ~all_stages) == 0, "stages is 0x%x; want bits 1 << CLOTHC_STAGE_..., within 0x%x", stages,
                   all_stages);
    d->backend().prepare(prepared_kernels(stages, d->backend().limits()));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_device_wait(clothc_device device, uint64_t timeout_ns, uint32_t* done, uint32_t* total) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) -> clothc_result {
    PreparationProgress progress;
    const bool ended = d->backend().wait_prepared(timeout_ns, progress);
    if (done != nullptr) *done = progress.done;
    if (total != nullptr) *total = progress.total;
    return ended ? CLOTHC_SUCCESS : CLOTHC_TIMEOUT;
  });
}

clothc_result clothc_device_save_cache(clothc_device device, void* data, uint64_t* size) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    require_output(size, "size");
    const std::vector<uint8_t> bytes = save_compiled_code(d->backend());
    if (data != nullptr) {
      CLOTHC_REQUIRE(*size >= bytes.size(), "size is %llu; the cache has %zu bytes by now",
                     static_cast<unsigned long long>(*size), bytes.size());
      std::memcpy(data, bytes.data(), bytes.size());
    }
    *size = bytes.size();
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_device_load_cache(clothc_device device, const void* data, uint64_t size) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    CLOTHC_REQUIRE(data != nullptr, "data is null; want what clothc_device_save_cache has written");
    load_compiled_code(d->backend(), static_cast<const uint8_t*>(data), size);
    return CLOTHC_SUCCESS;
  });
}
