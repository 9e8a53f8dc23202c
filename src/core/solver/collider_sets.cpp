// collider_sets.cpp - creates, writes and destroys the collider sets and collider assets of a solver, and updates the
// cloths that use them.
#include "core/solver/solver.h"

#include <algorithm>
#include <cstring>

#include "core/objects/device.h"
#include "core/collision/shape_layout.h"

namespace clothc {
ColliderSet& Solver::collider_set(clothc_collider_set_id id) const {
  ColliderSet* found = contents_->collider_sets.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, found != nullptr,
                    "collider set id 0x%x names no collider set of this solver; it was destroyed or is of another one",
                    id);
  return *found;
}

clothc_collider_set_id Solver::create_collider_set() {
  const uint32_t slot = contents_->collider_sets.reserve();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slot != 0xffffffffu,
                    "the solver has no place left: %u collider sets live, and a place serves %u in turn; raise "
                    "solver_desc.collider_set_capacity (%u)",
                    contents_->collider_sets.count(), Slots<ColliderSet>::last_generation,
                    contents_->collider_sets.capacity());
  auto set = std::make_unique<ColliderSet>();
  set->slot = slot;
  set->id = contents_->collider_sets.id_of(slot);
  set->table_words = set->word_count();
  set->table = contents_->tables.allocate(*stream_, set->table_words);
  const clothc_collider_set_id id = set->id;
  contents_->collider_sets.put(slot, std::move(set));
  return id;
}

void Solver::destroy_collider_set(ColliderSet& set) {
  for (const uint32_t slot : contents_->listings.of(set.slot)) {
    Cloth* cloth = contents_->cloths.at(slot);
    auto& listed = cloth->collider_sets;
    listed.erase(std::find(listed.begin(), listed.end(), set.id));
    cloth->wake();
    cloth->jobs_changed = schedule_changed_ = true;
    cloth->touch_settings();
  }
  contents_->listings.clear(set.slot);
  contents_->tables.release(set.table, set.table_words);
  release_triangle_bvh(set.tree);
  contents_->collider_sets.take(set.slot);
}

// Allocates memory so that one more cloth can be added to the listing of each set without failing.
void Solver::reserve_listings(SolverContents& contents, const std::vector<clothc_collider_set_id>& sets) {
  for (const clothc_collider_set_id id : sets) contents.listings.reserve(contents.collider_sets.find(id)->slot);
}

ShapeCounts Solver::shapes_of(const SolverContents& contents, const std::vector<clothc_collider_set_id>& sets,
                              const ColliderSet* changed) const {
  ShapeCounts counts;
  for (const clothc_collider_set_id id : sets) {
    const bool is_changed = changed != nullptr && changed->id == id;
    counts += is_changed ? changed->counts() : contents.collider_sets.find(id)->counts();
  }
  return counts;
}

// Makes sure that the cloth's shape range is large enough for these numbers of shapes. Only this call can fail, not the
// use of the range afterwards.
void Solver::ensure_shapes(SolverContents& contents, Cloth& cloth, const ShapeCounts& counts) {
  const uint64_t words = ShapeLayout::words(counts, cloth.padded_count);
  if (words <= cloth.shape_capacity) return;
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, words <= most_shape_words,
                    "a cloth would touch %u spheres, %u capsules, %u planes of convexes and %u other shapes, for which "
                    "there is no room; want fewer, or triangles in place of many shapes",
                    counts.spheres, counts.capsules, counts.planes,
                    counts.ellipsoids + counts.boxes + counts.meshes + counts.sdfs);
  const uint32_t table = contents.tables.allocate(*stream_, static_cast<uint32_t>(words));
  if (cloth.shapes != 0) contents.tables.release(cloth.shapes, cloth.shape_capacity);
  cloth.shapes = table;
  cloth.shape_capacity = static_cast<uint32_t>(words);
  cloth.touch_settings();
}

// Allocates the range of the tables arena and the sorting memory of a BVH over triangles, unless it has them already.
void Solver::ensure_triangle_bvh(SolverContents& contents, TriangleBvh& tree) {
  if (tree.triangle_count == 0 || tree.table != 0) return;
  for (MemoryPointer& memory : tree.sorted) {
    memory = backend().allocate(uint64_t{tree.padded_triangles()} * 4, MemoryVisibility::device_only);
  }
  tree.table_words = tree.word_count();
  tree.table = contents.tables.allocate(*stream_, tree.table_words);
}

void Solver::release_triangle_bvh(const TriangleBvh& tree) {
  if (tree.table != 0) contents_->tables.release(tree.table, tree.table_words);
}

void Solver::ensure_asset(SolverContents& contents, ColliderAsset& asset) {
  if (!asset.is_sdf) return ensure_triangle_bvh(contents, asset.tree);
  asset.sdf_word_count = asset.word_count();
  asset.field = contents.tables.allocate(*stream_, asset.sdf_word_count);
}

clothc_collider_asset_id Solver::add_collider_asset(std::unique_ptr<ColliderAsset> asset) {
  const uint32_t slot = contents_->collider_assets.reserve();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slot != 0xffffffffu,
                    "the solver has no place left for a collider asset: %u live; destroy those not needed",
                    contents_->collider_assets.count());
  asset->slot = slot;
  asset->id = contents_->collider_assets.id_of(slot);
  ensure_asset(*contents_, *asset);
  const clothc_collider_asset_id id = asset->id;
  contents_->collider_assets.put(slot, std::move(asset));
  return id;
}

void Solver::destroy_collider_asset(clothc_collider_asset_id id) {
  const ColliderAsset* asset = contents_->collider_assets.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, asset != nullptr,
                    "collider asset id 0x%x names no asset of this solver; it was destroyed or is of another one", id);
  for (uint32_t slot = 0; slot < contents_->collider_sets.slot_count(); ++slot) {
    const ColliderSet* set = contents_->collider_sets.at(slot);
    if (set == nullptr) continue;
    const auto instances = std::count(set->assets.begin(), set->assets.end(), asset);
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, instances == 0,
                      "collider asset 0x%x has %lld instances in collider set 0x%x; write the set without them first",
                      id, static_cast<long long>(instances), set->id);
  }
  if (asset->is_sdf) contents_->tables.release(asset->field, asset->sdf_word_count);
  release_triangle_bvh(asset->tree);
  contents_->collider_assets.take(asset->slot);
}

std::vector<const ColliderAsset*> Solver::assets_of(const clothc_collider_shapes& shapes) const {
  std::vector<const ColliderAsset*> assets;
  assets.reserve(shapes.instance_count);
  for (uint32_t k = 0; k < shapes.instance_count; ++k) {
    const ColliderAsset* asset = contents_->collider_assets.find(shapes.instance_assets[k]);
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, asset != nullptr,
                      "instance %u shows collider asset 0x%x, which this solver has not; it was destroyed or is of "
                      "another one",
                      k, shapes.instance_assets[k]);
    assets.push_back(asset);
  }
  return assets;
}

void Solver::write_collider_set(ColliderSet& set, const clothc_collider_shapes& shapes) {
  ColliderSet next = with_shapes(set, shapes, assets_of(shapes));
  const bool same = next.shows_same_as(set);
  const bool same_counts = next.counts() == set.counts();
  for (const uint32_t slot : contents_->listings.of(set.slot)) {
    if (same_counts) break;
    Cloth& cloth = *contents_->cloths.at(slot);
    ensure_shapes(*contents_, cloth, shapes_of(*contents_, cloth.collider_sets, &next));
  }
  ensure_triangle_bvh(*contents_, next.tree);
  const bool is_larger = next.word_count() > set.table_words;
  if (is_larger) {
    try {
      next.table = contents_->tables.allocate(*stream_, next.word_count());
    } catch (...) {
      if (next.tree.table != set.tree.table) release_triangle_bvh(next.tree);
      throw;
    }
    next.table_words = next.word_count();
    contents_->tables.release(set.table, set.table_words);
  }
  if (set.tree.table != next.tree.table) release_triangle_bvh(set.tree);
  std::swap(set, next);
  for (const uint32_t slot : contents_->listings.of(set.slot)) {
    Cloth* cloth = contents_->cloths.at(slot);
    if (!same) cloth->wake();
    if (is_larger || !same_counts) cloth->touch_settings();
    if (!same_counts) cloth->jobs_changed = schedule_changed_ = true;
  }
}

}  // namespace clothc
