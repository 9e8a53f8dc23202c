// cloths.cpp - cloths come, go and change. What changes on the host is noted here and sent by the next update; what lives
// on the device is changed by work queued in order.
#include "core/solver.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "core/device.h"

namespace clothc {
namespace {

constexpr uint32_t zeros[4] = {0, 0, 0, 0};
constexpr uint32_t unconstrained[4] = {0, 0, 0, 0xbf800000u};  // radius -1

// Whether a caller's structs differ behind their size.
template <class T>
bool differ(const T& a, const T& b) {
  return std::memcmp(&a.struct_size + 1, &b.struct_size + 1, sizeof(T) - sizeof(a.struct_size)) != 0;
}

// Rotations come within 1e-3 of length 1. That of the present pose has been normalised, and once more might change its last
// bit: a frame that a caller has got and sets again is no other one.
Pose pose_of(const float (&translation)[3], const float (&rotation)[4], const Pose& present) {
  Pose pose = present;
  std::copy(std::begin(translation), std::end(translation), pose.translation);
  if (std::equal(std::begin(rotation), std::end(rotation), present.rotation)) return pose;
  double square = 0;
  for (const float q : rotation) square += double{q} * double{q};
  for (size_t k = 0; k < 4; ++k) pose.rotation[k] = static_cast<float>(double{rotation[k]} / std::sqrt(square));
  return pose;
}

}  // namespace

Cloth& Solver::cloth(clothc_cloth_id id) const {
  Cloth* found = contents_->cloths.find(id);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, found != nullptr,
                    "cloth id 0x%x names no cloth of this solver; it was removed or is of another one", id);
  return *found;
}

Cloth& Solver::place_cloth(SolverContents& contents, const ClothSource& source, uint32_t slot,
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
  cloth->fabric = residence_of(contents, source.fabric);
  contents.order.reserve(contents.order.size() + 1);
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
  } catch (...) {
    release_tables(contents, *cloth);
    throw;
  }
  Cloth& placed = *cloth;
  contents.order.push_back(&placed);
  contents.cloths.put(slot, std::move(cloth));
  return placed;
}

void Solver::release_tables(SolverContents& contents, Cloth& cloth) {
  // Word 0 is nobody's: what begins there has not been allocated.
  const auto give_back = [&](uint32_t first, uint32_t words) {
    if (first != 0) contents.tables.release(first, words);
  };
  give_back(cloth.phase_table, cloth.phase_capacity * phase_words);
  give_back(cloth.collider_table, cloth.collider_capacity);
  give_back(cloth.scratch, cloth.reduction_lanes * scratch_words);
  give_back(cloth.impulses, cloth.impulse_capacity);
}

// Queues the state of a new cloth: at rest, nothing set.
void Solver::begin_state(const Cloth& cloth, const float* positions) {
  std::vector<float> padded(size_t{cloth.padded_count} * 4, 0.0f);
  for (uint32_t p = 0; p < cloth.particle_count(); ++p) {
    const float* source = positions + size_t{p} * 4;
    // As in the accept kernels: what is below 2^-64 is zero.
    std::transform(source, source + 4, &padded[size_t{cloth.data().place_of(p)} * 4],
                   [](float value) { return std::fabs(value) < 5.421010862427522e-20f ? 0.0f : value; });
  }
  for (const ParticleBlock block : {block_position, block_previous}) {
    const uint64_t first = uint64_t{block} * particle_capacity() + cloth.first_particle;
    write(contents_->particle_memory, first * 16, padded.data(), padded.size() * 4);
  }
  for (const ParticleBlock block : {block_velocity, block_acceleration}) fill_block(block, cloth, zeros);
  for (const ParticleBlock block :
       {block_motion_start, block_motion_target, block_separation_start, block_separation_target}) {
    fill_block(block, cloth, unconstrained);
  }
  ClothState state{};
  state.status.struct_size = sizeof(clothc_cloth_status);
  state.wakes = cloth.frame.wakes;
  const Piece place = state_of(cloth, 0, sizeof(state));
  write(place.memory, place.offset, &state, sizeof(state));
}

// Queues the copy of a cloth's state to another one with as many particles.
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
    attempt([&] {
      Cloth& placed = place_cloth(contents, source, slot, first);
      placed.inputs_before = placed.inputs();
      placed.wakes_before = placed.frame.wakes;
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
  return add_cloth(source, &original);
}

void Solver::remove_cloth(Cloth& removed) {
  SolverContents& contents = *contents_;
  attempt([&] {
    for (const ParticleBlock block : {block_position, block_previous, block_velocity}) {
      fill_block(block, removed, zeros);
    }
  });
  contents.order.erase(std::find(contents.order.begin(), contents.order.end(), &removed));
  release_tables(contents, removed);
  contents.particles.release(removed.first_particle, removed.range_count());
  contents.cloths.take(removed.slot);
  schedule_changed_ = true;
  mark();
}

void Solver::provide_impulses(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  if (!cloth.feels_wind(parameters) || cloth.impulse_capacity != 0) return;
  const uint32_t words = cloth.fabric->triangle_stride * 4;
  cloth.impulses = contents_->tables.allocate(*stream_, words);
  cloth.impulse_capacity = words;
}

void Solver::set_parameters(Cloth& cloth, const clothc_cloth_parameters& parameters) {
  if (!differ(parameters, cloth.parameters)) return;
  const clothc_cloth_parameters before = cloth.parameters;
  const bool felt_wind = cloth.feels_wind();
  cloth.parameters = parameters;
  cloth.changed = true;
  cloth.wake();
  const auto switched = [](float a, float b) { return (a > 0) != (b > 0); };
  if (felt_wind != cloth.feels_wind() || switched(before.tether_stiffness, parameters.tether_stiffness) ||
      switched(before.sleep_threshold, parameters.sleep_threshold) || before.statistics != parameters.statistics) {
    cloth.works_changed = schedule_changed_ = true;
  }
}

void Solver::set_frame(Cloth& cloth, const clothc_cloth_frame& frame) {
  Frame next = cloth.frame;
  next.target = pose_of(frame.translation, frame.rotation, cloth.frame.target);
  if ((frame.flags & CLOTHC_FRAME_START) != 0) {
    next.start = pose_of(frame.start_translation, frame.start_rotation, cloth.frame.start);
  }
  if ((frame.flags & (CLOTHC_FRAME_TELEPORT | CLOTHC_FRAME_CLEAR_INERTIA)) != 0) next.start = next.target;
  next.flags |= frame.flags;
  if (next.target == cloth.frame.target && next.start == cloth.frame.start && next.flags == cloth.frame.flags) return;
  cloth.frame = next;
  cloth.frame_changed = true;
  cloth.wake();
}

void Solver::reset(Cloth& cloth, const float* positions) {
  attempt([&] {
    cloth.set_inputs(0);
    begin_state(cloth, positions);
  });
  cloth.frame.start = cloth.frame.target;
  cloth.frame.flags = 0;
  cloth.wake();
  cloth.changed = cloth.frame_changed = cloth.works_changed = schedule_changed_ = true;
  mark();
}

void Solver::set_phases(Cloth& cloth, std::vector<clothc_phase_config> phases) {
  const uint32_t count = static_cast<uint32_t>(phases.size());
  if (count > cloth.phase_capacity) {
    const uint32_t table = contents_->tables.allocate(*stream_, count * phase_words);
    contents_->tables.release(cloth.phase_table, cloth.phase_capacity * phase_words);
    cloth.phase_table = table;
    cloth.phase_capacity = count;
  }
  const bool same = std::equal(phases.begin(), phases.end(), cloth.phases.begin(), cloth.phases.end(),
                               [](const auto& a, const auto& b) { return !differ(a, b); });
  if (same) return;
  cloth.phases = std::move(phases);
  cloth.changed = cloth.works_changed = schedule_changed_ = true;
  cloth.wake();
}

void Solver::set_collider_sets(Cloth& cloth, std::vector<clothc_collider_set_id> sets) {
  const uint32_t count = static_cast<uint32_t>(sets.size());
  if (count > cloth.collider_capacity) {
    const uint32_t table = contents_->tables.allocate(*stream_, count);
    contents_->tables.release(cloth.collider_table, cloth.collider_capacity);
    cloth.collider_table = table;
    cloth.collider_capacity = count;
  }
  if (cloth.collider_sets == sets) return;
  cloth.collider_sets = std::move(sets);
  cloth.changed = cloth.works_changed = schedule_changed_ = true;
  cloth.wake();
}

void Solver::clear_channel(Cloth& cloth, clothc_channel channel) {
  attempt([&] {
    if (channel == CLOTHC_CHANNEL_ACCELERATION) {
      fill_block(block_acceleration, cloth, zeros);
      cloth.has_acceleration = false;
      return;
    }
    const bool is_motion = channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT;
    fill_block(is_motion ? block_motion_start : block_separation_start, cloth, unconstrained);
    fill_block(is_motion ? block_motion_target : block_separation_target, cloth, unconstrained);
    (is_motion ? cloth.motion : cloth.separation) = SphereConstraints{};
  });
  cloth.changed = cloth.works_changed = schedule_changed_ = true;
  cloth.wake();
  mark();
}

clothc_cloth_status Solver::status(const Cloth& cloth) {
  static_assert(sizeof(ClothStatus) == sizeof(clothc_cloth_status), "the device's status is the public one");
  clothc_cloth_status status;
  const std::vector<uint8_t> bytes = fetch({state_of(cloth, offsetof(ClothState, status), sizeof(status))}, [] {});
  std::memcpy(&status, bytes.data(), sizeof(status));
  return status;
}

// Before such constraints of a cloth are set the first time since the last update: the last targets become the starts.
void Solver::begin_constraints(Cloth& cloth, SphereConstraints& constraints, ParticleBlock start) {
  if (constraints.set) return;
  if (constraints.present) {
    copy_block(start + 1, cloth.first_particle, start, cloth.first_particle, cloth.padded_count);
  } else {
    constraints.present = true;
    cloth.changed = cloth.works_changed = schedule_changed_ = true;
  }
  constraints.set = true;
}

}  // namespace clothc
