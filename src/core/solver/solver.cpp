// solver.cpp - creation of a solver, transactions and their rollback, copies between particle blocks, reading back from
// the device, and compaction.
#include "core/solver/solver.h"

#include <algorithm>
#include <cstring>

#include "core/objects/device.h"

namespace clothc {
namespace {

uint32_t padded_capacity(uint32_t particles) { return (particles + lane_padding - 1) / lane_padding * lane_padding; }

}  // namespace

SolverContents::SolverContents(Backend& backend, const clothc_solver_desc& desc)
    : particles(padded_capacity(desc.particle_capacity)),
      particle_memory(backend.allocate(uint64_t{block_count} * 16 * padded_capacity(desc.particle_capacity),
                                       MemoryVisibility::device_only)),
      cloth_memory(
          backend.allocate(uint64_t{desc.cloth_capacity} * sizeof(ClothRecord), MemoryVisibility::device_only)),
      fabric(backend, 1024),
      tables(backend, 1024),
      cloths(desc.cloth_capacity),
      collider_sets(desc.collider_set_capacity),
      collider_assets(most_collider_assets) {}

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
  FrameConstants frame{};
  frame.dt = dt;
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, access, unset) frame.block = block_##block * capacity;
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
  frame.exchange = block_exchange * capacity;
  return frame;
}

void Solver::mark() { timeline_value_.store(stream_->mark(), std::memory_order_release); }

void Solver::write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) {
  stream_->write(memory, offset, data, size);
  uploaded_bytes_ += size;
}

void Solver::rollback() {
  stream_->discard();
  for (Cloth* cloth : contents_->order) {
    if (cloth->remembered_by == transactions_) {
      cloth->set_inputs(cloth->inputs_before);
      cloth->frame.wakes = cloth->wakes_before;
    }
    cloth->collision_particles_changed = cloth->jobs_changed = true;
    cloth->touch_settings();
    cloth->touch_frame();
  }
  for (uint32_t slot = 0; slot < contents_->collider_sets.slot_count(); ++slot) {
    ColliderSet* set = contents_->collider_sets.at(slot);
    if (set == nullptr) continue;
    set->changed = true;
    set->tree.forget();
  }
  for (uint32_t slot = 0; slot < contents_->collider_assets.slot_count(); ++slot) {
    ColliderAsset* asset = contents_->collider_assets.at(slot);
    if (asset == nullptr) continue;
    asset->changed = true;
    asset->tree.forget();
  }
  contents_->inter_collision.changed = true;
  schedule_changed_ = true;
}

void Solver::remember(Cloth& cloth) {
  if (cloth.remembered_by == transactions_) return;
  cloth.remembered_by = transactions_;
  cloth.inputs_before = cloth.inputs();
  cloth.wakes_before = cloth.frame.wakes;
}

clothc_solver_info Solver::info() const {
  clothc_solver_info info{};
  info.particle_capacity = particle_capacity();
  info.particle_count = contents_->particle_count;
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
  info.last_update_submissions = last_update_work_.submissions;
  info.last_update_dispatches = last_update_work_.dispatches;
  info.device_allocation_count = backend().allocation_count();
  info.contact_capacity = desc_.contact_capacity;
  info.collider_asset_count = contents_->collider_assets.count();
  return info;
}

void Solver::fill_block(uint32_t block, const Cloth& cloth, const uint32_t pattern[4]) {
  const uint64_t first = uint64_t{block} * particle_capacity() + cloth.first_particle;
  stream_->fill(contents_->particle_memory, first * 16, uint64_t{cloth.padded_count} * 16, pattern);
}

void Solver::copy_block(uint32_t source_block, uint32_t source_first, uint32_t target_block, uint32_t target_first,
                        uint32_t count) {
  Copy copy;
  copy.source = copy.target = contents_->particle_memory;
  copy.source_offset = (uint64_t{source_block} * particle_capacity() + source_first) * 16;
  copy.target_offset = (uint64_t{target_block} * particle_capacity() + target_first) * 16;
  copy.element_size = uint64_t{count} * 16;
  stream_->copy(copy);
}

uint64_t Solver::size_of(const std::vector<Piece>& pieces) {
  uint64_t size = 0;
  for (const Piece& piece : pieces) size += piece.size;
  return size;
}

void Solver::ensure_readback(uint64_t size) {
  constexpr uint64_t least = 4096;
  if (readback_ != nullptr && readback_->size() >= size) return;
  readback_ = nullptr;
  readback_ = backend().allocate(std::max(size, least), MemoryVisibility::host);
}

void Solver::copy_to_readback(const std::vector<Piece>& pieces) {
  Copy copy;
  copy.target = readback_;
  for (const Piece& piece : pieces) {
    copy.source = piece.memory;
    copy.source_offset = piece.offset;
    copy.element_size = piece.size;
    stream_->copy(copy);
    copy.target_offset += piece.size;
  }
}

void Solver::read_back(std::vector<uint8_t>& bytes) {
  constexpr uint64_t most_kept = uint64_t{1} << 20;
  stream_->wait(timeline_value(), UINT64_MAX);
  readback_->read(0, bytes.data(), bytes.size());
  if (readback_->size() > most_kept) readback_ = nullptr;
}

Solver::Piece Solver::state_of(const Cloth& cloth, uint64_t offset, uint64_t size) const {
  return {contents_->cloth_memory, uint64_t{cloth.slot} * sizeof(ClothRecord) + offsetof(ClothRecord, state) + offset,
          size};
}

std::vector<clothc_move> Solver::compact() {
  SolverContents& contents = *contents_;
  const std::vector<Cloth*> by_range(contents.cloths_by_range.all().begin(), contents.cloths_by_range.all().end());
  std::vector<clothc_move> moves;
  moves.reserve(by_range.size());
  RangeAllocator packed(particle_capacity());
  std::vector<uint32_t> new_first_particles;
  new_first_particles.reserve(by_range.size());
  for (const Cloth* cloth : by_range) new_first_particles.push_back(packed.allocate(cloth->range_count()));
  transaction([&] {
    for (size_t k = 0; k < by_range.size(); ++k) {
      const Cloth& moved = *by_range[k];
      if (moved.first_particle == new_first_particles[k]) continue;
      // The old and the new range may overlap, so the copy goes through the exchange block.
      for (uint32_t block = 0; block < state_block_count; ++block) {
        copy_block(block, moved.first_particle, block_exchange, new_first_particles[k], moved.padded_count);
        copy_block(block_exchange, new_first_particles[k], block, new_first_particles[k], moved.padded_count);
      }
    }
  });
  for (size_t k = 0; k < by_range.size(); ++k) {
    Cloth& moved = *by_range[k];
    if (moved.first_particle == new_first_particles[k]) continue;
    moves.push_back({moved.id, moved.first_particle, new_first_particles[k], moved.particle_count()});
    moved.first_particle = new_first_particles[k];
    moved.touch_settings();
  }
  contents.particles = std::move(packed);
  mark();
  return moves;
}

}  // namespace clothc
