// fabric.cpp - makes fabrics from meshes, and returns the properties and arrays of a fabric.
#include "core/fabric/fabric.h"

#include "cook/cook.h"
#include "cook/layout/append.h"
#include "core/objects/device.h"
#include "core/fabric/diagnostics.h"
#include "core/fabric/mesh_input.h"
#include "core/base/structs.h"

namespace clothc {
namespace {

// Releases the memory that arrays reserved while they grew.
FabricData trimmed(FabricData data) {
  const auto trim = [](auto&... arrays) { (cook::trim(arrays), ...); };
  trim(data.vertex_map, data.positions, data.phase_sets, data.phase_types, data.set_ends, data.indices,
       data.rest_lengths, data.stiffness, data.tether_anchors, data.tether_lengths, data.triangles,
       data.triangle_vertices, data.texture_coordinates, data.virtual_particles, data.virtual_weights,
       data.constraint_types, data.constraint_counts, data.constraint_particles, data.constraint_parameters,
       data.storage_order, data.diagnostics);
  return data;
}

}  // namespace

std::shared_ptr<Fabric> cook_fabric(const std::shared_ptr<Device>& device, const clothc_mesh_desc& desc) {
  const MeshData mesh = checked_mesh(desc);
  FabricData data = cook_mesh(mesh);
  require_faces(mesh, data);
  return std::make_shared<Fabric>(device, std::move(data));
}

Fabric::Fabric(std::shared_ptr<Device> device, FabricData data)
    : Object(object_kind, std::move(device)), data_(trimmed(std::move(data))) {
  LaidOutFabric laid_out = lay_out_for_device();
  layout_ = std::make_shared<const FabricLayout>(std::move(laid_out.layout));
  words_ = std::move(laid_out.words);
}

std::vector<uint32_t> Fabric::take_words() const {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!words_.empty()) return std::move(words_);
  }
  return lay_out_for_device().words;
}

// Fabrics that are solved block by block have no lattice.
LaidOutFabric Fabric::lay_out_for_device() const {
  const DeviceLimits& limits = device()->backend().limits();
  const bool is_large = data_.particle_count > limits.particles_in_cache;
  return lay_out(data_, is_large ? UINT32_MAX : limits.lattice_batch_cost);
}

clothc_fabric_info describe(const Fabric& fabric) {
  const FabricData& data = fabric.data();
  clothc_fabric_info info = make_default<clothc_fabric_info>();
  info.particle_count = data.particle_count;
  info.vertex_count = data.vertex_count;
  info.phase_count = static_cast<uint32_t>(data.phase_sets.size());
  info.set_count = static_cast<uint32_t>(data.set_ends.size());
  info.colour_count = fabric.layout()->phase_colour_count();
  info.constraint_count = data.constraint_count();
  info.tethers_per_particle = data.tethers_per_particle;
  info.triangle_count = static_cast<uint32_t>(data.triangle_count());
  info.content_hash = fabric.layout()->content_hash;
  info.welded_vertex_count = data.report.welded_vertex_count;
  info.dropped_triangle_count = data.report.dropped_triangle_count;
  info.first_dropped_triangle = data.report.first_dropped_triangle;
  info.non_manifold_edge_count = data.report.non_manifold_edge_count;
  info.component_count = data.report.component_count;
  info.isolated_particle_count = data.report.isolated_particle_count;
  info.first_isolated_particle = data.report.first_isolated_particle;
  info.pinned_particle_count = data.report.pinned_particle_count;
  info.untethered_particle_count = data.report.untethered_particle_count;
  info.diagnostic_count = static_cast<uint32_t>(data.diagnostics.size());
  info.merged_triangle_count = data.report.merged_triangle_count;
  info.reordered = data.storage_order.empty() ? 0 : 1;
  info.virtual_particle_count = static_cast<uint32_t>(data.virtual_particle_count());
  info.constraint_set_count = static_cast<uint32_t>(data.constraint_types.size());
  return info;
}

ArrayBytes array_of(const FabricData& data, clothc_fabric_array array) {
  const auto bytes = [](const auto& values) { return ArrayBytes{values.data(), values.size() * sizeof(values[0])}; };
  switch (array) {
    case CLOTHC_FABRIC_VERTEX_MAP:
      return bytes(data.vertex_map);
    case CLOTHC_FABRIC_POSITIONS:
      return bytes(data.positions);
    case CLOTHC_FABRIC_PHASE_SETS:
      return bytes(data.phase_sets);
    case CLOTHC_FABRIC_PHASE_TYPES:
      return bytes(data.phase_types);
    case CLOTHC_FABRIC_SET_ENDS:
      return bytes(data.set_ends);
    case CLOTHC_FABRIC_INDICES:
      return bytes(data.indices);
    case CLOTHC_FABRIC_REST_LENGTHS:
      return bytes(data.rest_lengths);
    case CLOTHC_FABRIC_STIFFNESS_VALUES:
      return bytes(data.stiffness);
    case CLOTHC_FABRIC_TETHER_ANCHORS:
      return bytes(data.tether_anchors);
    case CLOTHC_FABRIC_TETHER_LENGTHS:
      return bytes(data.tether_lengths);
    case CLOTHC_FABRIC_TRIANGLES:
      return bytes(data.triangles);
    case CLOTHC_FABRIC_TRIANGLE_VERTICES:
      return bytes(data.triangle_vertices);
    case CLOTHC_FABRIC_TEXTURE_COORDINATES:
      return bytes(data.texture_coordinates);
    case CLOTHC_FABRIC_VIRTUAL_PARTICLES:
      return bytes(data.virtual_particles);
    case CLOTHC_FABRIC_VIRTUAL_WEIGHTS:
      return bytes(data.virtual_weights);
    case CLOTHC_FABRIC_CONSTRAINT_TYPES:
      return bytes(data.constraint_types);
    case CLOTHC_FABRIC_CONSTRAINT_COUNTS:
      return bytes(data.constraint_counts);
    case CLOTHC_FABRIC_CONSTRAINT_PARTICLES:
      return bytes(data.constraint_particles);
    case CLOTHC_FABRIC_CONSTRAINT_PARAMETERS:
      return bytes(data.constraint_parameters);
    default:
      fail(CLOTHC_ERROR_INVALID_ARGUMENT, "fabric array %u is unknown; want one of CLOTHC_FABRIC_...", array);
  }
}

}  // namespace clothc
