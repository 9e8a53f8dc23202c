// snapshot.cpp - writes a solver's state as bytes, which are the same on every backend, and restores it. Layout: magic
// number, version, and checksum of the rest; the generations of all slots; collider assets and sets; cloths in the
// order of their insertion with their settings, device state and particles.
#include "core/solver/snapshot.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/base/byte_stream.h"
#include "core/base/structs.h"
#include "core/solver/snapshot_checks.h"
#include "core/solver/snapshot_parts.h"

namespace clothc {
namespace {

// The bytes "CLCS".
constexpr uint32_t snapshot_magic = 0x53434c43;
constexpr uint32_t snapshot_version = 9;
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
constexpr size_t state_words = sizeof(GroupState) / 4;

template <class T>
void put_generations(ByteWriter& writer, const Slots<T>& slots) {
  writer.put_u32(slots.slot_count());
  for (uint32_t slot = 0; slot < slots.slot_count(); ++slot) writer.put_u32(slots.generation(slot));
}

template <class T>
std::vector<uint32_t> read_generations(ByteReader& reader, const Slots<T>& slots, const char* remedy) {
  std::vector<uint32_t> generations = reader.array<uint32_t>();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, generations.size() <= slots.capacity(),
                    "the snapshot has %zu slots, the solver %u: %s", generations.size(), slots.capacity(), remedy);
  for (const uint32_t generation : generations) {
    CLOTHC_REQUIRE(generation >= 1 && generation <= Slots<T>::last_generation + 1,
                   "the snapshot is damaged: generation %u", generation);
  }
  return generations;
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

// Number of bytes of a cloth in a snapshot.
uint64_t size_of(const Cloth& cloth) {
  const uint64_t words = 13 + frame_words + parameter_words + state_words + spring_words(cloth.springs.get()) +
                         topology_change_words(cloth.topology->changes.get());
  uint64_t channels = 0;
  for (uint32_t k = 0; k < state_channel_count; ++k) channels += cloth.has(StateChannel{k}) ? 1 : 0;
  return 4 * (words + cloth.phases.size() * config_words + cloth.collider_sets.size() +
              cloth.self_collision_particles.size() + channels * 4 * cloth.particle_count());
}

// Writes a cloth. next: its state and the channels that it has, as fetched from the device. Returns the end of these
// bytes.
uint8_t* put_cloth(ByteWriter& writer, const Cloth& cloth, uint8_t* next) {
  writer.put_u32(cloth.slot);
  writer.put_u64(cloth.ordinal);
  writer.put_u64(cloth.layout().content_hash);
  writer.put_u32(cloth.first_particle);
  writer.put_u32(cloth.particle_count());
  writer.put_u32(cloth.inputs);
  put_springs(writer, cloth.springs.get());
  writer.put_words(&cloth.scale, 1);
  writer.put_u32(cloth.spare_particle_count);
  put_topology_changes(writer, cloth.topology->changes.get());
  writer.put_words(&cloth.frame, frame_words);
  writer.put_words(&cloth.parameters.struct_size + 1, parameter_words);
  writer.put_u32(static_cast<uint32_t>(cloth.phases.size()));
  for (const clothc_phase_config& config : cloth.phases) writer.put_words(&config.struct_size + 1, config_words);
  writer.put_array(cloth.collider_sets);
  writer.put_array(cloth.self_collision_particles);
  GroupState state;
  std::memcpy(&state, next, sizeof(state));
  next += sizeof(state);
  state.hash_low = state.hash_high = 0;
  writer.put_words(&state, state_words);
  const size_t channel_size = size_t{cloth.particle_count()} * 16;
  for (uint32_t channel = 0; channel < state_channel_count; ++channel) {
    if (!cloth.has(StateChannel{channel})) continue;
    if (cloth.layout().storage_order.empty()) {
      writer.put_words(next, channel_size / 4);
    } else {
      // Snapshots hold particles in the order of the mesh, not in storage order.
      for (const uint32_t index : cloth.layout().storage_order) writer.put_words(next + size_t{index} * 16, 4);
    }
    next += channel_size;
  }
  return next;
}

// Takes the range of a cloth with this particle_stride.
void take_particles(RangeAllocator& particles, uint32_t first, uint32_t stride) {
  const uint64_t end = uint64_t{first} + Cloth::range_for(stride);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, end <= particles.capacity(),
                    "a cloth of the snapshot ends at particle %llu; raise solver_desc.particle_capacity (%u)",
                    static_cast<unsigned long long>(end), particles.capacity());
  CLOTHC_REQUIRE(first % lane_padding == 0 && particles.take(first, static_cast<uint32_t>(end) - first),
                 "the snapshot is damaged: particles %u to %llu are of two cloths", first,
                 static_cast<unsigned long long>(end));
}

// Reads what the host owns of a cloth, behind its topology.
void read_settings(ByteReader& reader, const Colliders& colliders, const std::string& name, ClothSource& source,
                   Frame& frame) {
  reader.words(&frame, frame_words);
  clothc_cloth_frame frame_record = frame.record();
  // With this flag, check_frame checks the start too.
  frame_record.flags |= CLOTHC_FRAME_START;
  check_frame(frame_record, (name + ": frame").c_str());
  source.parameters.struct_size = sizeof(source.parameters);
  reader.words(&source.parameters.struct_size + 1, parameter_words);
  check_parameters(source.parameters, (name + ": parameters").c_str());
  const FabricLayout& layout = source.layout();
  check_wind(source.parameters, layout, (name + ": parameters").c_str());
  const uint32_t config_count = reader.u32();
  for (uint32_t k = 0; k < config_count; ++k) {
    clothc_phase_config config{};
    config.struct_size = sizeof(config);
    reader.words(&config.struct_size + 1, config_words);
    check_phase_config(config, static_cast<uint32_t>(layout.phase_sets.size()), k, (name + ": ").c_str());
    source.phases.push_back(config);
  }
  source.collider_sets = reader.array<uint32_t>();
  std::vector<clothc_collider_set_id> sorted = source.collider_sets;
  std::sort(sorted.begin(), sorted.end());
  CLOTHC_REQUIRE(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
                 "the snapshot is damaged: a collider set is listed twice");
  for (const clothc_collider_set_id id : source.collider_sets) {
    CLOTHC_REQUIRE(colliders.sets().find(id) != nullptr, "the snapshot is damaged: collider set id 0x%x", id);
  }
  source.self_collision_particles = reader.array<uint32_t>();
  const std::vector<uint32_t>& chosen = source.self_collision_particles;
  CLOTHC_REQUIRE(std::is_sorted(chosen.begin(), chosen.end()) &&
                     std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end() &&
                     (chosen.empty() || chosen.back() < layout.particle_count),
                 "the snapshot is damaged: %zu particles that collide with cloth", chosen.size());
}

std::shared_ptr<const Fabric> fabric_with(uint64_t hash, const std::vector<std::shared_ptr<Fabric>>& fabrics) {
  const auto fabric =
      std::find_if(fabrics.begin(), fabrics.end(), [&](const auto& f) { return f->layout()->content_hash == hash; });
  CLOTHC_REQUIRE(fabric != fabrics.end(),
                 "a cloth of the snapshot uses the fabric with content hash %016llx, which is not among those passed",
                 static_cast<unsigned long long>(hash));
  return *fabric;
}

// Reads the channels of a cloth, whose settings have been read, and queues writes of them.
void read_channels(ByteReader& reader, DeviceStore& store, Cloth& cloth, const std::string& name) {
  std::vector<float> particles(size_t{cloth.particle_stride} * 4, 0.0f);
  for (uint32_t k = 0; k < state_channel_count; ++k) {
    const StateChannel channel{k};
    if (!cloth.has(channel)) continue;
    if (channel == state_position) cloth.active_particles.clear();
    for (uint32_t p = 0; p < cloth.particle_count(); ++p) {
      float* value = &particles[size_t{cloth.layout().storage_index(p)} * 4];
      reader.words(value, 4);
      check_particle(cloth, channel, p, value, name);
      if (channel == state_position && cloth.is_group() && value[3] >= 0) cloth.active_particles.push_back(p);
    }
    store.ensure_channel(cloth, channel);
    store.write_channel(cloth, channel, particles);
  }
}

void read_cloth(ByteReader& reader, SolverContents& contents, const std::shared_ptr<Device>& device,
                const std::vector<std::shared_ptr<Fabric>>& fabrics) {
  const uint32_t slot = reader.u32();
  const uint64_t ordinal = reader.u64();
  const uint64_t hash = reader.u64();
  const uint32_t first = reader.u32();
  const uint32_t particle_count = reader.u32();
  const uint32_t flags = reader.u32();
  check_slot(contents.cloths.slots(), slot);
  const std::string name = name_of_cloth(contents.cloths.slots().id_of(slot));
  const std::vector<Cloth*>& before = contents.cloths.in_order();
  const bool in_order = before.empty() || before.back()->ordinal < ordinal;
  CLOTHC_REQUIRE(in_order && ordinal < contents.cloths.next_ordinal() && (flags & ~all_inputs) == 0 &&
                     are_consistent_inputs(flags),
                 "the snapshot is damaged: cloth ordinal %llu, flags 0x%x", static_cast<unsigned long long>(ordinal),
                 flags);
  ClothSource source;
  source.fabric = read_springs(reader, device, particle_count);
  source.is_group = source.fabric != nullptr;
  if (!source.is_group) source.fabric = fabric_with(hash, fabrics);
  reader.words(&source.scale, 1);
  source.spare_particle_count = reader.u32();
  CLOTHC_REQUIRE(is_scale(source.scale) && source.spare_particle_count <= (source.is_group ? 0 : most_spares),
                 "the snapshot is damaged: scale %g, %u spare particles", static_cast<double>(source.scale),
                 source.spare_particle_count);
  take_particles(contents.store.particles(), first, padded(particle_count + source.spare_particle_count));
  std::unique_ptr<TopologyChanges> changes = read_topology_changes(reader, *source.fabric, source.spare_particle_count);
  CLOTHC_REQUIRE(!source.is_group || (changes == nullptr && source.fabric->layout()->content_hash == hash),
                 "the snapshot is damaged: the springs of a group do not fit its hash %016llx",
                 static_cast<unsigned long long>(hash));
  if (changes != nullptr) source.topology = contents.store.fabrics().add(std::move(changes));
  CLOTHC_REQUIRE(source.layout().particle_count == particle_count, "the snapshot is damaged: %u particles",
                 particle_count);
  Frame frame;
  read_settings(reader, contents.colliders, name, source, frame);
  GroupState state;
  reader.words(&state, state_words);
  check_state(state, name);

  Cloth& cloth = contents.cloths.insert(source, slot, first);
  cloth.ordinal = ordinal;
  cloth.set_inputs(flags);
  cloth.frame = frame;
  contents.store.write_record(slot, offsetof(GroupRecord, state), &state, sizeof(state));
  read_channels(reader, contents.store, cloth, name);
}

void read_contents(ByteReader& reader, SolverContents& contents, const std::shared_ptr<Device>& device,
                   const std::vector<std::shared_ptr<Fabric>>& fabrics) {
  Colliders& colliders = contents.colliders;
  contents.cloths.set_generations(
      read_generations(reader, contents.cloths.slots(), "raise solver_desc.cloth_capacity"));
  const std::vector<uint32_t> sets =
      read_generations(reader, colliders.sets(), "raise solver_desc.collider_set_capacity");
  colliders.set_generations(sets,
                            read_generations(reader, colliders.assets(), "no solver has as many collider assets"));
  contents.cloths.set_next_ordinal(reader.u64());
  const uint32_t asset_count = reader.u32();
  for (uint32_t k = 0; k < asset_count; ++k) {
    std::unique_ptr<ColliderAsset> asset = read_collider_asset(reader);
    check_slot(colliders.assets(), asset->slot);
    colliders.put_asset(std::move(asset));
  }
  const uint32_t set_count = reader.u32();
  for (uint32_t k = 0; k < set_count; ++k) {
    std::unique_ptr<ColliderSet> set = read_collider_set(reader, colliders.assets());
    check_slot(colliders.sets(), set->slot);
    colliders.put_set(std::move(set));
  }
  const uint32_t cloth_count = reader.u32();
  for (uint32_t k = 0; k < cloth_count; ++k) read_cloth(reader, contents, device, fabrics);
  CLOTHC_REQUIRE(reader.remaining() == 0, "the snapshot is damaged: %llu bytes too many",
                 static_cast<unsigned long long>(reader.remaining()));
}

}  // namespace

std::vector<uint8_t> write_snapshot(SolverContents& contents) {
  const std::vector<Cloth*>& cloths = contents.cloths.in_order();
  const Slots<ColliderSet>& sets = contents.colliders.sets();
  const Slots<ColliderAsset>& assets = contents.colliders.assets();
  std::vector<uint8_t> bytes;
  ByteWriter writer(bytes);
  writer.put_u32(snapshot_magic);
  writer.put_u32(snapshot_version);
  // The checksum, which is known only at the end, is written here then.
  writer.put_u64(0);
  put_generations(writer, contents.cloths.slots());
  put_generations(writer, sets);
  put_generations(writer, assets);
  writer.put_u64(contents.cloths.next_ordinal());

  writer.put_u32(assets.count());
  for (uint32_t slot = 0; slot < assets.slot_count(); ++slot) {
    if (const ColliderAsset* asset = assets.at(slot)) put_collider_asset(writer, *asset);
  }
  writer.put_u32(sets.count());
  for (uint32_t slot = 0; slot < sets.slot_count(); ++slot) {
    if (const ColliderSet* set = sets.at(slot)) put_collider_set(writer, *set);
  }
  writer.put_u32(static_cast<uint32_t>(cloths.size()));
  std::vector<DeviceRange> ranges;
  uint64_t size = bytes.size();
  for (const Cloth* cloth : cloths) {
    size += size_of(*cloth);
    ranges.push_back(contents.store.record_range(cloth->slot, offsetof(GroupRecord, state), sizeof(GroupState)));
    for (uint32_t k = 0; k < state_channel_count; ++k) {
      if (cloth->has(StateChannel{k}))
        ranges.push_back(contents.store.channel_range(*cloth, StateChannel{k}, cloth->particle_count()));
    }
  }
  // With this capacity, nothing can fail once the work is queued.
  bytes.reserve(size);
  std::vector<uint8_t> fetched = contents.store.queue().fetch(ranges, [] {});
  uint8_t* next = fetched.data();
  for (const Cloth* cloth : cloths) next = put_cloth(writer, *cloth, next);
  const uint64_t sum = checksum(bytes.data() + header_size, bytes.size() - header_size);
  for (unsigned k = 0; k < 8; ++k) bytes[8 + k] = static_cast<uint8_t>(sum >> (8 * k));
  return bytes;
}

void read_snapshot(const uint8_t* data, uint64_t size, const std::shared_ptr<Device>& device,
                   const std::vector<std::shared_ptr<Fabric>>& fabrics, SolverContents& contents) {
  ByteReader reader(data, size);
  CLOTHC_REQUIRE(size >= header_size && reader.u32() == snapshot_magic,
                 "the data is not a clothc snapshot: it does not begin with its magic number");
  const uint32_t found_version = reader.u32();
  CLOTHC_REQUIRE(found_version == snapshot_version, "the snapshot has version %u; this library reads version %u",
                 found_version, snapshot_version);
  CLOTHC_REQUIRE(reader.u64() == checksum(data + header_size, size - header_size),
                 "the snapshot is truncated or damaged: its checksum differs");
  contents.store.queue().transaction([&] { read_contents(reader, contents, device, fabrics); });
}

}  // namespace clothc
