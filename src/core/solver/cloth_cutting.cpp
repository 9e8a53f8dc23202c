// cloth_cutting.cpp - changes of a cloth's topology: particles are split off others, and constraints and triangles move
// from one to the other. The next update cooks coarse levels for what has come of the cloth, and uploads the changes.
#include <algorithm>

#include "core/collision/particle_layout.h"
#include "core/solver/cloths.h"

namespace clothc {

TopologyChanges& Cloths::own_topology(Cloth& cloth) {
  // A clone shares the topology of its original until one of them is changed.
  if (cloth.topology->changes == nullptr || cloth.topology.use_count() > 1) {
    cloth.topology = store_.fabrics().copy(*cloth.topology, cloth.spare_particle_count);
    cloth.mark_records_changed();
    cloth.mark_jobs_changed();
  }
  return *cloth.topology->changes;
}

uint32_t Cloths::split_particle(Cloth& cloth, uint32_t particle) {
  CLOTHC_REQUIRE(particle < cloth.particle_count(), "particle %u cannot be split: the cloth has %u particles", particle,
                 cloth.particle_count());
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, cloth.spare_particle_count > 0,
                    "the cloth has %u particles and no spare particle left; raise cloth_desc.spare_particle_count",
                    cloth.particle_count());
  TopologyChanges& topology = own_topology(cloth);
  const uint32_t source = cloth.layout().storage_index(particle);
  const uint32_t added = cloth.particle_count();
  std::vector<uint32_t>& chosen = cloth.self_collision_particles;
  const bool is_chosen = std::binary_search(chosen.begin(), chosen.end(), particle);
  const bool collides = cloth.collision_particles != 0 && (is_chosen || chosen.empty());
  const uint32_t words_before = CollisionParticleLayout(cloth.collision_particle_count()).words();
  const uint32_t words = CollisionParticleLayout(cloth.collision_particle_count() + 1).words();
  const uint32_t collision_particles = collides ? store_.allocate_words(words) : 0;
  try {
    if (is_chosen) chosen.reserve(chosen.size() + 1);
    store_.queue().transaction([&] {
      for (uint32_t k = 0; k < state_channel_count; ++k) store_.copy_element(cloth, StateChannel{k}, source, added);
    });
    topology.split(source);
  } catch (...) {
    store_.release_words(collision_particles, words);
    throw;
  }
  // Nothing can fail from here on.
  if (is_chosen) chosen.push_back(added);
  if (collides) {
    store_.release_words(cloth.collision_particles, words_before);
    cloth.collision_particles = collision_particles;
    cloth.collision_particles_changed = true;
  }
  --cloth.spare_particle_count;
  ++particle_count_;
  cloth.mark_jobs_changed();
  cloth.wake();
  return added;
}

void Cloths::move_reference(Cloth& cloth, const ParticleReference& reference, uint32_t particle) {
  TopologyChanges& topology = own_topology(cloth);
  const uint32_t target = particle < cloth.particle_count() ? cloth.layout().storage_index(particle) : particle;
  CLOTHC_REQUIRE(
      topology.exists(reference) && topology.are_one_in_fabric(topology.particle_at(reference), target),
      "reference %u of item %u of set %u cannot move to particle %u, which was not split off the same particle",
      reference.row, reference.item, reference.set, particle);
  topology.move(reference, target);
  cloth.mark_settings_changed();
  cloth.wake();
}

void Cloths::refresh_levels() {
  for (Cloth* cloth : changed_) refresh_levels(*cloth);
}

void Cloths::refresh_levels(Cloth& cloth) {
  const TopologyChanges* changes = cloth.topology->changes.get();
  if (changes == nullptr || !changes->has_outdated_levels() || cloth.parameters.hierarchy_stiffness <= 0) return;
  const std::shared_ptr<const ClothLevels> before = cloth.own_levels;
  cloth.own_levels = store_.fabrics().levels(*cloth.topology);
  if (cloth.own_levels == before) return;
  try {
    ensure_levels(cloth, cloth.parameters);
    ensure_records(cloth, cloth.record_count());
    // The rows of other levels were here.
    store_.clear_words(cloth.levels, cloth.level_capacity);
  } catch (...) {
    cloth.own_levels = before;
    throw;
  }
  // Nothing can fail from here on.
  cloth.mark_records_changed();
  cloth.mark_jobs_changed();
}

}  // namespace clothc
