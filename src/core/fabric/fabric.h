// fabric.h - the object behind clothc_fabric. It owns the arrays that programs read, and a layout of what kernels read,
// which cloths share and keep when the fabric is destroyed.
#pragma once

#include <mutex>

#include "cook/fabric_data.h"
#include "cook/fabric_layout.h"
#include "core/objects/handles.h"

namespace clothc {

class Fabric final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::fabric;

  // Lays the fabric out.
  Fabric(std::shared_ptr<Device> device, FabricData data);

  const FabricData& data() const { return data_; }
  const std::shared_ptr<const FabricLayout>& layout() const { return layout_; }
  // Returns the words that the layout describes. They are kept until a solver has taken them; for another solver they
  // are laid out again.
  std::vector<uint32_t> take_words() const;

 private:
  LaidOutFabric lay_out_for_device() const;

  const FabricData data_;
  std::shared_ptr<const FabricLayout> layout_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  mutable std::vector<uint32_t> words_;
};

// Make a fabric from a mesh, from raw arrays, and from a blob. They validate what the caller passed.
std::shared_ptr<Fabric> cook_fabric(const std::shared_ptr<Device>& device, const clothc_mesh_desc& desc);
std::shared_ptr<Fabric> create_fabric(const std::shared_ptr<Device>& device, const clothc_fabric_desc& desc);
std::shared_ptr<Fabric> load_fabric(const std::shared_ptr<Device>& device, const uint8_t* blob, uint64_t size);
// A blob is a fabric saved as bytes. blob_size returns the number of bytes that save_fabric makes.
uint64_t blob_size(const Fabric& fabric);
std::vector<uint8_t> save_fabric(const Fabric& fabric);

clothc_fabric_info describe(const Fabric& fabric);
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
