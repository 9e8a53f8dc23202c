// raw.cpp - makes fabrics from the arrays of clothc_fabric_desc. It checks the counts, copies the arrays, and then
// checks the copies.
#include <numeric>

#include "cook/cook.h"
#include "core/base/structs.h"
#include "core/objects/device.h"
#include "core/fabric/fabric.h"
#include "core/fabric/checks.h"

namespace clothc {
namespace {

using ull = unsigned long long;

void check_counts(const clothc_fabric_desc& desc) {
  constexpr uint32_t all_flags = CLOTHC_FABRIC_REORDER | CLOTHC_FABRIC_EXACT_LENGTHS;
  CLOTHC_REQUIRE((desc.flags & ~all_flags) == 0 && desc.reserved == 0,
                 "fabric_desc.flags is 0x%x and reserved %u; want CLOTHC_FABRIC_... only and 0", desc.flags,
                 desc.reserved);
  CLOTHC_REQUIRE(desc.particle_count >= 1 && desc.particle_count <= most_particles,
                 "fabric_desc.particle_count is %u; want 1 to 2^24", desc.particle_count);
  CLOTHC_REQUIRE(desc.constraint_count <= most_elements, "fabric_desc.constraint_count is %llu; want at most 2^28",
                 static_cast<ull>(desc.constraint_count));
  CLOTHC_REQUIRE(desc.tethers_per_particle <= most_tethers_per_particle &&
                     uint64_t{desc.tethers_per_particle} * desc.particle_count <= most_elements,
                 "fabric_desc.tethers_per_particle is %u; want at most 1024, and 2^28 tethers in all",
                 desc.tethers_per_particle);
  CLOTHC_REQUIRE(
      desc.triangle_count <= most_elements && desc.phase_count <= most_particles && desc.set_count <= most_particles,
      "fabric_desc has %u triangles, %u phases, %u sets; want at most 2^28, 2^24, 2^24", desc.triangle_count,
      desc.phase_count, desc.set_count);
  CLOTHC_REQUIRE(desc.virtual_particle_count <= most_particles && desc.virtual_weight_count <= most_particles,
                 "fabric_desc has %u virtual particles and %u rows of weights; want at most 2^24 of each",
                 desc.virtual_particle_count, desc.virtual_weight_count);
}

template <class T>
std::vector<T> copied(const T* array, uint64_t count, const char* name) {
  CLOTHC_REQUIRE(count == 0 || array != nullptr, "fabric_desc.%s is null; want %llu entries", name,
                 static_cast<ull>(count));
  return count == 0 ? std::vector<T>() : std::vector<T>(array, array + count);
}

// before: number of constraints in the sets before this one.
void append_constraint_set(const clothc_constraint_set& set, size_t index, uint64_t before, FabricData& data) {
  const ConstraintTypeInfo* type = find_constraint_type(set.type);
  CLOTHC_REQUIRE(type != nullptr, "constraint_set[%zu].type is %u; want CLOTHC_CONSTRAINT_..., 1 to %u", index,
                 set.type, last_constraint_type());
  CLOTHC_REQUIRE(set.constraint_count <= most_elements && before + set.constraint_count <= most_elements,
                 "constraint_set[%zu].constraint_count is %llu; want at most 2^28 in all sets", index,
                 static_cast<ull>(set.constraint_count));
  CLOTHC_REQUIRE(set.constraint_count == 0 || (set.particles != nullptr && set.parameters != nullptr),
                 "constraint_set[%zu].%s is null; want %u entries for each of %llu constraints", index,
                 set.particles == nullptr ? "particles" : "parameters",
                 set.particles == nullptr ? type->arity : type->width, static_cast<ull>(set.constraint_count));
  data.constraint_types.push_back(set.type);
  data.constraint_counts.push_back(static_cast<uint32_t>(set.constraint_count));
  if (set.constraint_count == 0) return;
  data.constraint_particles.insert(data.constraint_particles.end(), set.particles,
                                   set.particles + set.constraint_count * type->arity);
  data.constraint_parameters.insert(data.constraint_parameters.end(), set.parameters,
                                    set.parameters + set.constraint_count * type->width);
}

void append_constraint_sets(const clothc_fabric_desc& desc, FabricData& data) {
  CLOTHC_REQUIRE(desc.constraint_set_count <= most_particles && desc.reserved2 == 0,
                 "fabric_desc.constraint_set_count is %u and reserved2 %u; want at most 2^24, and 0",
                 desc.constraint_set_count, desc.reserved2);
  if (desc.constraint_set_count == 0) return;
  CLOTHC_REQUIRE(desc.constraint_sets != nullptr, "fabric_desc.constraint_sets is null; want %u entries",
                 desc.constraint_set_count);
  checked_output(desc.constraint_sets);
  uint64_t total = 0;
  for (uint32_t k = 0; k < desc.constraint_set_count; ++k) {
    append_constraint_set(adopt(element(desc.constraint_sets, k)), k, total, data);
    total += data.constraint_counts.back();
  }
}

}  // namespace

std::shared_ptr<Fabric> create_fabric(const std::shared_ptr<Device>& device, const clothc_fabric_desc& desc) {
  check_counts(desc);
  FabricData data;
  const uint64_t tethers = uint64_t{desc.tethers_per_particle} * desc.particle_count;
  data.particle_count = desc.particle_count;
  data.vertex_count = desc.particle_count;
  data.vertex_map.resize(desc.particle_count);
  std::iota(data.vertex_map.begin(), data.vertex_map.end(), 0u);
  data.phase_sets = copied(desc.phase_sets, desc.phase_count, "phase_sets");
  if (desc.phase_types != nullptr) {
    data.phase_types = copied(desc.phase_types, desc.phase_count, "phase_types");
  } else {
    data.phase_types.assign(desc.phase_count, CLOTHC_PHASE_OTHER);
  }
  data.set_ends = copied(desc.set_ends, desc.set_count, "set_ends");
  data.indices = copied(desc.indices, desc.constraint_count * 2, "indices");
  data.rest_lengths = copied(desc.rest_lengths, desc.constraint_count, "rest_lengths");
  if (desc.stiffness_values != nullptr)
    data.stiffness = copied(desc.stiffness_values, desc.constraint_count, "stiffness_values");
  data.exact_lengths = (desc.flags & CLOTHC_FABRIC_EXACT_LENGTHS) != 0;
  data.tethers_per_particle = desc.tethers_per_particle;
  data.tether_anchors = copied(desc.tether_anchors, tethers, "tether_anchors");
  data.tether_lengths = copied(desc.tether_lengths, tethers, "tether_lengths");
  data.triangles = copied(desc.triangles, uint64_t{desc.triangle_count} * 3, "triangles");
  if (desc.texture_coordinates != nullptr) {
    // In raw fabrics every vertex is the particle with the same index.
    data.texture_coordinates =
        copied(desc.texture_coordinates, uint64_t{desc.particle_count} * 2, "texture_coordinates");
    data.triangle_vertices = data.triangles;
  }
  data.virtual_particles =
      copied(desc.virtual_particles, uint64_t{desc.virtual_particle_count} * 4, "virtual_particles");
  data.virtual_weights = copied(desc.virtual_weights, uint64_t{desc.virtual_weight_count} * 3, "virtual_weights");
  if (desc.positions != nullptr)
    data.positions = copied(desc.positions, uint64_t{desc.particle_count} * 4, "positions");
  append_constraint_sets(desc, data);
  check_arrays(data, "fabric_desc");
  if ((desc.flags & CLOTHC_FABRIC_REORDER) != 0) choose_storage_order(data);
  return std::make_shared<Fabric>(device, std::move(data));
}

}  // namespace clothc
