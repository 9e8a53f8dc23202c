// mesh_input.cpp - checks every field of clothc_mesh_desc. The cooker relies on these checks and does not repeat them.
#include "core/fabric/mesh_input.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "core/fabric/checks.h"

namespace clothc {
namespace {

using ull = unsigned long long;

// Smallest extent of a mesh along its longest axis, in m. In smaller meshes the squared lengths of edges leave the
// range of floats.
constexpr float smallest_extent = 1e-9f;

// Largest number of parts into which virtual particles divide a side of a triangle. A triangle has as many virtual
// particles as the square of that number of parts.
constexpr uint32_t most_parts_per_side = 8;

// Copies an array of the caller that has `components` floats per vertex and `stride` bytes from one vertex to the next.
std::vector<float> copied_floats(const float* array, uint64_t stride, uint64_t count, uint64_t components) {
  std::vector<float> values(count * components);
  for (uint64_t k = 0; k < count; ++k) {
    std::memcpy(&values[k * components], reinterpret_cast<const char*>(array) + k * stride, components * sizeof(float));
  }
  return values;
}

// Returns the stride to use, in bytes: tight if the caller's stride is 0, and the caller's stride otherwise. That must
// be a multiple of unit from tight to 65536.
uint64_t checked_stride(uint64_t stride, uint64_t tight, uint64_t unit, const char* name) {
  if (stride == 0) return tight;
  CLOTHC_REQUIRE(stride % unit == 0 && stride >= tight && stride <= 65536,
                 "mesh_desc.%s is %llu; want 0 or a multiple of %llu from %llu to 65536", name,
                 static_cast<ull>(stride), static_cast<ull>(unit), static_cast<ull>(tight));
  return stride;
}

// Returns text such as " (and 3 more)" for a message that names only the first of count bad elements.
std::string and_more(uint64_t count) { return count > 1 ? " (and " + std::to_string(count - 1) + " more)" : ""; }

// Fails if good is false for the value of any vertex. The message calls the values `what` and asks for `wanted`.
template <class Good>
void check_vertices(const std::vector<float>& values, uint64_t components, Good good, const char* what,
                    const char* wanted) {
  const auto bad = std::find_if(values.begin(), values.end(), [&](float value) { return !good(value); });
  if (bad == values.end()) return;
  uint64_t count = 0;
  for (size_t k = 0; k < values.size(); k += components)
    count += !std::all_of(values.begin() + static_cast<std::ptrdiff_t>(k),
                          values.begin() + static_cast<std::ptrdiff_t>(k + components), good);
  fail(CLOTHC_ERROR_INVALID_ARGUMENT, "vertex %llu%s has %s %g; want %s",
       static_cast<ull>(static_cast<uint64_t>(bad - values.begin()) / components), and_more(count).c_str(), what,
       static_cast<double>(*bad), wanted);
}

uint32_t index_at(const char* face, uint32_t index_size, uint64_t corner) {
  if (index_size == 4) {
    uint32_t value;
    std::memcpy(&value, face + corner * 4, 4);
    return value;
  }
  uint16_t value;
  std::memcpy(&value, face + corner * 2, 2);
  return value;
}

// The triangles or the quads of a mesh as the caller passed them.
struct FaceInput {
  const void* indices;
  uint64_t count;
  uint64_t stride;
  uint64_t corners;
  const char* name;
};

std::vector<uint32_t> checked_faces(const clothc_mesh_desc& desc, const FaceInput& input) {
  CLOTHC_REQUIRE(input.count <= most_elements, "mesh_desc.%s_count is %llu; want at most 2^28", input.name,
                 static_cast<ull>(input.count));
  CLOTHC_REQUIRE(input.count == 0 || input.indices != nullptr, "mesh_desc.%ss is null, but %s_count is %llu",
                 input.name, input.name, static_cast<ull>(input.count));
  const std::string stride_name = std::string(input.name) + "_stride";
  const uint64_t stride =
      checked_stride(input.stride, input.corners * desc.index_size, desc.index_size, stride_name.c_str());
  std::vector<uint32_t> faces(input.count * input.corners);
  uint64_t bad_count = 0, first_bad = 0;
  for (uint64_t f = 0; f < input.count; ++f) {
    const char* face = static_cast<const char*>(input.indices) + f * stride;
    bool good = true;
    for (uint64_t c = 0; c < input.corners; ++c) {
      uint32_t& index = faces[f * input.corners + c] = index_at(face, desc.index_size, c);
      good = good && index < desc.vertex_count;
    }
    if (!good && bad_count++ == 0) first_bad = f;
  }
  if (bad_count == 0) return faces;
  const uint32_t* corner = &faces[first_bad * input.corners];
  const uint32_t worst = *std::max_element(corner, corner + input.corners);
  fail(CLOTHC_ERROR_INVALID_ARGUMENT, "%s %llu%s has vertex index %u; want below vertex_count %llu", input.name,
       static_cast<ull>(first_bad), and_more(bad_count).c_str(), worst, static_cast<ull>(desc.vertex_count));
}

void check_extent(const MeshData& mesh) {
  if (mesh.triangles.empty() && mesh.quads.empty()) return;
  float extent = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    float low = mesh.positions[axis], high = low;
    for (size_t k = axis; k < mesh.positions.size(); k += 3) {
      low = std::min(low, mesh.positions[k]);
      high = std::max(high, mesh.positions[k]);
    }
    extent = std::max(extent, high - low);
  }
  CLOTHC_REQUIRE(extent == 0 || extent >= smallest_extent,
                 "the mesh is %g m large; want 1e-9 or more: positions may be in another unit, scale them",
                 static_cast<double>(extent));
}

// Checks that the number of virtual particles per triangle is the square of a number from 0 to most_parts_per_side.
void check_virtual_particles(uint32_t per_triangle) {
  uint32_t square = 0;
  for (uint32_t parts = 1; square < per_triangle && parts <= most_parts_per_side; ++parts) square = parts * parts;
  CLOTHC_REQUIRE(square == per_triangle,
                 "mesh_desc.virtual_particles_per_triangle is %u; want 0 for none, or 1, 4, 9, 16, 25, 36, 49 or 64",
                 per_triangle);
}

// Checks the number of virtual particles of the whole mesh. A quad counts as two triangles.
void check_virtual_total(uint32_t per_triangle, const MeshData& mesh) {
  const uint64_t triangles = mesh.triangles.size() / 3 + mesh.quads.size() / 4 * 2;
  CLOTHC_REQUIRE(
      triangles * per_triangle <= most_particles,
      "mesh_desc.virtual_particles_per_triangle is %u, which makes %llu virtual particles of %llu triangles; "
      "want at most 2^24 in all: ask for fewer per triangle",
      per_triangle, static_cast<ull>(triangles * per_triangle), static_cast<ull>(triangles));
}

void check_long_range_edges(const uint32_t (&long_range_edges)[4]) {
  for (uint32_t k = 0; k < 4; ++k) {
    CLOTHC_REQUIRE(long_range_edges[k] == 0 || (long_range_edges[k] >= 2 && long_range_edges[k] <= 64),
                   "mesh_desc.long_range_edges[%u] is %u; want 2 to 64 edges, or 0 for none", k, long_range_edges[k]);
  }
}

void check_settings(const clothc_mesh_desc& desc) {
  constexpr uint32_t all_flags = CLOTHC_COOK_NO_SHEAR | CLOTHC_COOK_NO_BEND | CLOTHC_COOK_NO_TETHERS |
                                 CLOTHC_COOK_QUADIFY | CLOTHC_COOK_KEEP_ORDER | CLOTHC_COOK_NO_HIERARCHY;
  CLOTHC_REQUIRE((desc.flags & ~all_flags) == 0, "mesh_desc.flags is 0x%x; want CLOTHC_COOK_... only", desc.flags);
  CLOTHC_REQUIRE(desc.vertex_count >= 1 && desc.vertex_count <= most_particles,
                 "mesh_desc.vertex_count is %llu; want 1 to 2^24", static_cast<ull>(desc.vertex_count));
  CLOTHC_REQUIRE(desc.positions != nullptr, "mesh_desc.positions is null; want [vertex_count] of x y z");
  CLOTHC_REQUIRE(desc.index_size == 2 || desc.index_size == 4, "mesh_desc.index_size is %u; want 2 or 4 bytes",
                 desc.index_size);
  CLOTHC_REQUIRE(std::isfinite(desc.weld_distance) && desc.weld_distance <= largest_value,
                 "mesh_desc.weld_distance is %g; want a finite distance, negative for no welding",
                 static_cast<double>(desc.weld_distance));
  CLOTHC_REQUIRE(in_range(desc.areal_density, 0, 1e6f), "mesh_desc.areal_density is %g; want 0 to 1e6 kg/m2",
                 static_cast<double>(desc.areal_density));
  CLOTHC_REQUIRE(desc.tethers_per_particle >= 1 && desc.tethers_per_particle <= 4,
                 "mesh_desc.tethers_per_particle is %u; want 1 to 4, or the flag CLOTHC_COOK_NO_TETHERS",
                 desc.tethers_per_particle);
  check_virtual_particles(desc.virtual_particles_per_triangle);
  check_long_range_edges(desc.long_range_edges);
  for (const float x : desc.gravity_hint) {
    CLOTHC_REQUIRE(is_coordinate(x), "mesh_desc.gravity_hint has a component of %g; want finite values within +-1e9",
                   static_cast<double>(x));
  }
}

}  // namespace

MeshData checked_mesh(const clothc_mesh_desc& desc) {
  check_settings(desc);
  const uint64_t count = desc.vertex_count;
  MeshData mesh;
  mesh.positions =
      copied_floats(desc.positions, checked_stride(desc.position_stride, 12, 4, "position_stride"), count, 3);
  check_vertices(mesh.positions, 3, is_coordinate, "a coordinate of", "finite values within +-1e9");
  if (desc.inverse_masses != nullptr) {
    const uint64_t stride = checked_stride(desc.inverse_mass_stride, 4, 4, "inverse_mass_stride");
    mesh.inverse_masses = copied_floats(desc.inverse_masses, stride, count, 1);
    check_vertices(mesh.inverse_masses, 1, is_inverse_mass, "inverse mass", "0 to 1e9, 0 for a pinned one");
  }
  if (desc.stiffness != nullptr) {
    const uint64_t stride = checked_stride(desc.stiffness_stride, 4, 4, "stiffness_stride");
    mesh.stiffness = copied_floats(desc.stiffness, stride, count, 1);
    check_vertices(
        mesh.stiffness, 1, [](float s) { return in_range(s, 0, 1); }, "stiffness", "0 to 1");
  }
  if (desc.texture_coordinates != nullptr) {
    const uint64_t stride = checked_stride(desc.texture_coordinate_stride, 8, 4, "texture_coordinate_stride");
    mesh.texture_coordinates = copied_floats(desc.texture_coordinates, stride, count, 2);
    check_vertices(mesh.texture_coordinates, 2, is_coordinate, "a texture coordinate of", "finite values within +-1e9");
  }
  mesh.triangles = checked_faces(desc, {desc.triangles, desc.triangle_count, desc.triangle_stride, 3, "triangle"});
  mesh.quads = checked_faces(desc, {desc.quads, desc.quad_count, desc.quad_stride, 4, "quad"});
  check_virtual_total(desc.virtual_particles_per_triangle, mesh);
  check_extent(mesh);
  mesh.weld_distance = desc.weld_distance;
  mesh.areal_density = desc.areal_density;
  mesh.tethers_per_particle = (desc.flags & CLOTHC_COOK_NO_TETHERS) != 0 ? 0 : desc.tethers_per_particle;
  mesh.virtual_particles_per_triangle = desc.virtual_particles_per_triangle;
  std::copy_n(desc.long_range_edges, 4, mesh.long_range_edges);
  mesh.shear = (desc.flags & CLOTHC_COOK_NO_SHEAR) == 0;
  mesh.bend = (desc.flags & CLOTHC_COOK_NO_BEND) == 0;
  mesh.hierarchy = (desc.flags & CLOTHC_COOK_NO_HIERARCHY) == 0;
  mesh.quadify = (desc.flags & CLOTHC_COOK_QUADIFY) != 0;
  mesh.reorder = (desc.flags & CLOTHC_COOK_KEEP_ORDER) == 0;
  std::copy_n(desc.gravity_hint, 3, mesh.gravity_hint);
  return mesh;
}

}  // namespace clothc
