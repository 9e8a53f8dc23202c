// vulkan.cpp - the exported functions of clothc_vulkan.h. They find the objects, check the arguments, and call the
// objects.
#include "clothc_vulkan.h"

#include "core/api/update_arguments.h"
#include "core/base/structs.h"
#include "core/objects/device.h"
#include "core/solver/solver.h"
#include "core/verify/verify.h"

using namespace clothc;

namespace {

clothc_vulkan_device_desc checked_objects(const clothc_vulkan_device_desc* vulkan) {
  const clothc_vulkan_device_desc v = adopt(vulkan);
  CLOTHC_REQUIRE(v.reserved == 0, "vulkan_device_desc.reserved is %u; want 0", v.reserved);
  return v;
}

// Fails if the device has not been made for the program's own Vulkan device, where its handles mean something.
void require_adopted(const Device& device) {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED,
                    device.info().backend == CLOTHC_BACKEND_VULKAN &&
                        (device.info().capabilities & CLOTHC_CAPABILITY_WRAPPED_DEVICE) != 0,
                    "\"%s\": %s", device.info().name, no_native_buffers);
}

}  // namespace

clothc_result clothc_vulkan_get_requirements(const clothc_vulkan_device_desc* vulkan,
                                             clothc_vulkan_requirements* requirements) {
  return guard([&] {
    const clothc_vulkan_device_desc v = checked_objects(vulkan);
    const size_t size = checked_output(requirements);
    clothc_vulkan_requirements required = make_default<clothc_vulkan_requirements>();
    require_for_adoption(CLOTHC_BACKEND_VULKAN, &v, &required);
    put(requirements, size, required);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_vulkan_device_create(const clothc_device_desc* desc, const clothc_vulkan_device_desc* vulkan,
                                          clothc_device* device) {
  return guard([&] {
    const clothc_device_desc d = adopt(desc);
    set_message_sink({d.message, d.message_user});
    const clothc_vulkan_device_desc v = checked_objects(vulkan);
    require_output(device, "device");
    check_device_desc(d);
    CLOTHC_REQUIRE(d.backend == CLOTHC_BACKEND_AUTO || d.backend == CLOTHC_BACKEND_VULKAN,
                   "device_desc.backend is %u; want CLOTHC_BACKEND_AUTO or CLOTHC_BACKEND_VULKAN", d.backend);
    publish(device, adopt_device(d, CLOTHC_BACKEND_VULKAN, &v, [&](Device& made) { require_known_bits(made, d); }));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_vulkan_buffer_create(clothc_device device, const clothc_buffer_desc* desc,
                                          const clothc_vulkan_buffer_desc* vulkan, clothc_buffer* buffer) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    const clothc_buffer_desc checked = adopt(desc);
    const clothc_vulkan_buffer_desc v = adopt(vulkan);
    require_output(buffer, "buffer");
    if ((checked.flags & CLOTHC_BUFFER_HOST_IF_UNSUPPORTED) == 0) require_adopted(*d);
    CLOTHC_REQUIRE(checked.kind == CLOTHC_BUFFER_WRAPPED_DEVICE,
                   "buffer_desc.kind is %u; want CLOTHC_BUFFER_WRAPPED_DEVICE", checked.kind);
    NativeBuffer native;
    native.handle = v.buffer;
    native.size = v.size;
    native.offset = v.offset;
    if (v.queue_family != CLOTHC_VULKAN_NO_QUEUE_FAMILY) native.queue_family = v.queue_family;
    publish(buffer, create_buffer(d, checked, &native));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_vulkan_buffer_get_handle(clothc_buffer buffer, uint64_t* handle, uint64_t* offset) {
  return call_on<Buffer>(buffer, [&](const std::shared_ptr<Buffer>& b) {
    require_output(handle, "handle");
    require_output(offset, "offset");
    require_adopted(*b->device());
    const NativeBuffer native = b->native_buffer();
    *handle = native.handle;
    *offset = native.offset;
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_vulkan_record_update(clothc_solver solver, void* command_buffer, const clothc_update* update,
                                          uint64_t* semaphore, uint64_t* value) {
  return call_on<Solver>(solver, [&](const std::shared_ptr<Solver>& s) -> clothc_result {
    require_output(command_buffer, "command_buffer");
    require_output(semaphore, "semaphore");
    require_output(value, "value");
    const UpdateArguments arguments = update != nullptr ? checked_update(*s, update) : UpdateArguments{};
    NativeSignal signal;
    if (!s->record_update(update != nullptr ? &arguments : nullptr, command_buffer, signal)) return CLOTHC_NOT_READY;
    *semaphore = signal.semaphore;
    *value = signal.value;
    return CLOTHC_SUCCESS;
  });
}
