// scene.cpp - see scene.h. What a cloth is for is said where it is added.
#include "core/verify/scene.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/structs.h"
#include "core/fabric/springs.h"
#include "core/verify/scene_fabrics.h"

namespace clothc {
namespace {

constexpr uint32_t particle_capacity = 1536;
constexpr uint32_t contact_capacity = 256;
constexpr uint32_t group_size = 40;
// More than a node of the BVH over cloths holds, and enough for a crowd.
constexpr uint32_t patch_count = 18;

clothc_solver_desc solver_desc(clothc_schedule schedule) {
  clothc_solver_desc desc = make_default<clothc_solver_desc>();
  desc.particle_capacity = particle_capacity;
  desc.cloth_capacity = 32;
  desc.collider_set_capacity = 2;
  desc.schedule = schedule;
  desc.contact_capacity = contact_capacity;
  return desc;
}

std::shared_ptr<Buffer> make_buffer(const std::shared_ptr<Device>& device, clothc_format format, uint32_t stride,
                                    uint64_t count) {
  clothc_buffer_desc desc = make_default<clothc_buffer_desc>();
  desc.format = format;
  desc.stride = stride;
  desc.count = count;
  return create_buffer(device, desc);
}

clothc_cloth_parameters base_parameters() {
  clothc_cloth_parameters parameters = make_default<clothc_cloth_parameters>();
  parameters.solver_frequency = 240;
  for (float& damping : parameters.damping) damping = 0.2f;
  parameters.tether_stiffness = 0.8f;
  parameters.hierarchy_stiffness = 0;
  return parameters;
}

// With everything that acts on single particles, all shapes, and reports of contacts.
clothc_cloth_parameters sheet_parameters() {
  clothc_cloth_parameters parameters = base_parameters();
  parameters.friction = 0.4f;
  parameters.motion_constraint_stiffness = 0.7f;
  parameters.motion_constraint_bias = 0.01f;
  parameters.wind_velocity[0] = 2;
  parameters.wind_velocity[2] = 1;
  parameters.drag_coefficient = 0.6f;
  parameters.lift_coefficient = 0.3f;
  parameters.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY | CLOTHC_STATISTIC_STRETCH;
  parameters.collision_flags = CLOTHC_COLLISION_REPORT;
  parameters.collision_mass_scale = 50;
  for (float& drag : parameters.linear_drag) drag = 0.1f;
  for (float& drag : parameters.angular_drag) drag = 0.2f;
  for (float& inertia : parameters.angular_inertia) inertia = 0.9f;
  for (float& inertia : parameters.centrifugal_inertia) inertia = 0.8f;
  return parameters;
}

// Collides with itself, and with shapes as NvCloth does, also by virtual particles.
clothc_cloth_parameters folded_parameters() {
  clothc_cloth_parameters parameters = base_parameters();
  parameters.friction = 0.3f;
  parameters.friction_smoothing = 0.0003f;
  parameters.collision_flags = CLOTHC_COLLISION_VIRTUAL_PARTICLES;
  parameters.contact_margin = 0.01f;
  parameters.self_collision_distance = 0.05f;
  parameters.self_collision_friction = 0.2f;
  parameters.self_collision_damping = 0.1f;
  parameters.sleep_threshold = 0.05f;
  parameters.sleep_test_interval = 10;
  return parameters;
}

// Falls asleep in the third update, so that its jobs are skipped until it is woken.
clothc_cloth_parameters sleeper_parameters() {
  clothc_cloth_parameters parameters = base_parameters();
  parameters.sleep_threshold = 1000;
  parameters.sleep_test_interval = 10;
  parameters.sleep_after_count = 3;
  return parameters;
}

clothc_cloth_parameters patch_parameters(uint32_t patch) {
  clothc_cloth_parameters parameters = base_parameters();
  parameters.inter_collision_distance = 0.03f + 0.001f * static_cast<float>(patch % 5);
  parameters.inter_collision_iterations = 1 + patch % 2;
  parameters.inter_collision_friction = 0.2f;
  parameters.inter_collision_damping = 0.1f;
  parameters.sleep_threshold = 0.001f;
  return parameters;
}

// FNV-1a of the bytes.
uint64_t hash_bytes(uint64_t hash, const std::vector<uint8_t>& bytes) {
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

bool is_phase_channel(const ChannelInfo& info) { return info.format == CLOTHC_FORMAT_UINT; }

}  // namespace

VerificationScene::VerificationScene(const std::shared_ptr<Device>& device, clothc_schedule schedule)
    : device_(device),
      solver_(std::make_shared<Solver>(device, solver_desc(schedule))),
      shapes_(*solver_),
      floats_(make_buffer(device, CLOTHC_FORMAT_FLOAT4, 0, particle_capacity)),
      words_(make_buffer(device, CLOTHC_FORMAT_UINT, 0, particle_capacity)),
      records_(make_buffer(device, CLOTHC_FORMAT_RECORD, sizeof(clothc_contact), contact_capacity)),
      bound_(make_buffer(device, CLOTHC_FORMAT_FLOAT3, 0, particle_capacity)) {
  add_cloths();
  bind_channels();
}

VerificationScene::~VerificationScene() {
  if (bound_handle_ != 0) handle_table().remove(bound_handle_, ObjectKind::buffer);
}

clothc_cloth_id VerificationScene::add(const std::shared_ptr<Fabric>& fabric, const clothc_cloth_parameters& parameters,
                                       const std::vector<clothc_collider_set_id>& sets) {
  ClothSource source;
  source.fabric = fabric;
  source.positions = fabric->layout()->positions.data();
  source.parameters = parameters;
  for (uint32_t phase = 0; phase < fabric->layout()->phase_sets.size(); ++phase) {
    source.phases.push_back(make_default<clothc_phase_config>());
    source.phases.back().phase = phase;
  }
  source.collider_sets = sets;
  return solver_->cloths().add(source);
}

// Solves all phases but the second one with a soft zone.
void VerificationScene::limit_phases(clothc_cloth_id cloth) {
  Cloth& limited = solver_->cloths().get(cloth);
  std::vector<clothc_phase_config> phases = limited.phases;
  for (size_t k = 0; k < phases.size(); ++k) {
    phases[k].stiffness = 0.9f;
    if (k == 1) continue;
    phases[k].stiffness_multiplier = 0.4f;
    phases[k].compression_limit = 0.95f;
    phases[k].stretch_limit = 1.05f;
  }
  solver_->cloths().set_phases(limited, phases);
}

void VerificationScene::add_cloths() {
  const std::vector<clothc_collider_set_id> all = {shapes_.all()}, curved = {shapes_.curved()},
                                            both = {shapes_.all(), shapes_.curved()};
  // Its vertices, to which channels are bound, fill whole batches of processors.
  GridSpec sheet{16, 8, 0.07f, {0, 0.05f, 0}};
  sheet.has_texture_coordinates = true;
  sheet_ = add(cook_grid(device_, sheet), sheet_parameters(), all);

  // Long enough for several coarse levels, and large enough for reductions of two levels.
  GridSpec ribbon{5, 54, 0.02f, {0.3f, 0.1f, 0}};
  ribbon.long_range_edges = 6;
  clothc_cloth_parameters levelled = base_parameters();
  levelled.hierarchy_stiffness = 0.8f;
  levelled.sleep_threshold = 0.001f;
  levelled.sleep_test_interval = 10;
  ribbon_ = add(cook_grid(device_, ribbon), levelled, both);

  GridSpec folded{8, 8, 0.06f, {0.05f, 0.28f, 0}};
  folded.virtual_particles_per_triangle = 4;
  limit_phases(add(cook_grid(device_, folded), folded_parameters(), curved));

  // Collides continuously, with stiffnesses of its own.
  GridSpec stiff{6, 6, 0.07f, {0.3f, 0.3f, 0.1f}};
  stiff.has_stiffness = true;
  clothc_cloth_parameters continuous = base_parameters();
  continuous.collision_flags = CLOTHC_COLLISION_CONTINUOUS | CLOTHC_COLLISION_REPORT;
  continuous.friction = 0.2f;
  add(cook_grid(device_, stiff), continuous, both);

  // Has nothing but tethers and phases, so that devices with lattices keep it there through an update.
  add(cook_grid(device_, {16, 8, 0.05f, {0, 0.6f, 0}}), base_parameters(), {});

  const std::shared_ptr<Fabric> net = make_net(device_);
  limit_phases(add(net, base_parameters(), {}));
  sleeper_ = add(net, sleeper_parameters(), {});

  const std::shared_ptr<Fabric> patch = cook_grid(device_, {4, 4, 0.05f, {0.2f, 0.3f, 0.2f}});
  for (uint32_t k = 0; k < patch_count; ++k) {
    const clothc_cloth_id id = add(patch, patch_parameters(k), {});
    Cloth& cloth = solver_->cloths().get(id);
    std::vector<float> positions = cloth.layout().positions;
    for (size_t p = 0; p < positions.size(); p += 4) {
      positions[p] += 0.07f * static_cast<float>(k % 6);
      positions[p + 1] += 0.015f * static_cast<float>(k);
    }
    solver_->cloths().reset(cloth, positions.data());
  }
  add_group();
}

void VerificationScene::add_group() {
  SceneNumbers numbers(3);
  std::vector<float> positions;
  for (uint32_t k = 0; k < group_size; ++k)
    positions.insert(positions.end(), {numbers.next(0, 0.3f), numbers.next(0.1f, 0.4f), numbers.next(0, 0.3f), 1.0f});
  ClothSource source;
  source.is_group = true;
  source.fabric = make_springs(device_, group_size, {});
  source.positions = positions.data();
  source.parameters = base_parameters();
  source.parameters.self_collision_distance = source.parameters.inter_collision_distance = 0.05f;
  source.parameters.inter_collision_iterations = 1;
  source.phases.push_back(make_default<clothc_phase_config>());
  source.collider_sets = {shapes_.all()};
  group_ = solver_->cloths().add(source);
}

void VerificationScene::bind_channels() {
  bound_handle_ = handle_table().insert(bound_);
  const auto handle = reinterpret_cast<clothc_buffer>(bound_handle_);
  Cloth& cloth = solver_->cloths().get(sheet_);
  constexpr clothc_channel channels[] = {CLOTHC_CHANNEL_POSITION,       CLOTHC_CHANNEL_PREVIOUS_POSITION,
                                         CLOTHC_CHANNEL_VELOCITY,       CLOTHC_CHANNEL_NORMAL,
                                         CLOTHC_CHANNEL_START_POSITION, CLOTHC_CHANNEL_TANGENT};
  constexpr uint32_t stride = 12;
  uint64_t offset = 0;
  for (const clothc_channel channel : channels) {
    solver_->bindings().bind(cloth, {channel, handle, CLOTHC_FORMAT_FLOAT3, offset, stride, CLOTHC_VIEW_WORLD});
    offset += uint64_t{stride} * cloth.layout().vertex_count;
  }
}

void VerificationScene::move_frame(clothc_cloth_id cloth, uint32_t update) {
  const auto time = static_cast<float>(update);
  const float turn = 0.02f * time + 0.001f * time * time;
  clothc_cloth_frame frame = make_default<clothc_cloth_frame>();
  frame.translation[0] = 0.01f * time;
  frame.translation[1] = 0.002f * time * time;
  frame.rotation[1] = 0.6f * turn;
  frame.rotation[2] = 0.8f * turn;
  frame.rotation[3] = std::sqrt(1 - turn * turn);
  if (update == 4) frame.flags = CLOTHC_FRAME_TELEPORT;
  if (update == 6) frame.flags = CLOTHC_FRAME_CLEAR_INERTIA | CLOTHC_FRAME_CLEAR_INTERPOLATION;
  solver_->cloths().set_frame(solver_->cloths().get(cloth), frame);
}

void VerificationScene::change_group(uint32_t update) {
  Cloth& group = solver_->groups().get(group_);
  std::vector<uint32_t> active;
  for (uint32_t k = 0; k < group_size; ++k) {
    if ((k + update) % 7 != 0) active.push_back(k);
  }
  solver_->groups().set_active(group, active);
  Springs springs;
  for (uint32_t k = 0; k + update + 1 < group_size; k += 2) {
    springs.indices.insert(springs.indices.end(), {k, k + update + 1});
    springs.rest_lengths.push_back(0.08f + 0.001f * static_cast<float>(k));
    springs.stiffness.push_back(0.6f);
  }
  solver_->groups().set_springs(group, make_springs(device_, group_size, std::move(springs)));
}

void VerificationScene::set(clothc_channel channel, uint32_t update) {
  const ChannelInfo& info = *find_channel(channel);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  SceneNumbers numbers(channel * 100 + update);
  std::vector<float> values(size_t{4} * particle_capacity);
  std::vector<uint32_t> phases(particle_capacity);
  for (uint32_t k = 0; k < particle_capacity; ++k) {
    float* value = &values[size_t{4} * k];
    for (uint32_t axis = 0; axis < 3; ++axis) value[axis] = numbers.next(0, 0.7f);
    // Inverse masses; the radii of spheres, not all of which hold a particle.
    value[3] = k % 5 == 0 ? -1.0f : numbers.next(0, 0.5f);
    if (channel == CLOTHC_CHANNEL_POSITION) value[3] = k % 50 == 0 ? 0.0f : 1.0f;
    if (k % 17 == 3) value[k % 3] = infinity;
    if (k % 23 == 5) value[k % 3] = 1e-30f;
    phases[k] = k % 3 | (k % 2 == 0 ? uint32_t{CLOTHC_PARTICLE_PHASE_SELF_COLLIDE} : 0u);
  }
  const std::shared_ptr<Buffer>& buffer = is_phase_channel(info) ? words_ : floats_;
  buffer->write(0, buffer->size(), is_phase_channel(info) ? static_cast<const void*>(phases.data()) : values.data());
  for (const Cloth* cloth : solver_->cloths().in_order()) {
    // Positions anywhere are a shock, so few particles get one.
    const bool is_shock = channel == CLOTHC_CHANNEL_POSITION || channel == CLOTHC_CHANNEL_PREVIOUS_POSITION;
    // Small cloths have no optional channels, so that some of each kind are alike.
    if (!is_shock && cloth->layout().particle_count < 20) continue;
    const clothc_region region{0, cloth->first_particle, is_shock ? 8 : cloth->particle_count()};
    const uint32_t flags = channel == CLOTHC_CHANNEL_POSITION && update % 2 == 0 ? uint32_t{CLOTHC_SET_AT_REST} : 0u;
    solver_->transfers().set(
        check_transfer(true, channel, solver_->transfers().element_count(channel), buffer, nullptr, &region, 1, flags));
  }
}

void VerificationScene::change(uint32_t update) {
  if (update == 0) return;
  shapes_.move(*solver_, update);
  move_frame(sheet_, update);
  move_frame(ribbon_, update / 2);
  if (update % 2 == 0) change_group(update);
  if (update == 5) solver_->cloths().get(sleeper_).wake();
  // A part of the updates has none of these, so that both ways through the kernels are taken.
  if (update != 2 && update != 5) return;
  for (clothc_channel channel = 1; find_channel(channel) != nullptr; ++channel) {
    const ChannelInfo& info = *find_channel(channel);
    if (info.settable && info.owner == ChannelOwner::particle) set(channel, update);
  }
}

uint64_t VerificationScene::get_all() {
  uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](const std::shared_ptr<Buffer>& buffer) {
    std::vector<uint8_t> bytes(buffer->size());
    buffer->read(0, bytes.size(), bytes.data());
    hash = hash_bytes(hash, bytes);
  };
  for (clothc_channel channel = 1; find_channel(channel) != nullptr; ++channel) {
    const ChannelInfo& info = *find_channel(channel);
    if (!is_gettable(info) || (info.owner == ChannelOwner::cloth && channel != CLOTHC_CHANNEL_CLOTH_STATUS)) continue;
    const bool is_record = info.format == CLOTHC_FORMAT_RECORD;
    const std::shared_ptr<Buffer>& buffer = is_record ? records_ : is_phase_channel(info) ? words_ : floats_;
    const uint64_t elements = solver_->transfers().element_count(channel);
    const clothc_region region{0, 0, static_cast<uint32_t>(elements)};
    solver_->transfers().get(check_transfer(false, channel, elements, buffer, nullptr, &region, 1, 0));
    add(buffer);
  }
  add(bound_);
  return hash;
}

uint64_t VerificationScene::run(uint32_t update) {
  change(update);
  UpdateArguments arguments{make_default<clothc_update>(), nullptr, nullptr};
  if (update == 3) arguments.update.dt = 0.03f;
  solver_->update(arguments, nullptr);
  // Two hashes that differ in what they see.
  return solver_->state_hash() * 3 + get_all();
}

}  // namespace clothc
