// cloths.cpp - adds, clones and removes cloths. Data on the device is changed by work queued in order.
#include "core/solver/solver.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/objects/device.h"
#include "core/collision/particle_layout.h"

namespace clothc {
Cloth& Solver::cloth(clothc_cloth_id id) const {
  Cloth* found = contents_->cloths.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, found != nullptr,
                    "cloth id 0x%x names no cloth of this solver; it was removed or is of another one", id);
  return *found;
}

uint32_t Solver::index_of(const Cloth& cloth) const {
  const std::vector<Cloth*>& order = contents_->order;
  const auto place = std::lower_bound(order.begin(), order.end(), cloth.ordinal,
                                      [](const Cloth* other, uint64_t ordinal) { return other->ordinal < ordinal; });
  return static_cast<uint32_t>(place - order.begin());
}

Cloth& Solver::insert_cloth(SolverContents& contents, const ClothSource& source, uint32_t slot,
                            uint32_t first_particle) {
  auto cloth = std::make_unique<Cloth>();
  cloth->slot = slot;
  cloth->id = contents.cloths.id_of(slot);
  cloth->first_particle = first_particle;
  cloth->padded_count = padded_particles(source.fabric->particle_count);
  cloth->reduction_lanes = reduction_lanes_for(cloth->padded_count);
  cloth->scale = source.scale;
  cloth->spare_particle_count = source.spare_particle_count;
  cloth->parameters = source.parameters;
  cloth->phases = source.phases;
  cloth->collider_sets = source.collider_sets;
  cloth->self_collision_particles = source.self_collision_particles;
  cloth->fabric = device_fabric_of(contents, source.fabric);
  if (contents.order.size() == contents.order.capacity()) contents.order.reserve(2 * contents.order.size() + 8);
  contents.cloths_by_range.reserve();
  contents.touched_cloths.reserve(contents.order.size() + 1);
  cloth->touched = &contents.touched_cloths;
  reserve_listings(contents, cloth->collider_sets);
  cloth->phase_capacity = static_cast<uint32_t>(cloth->phases.size());
  cloth->collider_capacity = static_cast<uint32_t>(cloth->collider_sets.size());
  try {
    const auto take = [&](uint32_t words) { return contents.tables.allocate(*stream_, words); };
    cloth->phase_table = take(cloth->phase_capacity * phase_words);
    cloth->collider_table = take(cloth->collider_capacity);
    cloth->scratch = take(cloth->reduction_lanes * scratch_words);
    if (cloth->feels_wind()) {
      cloth->impulses = take(cloth->fabric->triangle_stride * 4);
      cloth->impulse_capacity = cloth->fabric->triangle_stride * 4;
    }
    ensure_shapes(contents, *cloth, shapes_of(contents, cloth->collider_sets));
    ensure_collision_particles(contents, *cloth, cloth->parameters);
  } catch (...) {
    contents.touched_cloths.remove(*cloth);
    release_tables(contents, *cloth);
    throw;
  }
  Cloth& placed = *cloth;
  contents.order.push_back(&placed);
  placed.touch();
  contents.cloths_by_range.insert(&placed);
  contents.particle_count += placed.particle_count();
  for (const clothc_collider_set_id id : placed.collider_sets)
    contents.listings.add(contents.collider_sets.find(id)->slot, slot);
  contents.cloths.put(slot, std::move(cloth));
  return placed;
}

void Solver::delist(SolverContents& contents, Cloth& cloth) {
  contents.touched_cloths.remove(cloth);
  if (!cloth.bindings.empty()) remove_bound(contents, cloth);
  contents.cloths_by_range.erase(&cloth);
  contents.particle_count -= cloth.particle_count();
  for (const clothc_collider_set_id id : cloth.collider_sets)
    contents.listings.remove(contents.collider_sets.find(id)->slot, cloth.slot);
}

void Solver::release_tables(SolverContents& contents, Cloth& cloth) {
  // Word 0 of an arena is never allocated, so a range that begins there does not exist.
  const auto give_back = [&](uint32_t first, uint32_t words) {
    if (first != 0) contents.tables.release(first, words);
  };
  give_back(cloth.phase_table, cloth.phase_capacity * phase_words);
  give_back(cloth.collider_table, cloth.collider_capacity);
  give_back(cloth.scratch, cloth.reduction_lanes * scratch_words);
  give_back(cloth.impulses, cloth.impulse_capacity);
  give_back(cloth.shapes, cloth.shape_capacity);
  give_back(cloth.report, cloth.report_words());
  give_back(cloth.update_start, cloth.update_start_words());
  give_back(cloth.collision_particles, CollisionParticleLayout(cloth.collision_particle_count()).words());
}

// Queues writes of the state of a new cloth, which is at rest and has no optional per-particle data.
void Solver::begin_state(const Cloth& cloth, const float* positions) {
  std::vector<float> padded(size_t{cloth.padded_count} * 4, 0.0f);
  for (uint32_t p = 0; p < cloth.particle_count(); ++p) {
    const float* source = positions + size_t{p} * 4;
    // Values below 2^-64 become zero, as in the write_channel kernels.
    std::transform(source, source + 4, &padded[size_t{cloth.data().storage_index(p)} * 4],
                   [](float value) { return std::fabs(value) < 5.421010862427522e-20f ? 0.0f : value; });
  }
  for (const ParticleBlock block : {block_position, block_previous}) {
    const uint64_t first = uint64_t{block} * particle_capacity() + cloth.first_particle;
    write(contents_->particle_memory, first * 16, padded.data(), padded.size() * 4);
  }
  for (uint32_t block = 0; block < state_block_count; ++block) {
    if (state_blocks[block].unset != nullptr) fill_block(block, cloth, state_blocks[block].unset);
  }
  ClothState state{};
  state.status.struct_size = sizeof(clothc_cloth_status);
  state.wakes = cloth.frame.wakes;
  const Piece place = state_of(cloth, 0, sizeof(state));
  write(place.memory, place.offset, &state, sizeof(state));
}

// Queues copies of a cloth's state to another cloth with the same number of particles.
void Solver::copy_state(const Cloth& original, Cloth& cloth) {
  cloth.set_inputs(original.inputs());
  cloth.frame = original.frame;
  for (uint32_t block = 0; block < state_block_count; ++block) {
    copy_block(block, original.first_particle, block, cloth.first_particle, cloth.padded_count);
  }
  Copy state;
  state.source = state.target = contents_->cloth_memory;
  state.source_offset = uint64_t{original.slot} * sizeof(ClothRecord) + offsetof(ClothRecord, state);
  state.target_offset = uint64_t{cloth.slot} * sizeof(ClothRecord) + offsetof(ClothRecord, state);
  state.element_size = sizeof(ClothState);
  stream_->copy(state);
}

clothc_cloth_id Solver::add_cloth(const ClothSource& source, const Cloth* original) {
  SolverContents& contents = *contents_;
  const uint32_t padded = padded_particles(source.fabric->particle_count) + padded_spares(source.spare_particle_count);
  const uint32_t slot = contents.cloths.reserve();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slot != 0xffffffffu,
                    "the solver has no place left: %u cloths live, and a place serves %u in turn; raise "
                    "solver_desc.cloth_capacity (%u)",
                    contents.cloths.count(), Slots<Cloth>::last_generation, contents.cloths.capacity());
  const uint32_t first = contents.particles.allocate(padded);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, first != RangeAllocator::none,
                    "the cloth needs %u particles in one range, the largest hole has %u; raise "
                    "solver_desc.particle_capacity (%u), remove "
                    "cloths, or call clothc_solver_compact",
                    padded, contents.particles.largest_hole(), particle_capacity());
  Cloth* cloth = nullptr;
  try {
    transaction([&] {
      Cloth& placed = insert_cloth(contents, source, slot, first);
      cloth = &placed;
      if (original != nullptr) {
        copy_state(*original, placed);
      } else {
        begin_state(placed, source.positions);
      }
    });
  } catch (...) {
    if (cloth != nullptr) {
      contents.order.pop_back();
      delist(contents, *cloth);
      release_tables(contents, *cloth);
      contents.cloths.undo_put(slot);
    }
    contents.particles.release(first, padded);
    throw;
  }
  cloth->ordinal = contents.next_ordinal++;
  schedule_changed_ = true;
  mark();
  return cloth->id;
}

clothc_cloth_id Solver::clone_cloth(const Cloth& original) {
  ClothSource source;
  source.fabric = original.fabric->data;
  source.scale = original.scale;
  source.spare_particle_count = original.spare_particle_count;
  source.parameters = original.parameters;
  source.phases = original.phases;
  source.collider_sets = original.collider_sets;
  source.self_collision_particles = original.self_collision_particles;
  return add_cloth(source, &original);
}

void Solver::remove_cloth(Cloth& removed) {
  SolverContents& contents = *contents_;
  // Particles that belong to no cloth are never visible, so nothing needs to be cleared. Without queued work, which
  // might need memory, removing a cloth cannot fail.
  contents.order.erase(contents.order.begin() + index_of(removed));
  delist(contents, removed);
  release_tables(contents, removed);
  contents.particles.release(removed.first_particle, removed.range_count());
  contents.cloths.take(removed.slot);
  schedule_changed_ = true;
}

}  // namespace clothc
