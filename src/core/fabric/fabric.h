// fabric.h - the object behind clothc_fabric. It owns immutable arrays, which it shares with the solvers that use them.
#pragma once

#include "cook/fabric_data.h"
#include "core/objects/handles.h"

namespace clothc {

class Fabric final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::fabric;

  Fabric(std::shared_ptr<Device> device, std::shared_ptr<const FabricData> data)
      : Object(object_kind, std::move(device)), data_(std::move(data)) {}

  const std::shared_ptr<const FabricData>& data() const { return data_; }

 private:
  std::shared_ptr<const FabricData> data_;
};

// Make a fabric from a mesh, from raw arrays, and from a blob. They validate what the caller passed.
std::shared_ptr<Fabric> cook_fabric(const std::shared_ptr<Device>& device, const clothc_mesh_desc& desc);
std::shared_ptr<Fabric> create_fabric(const std::shared_ptr<Device>& device, const clothc_fabric_desc& desc);
std::shared_ptr<Fabric> load_fabric(const std::shared_ptr<Device>& device, const uint8_t* blob, uint64_t size);
// A blob is a fabric saved as bytes. blob_size returns the number of bytes that save_fabric makes.
uint64_t blob_size(const FabricData& data);
std::vector<uint8_t> save_fabric(const FabricData& data);

clothc_fabric_info describe(const FabricData& data);
// Describes the diagnostic with this index. Defined in diagnostics.cpp.
clothc_diagnostic describe_diagnostic(const FabricData& data, uint32_t index);

// The bytes of an array of a fabric, which owns them.
struct ArrayBytes {
  const void* data;
  uint64_t size;
};
// Returns one of the arrays of a fabric. Fails if the array is unknown.
ArrayBytes array_of(const FabricData& data, clothc_fabric_array array);

}  // namespace clothc
