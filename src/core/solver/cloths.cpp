// cloths.cpp - finds, adds, clones, removes and moves cloths. Data on the device is changed by work queued in order.
#include "core/solver/cloths.h"

#include <algorithm>
#include <numeric>

#include "core/collision/particle_layout.h"

namespace clothc {

Cloths::Cloths(DeviceStore& store, Colliders& colliders, uint32_t capacity)
    : store_(store), colliders_(colliders), slots_(capacity) {}

Cloth& Cloths::get(clothc_cloth_id id) const {
  Cloth* found = slots_.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, found != nullptr,
                    "cloth id 0x%x names no cloth of this solver; it was removed or is of another one", id);
  return *found;
}

uint32_t Cloths::index_of(const Cloth& cloth) const {
  const auto found = std::lower_bound(order_.begin(), order_.end(), cloth.ordinal,
                                      [](const Cloth* other, uint64_t ordinal) { return other->ordinal < ordinal; });
  return static_cast<uint32_t>(found - order_.begin());
}

void Cloths::allocate_tables(Cloth& cloth) {
  cloth.constraint_records = store_.allocate_words(cloth.record_capacity * constraint_words);
  cloth.collider_table = store_.allocate_words(cloth.collider_capacity);
  cloth.scratch = store_.allocate_words(cloth.scratch_size());
  ensure_memory_for(cloth, cloth.parameters);
  colliders_.ensure_shapes(cloth, colliders_.shapes_of(cloth.collider_sets));
}

void Cloths::release_memory(Cloth& cloth) {
  store_.release_words(cloth.constraint_records, cloth.record_capacity * constraint_words);
  store_.release_words(cloth.collider_table, cloth.collider_capacity);
  store_.release_words(cloth.scratch, cloth.scratch_size());
  store_.release_words(cloth.impulses, cloth.impulse_capacity);
  store_.release_words(cloth.primitive_headers, cloth.primitive_capacity);
  store_.release_words(cloth.levels, cloth.level_capacity);
  store_.release_words(cloth.lattice, cloth.lattice_capacity);
  store_.release_words(cloth.shapes, cloth.shape_capacity);
  store_.release_words(cloth.report, cloth.report_size());
  store_.release_words(cloth.update_start, cloth.update_start_words());
  store_.release_words(cloth.active_flags, cloth.particle_stride);
  store_.release_words(cloth.collision_particles, CollisionParticleLayout(cloth.collision_particle_count()).words());
  for (uint32_t k = 0; k < state_channel_count; ++k) store_.release_channel(cloth, StateChannel{k});
}

Cloth& Cloths::insert(const ClothSource& source, uint32_t slot, uint32_t first_particle) {
  auto cloth = std::make_unique<Cloth>();
  cloth->slot = slot;
  cloth->id = slots_.id_of(slot);
  cloth->first_particle = first_particle;
  cloth->topology = source.topology != nullptr ? source.topology : store_.fabrics().get(*source.fabric);
  if (source.is_group) {
    cloth->springs = source.fabric;
    cloth->active_particles.resize(cloth->particle_count());
    std::iota(cloth->active_particles.begin(), cloth->active_particles.end(), 0u);
  }
  cloth->particle_stride = source.particle_stride();
  cloth->scale = source.scale;
  cloth->spare_particle_count = source.spare_particle_count;
  cloth->parameters = source.parameters;
  cloth->phases = source.phases;
  cloth->collider_sets = source.collider_sets;
  cloth->self_collision_particles = source.self_collision_particles;
  cloth->changed_cloths = &changed_;
  cloth->record_capacity = cloth->record_count();
  cloth->collider_capacity = static_cast<uint32_t>(cloth->collider_sets.size());
  if (order_.size() == order_.capacity()) order_.reserve(2 * order_.size() + 8);
  by_range_.reserve();
  changed_.reserve(order_.size() + 1);
  colliders_.reserve_user(cloth->collider_sets);
  try {
    allocate_tables(*cloth);
    store_.clear_padding(first_particle);
  } catch (...) {
    changed_.remove(*cloth);
    release_memory(*cloth);
    throw;
  }
  Cloth& inserted = *cloth;
  slots_.put(slot, std::move(cloth));
  order_.push_back(&inserted);
  by_range_.insert(&inserted);
  particle_count_ += inserted.particle_count();
  colliders_.add_user(inserted);
  inserted.mark_changed();
  return inserted;
}

void Cloths::delist(Cloth& cloth) {
  changed_.remove(cloth);
  by_range_.erase(&cloth);
  particle_count_ -= cloth.particle_count();
  colliders_.remove_user(cloth);
}

clothc_cloth_id Cloths::add(const ClothSource& source, const Cloth* original) {
  RangeAllocator& particles = store_.particles();
  const uint32_t count = Cloth::range_for(source.particle_stride());
  const uint32_t slot = slots_.reserve();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slot != 0xffffffffu,
                    "the solver has no slot left: %u cloths live, and a slot serves %u in turn; raise "
                    "solver_desc.cloth_capacity (%u)",
                    slots_.count(), Slots<Cloth>::last_generation, slots_.capacity());
  const uint32_t first = particles.allocate(count);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, first != RangeAllocator::none,
                    "the cloth needs %u particles in one range, the largest hole has %u; raise "
                    "solver_desc.particle_capacity (%u), remove "
                    "cloths, or call clothc_solver_compact",
                    count, particles.largest_hole(), particles.capacity());
  Cloth* cloth = nullptr;
  try {
    store_.queue().transaction([&] {
      cloth = &insert(source, slot, first);
      if (original != nullptr) {
        copy_state(*original, *cloth);
      } else {
        begin_state(*cloth, source.positions);
      }
    });
  } catch (...) {
    if (cloth != nullptr) {
      order_.pop_back();
      delist(*cloth);
      release_memory(*cloth);
      slots_.undo_put(slot);
    }
    particles.release(first, count);
    throw;
  }
  cloth->ordinal = next_ordinal_++;
  order_changed_ = true;
  return cloth->id;
}

clothc_cloth_id Cloths::clone(const Cloth& original) {
  ClothSource source;
  source.topology = original.topology;
  source.fabric = original.springs;
  source.is_group = original.is_group();
  source.scale = original.scale;
  source.spare_particle_count = original.spare_particle_count;
  source.parameters = original.parameters;
  source.phases = original.phases;
  source.collider_sets = original.collider_sets;
  source.self_collision_particles = original.self_collision_particles;
  return add(source, &original);
}

void Cloths::remove(Cloth& cloth) {
  // Particles that belong to no cloth are never visible, so nothing needs to be cleared. Without queued work, which
  // might need memory, removing a cloth cannot fail.
  order_.erase(order_.begin() + index_of(cloth));
  delist(cloth);
  release_memory(cloth);
  store_.particles().release(cloth.first_particle, cloth.range_count());
  order_changed_ = true;
  slots_.take(cloth.slot);
}

std::vector<clothc_move> Cloths::compact() {
  const std::vector<Cloth*> by_range(by_range_.all().begin(), by_range_.all().end());
  std::vector<clothc_move> moves;
  moves.reserve(by_range.size());
  RangeAllocator packed(store_.particle_capacity());
  std::vector<uint32_t> new_first_particles;
  new_first_particles.reserve(by_range.size());
  for (const Cloth* cloth : by_range) new_first_particles.push_back(packed.allocate(cloth->range_count()));
  store_.queue().transaction([&] {
    for (size_t k = 0; k < by_range.size(); ++k) {
      const Cloth& moved = *by_range[k];
      const uint32_t first = new_first_particles[k];
      if (moved.first_particle == first) continue;
      store_.clear_padding(first);
      // The old and the new range may overlap, so the copy goes through the exchange block.
      for (const ParticleBlock block : {block_position, block_previous}) {
        store_.copy_block(block, moved.first_particle, block_exchange, first, moved.particle_stride);
        store_.copy_block(block_exchange, first, block, first, moved.particle_stride);
      }
    }
  });
  for (size_t k = 0; k < by_range.size(); ++k) {
    Cloth& moved = *by_range[k];
    if (moved.first_particle == new_first_particles[k]) continue;
    moves.push_back({moved.id, moved.first_particle, new_first_particles[k], moved.particle_count()});
    moved.first_particle = new_first_particles[k];
    moved.mark_records_changed();
  }
  store_.particles() = std::move(packed);
  return moves;
}

}  // namespace clothc
