// preparation.cpp - the exported functions that compile what a device runs before it is needed, and that verify what it
// runs. They find the device, check the arguments, and call it.
#include <algorithm>
#include <cstring>

#include "core/base/structs.h"
#include "core/base/wait.h"
#include "core/objects/compiled_code.h"
#include "core/objects/device.h"
#include "core/schedule/prepared_kernels.h"
#include "core/verify/verify.h"

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
    const TimeLeft left(timeout_ns);
    const bool is_prepared = d->backend().wait_prepared(timeout_ns, progress);
    const bool ended = d->verification().wait(left.get(), progress) && is_prepared;
    if (done != nullptr) *done = progress.done;
    if (total != nullptr) *total = progress.total;
    return ended ? CLOTHC_SUCCESS : CLOTHC_TIMEOUT;
  });
}

clothc_result clothc_device_save_cache(clothc_device device, void* data, uint64_t* size) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    require_output(size, "size");
    const std::vector<uint8_t> bytes = save_compiled_code(*d);
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
    load_compiled_code(*d, static_cast<const uint8_t*>(data), size);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_device_verify(clothc_device device, uint32_t flags) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    CLOTHC_REQUIRE((flags & ~uint32_t{CLOTHC_VERIFY_IN_BACKGROUND}) == 0, "flags are 0x%x; want CLOTHC_VERIFY_... only",
                   flags);
    begin_verification(*d);
    PreparationProgress progress;
    if ((flags & CLOTHC_VERIFY_IN_BACKGROUND) == 0) d->verification().wait(UINT64_MAX, progress);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_device_get_verification(clothc_device device, clothc_verification* verification,
                                             clothc_verification_row* rows, uint32_t* count) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) -> clothc_result {
    const size_t size = verification != nullptr ? checked_output(verification) : 0;
    CLOTHC_REQUIRE(rows == nullptr || count != nullptr, "count is null, but rows is not; pass the length of rows");
    const size_t stride = rows != nullptr ? checked_output(rows) : 0;
    clothc_verification known = make_default<clothc_verification>();
    std::vector<clothc_verification_row> found;
    d->verification().describe(known, found);
    if (verification != nullptr) put(verification, size, known);
    if (count == nullptr) return CLOTHC_SUCCESS;
    const size_t written = rows != nullptr ? std::min<size_t>(*count, found.size()) : found.size();
    for (size_t k = 0; k < written && rows != nullptr; ++k) put(element(rows, stride, k), stride, found[k]);
    *count = static_cast<uint32_t>(written);
    return written < found.size() ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}
