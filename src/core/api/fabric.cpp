// fabric.cpp - the exported functions for fabrics. They find the objects, check the arguments, and call the objects.
#include <cstring>

#include "core/base/structs.h"
#include "core/fabric/fabric.h"
#include "core/objects/device.h"

using namespace clothc;

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
    const uint64_t needed = blob_size(*f);
    if (data != nullptr) {
      CLOTHC_REQUIRE(*size >= needed, "size is %llu; the blob has %llu bytes", static_cast<unsigned long long>(*size),
                     static_cast<unsigned long long>(needed));
      const std::vector<uint8_t> blob = save_fabric(*f);
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
    put(info, checked_output(info), describe(*f));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fabric_get_diagnostic(clothc_fabric fabric, uint32_t index, clothc_diagnostic* diagnostic) {
  return call_on<Fabric>(fabric, [&](const std::shared_ptr<Fabric>& f) {
    const size_t size = checked_output(diagnostic);
    put(diagnostic, size, describe_diagnostic(f->data(), index));
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_fabric_read(clothc_fabric fabric, clothc_fabric_array array, void* data, uint64_t* size) {
  return call_on<Fabric>(fabric, [&](const std::shared_ptr<Fabric>& f) {
    require_output(size, "size");
    const ArrayBytes bytes = array_of(f->data(), array);
    if (data != nullptr) {
      CLOTHC_REQUIRE(*size >= bytes.size, "size is %llu; fabric array %u has %llu bytes",
                     static_cast<unsigned long long>(*size), array, static_cast<unsigned long long>(bytes.size));
      if (bytes.size > 0) std::memcpy(data, bytes.data, bytes.size);
    }
    *size = bytes.size;
    return CLOTHC_SUCCESS;
  });
}
