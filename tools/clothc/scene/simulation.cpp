// simulation.cpp - creates a scene's solver, cloths, colliders and inputs, and steps it.
#include "scene/simulation.h"

#include <utility>

#include "scene/document/inputs.h"
#include "scene/cloth/phases.h"

namespace clothc_tool {
namespace {

std::vector<clothc_phase_config> phase_configs(const clothc::Fabric& fabric, const SceneCloth& cloth) {
  const auto types = fabric.read<uint32_t>(CLOTHC_FABRIC_PHASE_TYPES).value();
  std::vector<clothc_phase_config> configs(types.size(), clothc::initialised<clothc_phase_config>());
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

// Rounded up to a multiple of 16 after adding one, as clothc_solver_desc requires for each cloth.
uint32_t capacity_of(uint32_t particle_count) { return 16 + (particle_count + 15) / 16 * 16; }

size_t most_sets(const SceneColliders& colliders) {
  return 1 + colliders.mesh_instances.size() + colliders.triangles.size();
}

// Upper bound: the scene's colliders once in every cloth's frame, and each cloth's own.
uint32_t collider_set_count(const Scene& scene) {
  const size_t shared = most_sets(scene.colliders);
  size_t count = shared;
  for (const SceneCloth& cloth : scene.cloths) count += shared + most_sets(cloth.own_colliders);
  return static_cast<uint32_t>(count);
}

clothc_collider_asset_id create_mesh(const clothc::Solver& solver, const ColliderMesh& mesh) {
  auto desc = clothc::initialised<clothc_collider_mesh_desc>();
  desc.vertex_count = static_cast<uint32_t>(mesh.positions.size());
  desc.vertices = &mesh.positions[0].x;
  desc.triangle_count = static_cast<uint32_t>(mesh.triangles.size() / 3);
  desc.triangles = mesh.triangles.data();
  return solver.create_asset(desc).value();
}

std::vector<float> shifted_positions(const clothc::Fabric& fabric, Vector3 shift) {
  auto positions = fabric.read<float>(CLOTHC_FABRIC_POSITIONS).value();
  for (size_t i = 0; i < positions.size(); i += 4) {
    positions[i] += shift.x, positions[i + 1] += shift.y, positions[i + 2] += shift.z;
  }
  return positions;
}

// Sets the rest positions to those of the mesh.
void set_rest_positions(const clothc::Device& device, const SimulatedCloth& simulated) {
  const auto positions = simulated.fabric->read<float>(CLOTHC_FABRIC_POSITIONS).value();
  const auto buffer = device.create_buffer(CLOTHC_FORMAT_FLOAT4, simulated.info.particle_count).value();
  buffer.write<float>(positions).check();
  simulated.cloth.set(CLOTHC_CHANNEL_REST_POSITION, buffer).check();
}

}  // namespace

clothc::Result<clothc::Fabric> cook_scene_cloth(const clothc::Device& device, const SceneCloth& cloth) {
  std::vector<float> inverse_masses(cloth.mesh.positions.size(), 1.0f);
  for (const PinGroup& group : cloth.pins) {
    for (uint32_t vertex : group.vertices) inverse_masses[vertex] = 0;
  }
  auto desc = clothc::initialised<clothc_mesh_desc>();
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
  desc.virtual_particles_per_triangle = cloth.virtual_particles_per_triangle;
  std::copy(cloth.long_range_edges.begin(), cloth.long_range_edges.end(), desc.long_range_edges);
  if (cloth.uses_texture_coordinates) desc.texture_coordinates = cloth.mesh.uvs.data();
  if (cloth.quadify) desc.flags |= CLOTHC_COOK_QUADIFY;
  if (cloth.keeps_order) desc.flags |= CLOTHC_COOK_KEEP_ORDER;
  if (cloth.shear.stiffness == 0) desc.flags |= CLOTHC_COOK_NO_SHEAR;
  if (cloth.bend.stiffness == 0) desc.flags |= CLOTHC_COOK_NO_BEND;
  if (cloth.parameters.hierarchy_stiffness == 0) desc.flags |= CLOTHC_COOK_NO_HIERARCHY;
  if (cloth.tethers_per_particle == 0) {
    desc.flags |= CLOTHC_COOK_NO_TETHERS;
  } else {
    desc.tethers_per_particle = cloth.tethers_per_particle;
  }
  return device.cook(desc);
}

SceneSimulation::SceneSimulation(const clothc::Device& device, const Scene& scene, clothc_schedule schedule,
                                 uint32_t contact_capacity)
    : device_(device), scene_(scene), cloths_(scene.cloths.size()) {
  fabrics_.reserve(cloths_.size());
  for (size_t i = 0; i < cloths_.size(); ++i) {
    prepare_cloth(scene.cloths[i], cloths_[i]);
    particle_capacity_ += capacity_of(cloths_[i].report.info.particle_count);
  }
  create_solver_and_colliders(schedule == CLOTHC_SCHEDULE_AUTO ? scene.schedule : schedule, contact_capacity);
  for (size_t i = 0; i < cloths_.size(); ++i) add_cloth(scene.cloths[i], cloths_[i]);
}

void SceneSimulation::prepare_cloth(const SceneCloth& cloth, SimulatedCloth& simulated) {
  if (cloth.repeats) {
    simulated = cloths_[*cloth.repeats];
    return;
  }
  const clothc::Fabric& fabric = fabrics_.emplace_back(cook_scene_cloth(device_, cloth).value());
  simulated.fabric = &fabric;
  simulated.report = report_fabric(fabric);
  simulated.vertex_map = fabric.read<uint32_t>(CLOTHC_FABRIC_VERTEX_MAP).value();
}

void SceneSimulation::create_solver_and_colliders(clothc_schedule schedule, uint32_t contact_capacity) {
  auto desc = clothc::initialised<clothc_solver_desc>();
  desc.particle_capacity = particle_capacity_;
  desc.cloth_capacity = static_cast<uint32_t>(cloths_.size());
  desc.collider_set_capacity = collider_set_count(scene_);
  desc.schedule = schedule;
  desc.contact_capacity = contact_capacity;
  solver_ = device_.create_solver(desc).value();
  for (const SceneCloth& cloth : scene_.cloths)
    if (cloth.collides_with_scene) scene_colliders(cloth.frame);
}

SceneSimulation::ColliderSets SceneSimulation::add_colliders(const SceneColliders& colliders, uint32_t frame) {
  const std::vector<SceneFrame>& frames = scene_.coordinate_frames;
  ColliderSets sets;
  FramedColliderSet collider_set = {{}, frame, CLOTHC_COLLIDER_SPACE_LOCAL};
  if (colliders.in_world) collider_set = {{}, SCENE_FRAME, CLOTHC_COLLIDER_SPACE_WORLD};
  const auto create_set = [&] {
    collider_set.set = solver_.create_collider_set().value();
    sets.push_back(collider_set.set.id());
  };
  if (!colliders.only_meshes()) {
    create_set();
    write_colliders(collider_set, frames, colliders, 0);
    add_input(make_collider_input(frames, colliders, collider_set));
  }
  for (const Attached<SceneMeshInstance>& instance : colliders.mesh_instances) {
    create_set();
    const clothc_collider_asset_id asset = asset_of(instance.shape);
    write_mesh_instance(collider_set, frames, instance, asset, 0);
    add_input(make_mesh_instance_input(frames, instance, collider_set, asset));
  }
  for (const Attached<SceneTriangles>& triangles : colliders.triangles) {
    create_set();
    write_triangles(collider_set, frames, triangles, 0);
    add_input(make_triangle_input(frames, triangles, collider_set));
  }
  return sets;
}

clothc_collider_asset_id SceneSimulation::asset_of(const SceneMeshInstance& instance) {
  const void* shown = instance.sdf ? static_cast<const void*>(instance.sdf.get()) : instance.mesh.get();
  const auto [entry, is_new] = assets_.try_emplace(shown);
  if (is_new) {
    entry->second =
        instance.sdf ? solver_.create_asset(instance.sdf->desc()).value() : create_mesh(solver_, *instance.mesh);
  }
  return entry->second;
}

const SceneSimulation::ColliderSets& SceneSimulation::scene_colliders(uint32_t frame) {
  const auto [entry, is_new] = colliders_.try_emplace(scene_.colliders.in_world ? SCENE_FRAME : frame);
  if (is_new) entry->second = add_colliders(scene_.colliders, frame);
  return entry->second;
}

void SceneSimulation::add_cloth(const SceneCloth& cloth, SimulatedCloth& simulated) {
  const std::vector<clothc_phase_config> configs = phase_configs(*simulated.fabric, cloth);
  auto desc = clothc::initialised<clothc_cloth_desc>();
  desc.fabric = *simulated.fabric;
  std::vector<float> positions;
  if (cloth.repeats) {
    positions = shifted_positions(*simulated.fabric, cloth.shift);
    desc.positions = positions.data();
  }
  desc.parameters = &cloth.parameters;
  desc.phase_configs = configs.data();
  desc.phase_config_count = static_cast<uint32_t>(configs.size());
  ColliderSets sets = cloth.collides_with_scene ? scene_colliders(cloth.frame) : ColliderSets();
  const ColliderSets own = add_colliders(cloth.own_colliders, cloth.frame);
  sets.insert(sets.end(), own.begin(), own.end());
  desc.collider_sets = sets.data();
  desc.collider_set_count = static_cast<uint32_t>(sets.size());
  simulated.cloth = solver_.add(desc).value();
  simulated.info = simulated.cloth.info().value();
  if (cloth.ignores_neighbours) set_rest_positions(device_, simulated);
  add_input(make_parameter_input(scene_, cloth, simulated));
  add_input(make_frame_input(scene_.coordinate_frames, cloth, simulated));
  add_input(make_breeze_input(device_, scene_.dt, cloth, simulated));
  add_input(make_pin_input(device_, scene_.coordinate_frames, cloth, simulated));
  add_input(make_limits_input(device_, cloth, simulated));
}

void SceneSimulation::add_input(std::unique_ptr<FrameInput> input) {
  if (input) inputs_.push_back(std::move(input));
}

void SceneSimulation::step() {
  ++frame_;
  for (const auto& input : inputs_) input->apply(solver_, frame_);
  auto update = clothc::initialised<clothc_update>();
  update.dt = scene_.dt;
  if (has_timers_) update.flags = CLOTHC_UPDATE_TIMERS;
  solver_.update(update).check();
}

}  // namespace clothc_tool
