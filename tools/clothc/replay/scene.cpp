// scene.cpp - builds a reference's cloths and applies each frame's inputs in the order that FORMAT.md specifies.
#include "replay/scene.h"

#include <algorithm>
#include <cmath>

#include "replay/mapping.h"

namespace clothc_tool {
namespace {

constexpr uint32_t kParticlePadding = 16;

uint32_t particle_capacity(const Reference& reference) {
  uint64_t capacity = 0;
  for (const ReferenceCloth& cloth : reference.cloths)
    capacity += kParticlePadding +
                (uint64_t{cloth.particle_count} + kParticlePadding - 1) / kParticlePadding * kParticlePadding;
  return static_cast<uint32_t>(std::min<uint64_t>(capacity, UINT32_MAX));
}

bool has_colliders(const ReferenceCloth& cloth) {
  return std::any_of(cloth.inputs.begin(), cloth.inputs.end(),
                     [](const auto& input) { return input.second.sets_shapes(); });
}

// Updates the last target. Returns the start values if the file has as many as there are shapes, or null, which makes
// the library start from the previous target.
const float* take_target(const ReferenceShapes& shapes, std::vector<float>& last_target) {
  if (shapes.target) last_target = *shapes.target;
  if (shapes.clear) last_target.clear();
  return shapes.start && shapes.start->size() == last_target.size() ? shapes.start->data() : nullptr;
}

}  // namespace

ReplayScene::ReplayScene(const clothc::Device& device, clothc_schedule schedule, const Reference& reference)
    : device_(device), reference_(reference) {
  const auto count = static_cast<uint32_t>(reference.cloths.size());
  auto desc = clothc::initialised<clothc_solver_desc>();
  desc.particle_capacity = particle_capacity(reference);
  desc.cloth_capacity = count;
  desc.collider_set_capacity = count;
  desc.schedule = schedule;
  solver_ = device.create_solver(desc).value();
  for (const ReferenceCloth& cloth : reference.cloths) add_cloth(cloth);
}

void ReplayScene::add_cloth(const ReferenceCloth& source) {
  Cloth cloth(source);
  cloth.fabric = reference_fabric(device_, source);
  cloth.parameters = clothc::initialised<clothc_cloth_parameters>();
  apply_parameters(source.parameters, cloth.parameters);
  if (const auto& inter = reference_.inter_collision) {
    cloth.parameters.inter_collision_distance = inter->distance;
    cloth.parameters.inter_collision_stiffness = inter->stiffness;
    cloth.parameters.inter_collision_iterations = inter->iterations;
  }
  if (has_colliders(source)) cloth.colliders = solver_.create_collider_set().value();

  // The previous particles contain the inverse mass that the application has set.
  const std::vector<float>& previous = source.particles_previous.empty() ? source.particles : source.particles_previous;
  std::vector<float> particles = source.particles;
  for (std::size_t i = 3; i < particles.size(); i += 4) cloth.inverse_masses.push_back(particles[i] = previous[i]);

  const std::vector<clothc_phase_config> configs = reference_phases(source);
  const clothc_collider_set_id colliders = cloth.colliders.id();
  auto desc = clothc::initialised<clothc_cloth_desc>();
  desc.fabric = cloth.fabric;
  desc.positions = particles.data();
  desc.parameters = &cloth.parameters;
  desc.phase_configs = configs.data();
  desc.phase_config_count = static_cast<uint32_t>(configs.size());
  desc.flags = configs.empty() ? CLOTHC_CLOTH_NO_PHASES : 0;
  desc.collider_sets = &colliders;
  desc.collider_set_count = colliders == 0 ? 0 : 1;
  cloth.handle = solver_.add(desc).value();
  cloth.first_particle = cloth.handle.info().value().first_particle;
  cloth.staging = device_.create_buffer(CLOTHC_FORMAT_FLOAT4, source.particle_count).value();
  if (!source.particles_previous.empty()) set_all(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION, source.particles_previous);
  if (!source.rest_positions.empty()) set_all(cloth, CLOTHC_CHANNEL_REST_POSITION, source.rest_positions);
  cloth.handle.set_self_collision_particles(source.self_collision_indices).check();
  set_frame(cloth, cloth.frame.start());
  cloths_.push_back(std::move(cloth));
}

void ReplayScene::step() {
  for (Cloth& cloth : cloths_) {
    const auto input = cloth.source->inputs.find(frame_);
    if (input != cloth.source->inputs.end()) apply(cloth, input->second);
  }
  auto update = clothc::initialised<clothc_update>();
  update.dt = reference_.frame_times.at(frame_++);
  solver_.update(update).check();
  for (Cloth& cloth : cloths_) cloth.frame.update(update.dt);
}

std::vector<float> ReplayScene::positions(std::size_t cloth_index) const {
  const clothc::Cloth cloth = cloths_.at(cloth_index).handle;
  return cloth.read<float>(device_, CLOTHC_CHANNEL_POSITION, CLOTHC_FORMAT_FLOAT4).value();
}

const ReferencePose& ReplayScene::pose(std::size_t cloth_index) const { return cloths_.at(cloth_index).frame.pose(); }

ReferenceSleep ReplayScene::sleep(std::size_t cloth_index) const {
  const clothc_cloth_status status = cloths_.at(cloth_index).handle.status().value();
  return {status.sleep_pass_count, (status.flags & CLOTHC_STATUS_ASLEEP) != 0};
}

void ReplayScene::set_frame(const Cloth& cloth, const std::optional<clothc_cloth_frame>& frame) {
  if (frame) cloth.handle.set_frame(*frame).check();
}

void ReplayScene::apply(Cloth& cloth, const ReferenceFrameInput& input) {
  if (!input.set.empty()) {
    apply_parameters(input.set, cloth.parameters);
    cloth.handle.set_parameters(cloth.parameters).check();
  }
  set_frame(cloth, cloth.frame.apply(input));
  if (input.sets_shapes()) apply_shapes(cloth, input);
  if (input.motion_target) set_all(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, *input.motion_target);
  if (input.motion_start) set_all(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT_START, *input.motion_start);
  if (input.separation_target) set_all(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, *input.separation_target);
  if (input.separation_start) set_all(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START, *input.separation_start);
  if (input.accelerations) set_all(cloth, CLOTHC_CHANNEL_ACCELERATION, *input.accelerations);
  if (input.clear_accelerations) cloth.handle.clear(CLOTHC_CHANNEL_ACCELERATION).check();
  if (input.clear_motion) cloth.handle.clear(CLOTHC_CHANNEL_MOTION_CONSTRAINT).check();
  if (input.clear_separation) cloth.handle.clear(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT).check();
  if (input.write) write_particles(cloth, *input.write);
}

void ReplayScene::apply_shapes(Cloth& cloth, const ReferenceFrameInput& input) {
  const float* sphere_starts = take_target(input.spheres, cloth.spheres);
  const float* plane_starts = take_target(input.planes, cloth.planes);
  const float* vertex_starts = take_target(input.triangles, cloth.triangles);
  const std::vector<uint32_t> capsules = capsule_list(cloth.source->capsules, cloth.spheres.size() / 4);
  const ConvexLists convexes = convex_lists(cloth.source->convex_masks, cloth.planes.size() / 4);
  auto shapes = clothc::initialised<clothc_collider_shapes>();
  shapes.sphere_count = static_cast<uint32_t>(cloth.spheres.size() / 4);
  shapes.spheres = cloth.spheres.data();
  shapes.sphere_starts = sphere_starts;
  shapes.capsule_count = static_cast<uint32_t>(capsules.size() / 2);
  shapes.capsules = capsules.data();
  if (!convexes.ends.empty()) {
    shapes.plane_count = static_cast<uint32_t>(cloth.planes.size() / 4);
    shapes.planes = cloth.planes.data();
    shapes.plane_starts = plane_starts;
    shapes.convex_count = static_cast<uint32_t>(convexes.ends.size());
    shapes.convex_ends = convexes.ends.data();
    shapes.convex_planes = convexes.planes.data();
  }
  shapes.vertex_count = static_cast<uint32_t>(cloth.triangles.size() / 3);
  shapes.triangle_count = shapes.vertex_count / 3;
  shapes.vertices = cloth.triangles.data();
  shapes.vertex_starts = vertex_starts;
  // NvCloth pushes particles out of triangles from any depth.
  shapes.triangle_reach = INFINITY;
  cloth.colliders.write(shapes).check();
}

void ReplayScene::write_particles(Cloth& cloth, const ReferenceParticleWrite& write) {
  std::vector<float> current = write.current;
  for (std::size_t i = 0; i < write.indices.size(); ++i) {
    float& inverse_mass = cloth.inverse_masses[write.indices[i]];
    if (!write.previous.empty()) inverse_mass = write.previous[4 * i + 3];
    current[4 * i + 3] = inverse_mass;
  }
  set_some(cloth, CLOTHC_CHANNEL_POSITION, current, write.indices);
  if (!write.previous.empty()) set_some(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION, write.previous, write.indices);
}

void ReplayScene::set_all(const Cloth& cloth, clothc_channel channel, const std::vector<float>& values) {
  cloth.staging.write<float>(values).check();
  cloth.handle.set(channel, cloth.staging).check();
}

void ReplayScene::set_some(const Cloth& cloth, clothc_channel channel, const std::vector<float>& values,
                           const std::vector<uint32_t>& indices) {
  if (indices.empty()) return;
  std::vector<clothc_region> regions;
  const auto buffer = device_.create_buffer(CLOTHC_FORMAT_FLOAT4, indices.size()).value();
  buffer.write<float>(values).check();
  for (std::size_t i = 0; i < indices.size(); ++i)
    regions.push_back({static_cast<uint32_t>(i), cloth.first_particle + indices[i], 1});
  solver_.set(channel, buffer, regions).check();
}

}  // namespace clothc_tool
