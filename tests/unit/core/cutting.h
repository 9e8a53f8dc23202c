// cutting.h - cuts the cloths of a scene, for which the public API has no call yet.
#pragma once

#include <vector>

#include "core/solver/solver.h"
#include "support/scene.h"

namespace clothc_test {

inline clothc::Cloths& cloths_of(const Scene& scene) {
  return static_cast<clothc::Solver&>(
             *clothc::handle_table().find(reinterpret_cast<uintptr_t>(scene.solver), clothc::ObjectKind::solver))
      .cloths();
}

// Makes a particle of a cloth two. Constraints and triangles with a particle for which is_beyond returns true take the
// second one.
template <class Condition>
void cut_particle(const Scene& scene, clothc_cloth_id id, uint32_t particle, Condition is_beyond) {
  clothc::Cloths& cloths = cloths_of(scene);
  clothc::Cloth& cloth = cloths.get(id);
  const uint32_t split = cloths.split_particle(cloth, particle);
  const clothc::FabricLayout& layout = cloth.layout();
  const clothc::TopologyChanges& topology = cloths.own_topology(cloth);
  std::vector<uint32_t> number_of(layout.particle_count);
  for (uint32_t p = 0; p < layout.particle_count; ++p) number_of[layout.storage_index(p)] = p;
  for (const clothc::ParticleReference& reference : topology.references_to(layout.storage_index(particle))) {
    const bool is_triangle = reference.set == clothc::ParticleReference::in_triangles;
    const uint32_t count = is_triangle ? 3 : layout.sets[reference.set].arity;
    bool moves = false;
    for (uint32_t row = 0; row < count; ++row)
      moves = moves || is_beyond(number_of[topology.particle_at({reference.set, reference.item, row})]);
    if (moves) cloths.move_reference(cloth, reference, split);
  }
}

}  // namespace clothc_test
