// groups.h - calls for groups of particles that are expected to succeed.
#pragma once

#include "support/calls.h"

namespace clothc_test {

// Returns a buffer with these values, of UINT or FLOAT elements.
template <class Value>
clothc_buffer filled_buffer(clothc_device device, const std::vector<Value>& values) {
  static_assert(sizeof(Value) == 4, "one word each");
  const bool is_float = static_cast<Value>(0.5) > 0;
  const clothc_buffer buffer =
      create_buffer(device, values.empty() ? 1 : values.size(), is_float ? CLOTHC_FORMAT_FLOAT : CLOTHC_FORMAT_UINT);
  if (!values.empty()) require(clothc_buffer_write(buffer, 0, values.size() * 4, values.data()));
  return buffer;
}

// positions: x y z and inverse mass of each particle.
inline clothc_group_desc group_desc(const std::vector<float>& positions, float radius = 0) {
  clothc_group_desc desc = initialised<clothc_group_desc>();
  desc.particle_count = static_cast<uint32_t>(positions.size() / 4);
  desc.positions = positions.data();
  desc.radius = radius;
  return desc;
}

inline clothc_group_id add_group(clothc_solver solver, const clothc_group_desc& desc) {
  clothc_group_id group = 0;
  require(clothc_group_add(solver, &desc, &group));
  return group;
}

inline clothc_group_info group_info(clothc_solver solver, clothc_group_id group) {
  clothc_group_info info = initialised<clothc_group_info>();
  require(clothc_group_get_info(solver, group, &info));
  return info;
}

// stiffness: empty = 1 for all.
inline void set_springs(clothc_device device, clothc_solver solver, clothc_group_id group,
                        const std::vector<uint32_t>& indices, const std::vector<float>& rest_lengths,
                        const std::vector<float>& stiffness = {}) {
  const clothc_buffer index_buffer = filled_buffer(device, indices);
  const clothc_buffer length_buffer = filled_buffer(device, rest_lengths);
  const clothc_buffer stiffness_buffer = stiffness.empty() ? nullptr : filled_buffer(device, stiffness);
  require(clothc_group_set_springs(solver, group, index_buffer, length_buffer, stiffness_buffer,
                                   static_cast<uint32_t>(rest_lengths.size())));
  require(clothc_buffer_destroy(index_buffer));
  require(clothc_buffer_destroy(length_buffer));
  if (stiffness_buffer != nullptr) require(clothc_buffer_destroy(stiffness_buffer));
}

// Returns a fabric whose only phase has these springs as its constraints.
inline clothc_fabric spring_fabric(clothc_device device, uint32_t particle_count, const std::vector<uint32_t>& indices,
                                   const std::vector<float>& rest_lengths, const std::vector<float>& stiffness) {
  const uint32_t set = 0, end = static_cast<uint32_t>(rest_lengths.size());
  clothc_fabric_desc desc = initialised<clothc_fabric_desc>();
  desc.flags = CLOTHC_FABRIC_EXACT_LENGTHS;
  desc.particle_count = particle_count;
  desc.phase_count = desc.set_count = 1;
  desc.phase_sets = &set;
  desc.set_ends = &end;
  desc.constraint_count = rest_lengths.size();
  desc.indices = indices.data();
  desc.rest_lengths = rest_lengths.data();
  desc.stiffness_values = stiffness.data();
  return create_fabric(device, desc);
}

inline void set_active(clothc_device device, clothc_solver solver, clothc_group_id group,
                       const std::vector<uint32_t>& particles) {
  const clothc_buffer buffer = filled_buffer(device, particles);
  require(clothc_group_set_active(solver, group, buffer, static_cast<uint32_t>(particles.size())));
  require(clothc_buffer_destroy(buffer));
}

inline std::vector<uint32_t> get_active(clothc_solver solver, clothc_group_id group) {
  uint32_t count = 0;
  require(clothc_group_get_active(solver, group, nullptr, &count));
  std::vector<uint32_t> particles(count);
  if (count > 0) require(clothc_group_get_active(solver, group, particles.data(), &count));
  return particles;
}

// One phase per particle.
inline void set_phases(clothc_device device, clothc_solver solver, clothc_group_id group,
                       const std::vector<uint32_t>& phases) {
  const clothc_buffer buffer = filled_buffer(device, phases);
  const clothc_region region = {0, cloth_info(solver, group).first_particle, static_cast<uint32_t>(phases.size())};
  require(clothc_solver_set(solver, CLOTHC_CHANNEL_PARTICLE_PHASE, buffer, nullptr, &region, 1, 0));
  require(clothc_buffer_destroy(buffer));
}

inline std::vector<uint32_t> get_phases(clothc_device device, clothc_solver solver, clothc_group_id group) {
  return get_words(device, solver, group, CLOTHC_CHANNEL_PARTICLE_PHASE);
}

}  // namespace clothc_test
