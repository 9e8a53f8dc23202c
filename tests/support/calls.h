// calls.h - calls of clothc.h that are expected to succeed, as functions that return what the call makes or reads. A
// call that fails throws the library's message. No test framework is needed.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/structs.h"

namespace clothc_test {

// Throws the message of clothc_last_error_message if the call failed.
inline void require(clothc_result result) {
  if (result != CLOTHC_SUCCESS) {
    throw std::runtime_error(std::string(clothc_result_name(result)) + ": " + clothc_last_error_message());
  }
}

// Returns what clothc_device_enumerate lists, available or not; at most 16 devices.
inline std::vector<clothc_device_info> enumerate_devices() {
  std::vector<clothc_device_info> infos(16, initialised<clothc_device_info>());
  auto count = static_cast<uint32_t>(infos.size());
  require(clothc_device_enumerate(infos.data(), &count));
  infos.resize(count);
  return infos;
}

inline clothc_device create_device(const clothc_device_desc& desc) {
  clothc_device device = nullptr;
  require(clothc_device_create(&desc, &device));
  return device;
}

inline clothc_buffer create_buffer(clothc_device device, uint64_t count, clothc_format format = CLOTHC_FORMAT_FLOAT4,
                                   uint32_t stride = 0) {
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.count = count;
  desc.format = format;
  desc.stride = stride;
  clothc_buffer buffer = nullptr;
  require(clothc_buffer_create(device, &desc, &buffer));
  return buffer;
}

inline clothc_fabric cook_fabric(clothc_device device, const clothc_mesh_desc& mesh) {
  clothc_fabric fabric = nullptr;
  require(clothc_fabric_cook(device, &mesh, &fabric));
  return fabric;
}

inline clothc_fabric create_fabric(clothc_device device, const clothc_fabric_desc& desc) {
  clothc_fabric fabric = nullptr;
  require(clothc_fabric_create(device, &desc, &fabric));
  return fabric;
}

inline clothc_fabric_info fabric_info(clothc_fabric fabric) {
  clothc_fabric_info info = initialised<clothc_fabric_info>();
  require(clothc_fabric_get_info(fabric, &info));
  return info;
}

template <class Element>
std::vector<Element> read_fabric(clothc_fabric fabric, clothc_fabric_array array) {
  uint64_t size = 0;
  require(clothc_fabric_read(fabric, array, nullptr, &size));
  std::vector<Element> values(size / sizeof(Element));
  require(clothc_fabric_read(fabric, array, values.data(), &size));
  return values;
}

inline clothc_solver create_solver(clothc_device device, const clothc_solver_desc& desc) {
  clothc_solver solver = nullptr;
  require(clothc_solver_create(device, &desc, &solver));
  return solver;
}

inline void update_solver(clothc_solver solver, float dt) {
  clothc_update update = initialised<clothc_update>();
  update.dt = dt;
  require(clothc_solver_update(solver, &update, nullptr));
}

inline uint64_t state_hash(clothc_solver solver) {
  uint64_t hash = 0;
  require(clothc_solver_state_hash(solver, &hash));
  return hash;
}

inline std::vector<uint8_t> take_snapshot(clothc_solver solver) {
  uint64_t size = 0;
  require(clothc_solver_snapshot(solver, nullptr, &size));
  std::vector<uint8_t> bytes(size);
  require(clothc_solver_snapshot(solver, bytes.data(), &size));
  return bytes;
}

inline clothc_cloth_id add_cloth(clothc_solver solver, const clothc_cloth_desc& desc) {
  clothc_cloth_id cloth = 0;
  require(clothc_cloth_add(solver, &desc, &cloth));
  return cloth;
}

inline clothc_cloth_info cloth_info(clothc_solver solver, clothc_cloth_id cloth) {
  clothc_cloth_info info = initialised<clothc_cloth_info>();
  require(clothc_cloth_get_info(solver, cloth, &info));
  return info;
}

inline clothc_cloth_status cloth_status(clothc_solver solver, clothc_cloth_id cloth) {
  clothc_cloth_status status = initialised<clothc_cloth_status>();
  require(clothc_cloth_get_status(solver, cloth, &status));
  return status;
}

// Returns a cloth's values of a FLOAT4 channel. Each Element holds one or four floats.
template <class Element>
std::vector<Element> get_particles(clothc_device device, clothc_solver solver, clothc_cloth_id cloth,
                                   clothc_channel channel) {
  const clothc_cloth_info info = cloth_info(solver, cloth);
  std::vector<Element> values(size_t{info.particle_count} * 4 * sizeof(float) / sizeof(Element));
  const clothc_buffer buffer = create_buffer(device, info.particle_count);
  const clothc_region region = {info.first_particle, 0, info.particle_count};
  require(clothc_solver_get(solver, channel, buffer, nullptr, &region, 1, 0));
  require(clothc_buffer_read(buffer, 0, values.size() * sizeof(Element), values.data()));
  require(clothc_buffer_destroy(buffer));
  return values;
}

// Returns a cloth's values of a UINT channel.
inline std::vector<uint32_t> get_words(clothc_device device, clothc_solver solver, clothc_cloth_id cloth,
                                       clothc_channel channel) {
  const clothc_cloth_info info = cloth_info(solver, cloth);
  std::vector<uint32_t> values(info.particle_count);
  const clothc_buffer buffer = create_buffer(device, info.particle_count, CLOTHC_FORMAT_UINT);
  const clothc_region region = {info.first_particle, 0, info.particle_count};
  require(clothc_solver_get(solver, channel, buffer, nullptr, &region, 1, 0));
  require(clothc_buffer_read(buffer, 0, values.size() * 4, values.data()));
  require(clothc_buffer_destroy(buffer));
  return values;
}

// Sets a FLOAT4 channel of a cloth's first particles, as many as there are values.
template <class Element>
void set_particles(clothc_device device, clothc_solver solver, clothc_cloth_id cloth, clothc_channel channel,
                   const std::vector<Element>& values, uint32_t flags = 0) {
  const clothc_cloth_info info = cloth_info(solver, cloth);
  const uint64_t size = values.size() * sizeof(Element);
  const auto count = static_cast<uint32_t>(size / (4 * sizeof(float)));
  const clothc_buffer buffer = create_buffer(device, count);
  require(clothc_buffer_write(buffer, 0, size, values.data()));
  const clothc_region region = {0, info.first_particle, count};
  require(clothc_solver_set(solver, channel, buffer, nullptr, &region, 1, flags));
  require(clothc_buffer_destroy(buffer));
}

}  // namespace clothc_test
