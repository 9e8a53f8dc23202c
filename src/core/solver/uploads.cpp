// uploads.cpp - the settings, frames and collision particles of cloths in the layout that the kernels read.
#include "core/solver/uploads.h"

#include <algorithm>
#include <cstring>

#include "core/collision/particle_layout.h"
#include "core/collision/shape_layout.h"

namespace clothc {
namespace {

// Writes the settings of collisions with the cloth itself and with others, and those of the collision particles.
void put_cloth_on_cloth(GroupSettings& s, const Cloth& cloth) {
  if (!cloth.collides_with_itself()) s.self_collision_distance = 0;
  if (cloth.collides_with_cloths) {
    s.inter_index = cloth.inter_index;
  } else {
    s.inter_collision_distance = 0;
  }
  s.update_start = cloth.sleeps_by_update() ? cloth.update_start : 0;
  const CollisionParticleLayout layout(cloth.collision_particle_count());
  s.collision_particles = cloth.collision_particles;
  s.collision_particle_count = layout.count;
  s.collision_particle_stride = layout.stride;
  s.particle_bvh_levels = layout.bvh.levels;
}

void put_fabric(GroupSettings& s, const Cloth& cloth) {
  const ClothTopology& topology = *cloth.topology;
  const FabricLayout& layout = *topology.layout;
  s.storage_order = topology.word(layout.storage_words);
  s.vertices = topology.word(layout.vertices);
  s.vertex_count = layout.vertex_count;
  s.triangle_corners = topology.word(layout.triangle_corners);
  s.triangle_stride = layout.triangle_stride;
  s.particle_fans = topology.word(layout.particle_fans);
  s.vertex_fans = topology.word(layout.vertex_fans);
  static_assert(WindLayout::batch_words == wind_batch_words, "batches as the kernels read them");
  s.wind_batches = topology.word(layout.wind.batches);
  s.wind_fans = topology.word(layout.wind.fans);
  s.tangent_weights = topology.word(layout.tangent_weights);
  s.particle_handedness = topology.word(layout.particle_handedness);
  s.vertex_handedness = topology.word(layout.vertex_handedness);
  s.rest_positions = cloth.rest_positions();
}

// Writes where the blocks of optional channels would begin, so that kernels add the number of a particle.
void put_channels(GroupSettings& s, const Cloth& cloth) {
  for (uint32_t k = 0; k < channel_group_count; ++k) s.channel_groups |= cloth.has(ChannelGroup{k}) ? 1u << k : 0u;
  const auto block_of = [&](StateChannel channel) {
    return cloth.has(channel) ? cloth.channel_elements[channel] - cloth.first_particle : 0;
  };
#define CLOTHC_BLOCK_always(block)
#define CLOTHC_BLOCK_optional(block) s.block##_block = block_of(state_##block);
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) CLOTHC_BLOCK_##presence(block)
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_BLOCK_always
#undef CLOTHC_BLOCK_optional
}

GroupSettings settings_of(const Cloth& cloth, const ShapeCounts& shapes) {
  static_assert(offsetof(GroupSettings, scale) == sizeof(clothc_cloth_parameters) - sizeof(uint32_t),
                "settings begin with the parameters behind struct_size");
  GroupSettings s{};
  std::memcpy(&s, &cloth.parameters.struct_size + 1, offsetof(GroupSettings, scale));
  s.scale = cloth.scale;
  put_cloth_on_cloth(s, cloth);
  put_shapes(s, shapes, cloth.shapes, cloth.particle_stride);
  s.ordinal_low = static_cast<uint32_t>(cloth.ordinal);
  s.ordinal_high = static_cast<uint32_t>(cloth.ordinal >> 32);
  s.first_particle = cloth.first_particle;
  s.particle_count = cloth.particle_count();
  s.padded_count = cloth.padded_count();
  s.particle_stride = cloth.particle_stride;
  s.constraint_records = cloth.constraint_records;
  s.record_count = cloth.record_count();
  s.phase_count = static_cast<uint32_t>(cloth.phases.size());
  s.collider_table = cloth.collider_table;
  s.collider_count = static_cast<uint32_t>(cloth.collider_sets.size());
  put_channels(s, cloth);
  put_fabric(s, cloth);
  s.identity = cloth.id;
  s.report = cloth.report;
  s.contact_counts = cloth.contact_counts;
  s.impulses = cloth.impulses;
  s.active_flags = cloth.active_flags;
  s.primitives = cloth.primitive_headers;
  s.records_version = cloth.records_version;
  s.scratch = cloth.scratch;
  s.reduction_lanes = cloth.reduction_lanes();
  return s;
}

GroupFrame frame_of(const Cloth& cloth) {
  static_assert(sizeof(Pose) == 7 * sizeof(float), "the poses as the kernels read them");
  GroupFrame frame{};
  std::memcpy(&frame.start_x, &cloth.frame.start, sizeof(Pose));
  std::memcpy(&frame.target_x, &cloth.frame.target, sizeof(Pose));
  const uint32_t flags = cloth.frame.flags;
  if ((flags & CLOTHC_FRAME_CLEAR_INERTIA) != 0) frame.flags |= frame_clear_inertia;
  if ((flags & (CLOTHC_FRAME_TELEPORT | CLOTHC_FRAME_IGNORE_DISCONTINUITY)) != 0) frame.flags |= frame_keep_velocity;
  if ((flags & CLOTHC_FRAME_CLEAR_INTERPOLATION) != 0) frame.flags |= frame_skip_interpolation;
  frame.wakes = cloth.frame.wakes;
  return frame;
}

}  // namespace

Uploads::Uploads(DeviceStore& store, Cloths& cloths, Colliders& colliders, ClothCollision& cloth_collision,
                 const ContactReport& contacts)
    : store_(store), cloths_(cloths), colliders_(colliders), cloth_collision_(cloth_collision), contacts_(contacts) {}

void Uploads::upload_all() {
  for (Cloth* cloth : cloths_.changed()) {
    upload_settings(*cloth);
    if (cloth->frame_changed) upload_frame(*cloth);
    if (cloth->collision_particles_changed) upload_collision_particles(*cloth);
  }
  cloth_collision_.upload_changes();
  colliders_.upload_changes();
}

void Uploads::upload_settings(Cloth& cloth) {
  if (!cloth.settings_changed) return;
  if (cloth.records_changed) cloth.records_version = ++records_versions_;
  GroupSettings settings = settings_of(cloth, colliders_.shapes_of(cloth.collider_sets));
  const InterCollision& shared = cloth_collision_.shared();
  settings.cloth_bvh = shared.header;
  settings.contact_records = contacts_.records();
  settings.contact_capacity = contacts_.capacity();
  store_.write_record(cloth.slot, offsetof(GroupRecord, settings), &settings, offsetof(GroupSettings, unused));
  if (cloth.records_changed && cloth.record_count() > 0)
    store_.write_words(cloth.constraint_records, make_constraint_records(cloth));
  if (!cloth.collider_sets.empty()) {
    words_.clear();
    for (const clothc_collider_set_id id : cloth.collider_sets) words_.push_back(colliders_.set(id).table);
    store_.write_words(cloth.collider_table, words_);
  }
  if (cloth.topology->changes != nullptr) store_.fabrics().upload_changes(*cloth.topology);
  if (cloth.caches_moved) clear_caches(settings);
  cloth.settings_changed = cloth.records_changed = cloth.caches_moved = false;
}

// Gives all particles a version that no BVH has, so that nothing that was in the caches' memory counts.
void Uploads::clear_caches(const GroupSettings& s) {
  words_.assign(s.particle_stride, 0);
  for (uint32_t mesh = 0; mesh < s.mesh_count; ++mesh)
    store_.write_words(s.triangle_cache + (mesh * cache_words + cached_version) * s.particle_stride, words_);
}

void Uploads::upload_frame(Cloth& cloth) {
  const GroupFrame frame = frame_of(cloth);
  store_.write_record(cloth.slot, offsetof(GroupRecord, frame), &frame, sizeof(frame));
  cloth.frame_changed = false;
}

// Uploads the storage indices of the collision particles. Padding gets that of a padding particle.
void Uploads::upload_collision_particles(Cloth& cloth) {
  cloth.collision_particles_changed = false;
  if (cloth.collision_particles == 0) return;
  const std::vector<uint32_t>& chosen = cloth.self_collision_particles;
  words_.clear();
  for (const uint32_t particle : cloth.topology->bvh_order()) {
    if (chosen.empty() || std::binary_search(chosen.begin(), chosen.end(), particle))
      words_.push_back(cloth.layout().storage_index(particle));
  }
  words_.resize(CollisionParticleLayout(cloth.collision_particle_count()).stride, padding_particle);
  store_.write_words(cloth.collision_particles, words_);
}

}  // namespace clothc
