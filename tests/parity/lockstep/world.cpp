// world.cpp - see world.h.
#include "parity/lockstep/world.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr size_t most_fabrics = 8;

std::vector<uint8_t> save(clothc_fabric fabric) {
  uint64_t size = 0;
  require(clothc_fabric_save(fabric, nullptr, &size));
  std::vector<uint8_t> blob(size);
  require(clothc_fabric_save(fabric, blob.data(), &size));
  return blob;
}

clothc_fabric load(clothc_device device, const std::vector<uint8_t>& blob) {
  clothc_fabric fabric = nullptr;
  require(clothc_fabric_load(device, blob.data(), blob.size(), &fabric));
  return fabric;
}

void record_diagnostics(clothc_fabric fabric, uint32_t count, Log& log) {
  for (uint32_t k = 0; k < count; ++k) {
    auto diagnostic = initialised<clothc_diagnostic>();
    require(clothc_fabric_get_diagnostic(fabric, k, &diagnostic));
    log.value("clothc_fabric_get_diagnostic", diagnostic);
  }
}

uint32_t pick_id(Random& random, const std::vector<uint32_t>& living, const std::vector<uint32_t>& removed) {
  if (random.one_in(40) || living.empty()) {
    if (random.one_in(2) || removed.empty()) return random.one_in(2) ? 0 : static_cast<uint32_t>(random.next());
    return random.pick(removed);
  }
  return random.pick(living);
}

}  // namespace

World::World(const Place& where, const clothc_solver_desc& given) : place(where), desc(given) { make_objects(); }

World::World(const Place& where, const World& original, const std::vector<uint8_t>& snapshot)
    : place(where),
      desc(original.desc),
      cloths(original.cloths),
      groups(original.groups),
      removed_cloths(original.removed_cloths),
      sets(original.sets),
      removed_sets(original.removed_sets),
      assets(original.assets),
      removed_assets(original.removed_assets),
      gate_value(original.gate_value),
      counter_value(original.counter_value),
      blobs_(original.blobs_),
      phase_counts_(original.phase_counts_),
      saved_(original.saved_) {
  make_objects();
  for (const Fabric& fabric : original.fabrics) fabrics.push_back({load(place.device, fabric.blob), fabric.blob});
  for (size_t k = 0; k < buffers.size(); ++k) {
    auto info = initialised<clothc_buffer_info>();
    require(clothc_buffer_get_info(buffers[k], &info));
    std::vector<uint8_t> bytes(info.size);
    require(clothc_buffer_read(original.buffers[k], 0, info.size, bytes.data()));
    require(clothc_buffer_write(buffers[k], 0, info.size, bytes.data()));
  }
  require(restore(snapshot));
}

World::~World() {
  if (is_held()) clothc_fence_signal(gate, gate_value + 1);
  clothc_solver_destroy(solver);
  for (const Fabric& fabric : fabrics) clothc_fabric_destroy(fabric.handle);
  for (const clothc_buffer buffer : buffers) clothc_buffer_destroy(buffer);
  clothc_fence_destroy(gate);
  clothc_fence_destroy(counter);
}

void World::make_objects() {
  clothc_solver_desc here = desc;
  here.schedule = place.schedule;
  solver = clothc_test::create_solver(place.device, here);
  require(clothc_fence_create(place.device, gate_value, &gate));
  require(clothc_fence_create(place.device, counter_value, &counter));
  for (const uint32_t count : {40u, 400u, 2000u}) {
    buffers.push_back(clothc_test::create_buffer(place.device, count));
    buffers.push_back(clothc_test::create_buffer(place.device, count, CLOTHC_FORMAT_RECORD, 32));
  }
}

clothc_cloth_id World::pick_cloth(Random& random) const { return pick_id(random, cloths, removed_cloths); }

clothc_group_id World::pick_group(Random& random) const {
  return random.one_in(20) ? pick_cloth(random) : pick_id(random, groups, removed_cloths);
}

clothc_collider_set_id World::pick_set(Random& random) const { return pick_id(random, sets, removed_sets); }

clothc_fabric World::pick_fabric(Random& random) const {
  return fabrics.empty() || random.one_in(60) ? nullptr : random.pick(fabrics).handle;
}

std::vector<clothc_collider_set_id> World::pick_sets(Random& random) const {
  std::vector<clothc_collider_set_id> picked;
  for (const clothc_collider_set_id set : sets) {
    if (random.one_in(2)) picked.push_back(set);
  }
  if (random.one_in(30)) picked.push_back(pick_set(random));
  return picked;
}

clothc_cloth_info World::info_of(clothc_cloth_id cloth) const {
  auto info = initialised<clothc_cloth_info>();
  clothc_cloth_get_info(solver, cloth, &info);
  return info;
}

uint32_t World::phase_count_of(clothc_cloth_id cloth) const {
  const auto found = phase_counts_.find(info_of(cloth).fabric_hash);
  return found == phase_counts_.end() ? 1 : found->second;
}

void World::keep_fabric(clothc_fabric fabric, Random& random, Log& log) {
  const clothc_fabric_info info = clothc_test::fabric_info(fabric);
  log.value("clothc_fabric_get_info", info);
  record_diagnostics(fabric, info.diagnostic_count, log);
  const std::vector<uint8_t> blob = save(fabric);
  log.values("clothc_fabric_save", blob);
  blobs_[info.content_hash] = blob;
  phase_counts_[info.content_hash] = info.phase_count;
  if (fabrics.size() < most_fabrics) {
    fabrics.push_back({fabric, blob});
    return;
  }
  Fabric& replaced = fabrics[random.below(most_fabrics)];
  log.result("clothc_fabric_destroy", clothc_fabric_destroy(replaced.handle));
  replaced = {fabric, blob};
}

void World::forget_cloth(clothc_cloth_id cloth) {
  for (std::vector<clothc_cloth_id>* ids : {&cloths, &groups})
    ids->erase(std::remove(ids->begin(), ids->end(), cloth), ids->end());
  removed_cloths.push_back(cloth);
}

void World::save_state() { saved_ = {clothc_test::take_snapshot(solver), cloths, groups, sets, assets}; }

clothc_result World::restore_saved() {
  const clothc_result result = restore(saved_.snapshot);
  if (result == CLOTHC_SUCCESS) {
    cloths = saved_.cloths, groups = saved_.groups;
    sets = saved_.sets, assets = saved_.assets;
  }
  return result;
}

clothc_result World::restore(const std::vector<uint8_t>& snapshot) {
  std::vector<clothc_fabric> all;
  for (const auto& [hash, blob] : blobs_) all.push_back(load(place.device, blob));
  const clothc_result result =
      clothc_solver_restore(solver, snapshot.data(), snapshot.size(), all.data(), static_cast<uint32_t>(all.size()));
  for (const clothc_fabric fabric : all) require(clothc_fabric_destroy(fabric));
  return result;
}

void World::release() {
  if (held_updates == 0) return;
  held_updates = 0;
  require(clothc_fence_signal(gate, ++gate_value));
}

void World::end_bindings() {
  for (const clothc_cloth_id cloth : cloths) {
    for (clothc_channel channel = 1; channel < 64; ++channel)
      clothc_cloth_bind(solver, cloth, channel, nullptr, nullptr);
  }
}

}  // namespace lockstep
