// snapshot.cpp - writes a solver's state as bytes, which are the same on every backend, and restores it. Layout: magic
// number, version, and checksum of the rest; the generations of all slots; collider assets and sets; cloths in the
// order of their insertion with their settings, device state and particles.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/base/byte_stream.h"
#include "core/objects/device.h"
#include "core/solver/snapshot_checks.h"
#include "core/solver/snapshot_parts.h"
#include "core/solver/solver.h"
#include "core/base/structs.h"

namespace clothc {
namespace {

// The bytes "CLCS".
constexpr uint32_t snapshot_magic = 0x53434c43;
constexpr uint32_t snapshot_version = 7;
constexpr size_t header_size = 16;

// 64-bit FNV-1a hash (Fowler, Noll, Vo 1991).
uint64_t checksum(const uint8_t* bytes, uint64_t size) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t k = 0; k < size; ++k) hash = (hash ^ bytes[k]) * 0x100000001b3u;
  return hash;
}

constexpr size_t parameter_words = (sizeof(clothc_cloth_parameters) - sizeof(uint32_t)) / 4;
constexpr size_t config_words = (sizeof(clothc_phase_config) - sizeof(uint32_t)) / 4;
constexpr size_t frame_words = sizeof(Frame) / 4;
constexpr size_t state_words = sizeof(ClothState) / 4;

template <class T>
void put_generations(ByteWriter& writer, const Slots<T>& slots) {
  writer.put_u32(slots.slot_count());
  for (uint32_t slot = 0; slot < slots.slot_count(); ++slot) writer.put_u32(slots.generation(slot));
}

template <class T>
void read_generations(ByteReader& reader, Slots<T>& slots, const char* remedy) {
  const std::vector<uint32_t> generations = reader.array<uint32_t>();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, generations.size() <= slots.capacity(),
                    "the snapshot has %zu slots, the solver %u: %s", generations.size(), slots.capacity(), remedy);
  for (const uint32_t generation : generations) {
    CLOTHC_REQUIRE(generation >= 1 && generation <= Slots<T>::last_generation + 1,
                   "the snapshot is damaged: generation %u", generation);
  }
  slots.set_generations(generations);
}

// Checks that the slot of an object is empty and not retired.
template <class T>
void check_slot(const Slots<T>& slots, uint32_t slot) {
  CLOTHC_REQUIRE(
      slot < slots.slot_count() && slots.at(slot) == nullptr && slots.generation(slot) <= Slots<T>::last_generation,
      "the snapshot is damaged: slot %u", slot);
}

std::string name_of_cloth(clothc_cloth_id id) {
  char name[32];
  std::snprintf(name, sizeof(name), "the snapshot's cloth 0x%x", id);
  return name;
}

// Number of bytes of a cloth's data that the host owns.
uint64_t host_size(const Cloth& cloth) {
  constexpr uint64_t words = 13 + frame_words + parameter_words;
  return 4 * (words + cloth.phases.size() * config_words + cloth.collider_sets.size() +
              cloth.self_collision_particles.size());
}

}  // namespace

std::vector<uint8_t> Solver::snapshot() {
  const SolverContents& contents = *contents_;
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  writer.put_u32(snapshot_magic);
  writer.put_u32(snapshot_version);
  // The checksum, which is known only at the end, is written here then.
  writer.put_u64(0);
  put_generations(writer, contents.cloths);
  put_generations(writer, contents.collider_sets);
  put_generations(writer, contents.collider_assets);
  writer.put_u64(contents.next_ordinal);

  writer.put_u32(contents.collider_assets.count());
  for (uint32_t slot = 0; slot < contents.collider_assets.slot_count(); ++slot) {
    if (const ColliderAsset* asset = contents.collider_assets.at(slot)) put_collider_asset(writer, *asset);
  }
  writer.put_u32(contents.collider_sets.count());
  for (uint32_t slot = 0; slot < contents.collider_sets.slot_count(); ++slot) {
    if (const ColliderSet* set = contents.collider_sets.at(slot)) put_collider_set(writer, *set);
  }
  writer.put_u32(static_cast<uint32_t>(contents.order.size()));
  std::vector<Piece> pieces;
  uint64_t size = bytes.size();
  for (const Cloth* cloth : contents.order) {
    size += host_size(*cloth);
    pieces.push_back(state_of(*cloth, 0, sizeof(ClothState)));
    for (uint32_t block = 0; block < state_block_count; ++block) {
      const uint64_t first = uint64_t{block} * particle_capacity() + cloth->first_particle;
      pieces.push_back({contents.particle_memory, first * 16, uint64_t{cloth->particle_count()} * 16});
    }
  }
  // With this capacity, nothing can fail once the work is queued.
  bytes.reserve(size + size_of(pieces));
  std::vector<uint8_t> fetched = fetch(pieces, [] {});
  uint8_t* next = fetched.data();
  for (const Cloth* cloth : contents.order) {
    writer.put_u32(cloth->slot);
    writer.put_u64(cloth->ordinal);
    writer.put_u64(cloth->data().content_hash);
    writer.put_u32(cloth->first_particle);
    writer.put_u32(cloth->particle_count());
    writer.put_u32(cloth->inputs());
    writer.put_words(&cloth->scale, 1);
    writer.put_u32(cloth->spare_particle_count);
    writer.put_words(&cloth->frame, frame_words);
    writer.put_words(&cloth->parameters.struct_size + 1, parameter_words);
    writer.put_u32(static_cast<uint32_t>(cloth->phases.size()));
    for (const clothc_phase_config& config : cloth->phases) writer.put_words(&config.struct_size + 1, config_words);
    writer.put_array(cloth->collider_sets);
    writer.put_array(cloth->self_collision_particles);
    ClothState state;
    std::memcpy(&state, next, sizeof(state));
    next += sizeof(state);
    state.hash_low = state.hash_high = 0;
    writer.put_words(&state, state_words);
    const size_t block_size = size_t{cloth->particle_count()} * 16;
    for (uint32_t block = 0; block < state_block_count; ++block, next += block_size) {
      if (block == block_velocity && !cloth->velocity_set) std::memset(next, 0, block_size);
      if (cloth->data().storage_order.empty()) {
        writer.put_words(next, block_size / 4);
      } else {
        // Snapshots hold particles in the order of the mesh, not in storage order.
        for (const uint32_t index : cloth->data().storage_order) writer.put_words(next + size_t{index} * 16, 4);
      }
    }
  }
  const uint64_t sum = checksum(bytes.data() + header_size, bytes.size() - header_size);
  for (unsigned k = 0; k < 8; ++k) bytes[8 + k] = static_cast<uint8_t>(sum >> (8 * k));
  return bytes;
}

void Solver::read_cloth(ByteReader& reader, SolverContents& contents,
                        const std::vector<std::shared_ptr<Fabric>>& fabrics) {
  const uint32_t slot = reader.u32();
  const uint64_t ordinal = reader.u64();
  const uint64_t hash = reader.u64();
  const uint32_t first = reader.u32();
  const uint32_t particle_count = reader.u32();
  const uint32_t flags = reader.u32();
  check_slot(contents.cloths, slot);
  const std::string name = name_of_cloth(contents.cloths.id_of(slot));
  const bool in_order = contents.order.empty() || contents.order.back()->ordinal < ordinal;
  CLOTHC_REQUIRE(in_order && ordinal < contents.next_ordinal && (flags & ~Cloth::all_inputs) == 0,
                 "the snapshot is damaged: cloth ordinal %llu, flags 0x%x", static_cast<unsigned long long>(ordinal),
                 flags);
  const auto fabric =
      std::find_if(fabrics.begin(), fabrics.end(), [&](const auto& f) { return f->data()->content_hash == hash; });
  CLOTHC_REQUIRE(fabric != fabrics.end() && (*fabric)->data()->particle_count == particle_count,
                 "a cloth of the snapshot uses the fabric with content hash %016llx, which is not among those passed",
                 static_cast<unsigned long long>(hash));
  ClothSource source;
  source.fabric = (*fabric)->data();
  reader.words(&source.scale, 1);
  source.spare_particle_count = reader.u32();
  CLOTHC_REQUIRE(is_scale(source.scale) && source.spare_particle_count <= most_spares,
                 "the snapshot is damaged: scale %g, %u spare particles", static_cast<double>(source.scale),
                 source.spare_particle_count);
  Frame frame;
  reader.words(&frame, frame_words);
  clothc_cloth_frame frame_record = frame.record();
  // With this flag, check_frame checks the start too.
  frame_record.flags |= CLOTHC_FRAME_START;
  check_frame(frame_record, (name + ": frame").c_str());
  source.parameters.struct_size = sizeof(source.parameters);
  reader.words(&source.parameters.struct_size + 1, parameter_words);
  check_parameters(source.parameters, (name + ": parameters").c_str());
  check_wind(source.parameters, *source.fabric, (name + ": parameters").c_str());
  const uint32_t config_count = reader.u32();
  for (uint32_t k = 0; k < config_count; ++k) {
    clothc_phase_config config{};
    config.struct_size = sizeof(config);
    reader.words(&config.struct_size + 1, config_words);
    check_phase_config(config, static_cast<uint32_t>(source.fabric->phase_sets.size()), k, (name + ": ").c_str());
    source.phases.push_back(config);
  }
  source.collider_sets = reader.array<uint32_t>();
  std::vector<clothc_collider_set_id> sorted = source.collider_sets;
  std::sort(sorted.begin(), sorted.end());
  CLOTHC_REQUIRE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
                 "the snapshot is damaged: a collider set is listed twice");
  for (const clothc_collider_set_id id : source.collider_sets) {
    CLOTHC_REQUIRE(contents.collider_sets.find(id) != nullptr, "the snapshot is damaged: collider set id 0x%x", id);
  }
  source.self_collision_particles = reader.array<uint32_t>();
  const std::vector<uint32_t>& chosen = source.self_collision_particles;
  CLOTHC_REQUIRE(std::is_sorted(chosen.begin(), chosen.end()) &&
                     std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end() &&
                     (chosen.empty() || chosen.back() < particle_count),
                 "the snapshot is damaged: %zu particles that collide with cloth", chosen.size());
  ClothState state;
  reader.words(&state, state_words);
  check_state(state, name);
  const uint32_t padded = padded_particles(particle_count);
  const uint32_t range = padded + padded_spares(source.spare_particle_count);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, uint64_t{first} + range <= contents.particles.capacity(),
                    "a cloth of the snapshot ends at particle %llu; raise solver_desc.particle_capacity (%u)",
                    static_cast<unsigned long long>(uint64_t{first} + range), contents.particles.capacity());
  CLOTHC_REQUIRE(first % lane_padding == 0 && contents.particles.take(first, range),
                 "the snapshot is damaged: particles %u to %u are of two cloths", first, first + range);

  Cloth& cloth = insert_cloth(contents, source, slot, first);
  cloth.ordinal = ordinal;
  cloth.set_inputs(flags);
  cloth.frame = frame;
  write(contents.cloth_memory, uint64_t{slot} * sizeof(ClothRecord) + offsetof(ClothRecord, state), &state,
        sizeof(state));
  std::vector<float> particles(size_t{padded} * 4, 0.0f);
  for (uint32_t block = 0; block < state_block_count; ++block) {
    for (uint32_t p = 0; p < particle_count; ++p) {
      float* value = &particles[size_t{source.fabric->storage_index(p)} * 4];
      reader.words(value, 4);
      check_particle(ParticleBlock{block}, p, value, name);
    }
    const uint64_t offset = uint64_t{block} * contents.particles.capacity() + first;
    write(contents.particle_memory, offset * 16, particles.data(), particles.size() * 4);
  }
}

void Solver::read_contents(ByteReader& reader, SolverContents& contents,
                           const std::vector<std::shared_ptr<Fabric>>& fabrics) {
  read_generations(reader, contents.cloths, "raise solver_desc.cloth_capacity");
  read_generations(reader, contents.collider_sets, "raise solver_desc.collider_set_capacity");
  read_generations(reader, contents.collider_assets, "no solver has as many collider assets");
  contents.next_ordinal = reader.u64();
  const uint32_t asset_count = reader.u32();
  for (uint32_t k = 0; k < asset_count; ++k) {
    std::unique_ptr<ColliderAsset> asset = read_collider_asset(reader);
    const uint32_t slot = asset->slot;
    check_slot(contents.collider_assets, slot);
    asset->id = contents.collider_assets.id_of(slot);
    ensure_asset(contents, *asset);
    contents.collider_assets.put(slot, std::move(asset));
  }
  const uint32_t set_count = reader.u32();
  for (uint32_t k = 0; k < set_count; ++k) {
    std::unique_ptr<ColliderSet> set = read_collider_set(reader, contents.collider_assets);
    const uint32_t slot = set->slot;
    check_slot(contents.collider_sets, slot);
    set->id = contents.collider_sets.id_of(slot);
    set->table_words = set->word_count();
    set->table = contents.tables.allocate(*stream_, set->table_words);
    ensure_triangle_bvh(contents, set->tree);
    contents.collider_sets.put(slot, std::move(set));
  }
  const uint32_t cloth_count = reader.u32();
  for (uint32_t k = 0; k < cloth_count; ++k) read_cloth(reader, contents, fabrics);
  CLOTHC_REQUIRE(reader.remaining() == 0, "the snapshot is damaged: %llu bytes too many",
                 static_cast<unsigned long long>(reader.remaining()));
}

void Solver::restore(const uint8_t* data, uint64_t size, const std::vector<std::shared_ptr<Fabric>>& fabrics) {
  ByteReader reader(data, size);
  CLOTHC_REQUIRE(size >= header_size && reader.u32() == snapshot_magic,
                 "the data is not a clothc snapshot: it does not begin with its magic number");
  const uint32_t found_version = reader.u32();
  CLOTHC_REQUIRE(found_version == snapshot_version, "the snapshot has version %u; this library reads version %u",
                 found_version, snapshot_version);
  CLOTHC_REQUIRE(reader.u64() == checksum(data + header_size, size - header_size),
                 "the snapshot is truncated or damaged: its checksum differs");

  auto fresh = std::make_unique<SolverContents>(backend(), desc_);
  transaction([&] { read_contents(reader, *fresh, fabrics); });
  contents_ = std::move(fresh);
  schedule_changed_ = true;
  mark();
}

}  // namespace clothc
