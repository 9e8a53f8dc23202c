// mesh_fuzz.cpp - decodes bytes into meshes and cooks them. For every mesh, the call ends either with a fabric whose
// arrays are valid and whose cloth stays finite, or with a message.
#include <clothc.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "support/structs.h"

namespace {

using clothc_test::initialised;

void require(bool condition) {
  if (!condition) std::abort();
}

// The bytes of the mesh, followed by zeros.
class Bytes {
 public:
  Bytes(const uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}
  uint8_t byte() { return next_ < size_ ? bytes_[next_++] : 0; }
  uint32_t below(uint32_t limit) { return byte() % limit; }
  bool rarely() { return byte() >= 250; }

  // Returns a coordinate that is mostly on a coarse grid, so that vertices coincide and faces are flat, and
  // occasionally has arbitrary bits.
  float coordinate() {
    const uint8_t kind = byte();
    if (kind < 160) return static_cast<float>(kind % 8) * 0.25f;
    if (kind < 220) return static_cast<float>(static_cast<int8_t>(byte())) * 0.01f;
    if (kind < 245) return std::ldexp(static_cast<float>(static_cast<int8_t>(byte())), static_cast<int8_t>(byte()) / 4);
    return any_float();
  }
  // Returns a number in low .. high, except in rare cases.
  float within(float low, float high) {
    return rarely() ? any_float() : low + (high - low) * static_cast<float>(byte()) / 255.0f;
  }

 private:
  float any_float() {
    uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 8 | byte();
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  const uint8_t* bytes_;
  size_t size_;
  size_t next_ = 0;
};

// Floats with a stride, stored as bytes.
struct Strided {
  std::vector<unsigned char> bytes;
  uint64_t stride = 0;

  const float* data() const { return bytes.empty() ? nullptr : reinterpret_cast<const float*>(bytes.data()); }
};

template <class Value>
Strided decode_floats(Bytes& in, uint32_t count, uint32_t components, Value value) {
  const uint64_t tight = components * sizeof(float), stride = tight + in.below(3) * 4u;
  Strided array;
  array.stride = stride == tight && in.byte() < 128 ? 0 : stride;
  array.bytes.resize(stride * (count - 1) + tight);
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t c = 0; c < components; ++c) {
      const float x = value();
      std::memcpy(&array.bytes[i * stride + c * sizeof(float)], &x, sizeof x);
    }
  }
  return array;
}

struct Faces {
  std::vector<unsigned char> bytes;
  uint64_t stride = 0;
  uint64_t count = 0;
};

// Makes faces whose corners are mostly near each other, so that faces share edges.
Faces decode_faces(Bytes& in, uint32_t vertex_count, uint32_t corners, uint32_t index_size) {
  Faces faces;
  faces.count = in.byte() % 64;
  const uint64_t tight = corners * index_size, stride = tight + in.below(3) * index_size;
  faces.stride = stride == tight && in.byte() < 128 ? 0 : stride;
  faces.bytes.resize(stride * faces.count);
  for (uint64_t f = 0; f < faces.count; ++f) {
    const uint32_t base = in.byte();
    for (uint32_t c = 0; c < corners; ++c) {
      uint32_t vertex = (base + in.below(12)) % vertex_count;
      if (in.byte() == 255) vertex = vertex_count + in.byte();
      unsigned char* at = &faces.bytes[f * stride + c * index_size];
      const uint16_t small = static_cast<uint16_t>(vertex);
      if (index_size == 2) {
        std::memcpy(at, &small, 2);
      } else {
        std::memcpy(at, &vertex, 4);
      }
    }
  }
  return faces;
}

template <class T>
std::vector<T> read(clothc_fabric fabric, clothc_fabric_array array, uint64_t count) {
  uint64_t size = 0;
  require(clothc_fabric_read(fabric, array, nullptr, &size) == CLOTHC_SUCCESS);
  require(size == count * sizeof(T));
  std::vector<T> values(count);
  if (count > 0) require(clothc_fabric_read(fabric, array, values.data(), &size) == CLOTHC_SUCCESS);
  return values;
}

void require_below(const std::vector<uint32_t>& values, uint64_t limit) {
  for (const uint32_t value : values) require(value < limit);
}

void require_within(const std::vector<float>& values, float low, float high) {
  for (const float value : values) require(value >= low && value <= high);
}

clothc_fabric_info check_arrays(clothc_fabric fabric, const clothc_mesh_desc& desc) {
  auto info = initialised<clothc_fabric_info>();
  require(clothc_fabric_get_info(fabric, &info) == CLOTHC_SUCCESS);
  const uint64_t particles = info.particle_count, tethers = uint64_t{info.tethers_per_particle} * particles;
  require(info.vertex_count == desc.vertex_count && particles >= 1 && particles <= desc.vertex_count);
  require(particles + info.welded_vertex_count == desc.vertex_count);
  require(info.triangle_count > 0 || desc.triangle_count + desc.quad_count == 0);
  require_below(read<uint32_t>(fabric, CLOTHC_FABRIC_VERTEX_MAP, info.vertex_count), particles);
  require_within(read<float>(fabric, CLOTHC_FABRIC_POSITIONS, particles * 4), -1e9f, 1e9f);
  require_below(read<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_SETS, info.phase_count), info.set_count);
  require_below(read<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_TYPES, info.phase_count), CLOTHC_PHASE_LONG_RANGE + 1);
  const auto ends = read<uint32_t>(fabric, CLOTHC_FABRIC_SET_ENDS, info.set_count);
  require(ends.empty() ? info.constraint_count == 0 : ends.back() == info.constraint_count);
  const auto indices = read<uint32_t>(fabric, CLOTHC_FABRIC_INDICES, info.constraint_count * 2);
  require_below(indices, particles);
  for (size_t i = 0; i < indices.size(); i += 2) require(indices[i] != indices[i + 1]);
  require_within(read<float>(fabric, CLOTHC_FABRIC_REST_LENGTHS, info.constraint_count), 0, 4e9f);
  require_within(read<float>(fabric, CLOTHC_FABRIC_STIFFNESS_VALUES, desc.stiffness ? info.constraint_count : 0), 0, 1);
  require_below(read<uint32_t>(fabric, CLOTHC_FABRIC_TETHER_ANCHORS, tethers), particles);
  require_within(read<float>(fabric, CLOTHC_FABRIC_TETHER_LENGTHS, tethers), 0, 1e30f);
  require_below(read<uint32_t>(fabric, CLOTHC_FABRIC_TRIANGLES, uint64_t{info.triangle_count} * 3), particles);
  const uint32_t per_triangle = info.triangle_count == 0 ? 0 : desc.virtual_particles_per_triangle;
  require(info.virtual_particle_count == info.triangle_count * per_triangle);
  require_within(read<float>(fabric, CLOTHC_FABRIC_VIRTUAL_WEIGHTS, per_triangle * 3), 0, 1);
  return info;
}

void check_diagnostics(clothc_fabric fabric, const clothc_fabric_info& info, const clothc_mesh_desc& desc) {
  uint32_t kind = 0;
  const uint64_t elements = desc.vertex_count + desc.triangle_count + desc.quad_count;
  for (uint32_t i = 0; i < info.diagnostic_count; ++i) {
    auto diagnostic = initialised<clothc_diagnostic>();
    require(clothc_fabric_get_diagnostic(fabric, i, &diagnostic) == CLOTHC_SUCCESS);
    require(diagnostic.kind >= kind && diagnostic.kind <= CLOTHC_DIAGNOSTIC_PIECES && diagnostic.count >= 1);
    require(diagnostic.first < elements && (diagnostic.second < elements || diagnostic.second == UINT32_MAX));
    require(std::isfinite(diagnostic.value) && diagnostic.warning <= 1);
    const void* end = std::memchr(diagnostic.message, 0, sizeof diagnostic.message);
    require(end != nullptr && end != diagnostic.message);
    kind = diagnostic.kind;
  }
}

void simulate(clothc_device device, clothc_fabric fabric) {
  auto solver_desc = initialised<clothc_solver_desc>();
  solver_desc.particle_capacity = 1024;
  solver_desc.cloth_capacity = 1;
  solver_desc.collider_set_capacity = 0;
  clothc_solver solver = nullptr;
  require(clothc_solver_create(device, &solver_desc, &solver) == CLOTHC_SUCCESS);
  auto cloth_desc = initialised<clothc_cloth_desc>();
  cloth_desc.fabric = fabric;
  clothc_cloth_id cloth = 0;
  require(clothc_cloth_add(solver, &cloth_desc, &cloth) == CLOTHC_SUCCESS);
  const auto update = initialised<clothc_update>();
  for (int i = 0; i < 3; ++i) require(clothc_solver_update(solver, &update, nullptr) == CLOTHC_SUCCESS);
  auto status = initialised<clothc_cloth_status>();
  require(clothc_cloth_get_status(solver, cloth, &status) == CLOTHC_SUCCESS);
  for (const float bound : status.bounds_minimum) require(std::isfinite(bound));
  for (const float bound : status.bounds_maximum) require(std::isfinite(bound));
  require(clothc_solver_destroy(solver) == CLOTHC_SUCCESS);
}

clothc_device the_device() {
  static const clothc_device device = [] {
    auto desc = initialised<clothc_device_desc>();
    desc.backend = CLOTHC_BACKEND_CPU;
    desc.worker_count = 1;
    clothc_device made = nullptr;
    require(clothc_device_create(&desc, &made) == CLOTHC_SUCCESS);
    return made;
  }();
  return device;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  Bytes in(bytes, size);
  auto desc = initialised<clothc_mesh_desc>();
  const uint32_t vertex_count = 1 + in.byte();
  desc.flags = in.byte() % 32 | (in.rarely() ? 1u << in.below(32) : 0);
  desc.index_size = in.rarely() ? in.below(6) : 2u << in.below(2);
  desc.tethers_per_particle = in.rarely() ? in.byte() : 1 + in.below(4);
  desc.weld_distance = in.byte() < 128 ? 0.0f : in.within(-0.2f, 0.6f);
  desc.areal_density = in.byte() < 128 ? 0.0f : in.within(0, 2);
  const uint32_t parts = in.below(9);
  desc.virtual_particles_per_triangle = in.rarely() ? in.byte() : parts * parts;
  for (uint32_t& edges : desc.long_range_edges)
    edges = in.rarely() ? in.byte() : in.below(4) * (1 + in.below(4)) / 2 * 2;
  if (in.byte() < 64) {
    for (float& x : desc.gravity_hint) x = in.coordinate();
  }
  const uint32_t present = in.byte();
  const Strided positions = decode_floats(in, vertex_count, 3, [&] { return in.coordinate(); });
  Strided masses, stiffness, texture;
  if (present & 1) masses = decode_floats(in, vertex_count, 1, [&] { return in.byte() < 32 ? 0 : in.within(0, 4); });
  if (present & 2) stiffness = decode_floats(in, vertex_count, 1, [&] { return in.within(0, 1); });
  if (present & 4) texture = decode_floats(in, vertex_count, 2, [&] { return in.coordinate(); });
  const uint32_t index_size = desc.index_size == 2 ? 2 : 4;
  const Faces triangles = decode_faces(in, vertex_count, 3, index_size);
  const Faces quads = decode_faces(in, vertex_count, 4, index_size);
  desc.vertex_count = vertex_count;
  desc.positions = positions.data();
  desc.position_stride = positions.stride;
  desc.inverse_masses = masses.data();
  desc.inverse_mass_stride = masses.stride;
  desc.stiffness = stiffness.data();
  desc.stiffness_stride = stiffness.stride;
  desc.texture_coordinates = texture.data();
  desc.texture_coordinate_stride = texture.stride;
  desc.triangles = triangles.bytes.data();
  desc.triangle_count = triangles.count;
  desc.triangle_stride = triangles.stride;
  desc.quads = quads.bytes.data();
  desc.quad_count = quads.count;
  desc.quad_stride = quads.stride;

  clothc_fabric fabric = nullptr;
  const clothc_result result = clothc_fabric_cook(the_device(), &desc, &fabric);
  if (result != CLOTHC_SUCCESS) {
    require(result == CLOTHC_ERROR_INVALID_ARGUMENT && fabric == nullptr);
    require(std::strlen(clothc_last_error_message()) > 0);
    return 0;
  }
  check_diagnostics(fabric, check_arrays(fabric, desc), desc);
  simulate(the_device(), fabric);
  require(clothc_fabric_destroy(fabric) == CLOTHC_SUCCESS);
  return 0;
}
