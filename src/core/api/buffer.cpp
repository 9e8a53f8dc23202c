// buffer.cpp - the exported functions for buffers. They find the objects, check the arguments, and call the objects.
#include "core/base/structs.h"
#include "core/objects/buffer.h"
#include "core/objects/device.h"

using namespace clothc;

namespace {

void check_range(const Buffer& buffer, uint64_t offset, uint64_t size, const void* data) {
  CLOTHC_REQUIRE(data != nullptr || size == 0, "the data pointer is null");
  CLOTHC_REQUIRE(offset <= buffer.size() && size <= buffer.size() - offset,
                 "bytes %llu to %llu + %llu lie beyond the buffer's %llu", static_cast<unsigned long long>(offset),
                 static_cast<unsigned long long>(offset), static_cast<unsigned long long>(size),
                 static_cast<unsigned long long>(buffer.size()));
}

}  // namespace

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
    if (removed->is_borrowed()) removed->end_uses();
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
    filled.requested_kind = b->requested_kind();
    b->reason().copy(filled.reason, sizeof(filled.reason) - 1);
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
