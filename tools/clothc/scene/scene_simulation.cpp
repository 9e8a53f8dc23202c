// scene_simulation.cpp - gives a scene to the library and steps it.
#include "scene_simulation.h"

#include <algorithm>
#include <utility>

#include "scene_inputs.h"
#include "scene_phases.h"

namespace clothc_tool {
namespace {

std::vector<clothc_phase_config> phase_configs(clothc_fabric fabric, const SceneCloth& cloth) {
  const auto types = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_PHASE_TYPES);
  std::vector<clothc_phase_config> configs(types.size(), initialised<clothc_phase_config>());
  for (uint32_t phase = 0; phase < types.size(); ++phase) {
    const PhaseSettings& settings = phase_settings(cloth, types[phase]);
    configs[phase].phase = phase;
    configs[phase].stiffness = settings.stiffness;
    configs[phase].stiffness_multiplier = settings.stiffness_multiplier;
    configs[phase].compression_limit = settings.compression_limit;
    configs[phase].stretch_limit = settings.stretch_limit;
  }
  return configs;
}

// As clothc_solver_desc asks for it: rounded up to a multiple of 16 after adding one.
uint32_t capacity_of(uint32_t particle_count) { return (particle_count + 1 + 15) / 16 * 16; }

}  // namespace

Fabric cook_scene_cloth(clothc_device device, const SceneCloth& cloth) {
  std::vector<float> inverse_masses(cloth.mesh.positions.size(), 1.0f);
  for (const PinGroup& group : cloth.pins) {
    for (uint32_t vertex : group.vertices) inverse_masses[vertex] = 0;
  }
  auto desc = initialised<clothc_mesh_desc>();
  desc.vertex_count = cloth.mesh.positions.size();
  desc.positions = &cloth.mesh.positions[0].x;
  desc.inverse_masses = inverse_masses.data();
  desc.triangle_count = cloth.mesh.triangles.size() / 3;
  desc.triangles = cloth.mesh.triangles.data();
  desc.quad_count = cloth.mesh.quads.size() / 4;
  desc.quads = cloth.mesh.quads.data();
  desc.weld_distance = cloth.weld_distance;
  desc.areal_density = cloth.areal_density;
  const Vector3 hint = cloth.gravity_hint;
  desc.gravity_hint[0] = hint.x, desc.gravity_hint[1] = hint.y, desc.gravity_hint[2] = hint.z;
  if (cloth.uses_texture_coordinates) desc.texture_coordinates = cloth.mesh.uvs.data();
  desc.virtual_particles_per_triangle = cloth.virtual_particles_per_triangle;
  if (cloth.quadify) desc.flags |= CLOTHC_COOK_QUADIFY;
  if (cloth.keeps_order) desc.flags |= CLOTHC_COOK_KEEP_ORDER;
  if (cloth.shear.stiffness == 0) desc.flags |= CLOTHC_COOK_NO_SHEAR;
  if (cloth.bend.stiffness == 0) desc.flags |= CLOTHC_COOK_NO_BEND;
  if (cloth.tethers_per_particle == 0) {
    desc.flags |= CLOTHC_COOK_NO_TETHERS;
  } else {
    desc.tethers_per_particle = cloth.tethers_per_particle;
  }
  return cook_fabric(device, desc);
}

SceneSimulation::SceneSimulation(clothc_device device, const Scene& scene, clothc_schedule schedule)
    : device_(device), scene_(scene), cloths_(scene.cloths.size()) {
  for (size_t i = 0; i < cloths_.size(); ++i) {
    cloths_[i].fabric = cook_scene_cloth(device, scene.cloths[i]);
    cloths_[i].report = report_fabric(cloths_[i].fabric.get());
    cloths_[i].vertex_map = read_fabric<uint32_t>(cloths_[i].fabric.get(), CLOTHC_FABRIC_VERTEX_MAP);
    particle_capacity_ += capacity_of(cloths_[i].report.info.particle_count);
  }
  create_solver_and_colliders(schedule == CLOTHC_SCHEDULE_AUTO ? scene.schedule : schedule);
  for (size_t i = 0; i < cloths_.size(); ++i) add_cloth(scene.cloths[i], cloths_[i]);
}

void SceneSimulation::create_solver_and_colliders(clothc_schedule schedule) {
  auto desc = initialised<clothc_solver_desc>();
  desc.particle_capacity = particle_capacity_;
  desc.cloth_capacity = static_cast<uint32_t>(cloths_.size());
  desc.collider_set_capacity = 1 + 2 * desc.cloth_capacity;  // the scene's in every cloth's frame, and each cloth's own
  desc.schedule = schedule;
  solver_ = create_solver(device_, desc);
  for (const SceneCloth& cloth : scene_.cloths)
    if (cloth.meets_scene_colliders) scene_colliders(cloth.frame);
}

clothc_collider_set_id SceneSimulation::add_colliders(const SceneColliders& colliders, uint32_t frame) {
  if (colliders.empty()) return 0;
  PlacedColliders placed = {0, frame};
  check(clothc_collider_set_create(solver(), &placed.set));
  write_colliders(solver(), placed, scene_.coordinate_frames, colliders, 0);
  add_input(make_collider_input(scene_.coordinate_frames, colliders, placed));
  return placed.set;
}

clothc_collider_set_id SceneSimulation::scene_colliders(uint32_t frame) {
  const auto [entry, is_new] = colliders_.emplace(frame, 0);
  if (is_new) entry->second = add_colliders(scene_.colliders, frame);
  return entry->second;
}

void SceneSimulation::add_cloth(const SceneCloth& cloth, SimulatedCloth& simulated) {
  const std::vector<clothc_phase_config> configs = phase_configs(simulated.fabric.get(), cloth);
  auto desc = initialised<clothc_cloth_desc>();
  desc.fabric = simulated.fabric.get();
  desc.parameters = &cloth.parameters;
  desc.phase_configs = configs.data();
  desc.phase_config_count = static_cast<uint32_t>(configs.size());
  std::vector<clothc_collider_set_id> sets = {cloth.meets_scene_colliders ? scene_colliders(cloth.frame) : 0,
                                              add_colliders(cloth.own_colliders, cloth.frame)};
  sets.erase(std::remove(sets.begin(), sets.end(), 0u), sets.end());
  desc.collider_sets = sets.data();
  desc.collider_set_count = static_cast<uint32_t>(sets.size());
  check(clothc_cloth_add(solver(), &desc, &simulated.id));
  simulated.info = cloth_info(solver(), simulated.id);
  add_input(make_parameter_input(scene_, cloth, simulated));
  add_input(make_frame_input(solver(), scene_.coordinate_frames, cloth, simulated));
  add_input(make_breeze_input(device_, scene_.dt, cloth, simulated));
  add_input(make_pin_input(device_, scene_.coordinate_frames, cloth, simulated));
  add_input(make_limits_input(device_, cloth, simulated));
}

void SceneSimulation::add_input(std::unique_ptr<FrameInput> input) {
  if (input) inputs_.push_back(std::move(input));
}

void SceneSimulation::step() {
  ++frame_;
  for (const auto& input : inputs_) input->apply(solver(), frame_);
  auto update = initialised<clothc_update>();
  update.dt = scene_.dt;
  check(clothc_solver_update(solver(), &update, nullptr));
}

}  // namespace clothc_tool
