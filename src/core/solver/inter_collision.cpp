// inter_collision.cpp - collisions between the cloths of a solver: finds the cloths that collide, allocates and uploads
// the data that they share on the device, and queues the schedule that runs once the iterations of all cloths are done.
#include <algorithm>
#include <cmath>

#include "core/collision/particle_layout.h"
#include "core/schedule/schedule.h"
#include "core/solver/solver.h"

namespace clothc {
namespace {

// Length of the range InterCollision::cloths: two arrays of slots, and the nodes of the BVH.
uint32_t words_for(uint32_t cloths) { return 2 * cloths + WideBvh(cloths).nodes() * node_words; }

// Returns the number of cells per metre that makes a cell about as wide as the average cloth. The width of a cloth is
// estimated from the number of its collision particles, which lie about their collision distance apart.
float cells_for(const std::vector<Cloth*>& cloths) {
  double widths = 0;
  for (const Cloth* cloth : cloths) {
    widths += static_cast<double>(cloth->parameters.inter_collision_distance) *
              std::sqrt(static_cast<double>(cloth->collision_particle_count()));
  }
  return static_cast<float>(static_cast<double>(cloths.size()) / std::max(widths, 1e-30));
}

}  // namespace

// Must be called before the lists of jobs are built. The cloths are in the order in which they were added.
void Solver::rebuild_inter_collision() {
  InterCollision& inter_collision = contents_->inter_collision;
  std::vector<Cloth*> cloths;
  std::vector<clothc_cloth_id> ids;
  for (Cloth* cloth : contents_->order) {
    if (cloth->may_collide_with_cloths()) cloths.push_back(cloth);
  }
  if (cloths.size() < 2) cloths.clear();
  for (const Cloth* cloth : cloths) ids.push_back(cloth->id);
  const auto count = static_cast<uint32_t>(cloths.size());
  if (count > inter_collision.capacity) {
    const uint32_t capacity = std::max(count, 2 * inter_collision.capacity);
    for (MemoryPointer& memory : inter_collision.sorted)
      memory = backend().allocate(uint64_t{capacity} * 4, MemoryVisibility::device_only);
    const uint32_t list = contents_->tables.allocate(*stream_, words_for(capacity));
    if (inter_collision.capacity > 0)
      contents_->tables.release(inter_collision.cloths, words_for(inter_collision.capacity));
    inter_collision.cloths = list;
    inter_collision.capacity = capacity;
    // The device has no slots in the new range, so that the comparison below must find a difference.
    inter_collision.ids.clear();
  }
  InterCollision next;
  next.cloths = inter_collision.cloths;
  next.capacity = inter_collision.capacity;
  next.sorted = inter_collision.sorted;
  next.schedule = inter_collision.schedule;
  next.ids = std::move(ids);
  next.cells = cells_for(cloths);
  for (const Cloth* cloth : cloths) {
    const clothc_cloth_parameters& p = cloth->parameters;
    next.passes = std::max(next.passes, p.inter_collision_iterations);
    next.in_iterations = next.in_iterations || p.inter_collision_iterations == 0;
    next.has_friction = next.has_friction || p.inter_collision_friction > 0 || p.inter_collision_damping > 0;
  }
  if (next.is_like(inter_collision)) return;
  if (next.is_sorted())
    next.keying = sequence_of({{static_cast<uint32_t>(Kernel::make_cloth_keys), cloths[0]->slot, 0, count, 0}});
  // Nothing can fail from here on.
  inter_collision = std::move(next);
  inter_collision.changed = true;
  for (Cloth* cloth : contents_->order) {
    if (cloth->collides_with_cloths) {
      cloth->jobs_changed = true;
      cloth->touch_settings();
    }
    cloth->collides_with_cloths = cloth->only_in_passes = false;
  }
  for (uint32_t entry = 0; entry < count; ++entry) {
    cloths[entry]->inter_index = entry;
    cloths[entry]->only_in_passes = inter_collision.in_iterations;
    cloths[entry]->collides_with_cloths = cloths[entry]->jobs_changed = true;
    cloths[entry]->touch_settings();
  }
}

// Uploads the slots of the cloths, and fills the last node of the BVH with empty boxes, since it may have fewer
// children than others.
void Solver::upload_inter_collision() {
  InterCollision& inter_collision = contents_->inter_collision;
  inter_collision.changed = false;
  if (inter_collision.count() == 0) return;
  words_.clear();
  for (const clothc_cloth_id id : inter_collision.ids) {
    // Null if the cloth has been removed since. The next update then has other ids.
    const Cloth* found = contents_->cloths.find(id);
    words_.push_back(found == nullptr ? 0 : found->slot);
  }
  const MemoryPointer& tables = contents_->tables.memory();
  write(tables, uint64_t{inter_collision.cloths} * 4, words_.data(), words_.size() * 4);
  // The bits of 3e38f. An empty box has this as all its least coordinates and its negative as all greatest ones.
  constexpr uint32_t nowhere = 0x7f61b1e6u;
  words_.assign(node_words, nowhere);
  std::fill(words_.begin() + node_words / 2, words_.end(), nowhere | 0x80000000u);
  const uint64_t last = inter_collision.nodes() + uint64_t{WideBvh(inter_collision.count()).nodes() - 1} * node_words;
  write(tables, last * 4, words_.data(), words_.size() * 4);
}

// Queues the jobs that sort the cloths along the Morton curve of cloth_bvh.kernel.h.
void Solver::sort_inter_collision() {
  const InterCollision& inter_collision = contents_->inter_collision;
  if (inter_collision.keying == nullptr) return;
  stream_->run({arenas(), frame(0), inter_collision.keying, 0, 0});
  sort_words(inter_collision.sorted, inter_collision.order(), inter_collision.cloths, inter_collision.order(),
             inter_collision.count());
}

uint64_t Solver::queue_inter_collision(float dt) {
  const InterCollision& inter_collision = contents_->inter_collision;
  if (inter_collision.count() == 0) return 0;
  stream_->run({arenas(), frame(dt), inter_collision.schedule, 0, 0});
  return inter_collision.schedule->passes.size();
}

}  // namespace clothc
