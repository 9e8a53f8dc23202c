// host_scene.h - a solver on the host backend (host_backend.h) with cloths made of loose particles, and the schedules
// that an update of them runs. By default nothing makes the particles move.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "core/objects/handles.h"
#include "core/solver/solver.h"
#include "core/base/structs.h"
#include "support/calls.h"
#include "unit/core/host_backend.h"

namespace clothc::test {

// Returns parameters with which a cloth collides with other cloths. iterations: passes at an update's end, or 0 to
// collide in every iteration.
inline clothc_cloth_parameters inter_collision(uint32_t iterations) {
  clothc_cloth_parameters parameters = make_default<clothc_cloth_parameters>();
  parameters.inter_collision_distance = 0.25f;
  parameters.inter_collision_iterations = iterations;
  parameters.gravity[1] = 0;
  return parameters;
}

class HostScene {
 public:
  HostScene() {
    device_ = reinterpret_cast<clothc_device>(handle_table().insert(make_host_device(recordings_)));
    clothc_solver_desc desc = make_default<clothc_solver_desc>();
    desc.particle_capacity = 8192;
    desc.cloth_capacity = 32;
    desc.schedule = CLOTHC_SCHEDULE_PASS;
    solver_ = clothc_test::create_solver(device_, desc);
  }
  ~HostScene() { clothc_device_destroy(device_); }
  HostScene(const HostScene&) = delete;
  HostScene& operator=(const HostScene&) = delete;

  // Adds a cloth with rows of 16 particles spaced 0.1 m apart, starting at (x, y, 0).
  clothc_cloth_id add(const clothc_cloth_parameters& parameters, uint32_t particle_count = 20, float x = 0,
                      float y = 0) {
    std::vector<float> positions;
    for (uint32_t k = 0; k < particle_count; ++k) {
      positions.insert(positions.end(),
                       {x + 0.1f * static_cast<float>(k % 16), y, 0.1f * static_cast<float>(k / 16), 1.0f});
    }
    clothc_fabric_desc fabric_desc = make_default<clothc_fabric_desc>();
    fabric_desc.particle_count = particle_count;
    fabric_desc.positions = positions.data();
    clothc_cloth_desc desc = make_default<clothc_cloth_desc>();
    desc.fabric = clothc_test::create_fabric(device_, fabric_desc);
    desc.parameters = &parameters;
    return clothc_test::add_cloth(solver_, desc);
  }
  void set(clothc_cloth_id id, const clothc_cloth_parameters& parameters) {
    clothc_test::require(clothc_cloth_set_parameters(solver_, id, &parameters));
  }
  // Sets a channel of all particles of a cloth to the same values.
  void set(clothc_cloth_id id, clothc_channel channel, const std::array<float, 4>& value) {
    const std::vector<std::array<float, 4>> values(cloth(id).particle_count(), value);
    clothc_test::set_particles(device_, solver_, id, channel, values);
  }
  void clear(clothc_cloth_id id, clothc_channel channel) {
    clothc_test::require(clothc_cloth_clear(solver_, id, channel));
  }
  void remove(clothc_cloth_id id) { clothc_test::require(clothc_cloth_remove(solver_, id)); }
  const Cloth& cloth(clothc_cloth_id id) const { return inside().cloths().get(id); }
  const std::vector<Cloth*>& cloths() const { return inside().cloths().in_order(); }
  // The number of cloths that the next update visits.
  size_t changed_cloths() const { return inside().cloths().changed().size(); }
  // Runs an update and returns the schedules that it ran, in order: one that sorts the cloths if more collide than a
  // node holds, the main schedule, and that of inter-collision if there is one.
  std::vector<std::shared_ptr<const Schedule>> update() {
    recordings_.clear();
    clothc_test::update_solver(solver_, 1.0f / 60);
    std::vector<std::shared_ptr<const Schedule>> schedules;
    for (const Recording& recording : recordings_) schedules.push_back(recording.dispatch.schedule);
    return schedules;
  }
  const std::vector<Recording>& recordings() const { return recordings_; }

 private:
  const Solver& inside() const {
    return static_cast<Solver&>(*handle_table().find(reinterpret_cast<uintptr_t>(solver_), ObjectKind::solver));
  }

  std::vector<Recording> recordings_;
  clothc_device device_ = nullptr;
  clothc_solver solver_ = nullptr;
};

}  // namespace clothc::test
