// blob_fuzz.cpp - libFuzzer target that reads bytes as fabric blobs: either the input itself, or a good blob with
// replaced words and a corrected checksum, so that the checks after the checksum are reached. A fabric that loads must
// be saved, loaded again and simulated.
#include <clothc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "support/blob_checksum.h"
#include "support/structs.h"

namespace {

using clothc_test::initialised;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "blob_fuzz: %s; last message: %s\n", what, clothc_last_error_message());
  std::abort();
}

clothc_device the_device() {
  static const clothc_device device = [] {
    auto desc = initialised<clothc_device_desc>();
    desc.backend = CLOTHC_BACKEND_CPU;
    desc.worker_count = 1;
    clothc_device made = nullptr;
    require(clothc_device_create(&desc, &made) == CLOTHC_SUCCESS, "device_create");
    return made;
  }();
  return device;
}

std::vector<uint8_t> save(clothc_fabric fabric) {
  uint64_t size = 0;
  require(clothc_fabric_save(fabric, nullptr, &size) == CLOTHC_SUCCESS, "the size of a blob");
  std::vector<uint8_t> bytes(size);
  require(clothc_fabric_save(fabric, bytes.data(), &size) == CLOTHC_SUCCESS, "save");
  return bytes;
}

// A shuffled sheet with an isolated vertex and a repeated corner. It has a storage order, tethers, stiffness, texture
// coordinates, virtual particles and diagnostics.
const std::vector<uint8_t>& good_blob() {
  static const std::vector<uint8_t> blob = [] {
    constexpr uint32_t columns = 20, rows = 20, count = columns * rows;
    std::vector<float> positions(count * 3 + 3, 5.0f), inverse_masses(count + 1, 1.0f), stiffness(count + 1, 0.5f);
    std::vector<float> texture_coordinates(count * 2 + 2);
    std::vector<uint32_t> quads = {3, 3, 3, 4};
    const auto number = [](uint32_t column, uint32_t row) { return (row * columns + column) * 171u % count; };
    for (uint32_t row = 0; row < rows; ++row) {
      for (uint32_t column = 0; column < columns; ++column) {
        float* p = &positions[number(column, row) * 3];
        p[0] = static_cast<float>(column), p[1] = 0, p[2] = static_cast<float>(row);
        texture_coordinates[number(column, row) * 2] = p[0];
        texture_coordinates[number(column, row) * 2 + 1] = p[2];
        if (row == 0) inverse_masses[number(column, row)] = 0;
        if (row + 1 == rows || column + 1 == columns) continue;
        quads.insert(quads.end(), {number(column, row), number(column + 1, row), number(column + 1, row + 1),
                                   number(column, row + 1)});
      }
    }
    auto mesh = initialised<clothc_mesh_desc>();
    mesh.vertex_count = count + 1;
    mesh.positions = positions.data();
    mesh.inverse_masses = inverse_masses.data();
    mesh.stiffness = stiffness.data();
    mesh.texture_coordinates = texture_coordinates.data();
    mesh.quads = quads.data();
    mesh.quad_count = quads.size() / 4;
    mesh.tethers_per_particle = 2;
    mesh.virtual_particles_per_triangle = 1;
    mesh.long_range_edges[0] = 2;
    clothc_fabric fabric = nullptr;
    require(clothc_fabric_cook(the_device(), &mesh, &fabric) == CLOTHC_SUCCESS, "cook");
    std::vector<uint8_t> bytes = save(fabric);
    clothc_fabric_destroy(fabric);
    return bytes;
  }();
  return blob;
}

// Applies edits of 6 bytes each: the index of a word and its new value.
std::vector<uint8_t> edited(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes = good_blob();
  for (; size >= 6; data += 6, size -= 6) {
    const size_t word = (size_t{data[0]} | size_t{data[1]} << 8) % (bytes.size() / 4);
    std::memcpy(&bytes[word * 4], data + 2, 4);
  }
  clothc_test::mend_checksum(bytes);
  return bytes;
}

void get_tangents(clothc_solver solver) {
  auto desc = initialised<clothc_buffer_desc>();
  desc.count = 1024;
  clothc_buffer buffer = nullptr;
  require(clothc_buffer_create(the_device(), &desc, &buffer) == CLOTHC_SUCCESS, "buffer_create");
  require(clothc_solver_get(solver, CLOTHC_CHANNEL_TANGENT, buffer, nullptr, nullptr, 0, 0) == CLOTHC_SUCCESS, "get");
  std::vector<float> values(4096);
  require(clothc_buffer_read(buffer, 0, values.size() * 4, values.data()) == CLOTHC_SUCCESS, "buffer_read");
  for (const float x : values) require(-2 < x && x < 2, "a tangent that is too long, or no number");
  clothc_buffer_destroy(buffer);
}

void simulate(clothc_fabric fabric) {
  auto solver_desc = initialised<clothc_solver_desc>();
  solver_desc.particle_capacity = 1024;
  clothc_solver solver = nullptr;
  require(clothc_solver_create(the_device(), &solver_desc, &solver) == CLOTHC_SUCCESS, "solver_create");
  auto cloth_desc = initialised<clothc_cloth_desc>();
  cloth_desc.fabric = fabric;
  clothc_cloth_id cloth = 0;
  if (clothc_cloth_add(solver, &cloth_desc, &cloth) == CLOTHC_SUCCESS) {
    const auto update = initialised<clothc_update>();
    for (int frame = 0; frame < 2; ++frame) require(clothc_solver_update(solver, &update, nullptr) == 0, "update");
    uint64_t hash = 0;
    require(clothc_solver_state_hash(solver, &hash) == CLOTHC_SUCCESS, "state_hash");
    get_tangents(solver);
  }
  clothc_solver_destroy(solver);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::vector<uint8_t> bytes =
      data[0] % 4 == 0 ? std::vector<uint8_t>(data + 1, data + size) : edited(data + 1, size - 1);
  clothc_fabric fabric = nullptr;
  const clothc_result result = clothc_fabric_load(the_device(), bytes.data(), bytes.size(), &fabric);
  require(result == CLOTHC_SUCCESS || (result == CLOTHC_ERROR_INVALID_ARGUMENT && fabric == nullptr) ||
              result == CLOTHC_ERROR_OUT_OF_MEMORY,
          "load gave another result");
  if (result != CLOTHC_SUCCESS) return 0;
  auto info = initialised<clothc_fabric_info>();
  require(clothc_fabric_get_info(fabric, &info) == CLOTHC_SUCCESS, "get_info");
  for (uint32_t k = 0; k < info.diagnostic_count; ++k) {
    auto diagnostic = initialised<clothc_diagnostic>();
    require(clothc_fabric_get_diagnostic(fabric, k, &diagnostic) == CLOTHC_SUCCESS, "get_diagnostic");
    require(std::memchr(diagnostic.message, 0, sizeof(diagnostic.message)) != nullptr, "a message without an end");
  }
  const std::vector<uint8_t> saved = save(fabric);
  clothc_fabric again = nullptr;
  require(clothc_fabric_load(the_device(), saved.data(), saved.size(), &again) == CLOTHC_SUCCESS, "what was saved");
  require(save(again) == saved, "a blob changes when saved again");
  simulate(again);
  clothc_fabric_destroy(fabric);
  clothc_fabric_destroy(again);
  return 0;
}
