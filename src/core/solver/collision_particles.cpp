// collision_particles.cpp - the particles of a cloth that collide with cloth, and their data on the device.
#include <algorithm>

#include "core/collision/particle_layout.h"
#include "core/solver/solver.h"
#include "cook/order/bvh_order.h"

namespace clothc {

void Solver::ensure_collision_particles(SolverContents& contents, Cloth& cloth,
                                        const clothc_cloth_parameters& parameters) {
  if (!collides_with_itself(parameters) && !may_collide_with_cloths(parameters)) return;
  if (cloth.update_start == 0 && parameters.sleep_threshold > 0)
    cloth.update_start = contents.tables.allocate(*stream_, cloth.update_start_words());
  if (cloth.collision_particles != 0) return;
  if (cloth.fabric->bvh_order.empty()) cloth.fabric->bvh_order = cook::order_for_bvh(cloth.data());
  cloth.collision_particles =
      contents.tables.allocate(*stream_, CollisionParticleLayout(cloth.collision_particle_count()).words());
  cloth.collision_particles_changed = true;
  cloth.touch_settings();
}

// Uploads the storage indices of the collision particles. Padding gets the index of the dummy particle.
void Solver::upload_collision_particles(Cloth& cloth) {
  cloth.collision_particles_changed = false;
  if (cloth.collision_particles == 0) return;
  const std::vector<uint32_t>& chosen = cloth.self_collision_particles;
  words_.clear();
  for (const uint32_t particle : cloth.fabric->bvh_order) {
    if (chosen.empty() || std::binary_search(chosen.begin(), chosen.end(), particle))
      words_.push_back(cloth.data().storage_index(particle));
  }
  words_.resize(CollisionParticleLayout(cloth.collision_particle_count()).stride, cloth.particle_count());
  write(contents_->tables.memory(), uint64_t{cloth.collision_particles} * 4, words_.data(), words_.size() * 4);
}

void Solver::set_self_collision_particles(Cloth& cloth, std::vector<uint32_t> particles) {
  if (cloth.self_collision_particles == particles) return;
  if (cloth.collision_particles != 0) {
    const uint32_t count = particles.empty() ? cloth.particle_count() : static_cast<uint32_t>(particles.size());
    const uint32_t moved = contents_->tables.allocate(*stream_, CollisionParticleLayout(count).words());
    contents_->tables.release(cloth.collision_particles,
                              CollisionParticleLayout(cloth.collision_particle_count()).words());
    cloth.collision_particles = moved;
  }
  cloth.self_collision_particles = std::move(particles);
  cloth.collision_particles_changed = cloth.jobs_changed = schedule_changed_ = true;
  cloth.touch_settings();
  cloth.wake();
}

}  // namespace clothc
