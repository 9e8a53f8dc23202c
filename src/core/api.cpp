// api.cpp - exports for structs, messages, devices, buffers, fences and fabrics: resolve, check, hand over.
#include <algorithm>
#include <cstring>

#include "core/buffer.h"
#include "core/device.h"
#include "core/fabric.h"
#include "core/fence.h"
#include "core/structs.h"

using namespace clothc;

namespace {

// Gives an object its handle.
template <class Handle, class T>
void publish(Handle* handle, std::shared_ptr<T> object) {
  *handle = reinterpret_cast<Handle>(handle_table().insert(std::move(object)));
}

}  // namespace

clothc_result clothc_struct_init(clothc_struct_kind kind, void* pointer, size_t size) {
  return guard([&] {
    require_output(pointer, "struct");
    CLOTHC_REQUIRE(init_struct(kind, pointer, size),
                   "struct kind %u of %zu bytes is unknown; pass CLOTHC_STRUCT_... and the struct's sizeof", kind,
                   size);
    return CLOTHC_SUCCESS;
  });
}

uint32_t clothc_version(void) { return CLOTHC_VERSION_MAJOR << 16 | CLOTHC_VERSION_MINOR << 8 | CLOTHC_VERSION_PATCH; }

const char* clothc_last_error_message(void) { return last_message(); }

const char* clothc_result_name(clothc_result result) {
  switch (result) {
    case CLOTHC_SUCCESS:
      return "CLOTHC_SUCCESS";
    case CLOTHC_NOT_READY:
      return "CLOTHC_NOT_READY";
    case CLOTHC_TIMEOUT:
      return "CLOTHC_TIMEOUT";
    case CLOTHC_INCOMPLETE:
      return "CLOTHC_INCOMPLETE";
    case CLOTHC_ERROR_INVALID_ARGUMENT:
      return "CLOTHC_ERROR_INVALID_ARGUMENT";
    case CLOTHC_ERROR_INVALID_HANDLE:
      return "CLOTHC_ERROR_INVALID_HANDLE";
    case CLOTHC_ERROR_INVALID_STRUCT:
      return "CLOTHC_ERROR_INVALID_STRUCT";
    case CLOTHC_ERROR_INVALID_STATE:
      return "CLOTHC_ERROR_INVALID_STATE";
    case CLOTHC_ERROR_OUT_OF_MEMORY:
      return "CLOTHC_ERROR_OUT_OF_MEMORY";
    case CLOTHC_ERROR_CAPACITY:
      return "CLOTHC_ERROR_CAPACITY";
    case CLOTHC_ERROR_UNSUPPORTED:
      return "CLOTHC_ERROR_UNSUPPORTED";
    case CLOTHC_ERROR_DEVICE_LOST:
      return "CLOTHC_ERROR_DEVICE_LOST";
    case CLOTHC_ERROR_INTERNAL:
      return "CLOTHC_ERROR_INTERNAL";
    default:
      return "unknown result";
  }
}

// ------------------------------------------------------------------------------------------------ device

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
    const size_t listed = std::min<size_t>(*count, found.size());
    for (size_t k = 0; k < listed; ++k) put(element(infos, stride, k), stride, found[k]);
    *count = static_cast<uint32_t>(listed);
    return listed < found.size() ? CLOTHC_INCOMPLETE : CLOTHC_SUCCESS;
  });
}

clothc_result clothc_device_create(const clothc_device_desc* desc, clothc_device* device) {
  return guard([&] {
    const clothc_device_desc d = adopt(desc);
    set_message_sink({d.message, d.message_user});
    require_output(device, "device");
    CLOTHC_REQUIRE(d.backend <= CLOTHC_BACKEND_VULKAN, "device_desc.backend is %u; want one of CLOTHC_BACKEND_...",
                   d.backend);
    CLOTHC_REQUIRE(d.isa <= CLOTHC_ISA_NEON, "device_desc.isa is %u; want one of CLOTHC_ISA_...", d.isa);
    CLOTHC_REQUIRE(d.worker_count <= 256, "device_desc.worker_count is %u; want 0 to 256", d.worker_count);
    CLOTHC_REQUIRE((d.flags & ~uint32_t{CLOTHC_DEVICE_TASKS_ONLY}) == 0,
                   "device_desc.flags is 0x%x; want CLOTHC_DEVICE_... only", d.flags);
    CLOTHC_REQUIRE(d.hang_timeout_ms >= 100 && d.hang_timeout_ms <= 3600000,
                   "device_desc.hang_timeout_ms is %u; want 100 to 3600000", d.hang_timeout_ms);
    CLOTHC_REQUIRE(d.reserved == 0, "device_desc.reserved is %u; want 0", d.reserved);
    CLOTHC_REQUIRE((d.allocate == nullptr) == (d.free == nullptr),
                   "device_desc has only one of allocate and free; want both or neither");
    publish(device, create_device(d));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_device_destroy(clothc_device device) {
  return destroy_with<Device>(device, [](std::shared_ptr<Device> removed) {
    const std::shared_ptr<Device::Closing> closing = removed->closing();
    // Other threads may be inside calls: what they wait for is given up, and the device goes when they have returned.
    handle_table().close_children(*removed);
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

// ------------------------------------------------------------------------------------------------ buffer

clothc_result clothc_buffer_create(clothc_device device, const clothc_buffer_desc* desc, clothc_buffer* buffer) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    const clothc_buffer_desc checked = adopt(desc);
    require_output(buffer, "buffer");
    publish(buffer, create_buffer(d, checked));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_buffer_destroy(clothc_buffer buffer) {
  return destroy_with<Buffer>(buffer, [](const std::shared_ptr<Buffer>& removed) {
    if (removed->desc().kind == CLOTHC_BUFFER_WRAPPED_HOST) removed->wait_until_unused();
  });
}

clothc_result clothc_buffer_export(clothc_buffer buffer, clothc_external_handle* external) {
  return call_on<Buffer>(buffer, [&](const std::shared_ptr<Buffer>& b) {
    const size_t size = checked_output(external);
    put(external, size, b->export_memory());
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_buffer_get_info(clothc_buffer buffer, clothc_buffer_info* info) {
  return call_on<Buffer>(buffer, [&](const std::shared_ptr<Buffer>& b) {
    const size_t size = checked_output(info);
    clothc_buffer_info filled = make_default<clothc_buffer_info>();
    filled.kind = b->desc().kind;
    filled.format = b->desc().format;
    filled.stride = b->desc().stride;
    filled.count = b->desc().count;
    filled.size = b->size();
    filled.mapped = b->is_mapped() ? 1 : 0;
    filled.busy = b->is_busy() ? 1 : 0;
    put(info, size, filled);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_buffer_map(clothc_buffer buffer, uint32_t flags, void** pointer) {
  return call_on<Buffer>(buffer, [&](const std::shared_ptr<Buffer>& b) -> clothc_result {
    require_output(pointer, "mapping");
    constexpr uint32_t all = CLOTHC_MAP_READ | CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD | CLOTHC_MAP_NO_WAIT;
    CLOTHC_REQUIRE((flags & ~all) == 0 && (flags & (CLOTHC_MAP_READ | CLOTHC_MAP_WRITE)) != 0,
                   "map flags are 0x%x; want CLOTHC_MAP_READ or CLOTHC_MAP_WRITE, with DISCARD and NO_WAIT as wanted",
                   flags);
    CLOTHC_REQUIRE((flags & CLOTHC_MAP_DISCARD) == 0 || (flags & CLOTHC_MAP_READ) == 0,
                   "map flags have both READ and DISCARD; what is discarded cannot be read");
    CLOTHC_REQUIRE((flags & CLOTHC_MAP_DISCARD) == 0 || b->desc().kind != CLOTHC_BUFFER_WRAPPED_HOST,
                   "map flags have DISCARD, which a WRAPPED_HOST buffer cannot do: its memory is the caller's");
    return b->map(flags, pointer) ? CLOTHC_SUCCESS : CLOTHC_NOT_READY;
  });
}

clothc_result clothc_buffer_unmap(clothc_buffer buffer) {
  return call_on<Buffer>(buffer, [](const std::shared_ptr<Buffer>& b) {
    b->unmap();
    return CLOTHC_SUCCESS;
  });
}

namespace {

void check_range(const Buffer& buffer, uint64_t offset, uint64_t size, const void* data) {
  CLOTHC_REQUIRE(data != nullptr || size == 0, "the data pointer is null");
  CLOTHC_REQUIRE(offset <= buffer.size() && size <= buffer.size() - offset,
                 "bytes %llu to %llu + %llu lie beyond the buffer's %llu", static_cast<unsigned long long>(offset),
                 static_cast<unsigned long long>(offset), static_cast<unsigned long long>(size),
                 static_cast<unsigned long long>(buffer.size()));
}

}  // namespace

clothc_result clothc_buffer_read(clothc_buffer buffer, uint64_t offset, uint64_t size, void* data) {
  return call_on<Buffer>(buffer, [&](const std::shared_ptr<Buffer>& b) {
    check_range(*b, offset, size, data);
    if (size > 0) b->read(offset, size, data);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_buffer_write(clothc_buffer buffer, uint64_t offset, uint64_t size, const void* data) {
  return call_on<Buffer>(buffer, [&](const std::shared_ptr<Buffer>& b) {
    check_range(*b, offset, size, data);
    if (size > 0) b->write(offset, size, data);
    return CLOTHC_SUCCESS;
  });
}

// ------------------------------------------------------------------------------------------------ fence

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
    exported.handle = Fence::share(f)->export_file_descriptor();
    put(external, size, exported);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fence_import(clothc_device device, const clothc_external_handle* external, clothc_fence* fence) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    const clothc_external_handle checked = adopt(external);
    require_output(fence, "fence");
    publish(fence, Fence::import(d, checked_descriptor(checked)));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fence_destroy(clothc_fence fence) {
  return destroy_with<Fence>(fence, [](const std::shared_ptr<Fence>&) {});
}

clothc_result clothc_fence_signal(clothc_fence fence, uint64_t value) {
  return call_on<Fence>(fence, [&](const std::shared_ptr<Fence>& f) {
    const uint64_t present = f->value();
    CLOTHC_REQUIRE(value > present, "fence value %llu is not above the present one, %llu; fences only grow",
                   static_cast<unsigned long long>(value), static_cast<unsigned long long>(present));
    f->signal(value);
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

// ------------------------------------------------------------------------------------------------ fabric

clothc_result clothc_fabric_cook(clothc_device device, const clothc_mesh_desc* mesh, clothc_fabric* fabric) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    const clothc_mesh_desc desc = adopt(mesh);
    require_output(fabric, "fabric");
    publish(fabric, cook_fabric(d, desc));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fabric_create(clothc_device device, const clothc_fabric_desc* desc, clothc_fabric* fabric) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    const clothc_fabric_desc checked = adopt(desc);
    require_output(fabric, "fabric");
    publish(fabric, create_fabric(d, checked));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fabric_save(clothc_fabric fabric, void* data, uint64_t* size) {
  return call_on<Fabric>(fabric, [&](const std::shared_ptr<Fabric>& f) {
    require_output(size, "size");
    const uint64_t needed = blob_size(*f->data());
    if (data != nullptr) {
      CLOTHC_REQUIRE(*size >= needed, "size is %llu; the blob has %llu bytes", static_cast<unsigned long long>(*size),
                     static_cast<unsigned long long>(needed));
      const std::vector<uint8_t> blob = save_fabric(*f->data());
      std::memcpy(data, blob.data(), blob.size());
    }
    *size = needed;
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fabric_load(clothc_device device, const void* data, uint64_t size, clothc_fabric* fabric) {
  return call_on<Device>(device, [&](const std::shared_ptr<Device>& d) {
    CLOTHC_REQUIRE(data != nullptr, "data is null; want the bytes of a fabric blob");
    require_output(fabric, "fabric");
    publish(fabric, load_fabric(d, static_cast<const uint8_t*>(data), size));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fabric_destroy(clothc_fabric fabric) {
  return destroy_with<Fabric>(fabric, [](const std::shared_ptr<Fabric>&) {});
}

clothc_result clothc_fabric_get_info(clothc_fabric fabric, clothc_fabric_info* info) {
  return call_on<Fabric>(fabric, [&](const std::shared_ptr<Fabric>& f) {
    put(info, checked_output(info), describe(*f->data()));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fabric_get_diagnostic(clothc_fabric fabric, uint32_t index, clothc_diagnostic* diagnostic) {
  return call_on<Fabric>(fabric, [&](const std::shared_ptr<Fabric>& f) {
    const size_t size = checked_output(diagnostic);
    put(diagnostic, size, describe_diagnostic(*f->data(), index));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fabric_read(clothc_fabric fabric, clothc_fabric_array array, void* data, uint64_t* size) {
  return call_on<Fabric>(fabric, [&](const std::shared_ptr<Fabric>& f) {
    require_output(size, "size");
    const ArrayBytes bytes = array_of(*f->data(), array);
    if (data != nullptr) {
      CLOTHC_REQUIRE(*size >= bytes.size, "size is %llu; fabric array %u has %llu bytes",
                     static_cast<unsigned long long>(*size), array, static_cast<unsigned long long>(bytes.size));
      if (bytes.size > 0) std::memcpy(data, bytes.data, bytes.size);
    }
    *size = bytes.size;
    return CLOTHC_SUCCESS;
  });
}
