// solver.cpp - cloths and collider sets come, go and change. What changes on the host is noted here and sent by the next
// update; what lives on the device is changed by work queued in order.
#include "core/solver.h"

#include <algorithm>
#include <cstring>

#include "core/device.h"

namespace clothc {
namespace {

constexpr uint32_t zeros[4] = {0, 0, 0, 0};
constexpr uint32_t unconstrained[4] = {0, 0, 0, 0xbf800000u};  // radius -1

uint32_t rounded_up(uint32_t count) { return (count + lane_padding - 1) / lane_padding * lane_padding; }

template <class T>
void erase_value(std::vector<T>& values, const T& value) {
  values.erase(std::remove(values.begin(), values.end(), value), values.end());
}

}  // namespace

SolverContents::SolverContents(Backend& backend, const clothc_solver_desc& desc)
    : particles(rounded_up(desc.particle_capacity)),
      particle_memory(backend.allocate(uint64_t{block_count} * 16 * rounded_up(desc.particle_capacity))),
      cloth_memory(backend.allocate(uint64_t{desc.cloth_capacity} * sizeof(ClothRecord))),
      fabric(backend, 1024),
      tables(backend, 1024),
      cloths(desc.cloth_capacity),
      collider_sets(desc.collider_set_capacity) {}

Solver::Solver(std::shared_ptr<Device> device, const clothc_solver_desc& desc)
    : Object(object_kind, std::move(device)),
      desc_(desc),
      stream_(backend().create_stream()),
      contents_(std::make_unique<SolverContents>(backend(), desc)),
      updates_(desc.updates_in_flight, 0) {}

Solver::~Solver() = default;

Backend& Solver::backend() const { return device()->backend(); }

Arenas Solver::arenas() const {
  return {contents_->particle_memory, contents_->fabric.memory(), contents_->cloth_memory, contents_->tables.memory()};
}

FrameConstants Solver::frame(float dt) const {
  const uint32_t capacity = particle_capacity();
  return {dt,
          block_position * capacity,
          block_previous * capacity,
          block_velocity * capacity,
          block_acceleration * capacity,
          block_motion_start * capacity,
          block_motion_target * capacity,
          block_incoming * capacity};
}

void Solver::mark() { timeline_value_.store(stream_->mark(), std::memory_order_release); }

void Solver::write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) {
  stream_->write(memory, offset, data, size);
  uploaded_bytes_ += size;
}

clothc_solver_info Solver::info() const {
  clothc_solver_info info{};
  info.particle_capacity = particle_capacity();
  for (const Cloth* cloth : contents_->order) info.particle_count += cloth->particle_count();
  info.largest_hole = contents_->particles.largest_hole();
  info.cloth_capacity = desc_.cloth_capacity;
  info.cloth_count = contents_->cloths.count();
  info.collider_set_capacity = desc_.collider_set_capacity;
  info.collider_set_count = contents_->collider_sets.count();
  info.update_count = update_count_;
  info.timeline_value = timeline_value();
  info.completed_value = completed_value();
  info.uploaded_byte_count = uploaded_bytes_;
  info.last_update_upload = last_update_upload_;
  info.last_update_passes = last_update_passes_;
  return info;
}

// ------------------------------------------------------------------------------------------------ fabrics

namespace {

// The words of a fabric as kernels read them, offsets relative to the first. Fills the residence's offsets.
std::vector<uint32_t> pack_fabric(const FabricData& data, FabricResidence& residence) {
  std::vector<uint32_t> words;
  const auto append = [&](const auto& values) {
    const uint32_t offset = static_cast<uint32_t>(words.size());
    words.resize(words.size() + values.size());
    if (!values.empty()) std::memcpy(words.data() + offset, values.data(), values.size() * 4);
    return offset;
  };
  residence.constraint_first = append(data.laid_out_first);
  residence.constraint_second = append(data.laid_out_second);
  residence.constraint_rest = append(data.laid_out_rest);
  residence.constraint_stiffness = append(data.laid_out_stiffness);
  if (data.tethers_per_particle == 0) return words;

  // One slot per particle in index order, or in the order of the levels; padding slots are the dummy particle.
  std::vector<uint32_t> order = data.tether_order;
  if (order.empty()) {
    for (uint32_t k = 0; k < data.particle_count; ++k) order.push_back(k);
  } else {
    order.resize(rounded_up(static_cast<uint32_t>(order.size())), data.particle_count);
    residence.tether_order = append(order);
  }
  const uint32_t slots = static_cast<uint32_t>(order.size());
  residence.tether_stride = std::max(rounded_up(slots), padded_particles(data.particle_count));
  std::vector<uint32_t> anchors(size_t{residence.tether_stride} * data.tethers_per_particle, data.particle_count);
  std::vector<float> lengths(anchors.size(), 0.0f);
  for (uint32_t t = 0; t < data.tethers_per_particle; ++t) {
    for (uint32_t slot = 0; slot < slots; ++slot) {
      if (order[slot] >= data.particle_count) continue;
      const size_t source = size_t{t} * data.particle_count + order[slot];
      const size_t target = size_t{t} * residence.tether_stride + slot;
      anchors[target] = data.tether_anchors[source];
      lengths[target] = data.tether_lengths[source];
    }
  }
  residence.tether_anchor = append(anchors);
  residence.tether_length = append(lengths);
  return words;
}

}  // namespace

std::shared_ptr<const FabricResidence> Solver::residence_of(SolverContents& contents, const std::shared_ptr<const FabricData>& data) {
  for (const std::weak_ptr<const FabricResidence>& weak : contents.residences) {
    std::shared_ptr<const FabricResidence> residence = weak.lock();
    if (residence != nullptr && residence->data == data) return residence;
  }
  contents.residences.erase(std::remove_if(contents.residences.begin(), contents.residences.end(),
                                           [](const auto& weak) { return weak.expired(); }),
                            contents.residences.end());
  contents.residences.reserve(contents.residences.size() + 1);
  auto owned = std::make_unique<FabricResidence>();
  owned->data = data;
  const std::vector<uint32_t> words = pack_fabric(*data, *owned);
  owned->word_count = static_cast<uint32_t>(words.size());
  owned->first = contents.fabric.allocate(*stream_, owned->word_count);
  SolverContents* home = &contents;
  std::shared_ptr<FabricResidence> residence(owned.release(), [home](FabricResidence* r) {
    home->fabric.release(r->first, r->word_count);
    delete r;
  });
  for (uint32_t* offset : {&residence->constraint_first, &residence->constraint_second, &residence->constraint_rest,
                           &residence->constraint_stiffness, &residence->tether_anchor, &residence->tether_length, &residence->tether_order}) {
    *offset += residence->first;
  }
  if (!words.empty()) write(contents.fabric.memory(), uint64_t{residence->first} * 4, words.data(), words.size() * 4);
  contents.residences.push_back(residence);
  return residence;
}

// ------------------------------------------------------------------------------------------------ cloths

Cloth& Solver::cloth(clothc_cloth_id id) const {
  Cloth* found = contents_->cloths.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, found != nullptr, "cloth id 0x%x names no cloth of this solver; it was removed or is of another one",
                    id);
  return *found;
}

Cloth& Solver::place_cloth(SolverContents& contents, const ClothSource& source, uint32_t slot, uint32_t first_particle) {
  auto cloth = std::make_unique<Cloth>();
  cloth->slot = slot;
  cloth->id = contents.cloths.id_of(slot);
  cloth->first_particle = first_particle;
  cloth->padded_count = padded_particles(source.fabric->particle_count);
  cloth->reduction_lanes = reduction_lanes_for(cloth->padded_count);
  cloth->parameters = source.parameters;
  cloth->phases = source.phases;
  cloth->collider_sets = source.collider_sets;
  cloth->fabric = residence_of(contents, source.fabric);
  contents.order.reserve(contents.order.size() + 1);
  cloth->phase_capacity = static_cast<uint32_t>(cloth->phases.size());
  cloth->collider_capacity = static_cast<uint32_t>(cloth->collider_sets.size());
  cloth->phase_table = contents.tables.allocate(*stream_, cloth->phase_capacity * phase_words);
  try {
    cloth->collider_table = contents.tables.allocate(*stream_, cloth->collider_capacity);
    try {
      cloth->scratch = contents.tables.allocate(*stream_, cloth->reduction_lanes * scratch_words_per_lane);
    } catch (...) {
      contents.tables.release(cloth->collider_table, cloth->collider_capacity);
      throw;
    }
  } catch (...) {
    contents.tables.release(cloth->phase_table, cloth->phase_capacity * phase_words);
    throw;
  }
  Cloth& placed = *cloth;
  contents.order.push_back(&placed);
  contents.cloths.put(slot, std::move(cloth));
  return placed;
}

void Solver::release_tables(SolverContents& contents, Cloth& cloth) {
  contents.tables.release(cloth.phase_table, cloth.phase_capacity * phase_words);
  contents.tables.release(cloth.collider_table, cloth.collider_capacity);
  contents.tables.release(cloth.scratch, cloth.reduction_lanes * scratch_words_per_lane);
}

void Solver::write_particles(SolverContents& contents, const Cloth& cloth, const float* positions) {
  std::vector<float> padded(size_t{cloth.padded_count} * 4, 0.0f);
  std::memcpy(padded.data(), positions, size_t{cloth.particle_count()} * 16);
  const uint64_t capacity = contents.particles.capacity();
  for (const ParticleBlock block : {block_position, block_previous}) {
    write(contents.particle_memory, (block * capacity + cloth.first_particle) * 16, padded.data(), padded.size() * 4);
  }
  ClothRecord record{};
  record.state.status.struct_size = sizeof(clothc_cloth_status);
  write(contents.cloth_memory, uint64_t{cloth.slot} * sizeof(ClothRecord), &record, sizeof(record));
}

clothc_cloth_id Solver::add_cloth(const ClothSource& source) {
  SolverContents& contents = *contents_;
  const uint32_t padded = padded_particles(source.fabric->particle_count);
  const uint32_t slot = contents.cloths.reserve();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slot != 0xffffffffu, "the solver holds %u cloths already; raise solver_desc.cloth_capacity",
                    contents.cloths.count());
  const uint32_t first = contents.particles.allocate(padded);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, first != RangeAllocator::none,
                    "the cloth needs %u particles in one range, the largest hole has %u; raise solver_desc.particle_capacity (%u), remove "
                    "cloths, or call clothc_solver_compact",
                    padded, contents.particles.largest_hole(), particle_capacity());
  Cloth* cloth = nullptr;
  try {
    cloth = &place_cloth(contents, source, slot, first);
    write_particles(contents, *cloth, source.positions);
    fill_block(block_velocity, *cloth, zeros);
  } catch (...) {
    if (cloth != nullptr) {
      contents.order.pop_back();
      release_tables(contents, *cloth);
      contents.cloths.take(slot);
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
  source.parameters = original.parameters;
  source.phases = original.phases;
  source.collider_sets = original.collider_sets;
  const std::vector<float> nowhere(size_t{original.particle_count()} * 4, 0.0f);
  source.positions = nowhere.data();
  const clothc_cloth_id id = add_cloth(source);
  Cloth& copy = cloth(id);
  copy.has_acceleration = original.has_acceleration;
  copy.has_motion = original.has_motion;
  copy.velocity_set = original.velocity_set;
  copy.motion_set = original.motion_set;
  copy.motion_moving = original.motion_moving;
  for (uint32_t block = 0; block < state_block_count; ++block) {
    copy_block(block, original.first_particle, block, copy.first_particle, copy.padded_count);
  }
  Copy state;
  state.source = state.target = contents_->cloth_memory;
  state.source_offset = uint64_t{original.slot} * sizeof(ClothRecord) + offsetof(ClothRecord, state);
  state.target_offset = uint64_t{copy.slot} * sizeof(ClothRecord) + offsetof(ClothRecord, state);
  state.element_size = sizeof(ClothState);
  stream_->copy(state);
  mark();
  return id;
}

void Solver::remove_cloth(Cloth& removed) {
  SolverContents& contents = *contents_;
  for (const ParticleBlock block : {block_position, block_previous, block_velocity}) fill_block(block, removed, zeros);
  erase_value(contents.order, &removed);
  release_tables(contents, removed);
  contents.particles.release(removed.first_particle, removed.padded_count);
  contents.cloths.take(removed.slot);
  schedule_changed_ = true;
  mark();
}

void Solver::set_parameters(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  const bool tethers_switched = (cloth.parameters.tether_stiffness > 0) != (parameters.tether_stiffness > 0);
  cloth.parameters = parameters;
  cloth.changed = true;
  if (tethers_switched) cloth.works_changed = schedule_changed_ = true;
}

void Solver::set_phases(Cloth& cloth, std::vector<clothc_phase_config> phases) {
  const uint32_t count = static_cast<uint32_t>(phases.size());
  if (count > cloth.phase_capacity) {
    const uint32_t table = contents_->tables.allocate(*stream_, count * phase_words);
    contents_->tables.release(cloth.phase_table, cloth.phase_capacity * phase_words);
    cloth.phase_table = table;
    cloth.phase_capacity = count;
  }
  cloth.phases = std::move(phases);
  cloth.changed = cloth.works_changed = schedule_changed_ = true;
}

void Solver::set_collider_sets(Cloth& cloth, std::vector<clothc_collider_set_id> sets) {
  const uint32_t count = static_cast<uint32_t>(sets.size());
  if (count > cloth.collider_capacity) {
    const uint32_t table = contents_->tables.allocate(*stream_, count);
    contents_->tables.release(cloth.collider_table, cloth.collider_capacity);
    cloth.collider_table = table;
    cloth.collider_capacity = count;
  }
  cloth.collider_sets = std::move(sets);
  cloth.changed = cloth.works_changed = schedule_changed_ = true;
}

void Solver::clear_channel(Cloth& cloth, clothc_channel channel) {
  if (channel == CLOTHC_CHANNEL_ACCELERATION) {
    cloth.has_acceleration = false;
  } else {
    cloth.has_motion = cloth.motion_set = cloth.motion_moving = false;
  }
  cloth.changed = cloth.works_changed = schedule_changed_ = true;
}

clothc_cloth_status Solver::status(const Cloth& cloth) {
  static_assert(sizeof(ClothStatus) == sizeof(clothc_cloth_status), "the device's status is the public one");
  clothc_cloth_status status;
  const uint64_t offset = uint64_t{cloth.slot} * sizeof(ClothRecord) + offsetof(ClothRecord, state) + offsetof(ClothState, status);
  stream_->read(contents_->cloth_memory, offset, &status, sizeof(status));
  return status;
}

// ------------------------------------------------------------------------------------------------ particle blocks

void Solver::fill_block(uint32_t block, const Cloth& cloth, const uint32_t pattern[4]) {
  const uint64_t first = uint64_t{block} * particle_capacity() + cloth.first_particle;
  stream_->fill(contents_->particle_memory, first * 16, uint64_t{cloth.padded_count} * 16, pattern);
}

void Solver::copy_block(uint32_t source_block, uint32_t source_first, uint32_t target_block, uint32_t target_first, uint32_t count) {
  Copy copy;
  copy.source = copy.target = contents_->particle_memory;
  copy.source_offset = (uint64_t{source_block} * particle_capacity() + source_first) * 16;
  copy.target_offset = (uint64_t{target_block} * particle_capacity() + target_first) * 16;
  copy.element_size = uint64_t{count} * 16;
  stream_->copy(copy);
}

// Before motion constraints of a cloth are set the first time since the last update: the last targets become the starts.
void Solver::begin_motion(Cloth& cloth) {
  if (cloth.motion_set) return;
  if (cloth.has_motion) {
    copy_block(block_motion_target, cloth.first_particle, block_motion_start, cloth.first_particle, cloth.padded_count);
  } else {
    fill_block(block_motion_start, cloth, unconstrained);
    fill_block(block_motion_target, cloth, unconstrained);
    cloth.has_motion = true;
    cloth.changed = cloth.works_changed = schedule_changed_ = true;
  }
  cloth.motion_set = true;
}

std::vector<clothc_move> Solver::compact() {
  SolverContents& contents = *contents_;
  std::vector<Cloth*> by_place = contents.order;
  std::sort(by_place.begin(), by_place.end(), [](const Cloth* a, const Cloth* b) { return a->first_particle < b->first_particle; });
  std::vector<clothc_move> moves;
  moves.reserve(by_place.size());
  RangeAllocator packed(particle_capacity());
  std::vector<uint32_t> places;
  places.reserve(by_place.size());
  for (const Cloth* cloth : by_place) places.push_back(packed.allocate(cloth->padded_count));
  for (size_t k = 0; k < by_place.size(); ++k) {
    Cloth& moved = *by_place[k];
    if (moved.first_particle == places[k]) continue;
    // Through the incoming block, since the ranges may overlap.
    for (uint32_t block = 0; block < state_block_count; ++block) {
      copy_block(block, moved.first_particle, block_incoming, places[k], moved.padded_count);
      copy_block(block_incoming, places[k], block, places[k], moved.padded_count);
    }
    moves.push_back({moved.id, moved.first_particle, places[k], moved.particle_count()});
    moved.first_particle = places[k];
    moved.changed = true;
  }
  contents.particles = std::move(packed);
  mark();
  return moves;
}

// ------------------------------------------------------------------------------------------------ collider sets

ColliderSet& Solver::collider_set(clothc_collider_set_id id) const {
  ColliderSet* found = contents_->collider_sets.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, found != nullptr,
                    "collider set id 0x%x names no collider set of this solver; it was destroyed or is of another one", id);
  return *found;
}

clothc_collider_set_id Solver::create_collider_set() {
  const uint32_t slot = contents_->collider_sets.reserve();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slot != 0xffffffffu,
                    "the solver holds %u collider sets already; raise solver_desc.collider_set_capacity", contents_->collider_sets.count());
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
    const size_t before = cloth->collider_sets.size();
    erase_value(cloth->collider_sets, set.id);
    if (cloth->collider_sets.size() != before) cloth->changed = cloth->works_changed = schedule_changed_ = true;
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

void Solver::write_collider_set(ColliderSet& set, const clothc_collider_shapes& shapes) {
  ColliderSet next = set;
  set_shapes(next, shapes);
  bool cloths_concerned = (next.sphere_count() > 0) != (set.sphere_count() > 0) || (next.convex_count() > 0) != (set.convex_count() > 0);
  if (next.word_count() > set.table_words) {
    next.table_words = next.word_count();
    next.table = contents_->tables.allocate(*stream_, next.table_words);
    contents_->tables.release(set.table, set.table_words);
    cloths_concerned = true;
  }
  std::swap(set, next);
  if (cloths_concerned) colliders_changed(set.id);
}

ColliderKinds Solver::collider_kinds(const Cloth& cloth) const {
  ColliderKinds kinds;
  for (const clothc_collider_set_id id : cloth.collider_sets) {
    const ColliderSet& set = collider_set(id);
    kinds.spheres = kinds.spheres || set.sphere_count() > 0;
    kinds.convexes = kinds.convexes || set.convex_count() > 0;
  }
  return kinds;
}

}  // namespace clothc
