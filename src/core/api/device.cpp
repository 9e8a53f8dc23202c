// device.cpp - the exported functions for devices. They find the objects, check the arguments, and call the objects.
#include <algorithm>

#include "core/base/structs.h"
#include "core/objects/device.h"
#include "core/verify/verify.h"

using namespace clothc;

clothc_result clothc_device_enumerate(clothc_device_info* infos, uint32_t* count) {
  return guard([&]() -> clothc_result {
    require_output(count, "count");
    const std::vector<clothc_device_info> found = enumerate_devices();
    if (infos == nullptr) {
      *count = static_cast<uint32_t>(found.size());
      return CLOTHC_SUCCESS;
    }
    CLOTHC_REQUIRE(*count > 0, "count is 0, but infos is not null; pass the length of infos");
    const size_t stride = checked_output(infos);
    const size_t written = std::min<size_t>(*count, found.size());
    for (size_t k = 0; k < written; ++k) put(element(infos, stride, k), stride, found[k]);
    *count = static_cast<uint32_t>(written);
    return written < found.size() ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}

clothc_result clothc_device_create(const clothc_device_desc* desc, clothc_device* device) {
  return guard([&] {
    const clothc_device_desc d = adopt(desc);
    set_message_sink({d.message, d.message_user});
    require_output(device, "device");
    check_device_desc(d);
    publish(device, create_device(d, [&](Device& made) { require_known_bits(made, d); }));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_device_destroy(clothc_device device) {
  return destroy_with<Device>(device, [](std::shared_ptr<Device> removed) {
    const std::shared_ptr<Device::Closing> closing = removed->closing();
    // Other threads may still be in calls that use the device. close_children makes calls that wait return, and the
    // device is destroyed when all calls have returned.
    handle_table().close_children(*removed);
    removed->backend().end_preparation();
    removed->verification().stop();
    handle_table().remove_children(*removed);
    removed.reset();
    closing->wait();
  });
}

clothc_result clothc_device_get_info(clothc_device device, clothc_device_info* info) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    put(info, checked_output(info), d->info());
    return CLOTHC_SUCCESS;
  });
}
