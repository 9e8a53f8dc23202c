// points.cpp - which particles of a cloth collide with cloth, and where the device keeps what it knows about them.
#include <algorithm>

#include "core/point_layout.h"
#include "core/solver.h"
#include "cook/point_order.h"

namespace clothc {

void Solver::ensure_points(SolverContents& contents, Cloth& cloth, const clothc_cloth_parameters& parameters) {
  if (!collides_with_itself(parameters) && !may_collide_with_cloths(parameters)) return;
  if (cloth.update_start == 0 && parameters.sleep_threshold > 0)
    cloth.update_start = contents.tables.allocate(*stream_, cloth.update_start_words());
  if (cloth.points != 0) return;
  if (cloth.fabric->point_order.empty()) cloth.fabric->point_order = cook::order_points(cloth.data());
  cloth.points = contents.tables.allocate(*stream_, PointLayout(cloth.point_count()).words());
  cloth.points_changed = cloth.changed = true;
}

// Places of the points, with padding on the dummy particle.
void Solver::upload_points(Cloth& cloth) {
  cloth.points_changed = false;
  if (cloth.points == 0) return;
  const std::vector<uint32_t>& chosen = cloth.self_collision_particles;
  words_.clear();
  for (const uint32_t particle : cloth.fabric->point_order) {
    if (chosen.empty() || std::binary_search(chosen.begin(), chosen.end(), particle))
      words_.push_back(cloth.data().storage_index(particle));
  }
  words_.resize(PointLayout(cloth.point_count()).stride, cloth.particle_count());
  write(contents_->tables.memory(), uint64_t{cloth.points} * 4, words_.data(), words_.size() * 4);
}

void Solver::set_self_collision_particles(Cloth& cloth, std::vector<uint32_t> particles) {
  if (cloth.self_collision_particles == particles) return;
  if (cloth.points != 0) {
    const uint32_t count = particles.empty() ? cloth.particle_count() : static_cast<uint32_t>(particles.size());
    const uint32_t points = contents_->tables.allocate(*stream_, PointLayout(count).words());
    contents_->tables.release(cloth.points, PointLayout(cloth.point_count()).words());
    cloth.points = points;
  }
  cloth.self_collision_particles = std::move(particles);
  cloth.points_changed = cloth.changed = cloth.jobs_changed = schedule_changed_ = true;
  cloth.wake();
}

}  // namespace clothc
