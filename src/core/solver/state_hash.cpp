// state_hash.cpp - the public state hash. The device sums over particles and per-cloth state (end.kernel.h). The host
// adds the state that only it has: the shapes in a cloth's collider sets, which of its constraints still move, whether
// its virtual particles collide, and how it collides with cloth.
#include "core/solver/state_hash.h"

#include <cstring>

#include "core/cloth/parameter_hash.h"
#include "core/schedule/schedule.h"

namespace clothc {
namespace {

// The finaliser of splitmix64 (Steele, Lea, Flood 2014).
uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

// A hash that is a sum of mixed words. Each word is mixed with a key that depends on its position in the sequence.
class HostHash {
 public:
  explicit HostHash(uint64_t ordinal) : key_(mix(ordinal + 0x9e3779b97f4a7c15u)) {}
  void add(uint64_t word) {
    key_ = mix(key_ + 0x9e3779b97f4a7c15u);
    sum_ += mix(word ^ key_);
  }
  void add_bits(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof(word));
    add(word);
  }
  void add(const std::vector<float>& values) {
    add(values.size());
    for (const float value : values) add_bits(value);
  }
  void add(const std::vector<uint32_t>& values) {
    add(values.size());
    for (const uint32_t value : values) add(value);
  }
  uint64_t sum() const { return sum_; }

 private:
  uint64_t key_;
  uint64_t sum_ = 0;
};

// Adds everything in a set except spheres, planes and convexes.
void add_later_kinds(const ColliderSet& set, HostHash& hash) {
  for (const ColliderSet::Kind kind : {ColliderSet::ellipsoids, ColliderSet::boxes, ColliderSet::vertices}) {
    hash.add(set.shapes[kind].starts);
    hash.add(set.shapes[kind].targets);
  }
  hash.add(set.capsules);
  hash.add(set.triangles);
  hash.add(set.space);
  hash.add_bits(set.reach);
  if (set.assets.empty()) return;
  for (const ColliderAsset* asset : set.assets) hash.add(asset->content_hash);
  hash.add(set.shapes[ColliderSet::instances].starts);
  hash.add(set.shapes[ColliderSet::instances].targets);
}

// Adds nothing for cloths that collide neither with themselves nor with others.
void add_collisions_with_cloth(const Cloth& cloth, HostHash& hash) {
  const clothc_cloth_parameters& p = cloth.parameters;
  const bool with_itself = collides_with_itself(p);
  const bool with_others = may_collide_with_cloths(p);
  if (with_itself) {
    for (const float value :
         {p.self_collision_distance, p.self_collision_stiffness, p.self_collision_friction, p.self_collision_damping})
      hash.add_bits(value);
  }
  if (with_others) {
    for (const float value : {p.inter_collision_distance, p.inter_collision_stiffness, p.inter_collision_friction,
                              p.inter_collision_damping})
      hash.add_bits(value);
    for (const uint32_t value : {p.inter_collision_iterations, p.inter_collision_group, p.inter_collision_mask})
      hash.add(value);
  }
  if (!with_itself && !with_others) return;
  hash.add((with_itself ? 1u : 0u) | (with_others ? 2u : 0u));
  hash.add(cloth.self_collision_particles);
}

// Adds nothing for cloths whose topology is that of their fabric.
void add_topology(const Cloth& cloth, HostHash& hash) {
  const TopologyChanges* changes = cloth.topology->changes.get();
  if (changes == nullptr || changes->origins().empty()) return;
  hash.add(changes->origins());
  hash.add(changes->moved().size());
  for (const auto& [reference, particle] : changes->moved()) {
    for (const uint32_t value : {reference.set, reference.item, reference.row, particle}) hash.add(value);
  }
}

// The hash of the parameters, which is computed once per change of them.
uint64_t parameter_state(const Cloth& cloth) {
  if (cloth.parameter_hash == 0) cloth.parameter_hash = hash_parameters(cloth.parameters, cloth.scale, cloth.ordinal);
  return cloth.parameter_hash;
}

// Two bits for each moving group of channels: set since the last update, moved by it.
uint32_t motion_bits(const Cloth& cloth) {
  uint32_t bits = 0, shift = 0;
  for (const ChannelGroupInfo& group : channel_groups) {
    if (group.lifetime != Lifetime::moving) continue;
    bits |= ((cloth.inputs & group.set()) != 0 ? 1u : 0u) << shift;
    bits |= ((cloth.inputs & group.moving()) != 0 ? 2u : 0u) << shift;
    shift += 2;
  }
  return bits;
}

uint64_t host_state(const Cloth& cloth, const Colliders& colliders) {
  HostHash hash(cloth.ordinal);
  hash.add(cloth.layout().content_hash);
  hash.add(motion_bits(cloth));
  hash.add(cloth.phases.size());
  for (const clothc_phase_config& config : cloth.phases) hash.add(config.phase);
  hash.add(cloth.collider_sets.size());
  for (const clothc_collider_set_id id : cloth.collider_sets) {
    const ColliderSet& set = colliders.set(id);
    for (const ColliderSet::Kind kind : {ColliderSet::spheres, ColliderSet::planes}) {
      hash.add(set.shapes[kind].starts);
      hash.add(set.shapes[kind].targets);
    }
    hash.add(set.convex_ends);
    hash.add(set.convex_planes);
  }
  if (cloth.scale != 1) hash.add_bits(cloth.scale);
  for (const clothc_collider_set_id id : cloth.collider_sets) add_later_kinds(colliders.set(id), hash);
  // The device's settings contain only the CONTINUOUS collision flag, so the device's part of the hash lacks this one.
  hash.add(cloth.parameters.collision_flags & CLOTHC_COLLISION_VIRTUAL_PARTICLES);
  add_collisions_with_cloth(cloth, hash);
  add_topology(cloth, hash);
  return hash.sum() + parameter_state(cloth);
}

// The jobs that combine the results of cloths, level by level.
std::vector<std::vector<Job>> combining_jobs(const std::vector<Cloth*>& cloths) {
  std::vector<std::vector<Job>> levels;
  for (const Cloth* cloth : cloths) {
    for_each_combined_level(cloth->padded_count(), [&](uint32_t level, uint32_t, uint32_t combining) {
      if (levels.size() <= level) levels.emplace_back();
      levels[level].push_back({static_cast<uint32_t>(Kernel::combine_hash), cloth->slot, 0, combining, level});
    });
  }
  return levels;
}

// The device's part of the hash of all cloths. Cloths of any size combine the results of a level in the same pass.
std::shared_ptr<const Schedule> hash_schedule(const std::vector<Cloth*>& cloths) {
  Sequence sequence;
  for (const Cloth* cloth : cloths) sequence.run(reduction_job(*cloth, Kernel::reduce_hash), true);
  for (const std::vector<Job>& level : combining_jobs(cloths)) {
    for (size_t k = 0; k < level.size(); ++k) sequence.run(level[k], k > 0);
  }
  for (const Cloth* cloth : cloths) sequence.run(single_job(*cloth, Kernel::end_hash), true);
  return sequence.finish();
}

}  // namespace

uint64_t state_hash(SolverContents& contents) {
  const std::vector<Cloth*>& cloths = contents.cloths.in_order();
  if (cloths.empty()) return 0;
  std::vector<DeviceRange> ranges;
  ranges.reserve(cloths.size());
  constexpr uint64_t offset = offsetof(GroupRecord, state) + offsetof(GroupState, hash_low);
  for (const Cloth* cloth : cloths)
    ranges.push_back(contents.store.record_range(cloth->slot, offset, 2 * sizeof(uint32_t)));
  const std::vector<uint8_t> bytes = contents.store.queue().fetch(ranges, [&] {
    contents.uploads.upload_all();
    contents.store.run(hash_schedule(cloths));
  });
  uint64_t sum = 0;
  for (size_t k = 0; k < cloths.size(); ++k) {
    uint32_t words[2];
    std::memcpy(words, bytes.data() + k * sizeof(words), sizeof(words));
    sum += (uint64_t{words[1]} << 32 | words[0]) + host_state(*cloths[k], contents.colliders);
  }
  return sum;
}

}  // namespace clothc
