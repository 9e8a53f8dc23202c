// snapshot_parts.cpp - see snapshot_parts.h. A checksum finds damage but not tampering, so every value read is checked.
#include "core/solver/snapshot_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/structs.h"
#include "core/fabric/checks.h"
#include "core/fabric/springs.h"

namespace clothc {
namespace {

void check_finite(const std::vector<float>& values) {
  for (size_t k = 0; k < values.size(); ++k) {
    CLOTHC_REQUIRE(std::isfinite(values[k]), "the snapshot is damaged: shape value %zu is %g", k,
                   static_cast<double>(values[k]));
  }
}

void check_moving(const ColliderSet::Moving& moving, uint32_t width) {
  for (const std::vector<float>* values : {&moving.starts, &moving.targets, &moving.consumed}) check_finite(*values);
  CLOTHC_REQUIRE(moving.starts.size() == moving.targets.size() && moving.targets.size() % width == 0 &&
                     moving.consumed.size() % width == 0,
                 "the snapshot is damaged: shapes of a collider set differ in number");
}

// Checks the targets of the last update, since shapes that are later written without starts will start there.
void check_consumed(const ColliderSet& set) {
  clothc_collider_shapes shapes = make_default<clothc_collider_shapes>();
  point_to(set, &ColliderSet::Moving::consumed, nullptr, shapes);
  const std::vector<clothc_collider_asset_id> of_any_asset(shapes.instance_count);
  shapes.instance_assets = of_any_asset.data();
  check_shapes(shapes);
}

// Checks a set in the same way as shapes that a caller passes.
void check_set(const ColliderSet& set) {
  CLOTHC_REQUIRE(
      set.capsules.size() % 2 == 0 && set.triangles.size() % 3 == 0 &&
          (set.convex_ends.empty() ? set.convex_planes.empty() : set.convex_ends.back() == set.convex_planes.size()),
      "the snapshot is damaged: lists of a collider set's shapes are cut off");
  for (const uint32_t end : set.convex_ends) {
    CLOTHC_REQUIRE(end <= set.convex_planes.size(), "the snapshot is damaged: a convex ends at plane %u", end);
  }
  clothc_collider_shapes shapes = make_default<clothc_collider_shapes>();
  point_to(set, &ColliderSet::Moving::targets, &ColliderSet::Moving::starts, shapes);
  shapes.convex_count = static_cast<uint32_t>(set.convex_ends.size());
  shapes.convex_ends = set.convex_ends.data();
  shapes.convex_planes = set.convex_planes.data();
  shapes.capsule_count = static_cast<uint32_t>(set.capsules.size() / 2);
  shapes.capsules = set.capsules.data();
  shapes.triangle_count = static_cast<uint32_t>(set.triangles.size() / 3);
  shapes.triangles = set.triangles.data();
  std::vector<clothc_collider_asset_id> ids;
  for (const ColliderAsset* asset : set.assets) ids.push_back(asset->id);
  CLOTHC_REQUIRE(ids.size() == shapes.instance_count, "the snapshot is damaged: %zu assets of %u instances", ids.size(),
                 shapes.instance_count);
  shapes.instance_assets = ids.data();
  shapes.space = set.space;
  shapes.triangle_reach = set.reach;
  check_shapes(shapes);
  check_consumed(set);
}

clothc_collider_mesh_desc desc_of_mesh(const ColliderAsset& asset) {
  clothc_collider_mesh_desc desc = make_default<clothc_collider_mesh_desc>();
  desc.vertex_count = static_cast<uint32_t>(asset.vertices.size() / 3);
  desc.triangle_count = static_cast<uint32_t>(asset.triangles.size() / 3);
  desc.vertices = asset.vertices.data();
  desc.triangles = asset.triangles.data();
  return desc;
}

}  // namespace

void put_collider_asset(ByteWriter& writer, const ColliderAsset& asset) {
  writer.put_u32(asset.slot);
  writer.put_u32(asset.is_sdf ? 1 : 0);
  if (asset.is_sdf) {
    writer.put_words(asset.counts, 3);
    writer.put_words(asset.origin, 3);
    writer.put_words(&asset.spacing, 1);
    writer.put_array(asset.values);
  } else {
    writer.put_array(asset.vertices);
    writer.put_array(asset.triangles);
  }
}

std::unique_ptr<ColliderAsset> read_collider_asset(ByteReader& reader) {
  auto asset = std::make_unique<ColliderAsset>();
  asset->slot = reader.u32();
  if (reader.u32() == 0) {
    ColliderAsset read;
    read.vertices = reader.array<float>();
    read.triangles = reader.array<uint32_t>();
    const clothc_collider_mesh_desc desc = desc_of_mesh(read);
    check_asset(desc);
    fill_asset(*asset, desc);
    return asset;
  }
  clothc_sdf_desc desc = make_default<clothc_sdf_desc>();
  reader.words(desc.counts, 3);
  reader.words(desc.origin, 3);
  reader.words(&desc.spacing, 1);
  const std::vector<float> values = reader.array<float>();
  const uint64_t nodes = uint64_t{desc.counts[0]} * desc.counts[1] * desc.counts[2];
  CLOTHC_REQUIRE(std::max({desc.counts[0], desc.counts[1], desc.counts[2]}) <= 4096 && nodes == values.size(),
                 "the snapshot is damaged: a field of %u x %u x %u nodes has %zu values", desc.counts[0],
                 desc.counts[1], desc.counts[2], values.size());
  desc.values = values.data();
  check_asset(desc);
  fill_asset(*asset, desc);
  return asset;
}

void put_collider_set(ByteWriter& writer, const ColliderSet& set) {
  writer.put_u32(set.slot);
  for (const ColliderSet::Moving& moving : set.shapes) {
    writer.put_array(moving.starts);
    writer.put_array(moving.targets);
    writer.put_array(moving.consumed);
  }
  for (const auto* list : {&set.capsules, &set.convex_ends, &set.convex_planes, &set.triangles})
    writer.put_array(*list);
  writer.put_u32(static_cast<uint32_t>(set.assets.size()));
  for (const ColliderAsset* asset : set.assets) writer.put_u32(asset->id);
  writer.put_u32(set.space);
  writer.put_words(&set.reach, 1);
}

std::unique_ptr<ColliderSet> read_collider_set(ByteReader& reader, const Slots<ColliderAsset>& assets) {
  auto set = std::make_unique<ColliderSet>();
  set->slot = reader.u32();
  for (uint32_t kind = 0; kind < ColliderSet::kind_count; ++kind) {
    ColliderSet::Moving& moving = set->shapes[kind];
    moving.starts = reader.array<float>();
    moving.targets = reader.array<float>();
    moving.consumed = reader.array<float>();
    check_moving(moving, ColliderSet::widths[kind]);
    moving.consumed.reserve(moving.targets.size());
  }
  for (auto* list : {&set->capsules, &set->convex_ends, &set->convex_planes, &set->triangles})
    *list = reader.array<uint32_t>();
  for (const uint32_t id : reader.array<uint32_t>()) {
    const ColliderAsset* asset = assets.find(id);
    CLOTHC_REQUIRE(asset != nullptr, "the snapshot is damaged: collider asset id 0x%x", id);
    set->assets.push_back(asset);
  }
  set->space = reader.u32();
  reader.words(&set->reach, 1);
  check_set(*set);
  set->bvh.shape(static_cast<uint32_t>(set->triangles.size() / 3), set->count(ColliderSet::vertices));
  return set;
}

void put_springs(ByteWriter& writer, const Fabric* springs) {
  writer.put_u32(springs == nullptr ? 0 : 1);
  if (springs == nullptr) return;
  writer.put_array(springs->data().indices);
  writer.put_array(springs->data().rest_lengths);
  writer.put_array(springs->data().stiffness);
}

uint64_t spring_words(const Fabric* springs) {
  return springs == nullptr ? 1 : 4 + 4 * springs->data().constraint_count();
}

std::shared_ptr<const Fabric> read_springs(ByteReader& reader, const std::shared_ptr<Device>& device,
                                           uint32_t particle_count) {
  if (reader.u32() == 0) return nullptr;
  CLOTHC_REQUIRE(particle_count >= 1 && particle_count <= most_particles,
                 "the snapshot is damaged: a group of %u particles", particle_count);
  Springs springs;
  springs.indices = reader.array<uint32_t>();
  springs.rest_lengths = reader.array<float>();
  springs.stiffness = reader.array<float>();
  CLOTHC_REQUIRE(springs.stiffness.size() == springs.rest_lengths.size(),
                 "the snapshot is damaged: %zu springs have %zu stiffness values", springs.rest_lengths.size(),
                 springs.stiffness.size());
  return make_springs(device, particle_count, std::move(springs));
}

void put_topology_changes(ByteWriter& writer, const TopologyChanges* changes) {
  if (changes == nullptr) {
    writer.put_u32(0);
    writer.put_u32(0);
    return;
  }
  writer.put_array(changes->origins());
  writer.put_u32(static_cast<uint32_t>(changes->moved().size()));
  for (const auto& [reference, particle] : changes->moved()) {
    for (const uint32_t word : {reference.set, reference.item, reference.row, particle}) writer.put_u32(word);
  }
}

uint64_t topology_change_words(const TopologyChanges* changes) {
  return changes == nullptr ? 2 : 2 + changes->origins().size() + 4 * changes->moved().size();
}

std::unique_ptr<TopologyChanges> read_topology_changes(ByteReader& reader, const Fabric& fabric, uint32_t spare_count) {
  const std::vector<uint32_t> origins = reader.array<uint32_t>();
  const uint32_t moved_count = reader.u32();
  CLOTHC_REQUIRE(!origins.empty() || moved_count == 0,
                 "the snapshot is damaged: %u constraints and triangles have moved", moved_count);
  if (origins.empty()) return nullptr;
  auto changes = std::make_unique<TopologyChanges>(*fabric.layout(), fabric.take_words(),
                                                   static_cast<uint32_t>(origins.size()) + spare_count);
  for (const uint32_t origin : origins) {
    CLOTHC_REQUIRE(origin < fabric.layout()->particle_count, "the snapshot is damaged: split particle %u", origin);
    changes->split(origin);
  }
  for (uint32_t k = 0; k < moved_count; ++k) {
    ParticleReference reference{};
    for (uint32_t* word : {&reference.set, &reference.item, &reference.row}) *word = reader.u32();
    const uint32_t particle = reader.u32();
    CLOTHC_REQUIRE(changes->exists(reference) && changes->are_one_in_fabric(changes->particle_at(reference), particle),
                   "the snapshot is damaged: reference %u of item %u of set %u to particle %u", reference.row,
                   reference.item, reference.set, particle);
    changes->move(reference, particle);
  }
  return changes;
}

}  // namespace clothc
