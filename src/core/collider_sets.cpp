// collider_sets.cpp - collider sets of a solver: created, written, destroyed, and which cloths they concern.
#include "core/solver.h"

#include <algorithm>
#include <cstring>

#include "core/device.h"

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
  for (Cloth* cloth : contents_->order) {
    auto& listed = cloth->collider_sets;
    const auto place = std::find(listed.begin(), listed.end(), set.id);
    if (place == listed.end()) continue;
    listed.erase(place);
    cloth->wake();
    cloth->changed = cloth->works_changed = schedule_changed_ = true;
  }
  contents_->tables.release(set.table, set.table_words);
  contents_->collider_sets.take(set.slot);
}

void Solver::colliders_changed(clothc_collider_set_id id) {
  for (Cloth* cloth : contents_->order) {
    const auto& sets = cloth->collider_sets;
    if (std::find(sets.begin(), sets.end(), id) == sets.end()) continue;
    cloth->changed = cloth->works_changed = schedule_changed_ = true;
  }
}

void Solver::wake_cloths_with(clothc_collider_set_id id) {
  for (Cloth* cloth : contents_->order) {
    const auto& sets = cloth->collider_sets;
    if (std::find(sets.begin(), sets.end(), id) != sets.end()) cloth->wake();
  }
}

void Solver::write_collider_set(ColliderSet& set, const clothc_collider_shapes& shapes) {
  ColliderSet next = set;
  set_shapes(next, shapes);
  bool cloths_concerned = next.sphere_rounds() != set.sphere_rounds() || next.convex_rounds() != set.convex_rounds();
  if (next.word_count() > set.table_words) {
    next.table_words = next.word_count();
    next.table = contents_->tables.allocate(*stream_, next.table_words);
    contents_->tables.release(set.table, set.table_words);
    cloths_concerned = true;
  }
  const bool same = next.shows_same_as(set);
  std::swap(set, next);
  if (!same) wake_cloths_with(set.id);
  if (cloths_concerned) colliders_changed(set.id);
}

ColliderKinds Solver::collider_kinds(const Cloth& cloth) const {
  ColliderKinds kinds;
  for (const clothc_collider_set_id id : cloth.collider_sets) {
    const ColliderSet& set = collider_set(id);
    kinds.spheres += set.sphere_rounds();
    kinds.convexes += set.convex_rounds();
  }
  // The loops go over all sets, those without such shapes too.
  const auto sets = static_cast<uint32_t>(cloth.collider_sets.size());
  if (kinds.spheres > 0) kinds.spheres += sets;
  if (kinds.convexes > 0) kinds.convexes += sets;
  return kinds;
}

}  // namespace clothc
