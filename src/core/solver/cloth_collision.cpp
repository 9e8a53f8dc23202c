// cloth_collision.cpp - collisions between the cloths of a solver: finds the cloths that collide, allocates and uploads
// the data that they share on the device, and queues the schedule that runs once the iterations of all cloths are done.
#include "core/solver/cloth_collision.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/collision/particle_layout.h"
#include "core/schedule/schedule.h"

namespace clothc {
namespace {

// Length of the range that begins at InterCollision::header.
uint32_t words_for(uint32_t cloths) {
  return most_bvh_levels * cloth_bvh_words + 3 * cloths + sort_scratch_words(cloths) +
         WideBvh(cloths).nodes() * node_words;
}

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

ClothCollision::ClothCollision(DeviceStore& store, const Cloths& cloths) : store_(store), cloths_(cloths) {}

void ClothCollision::ensure_capacity(uint32_t count) {
  if (count <= shared_.capacity) return;
  const uint32_t capacity = std::max(count, 2 * shared_.capacity);
  const uint32_t list = store_.allocate_words(words_for(capacity));
  if (shared_.capacity > 0) store_.release_words(shared_.header, words_for(shared_.capacity));
  shared_.header = list;
  shared_.capacity = capacity;
  // The device has no slots in the new range, so that the next rebuild must find a difference.
  shared_.ids.clear();
}

void ClothCollision::rebuild() {
  std::vector<Cloth*> colliding;
  for (Cloth* cloth : cloths_.in_order()) {
    if (cloth->may_collide_with_cloths()) colliding.push_back(cloth);
  }
  if (colliding.size() < 2) colliding.clear();
  const auto count = static_cast<uint32_t>(colliding.size());
  ensure_capacity(count);
  InterCollision next;
  next.header = shared_.header;
  next.capacity = shared_.capacity;
  next.schedule = shared_.schedule;
  next.cells = cells_for(colliding);
  for (const Cloth* cloth : colliding) {
    const clothc_cloth_parameters& p = cloth->parameters;
    next.ids.push_back(cloth->id);
    next.passes = std::max(next.passes, p.inter_collision_iterations);
    next.in_iterations = next.in_iterations || p.inter_collision_iterations == 0;
    next.has_friction = next.has_friction || p.inter_collision_friction > 0 || p.inter_collision_damping > 0;
  }
  if (next.is_like(shared_)) return;
  if (next.is_sorted()) {
    next.sorting = Sequence()
                       .run({static_cast<uint32_t>(Kernel::make_cloth_keys), 0, 0, count, next.header})
                       .sort(next.keys(), next.order(), next.scratch(), count, access_cloth_bvh)
                       .finish();
  }
  // Nothing can fail from here on.
  shared_ = std::move(next);
  shared_.changed = true;
  for (Cloth* cloth : cloths_.in_order()) {
    if (cloth->collides_with_cloths) cloth->mark_jobs_changed();
    cloth->collides_with_cloths = cloth->only_in_passes = false;
  }
  for (uint32_t index = 0; index < count; ++index) {
    colliding[index]->inter_index = index;
    colliding[index]->only_in_passes = shared_.in_iterations;
    colliding[index]->collides_with_cloths = true;
    colliding[index]->mark_jobs_changed();
  }
}

void ClothCollision::set_schedule(std::shared_ptr<const Schedule> schedule) { shared_.schedule = std::move(schedule); }

void ClothCollision::upload_changes() {
  if (!shared_.changed) return;
  shared_.changed = false;
  if (shared_.count() == 0) return;
  std::vector<uint32_t> words;
  for (const clothc_cloth_id id : shared_.ids) {
    // Null if the cloth has been removed since. The next update then has other ids.
    const Cloth* found = cloths_.slots().find(id);
    words.push_back(found == nullptr ? 0 : found->slot);
  }
  store_.write_words(shared_.cloths(), words);
  upload_headers();
  // The last node of the BVH may have fewer children than others, so it is filled with empty boxes. An empty box has
  // 3e38f, which has these bits, as all its least coordinates and its negative as all greatest ones.
  constexpr uint32_t nowhere = 0x7f61b1e6u;
  words.assign(node_words, nowhere);
  std::fill(words.begin() + node_words / 2, words.end(), nowhere | 0x80000000u);
  store_.write_words(shared_.nodes() + (WideBvh(shared_.count()).nodes() - 1) * node_words, words);
}

void ClothCollision::upload_headers() {
  const uint32_t levels = WideBvh(shared_.count()).levels;
  std::vector<uint32_t> words(size_t{levels} * cloth_bvh_words);
  for (uint32_t level = 0; level < levels; ++level) {
    uint32_t* header = &words[size_t{level} * cloth_bvh_words];
    header[cloth_bvh_count] = shared_.count();
    header[cloth_bvh_cloths] = shared_.cloths();
    header[cloth_bvh_order] = shared_.order();
    std::memcpy(&header[cloth_bvh_cells], &shared_.cells, sizeof(shared_.cells));
    header[cloth_bvh_nodes] = shared_.nodes();
    header[cloth_bvh_levels] = levels;
    header[cloth_bvh_level] = level;
    header[cloth_bvh_keys] = shared_.keys();
  }
  store_.write_words(shared_.header, words);
}

void ClothCollision::queue_sorting(std::shared_ptr<DispatchTimes> times) {
  if (shared_.sorting != nullptr) store_.run(shared_.sorting, 0, 0, 0, std::move(times));
}

uint64_t ClothCollision::queue(float dt, std::shared_ptr<DispatchTimes> times) {
  if (shared_.count() == 0) return 0;
  store_.run(shared_.schedule, dt, 0, 0, std::move(times));
  return shared_.schedule->passes.size();
}

}  // namespace clothc
