// colliders.cpp - creates, writes and destroys collider sets and collider assets, and updates the cloths that use them.
#include "core/solver/colliders.h"

#include <algorithm>

#include "core/collision/shape_layout.h"

namespace clothc {

Colliders::Colliders(DeviceStore& store, uint32_t set_capacity)
    : store_(store), sets_(set_capacity), assets_(most_collider_assets) {}

ColliderSet& Colliders::set(clothc_collider_set_id id) const {
  ColliderSet* found = sets_.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, found != nullptr,
                    "collider set id 0x%x names no collider set of this solver; it was destroyed or is of another one",
                    id);
  return *found;
}

clothc_collider_set_id Colliders::create_set() {
  const uint32_t slot = sets_.reserve();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slot != 0xffffffffu,
                    "the solver has no slot left: %u collider sets live, and a slot serves %u in turn; raise "
                    "solver_desc.collider_set_capacity (%u)",
                    sets_.count(), Slots<ColliderSet>::last_generation, sets_.capacity());
  auto set = std::make_unique<ColliderSet>();
  set->slot = slot;
  put_set(std::move(set));
  return sets_.id_of(slot);
}

void Colliders::destroy_set(ColliderSet& set) {
  for (Cloth* cloth : users_.of(set.slot)) {
    auto& used = cloth->collider_sets;
    used.erase(std::find(used.begin(), used.end(), set.id));
    cloth->wake();
    cloth->mark_jobs_changed();
  }
  users_.clear(set.slot);
  store_.release_words(set.table, set.table_words);
  release_triangle_bvh(set.bvh);
  changed_sets_.remove(set);
  sets_.take(set.slot);
}

// Allocates everything first, so that nothing is lost if it fails.
void Colliders::put_set(std::unique_ptr<ColliderSet> set) {
  changed_sets_.reserve(size_t{sets_.count()} + 1);
  set->table_words = set->word_count();
  ensure_triangle_bvh(set->bvh);
  try {
    set->table = store_.allocate_words(set->table_words);
  } catch (...) {
    release_triangle_bvh(set->bvh);
    throw;
  }
  set->id = sets_.id_of(set->slot);
  changed_sets_.add(*set);
  const uint32_t slot = set->slot;
  sets_.put(slot, std::move(set));
}

void Colliders::mark_changed(ColliderSet& set) {
  set.changed = true;
  changed_sets_.add(set);
}

void Colliders::reserve_user(const std::vector<clothc_collider_set_id>& sets) {
  for (const clothc_collider_set_id id : sets) users_.reserve(set(id).slot);
}

void Colliders::add_user(Cloth& cloth) {
  for (const clothc_collider_set_id id : cloth.collider_sets) users_.add(set(id).slot, cloth);
}

void Colliders::remove_user(Cloth& cloth) {
  for (const clothc_collider_set_id id : cloth.collider_sets) users_.remove(set(id).slot, cloth);
}

ShapeCounts Colliders::shapes_of(const std::vector<clothc_collider_set_id>& sets, const ColliderSet* changed) const {
  ShapeCounts counts;
  for (const clothc_collider_set_id id : sets) {
    const bool is_changed = changed != nullptr && changed->id == id;
    counts += is_changed ? changed->counts() : set(id).counts();
  }
  return counts;
}

void Colliders::ensure_shapes(Cloth& cloth, const ShapeCounts& counts) {
  const uint64_t words = ShapeLayout::words(counts, cloth.particle_stride);
  if (words <= cloth.shape_capacity) return;
  const uint32_t others = counts.posed();
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_CAPACITY, words <= most_shape_words,
      "a cloth would collide with %u spheres, %u capsules, %u planes of convexes and %u other shapes, for which "
      "there is not enough memory; want fewer, or triangles in place of many shapes",
      counts.spheres, counts.capsules, counts.planes, others);
  const uint32_t table = store_.allocate_words(static_cast<uint32_t>(words));
  store_.release_words(cloth.shapes, cloth.shape_capacity);
  cloth.shapes = table;
  cloth.shape_capacity = static_cast<uint32_t>(words);
  cloth.caches_moved = true;
  cloth.mark_settings_changed();
}

// Allocates the range of the tables arena of a BVH over triangles.
void Colliders::ensure_triangle_bvh(TriangleBvh& bvh) {
  if (bvh.triangle_count == 0 || bvh.table != 0) return;
  bvh.table_words = bvh.word_count();
  bvh.table = store_.allocate_words(bvh.table_words);
}

void Colliders::release_triangle_bvh(const TriangleBvh& bvh) { store_.release_words(bvh.table, bvh.table_words); }

clothc_collider_asset_id Colliders::add_asset(std::unique_ptr<ColliderAsset> asset) {
  const uint32_t slot = assets_.reserve();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slot != 0xffffffffu,
                    "the solver has no slot left for a collider asset: %u live; destroy those not needed",
                    assets_.count());
  asset->slot = slot;
  put_asset(std::move(asset));
  return assets_.id_of(slot);
}

void Colliders::put_asset(std::unique_ptr<ColliderAsset> asset) {
  changed_assets_.reserve(size_t{assets_.count()} + 1);
  if (asset->is_sdf) {
    asset->sdf_word_count = asset->word_count();
    asset->sdf_table = store_.allocate_words(asset->sdf_word_count);
  } else {
    ensure_triangle_bvh(asset->bvh);
  }
  asset->id = assets_.id_of(asset->slot);
  changed_assets_.add(*asset);
  const uint32_t slot = asset->slot;
  assets_.put(slot, std::move(asset));
}

void Colliders::destroy_asset(clothc_collider_asset_id id) {
  ColliderAsset* asset = assets_.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, asset != nullptr,
                    "collider asset id 0x%x names no asset of this solver; it was destroyed or is of another one", id);
  for (uint32_t slot = 0; slot < sets_.slot_count(); ++slot) {
    const ColliderSet* set = sets_.at(slot);
    if (set == nullptr) continue;
    const auto instances = std::count(set->assets.begin(), set->assets.end(), asset);
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, instances == 0,
                      "collider asset 0x%x has %lld instances in collider set 0x%x; write the set without them first",
                      id, static_cast<long long>(instances), set->id);
  }
  if (asset->is_sdf) store_.release_words(asset->sdf_table, asset->sdf_word_count);
  release_triangle_bvh(asset->bvh);
  changed_assets_.remove(*asset);
  assets_.take(asset->slot);
}

std::vector<const ColliderAsset*> Colliders::assets_of(const clothc_collider_shapes& shapes) const {
  std::vector<const ColliderAsset*> assets;
  assets.reserve(shapes.instance_count);
  for (uint32_t k = 0; k < shapes.instance_count; ++k) {
    const ColliderAsset* asset = assets_.find(shapes.instance_assets[k]);
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, asset != nullptr,
                      "instance %u shows collider asset 0x%x, which this solver has not; it was destroyed or is of "
                      "another one",
                      k, shapes.instance_assets[k]);
    assets.push_back(asset);
  }
  return assets;
}

void Colliders::write_set(ColliderSet& set, const clothc_collider_shapes& shapes) {
  ColliderSet next = with_shapes(set, shapes, assets_of(shapes));
  const bool same = next.shows_same_as(set);
  const bool same_counts = next.counts() == set.counts();
  if (!same_counts) {
    for (Cloth* cloth : users_.of(set.slot)) ensure_shapes(*cloth, shapes_of(cloth->collider_sets, &next));
  }
  ensure_triangle_bvh(next.bvh);
  const bool is_larger = next.word_count() > set.table_words;
  if (is_larger) {
    try {
      next.table = store_.allocate_words(next.word_count());
    } catch (...) {
      if (next.bvh.table != set.bvh.table) release_triangle_bvh(next.bvh);
      throw;
    }
    next.table_words = next.word_count();
    store_.release_words(set.table, set.table_words);
  }
  if (set.bvh.table != next.bvh.table) release_triangle_bvh(set.bvh);
  std::swap(set, next);
  mark_changed(set);
  for (Cloth* cloth : users_.of(set.slot)) {
    if (!same) cloth->wake();
    if (is_larger) cloth->mark_settings_changed();
    if (!same_counts) cloth->mark_jobs_changed();
  }
}

void Colliders::consume_targets() {
  changed_sets_.remove_if([](ColliderSet& set) {
    set.changed = set.consume() || set.changed;
    return !set.changed;
  });
}

void Colliders::forget_device_copies() {
  for (uint32_t slot = 0; slot < sets_.slot_count(); ++slot) {
    ColliderSet* set = sets_.at(slot);
    if (set == nullptr) continue;
    set->bvh.forget();
    mark_changed(*set);
  }
  for (uint32_t slot = 0; slot < assets_.slot_count(); ++slot) {
    ColliderAsset* asset = assets_.at(slot);
    if (asset == nullptr) continue;
    asset->bvh.forget();
    changed_assets_.add(*asset);
  }
}

void Colliders::set_generations(const std::vector<uint32_t>& sets, const std::vector<uint32_t>& assets) {
  sets_.set_generations(sets);
  assets_.set_generations(assets);
}

}  // namespace clothc
