// fence.cpp - the exported functions for fences. They find the objects, check the arguments, and call the objects.
#include "core/base/structs.h"
#include "core/objects/buffer.h"
#include "core/objects/device.h"
#include "core/objects/fence.h"

using namespace clothc;

clothc_result clothc_fence_create(clothc_device device, uint64_t value, clothc_fence* fence) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    require_output(fence, "fence");
    publish(fence, std::make_shared<Fence>(d, value));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fence_export(clothc_fence fence, clothc_external_handle* external) {
  return call_on<Fence>(fence, [&](const std::shared_ptr<Fence>& f) {
    const size_t size = checked_output(external);
    clothc_external_handle exported = make_default<clothc_external_handle>();
    exported.handle = Fence::get_semaphore(f)->export_handle().number();
    put(external, size, exported);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fence_import(clothc_device device, const clothc_external_handle* external, clothc_fence* fence) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    const clothc_external_handle checked = adopt(external);
    require_output(fence, "fence");
    publish(fence,
            Fence::import(d, checked_handle(checked, (d->backend().info().capabilities & imports_semaphores) != 0)));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fence_destroy(clothc_fence fence) {
  return destroy_with<Fence>(fence, [](const std::shared_ptr<Fence>&) {});
}

clothc_result clothc_fence_signal(clothc_fence fence, uint64_t value) {
  return call_on<Fence>(fence, [&](const std::shared_ptr<Fence>& f) {
    f->signal_for_program(value);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fence_wait(clothc_fence fence, uint64_t value, uint64_t timeout_ns) {
  return call_on<Fence>(fence, [&](const std::shared_ptr<Fence>& f) -> clothc_result {
    return f->wait(value, timeout_ns) ? CLOTHC_SUCCESS : CLOTHC_TIMEOUT;
  });
}

clothc_result clothc_fence_get_value(clothc_fence fence, uint64_t* value) {
  return call_on<Fence>(fence, [&](const std::shared_ptr<Fence>& f) {
    require_output(value, "value");
    *value = f->value();
    return CLOTHC_SUCCESS;
  });
}
