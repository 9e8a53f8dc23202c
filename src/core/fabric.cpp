// fabric.cpp - checks meshes and raw arrays and hands them to the cooker, which trusts them.
#include "core/fabric.h"

#include <cstring>

#include "cook/cook.h"
#include "core/device.h"
#include "core/structs.h"

namespace clothc {
namespace {

using ull = unsigned long long;

constexpr uint64_t most_particles = uint64_t{1} << 24;
constexpr uint64_t most_elements = uint64_t{1} << 28;  // faces, constraints
constexpr float largest_value = 1e9f;

template <class T>
std::vector<T> copied(const T* array, uint64_t count, const char* name) {
  CLOTHC_REQUIRE(count == 0 || array != nullptr, "fabric_desc.%s is null; want %llu entries", name,
                 static_cast<ull>(count));
  return count == 0 ? std::vector<T>() : std::vector<T>(array, array + count);
}

void check_indices(const std::vector<uint32_t>& indices, uint32_t limit, const char* name, const char* limit_name) {
  for (size_t k = 0; k < indices.size(); ++k) {
    CLOTHC_REQUIRE(indices[k] < limit, "fabric_desc.%s[%zu] is %u; want below %s %u", name, k, indices[k], limit_name,
                   limit);
  }
}

void check_floats(const std::vector<float>& values, float low, float high, const char* name) {
  for (size_t k = 0; k < values.size(); ++k) {
    CLOTHC_REQUIRE(in_range(values[k], low, high), "fabric_desc.%s[%zu] is %g; want %g to %g", name, k,
                   static_cast<double>(values[k]), static_cast<double>(low), static_cast<double>(high));
  }
}

void check_sets(const FabricData& data) {
  uint32_t before = 0;
  for (size_t k = 0; k < data.set_ends.size(); ++k) {
    CLOTHC_REQUIRE(data.set_ends[k] >= before,
                   "fabric_desc.set_ends[%zu] is %u, below the one before it, %u; want inclusive prefix sums", k,
                   data.set_ends[k], before);
    before = data.set_ends[k];
  }
  CLOTHC_REQUIRE(before == data.constraint_count(), "fabric_desc.set_ends ends with %u; want constraint_count %llu",
                 before, static_cast<ull>(data.constraint_count()));
  for (size_t k = 0; k + 1 < data.indices.size(); k += 2) {
    CLOTHC_REQUIRE(data.indices[k] != data.indices[k + 1], "constraint %zu connects particle %u with itself", k / 2,
                   data.indices[k]);
  }
}

}  // namespace

std::shared_ptr<Fabric> cook_fabric(const std::shared_ptr<Device>& device, const clothc_mesh_desc& desc) {
  auto data = std::make_shared<FabricData>(cook_mesh(checked_mesh(desc)));
  lay_out(*data);
  return std::make_shared<Fabric>(device, std::move(data));
}

std::shared_ptr<Fabric> create_fabric(const std::shared_ptr<Device>& device, const clothc_fabric_desc& desc) {
  CLOTHC_REQUIRE(desc.particle_count >= 1 && desc.particle_count <= most_particles,
                 "fabric_desc.particle_count is %u; want 1 to 2^24", desc.particle_count);
  CLOTHC_REQUIRE(desc.constraint_count <= most_elements, "fabric_desc.constraint_count is %llu; want at most 2^28",
                 static_cast<ull>(desc.constraint_count));
  CLOTHC_REQUIRE(
      desc.tethers_per_particle <= 1024 && uint64_t{desc.tethers_per_particle} * desc.particle_count <= most_elements,
      "fabric_desc.tethers_per_particle is %u; want at most 1024, and 2^28 tethers in all", desc.tethers_per_particle);
  CLOTHC_REQUIRE(
      desc.triangle_count <= most_elements && desc.phase_count <= most_particles && desc.set_count <= most_particles,
      "fabric_desc has %u triangles, %u phases, %u sets; want at most 2^28, 2^24, 2^24", desc.triangle_count,
      desc.phase_count, desc.set_count);
  auto data = std::make_shared<FabricData>();
  const uint64_t tethers = uint64_t{desc.tethers_per_particle} * desc.particle_count;
  data->particle_count = desc.particle_count;
  data->vertex_count = desc.particle_count;
  data->phase_sets = copied(desc.phase_sets, desc.phase_count, "phase_sets");
  if (desc.phase_types != nullptr) {
    data->phase_types = copied(desc.phase_types, desc.phase_count, "phase_types");
  } else {
    data->phase_types.assign(desc.phase_count, CLOTHC_PHASE_OTHER);
  }
  data->set_ends = copied(desc.set_ends, desc.set_count, "set_ends");
  data->indices = copied(desc.indices, desc.constraint_count * 2, "indices");
  data->rest_lengths = copied(desc.rest_lengths, desc.constraint_count, "rest_lengths");
  if (desc.stiffness_values != nullptr)
    data->stiffness = copied(desc.stiffness_values, desc.constraint_count, "stiffness_values");
  data->tethers_per_particle = desc.tethers_per_particle;
  data->tether_anchors = copied(desc.tether_anchors, tethers, "tether_anchors");
  data->tether_lengths = copied(desc.tether_lengths, tethers, "tether_lengths");
  data->triangles = copied(desc.triangles, uint64_t{desc.triangle_count} * 3, "triangles");
  if (desc.positions != nullptr)
    data->positions = copied(desc.positions, uint64_t{desc.particle_count} * 4, "positions");

  check_indices(data->phase_sets, desc.set_count, "phase_sets", "set_count");
  check_indices(data->phase_types, CLOTHC_PHASE_BEND + 1, "phase_types", "the number of phase types");
  check_indices(data->indices, desc.particle_count, "indices", "particle_count");
  check_indices(data->tether_anchors, desc.particle_count, "tether_anchors", "particle_count");
  check_indices(data->triangles, desc.particle_count, "triangles", "particle_count");
  check_floats(data->rest_lengths, 0, largest_value, "rest_lengths");
  check_floats(data->stiffness, 0, 1, "stiffness_values");
  check_floats(data->tether_lengths, 0, largest_value, "tether_lengths");
  check_sets(*data);
  for (size_t k = 0; k < data->positions.size(); ++k) {
    if (k % 4 == 3) {
      check_inverse_mass(data->positions[k], k / 4, "particle");
    } else {
      check_position(data->positions[k], k / 4, "particle");
    }
  }
  data->vertex_map.resize(desc.particle_count);
  for (uint32_t k = 0; k < desc.particle_count; ++k) data->vertex_map[k] = k;
  lay_out(*data);
  return std::make_shared<Fabric>(device, std::move(data));
}

clothc_fabric_info describe(const FabricData& data) {
  clothc_fabric_info info = make_default<clothc_fabric_info>();
  info.particle_count = data.particle_count;
  info.vertex_count = data.vertex_count;
  info.phase_count = static_cast<uint32_t>(data.phase_sets.size());
  info.set_count = static_cast<uint32_t>(data.set_ends.size());
  info.colour_count = static_cast<uint32_t>(data.colours.size());
  info.constraint_count = data.constraint_count();
  info.tethers_per_particle = data.tethers_per_particle;
  info.triangle_count = static_cast<uint32_t>(data.triangle_count());
  info.content_hash = data.content_hash;
  info.welded_vertex_count = data.report.welded_vertex_count;
  info.dropped_triangle_count = data.report.dropped_triangle_count;
  info.first_dropped_triangle = data.report.first_dropped_triangle;
  info.non_manifold_edge_count = data.report.non_manifold_edge_count;
  info.component_count = data.report.component_count;
  info.isolated_particle_count = data.report.isolated_particle_count;
  info.first_isolated_particle = data.report.first_isolated_particle;
  info.pinned_particle_count = data.report.pinned_particle_count;
  info.untethered_particle_count = data.report.untethered_particle_count;
  info.finding_count = static_cast<uint32_t>(data.findings.size());
  info.merged_triangle_count = data.report.merged_triangle_count;
  info.reordered = data.places.empty() ? 0 : 1;
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
    default:
      fail(CLOTHC_ERROR_INVALID_ARGUMENT, "fabric array %u is unknown; want one of CLOTHC_FABRIC_...", array);
  }
}

}  // namespace clothc
