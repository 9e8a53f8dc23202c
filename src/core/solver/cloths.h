// cloths.h - the cloths of a solver: adding and removing them, their setters, and their state on the device.
#pragma once

#include <memory>
#include <vector>

#include "core/base/slots.h"
#include "core/cloth/cloth.h"
#include "core/solver/cloths_by_range.h"
#include "core/solver/colliders.h"
#include "core/solver/device_store.h"

namespace clothc {

// The checked description of a cloth to add.
struct ClothSource {
  std::shared_ptr<const Fabric> fabric;
  // Whether the fabric is the springs of a group.
  bool is_group = false;
  // In place of a fabric: that of a cloth of the same solver.
  std::shared_ptr<const ClothTopology> topology;
  // [particle_count][4] x y z and inverse mass.
  const float* positions = nullptr;
  // If the cloth takes its positions from the fabric, their scaled copy, to which `positions` points.
  std::vector<float> scaled_positions;
  float scale = 1;
  uint32_t spare_particle_count = 0;
  clothc_cloth_parameters parameters{};
  std::vector<clothc_phase_config> phases;
  std::vector<clothc_collider_set_id> collider_sets;
  // The particles that collide with cloth, sorted. Empty means all particles.
  std::vector<uint32_t> self_collision_particles;

  const FabricLayout& layout() const { return topology != nullptr ? *topology->layout : *fabric->layout(); }
  // Of the cloth: see Cloth::particle_stride.
  uint32_t particle_stride() const { return padded(layout().particle_count + spare_particle_count); }
};

class Cloths {
 public:
  Cloths(DeviceStore& store, Colliders& colliders, uint32_t capacity);

  // Throws Failure if there is no such cloth.
  Cloth& get(clothc_cloth_id id) const;
  const Slots<Cloth>& slots() const { return slots_; }
  // The cloths in the order in which they were added, which is the order of their ordinals.
  const std::vector<Cloth*>& in_order() const { return order_; }
  // Index of a cloth in in_order().
  uint32_t index_of(const Cloth& cloth) const;
  // The cloths that have particles in [first, end).
  ClothsByRange::Found between(uint32_t first, uint32_t end) const { return by_range_.between(first, end); }
  // The cloths that the next update must visit.
  const ChangedList<Cloth>& changed() const { return changed_; }
  // Number of particles of all cloths, without padding.
  uint32_t particle_count() const { return particle_count_; }

  // Adding and removing. Defined in cloths.cpp.

  // The new cloth begins with the state of `original` or, if that is null, at rest at the source's positions.
  clothc_cloth_id add(const ClothSource& source, const Cloth* original = nullptr);
  clothc_cloth_id clone(const Cloth& original);
  // The cloth must have no bindings.
  void remove(Cloth& cloth);
  // Moves particle ranges together so that no holes are left between them, and returns which cloths have moved.
  std::vector<clothc_move> compact();

  // Setters. Defined in cloth_changes.cpp.

  // Allocates what set_parameters needs, so that a following call of it with these parameters cannot fail.
  void ensure_memory_for(Cloth& cloth, const clothc_cloth_parameters& parameters);
  void set_parameters(Cloth& cloth, const clothc_cloth_parameters& parameters);
  void set_frame(Cloth& cloth, const clothc_cloth_frame& frame);
  void set_phases(Cloth& cloth, std::vector<clothc_phase_config> phases);
  void set_collider_sets(Cloth& cloth, std::vector<clothc_collider_set_id> sets);
  // particles: sorted; empty means all particles.
  void set_self_collision_particles(Cloth& cloth, std::vector<uint32_t> particles);

  // State on the device. Defined in cloth_state.cpp.

  // Puts the cloth at rest at new positions and drops everything that was set per particle.
  // positions: [particle_count][4] x y z and inverse mass.
  void reset(Cloth& cloth, const float* positions);
  // Ends optional channels of the cloth.
  void clear(Cloth& cloth, ChannelGroup group);
  // Allocates the channel's group. Must be called before a transaction that writes the channel.
  void ensure_memory_for(Cloth& cloth, StateChannel channel);
  // Must be called in a transaction, before a channel of the cloth is written. Fills channels that were absent.
  void begin_channel(Cloth& cloth, StateChannel channel);
  clothc_cloth_status status(const Cloth& cloth);

  // Topology. Defined in cloth_cutting.cpp.

  // Returns the topology of a cloth for changes of it, after giving the cloth its own if it has none.
  TopologyChanges& own_topology(Cloth& cloth);
  // Turns a spare particle of the cloth into a copy of a particle, which nothing names yet, and returns it. Throws
  // Failure if no spare particle is left. Both particles are in mesh order.
  uint32_t split_particle(Cloth& cloth, uint32_t particle);
  // Makes a constraint or a triangle of the cloth name another particle, which is in mesh order. The particles must be
  // one particle in the fabric.
  void move_reference(Cloth& cloth, const ParticleReference& reference, uint32_t particle);

  // Gives cloths that were cut the coarse levels of what they are now. Called before an update rebuilds its jobs, so that
  // levels are cooked once, however much was cut since the last one.
  void refresh_levels();

  // Updates. Defined in cloth_state.cpp.

  // Queues what the moving channels of changed cloths need before the kernels run.
  void complete_motion();
  // Makes targets the starts of the next update, and drops what was set for a single update.
  void consume_targets(bool time_passed);
  // Gives cloths back the inputs that they had before the transaction that failed, and marks every copy on the device
  // as out of date.
  void rollback();
  // Whether a cloth was added or removed, or the jobs of one are out of date. Reset by jobs_are_built.
  bool jobs_changed() const;
  // Whether the solver_frequency of any cloth is another one. Reset by jobs_are_built.
  bool frequencies_changed() const { return frequencies_changed_; }
  void jobs_are_built() { order_changed_ = frequencies_changed_ = false; }

  // Snapshots.

  void set_generations(const std::vector<uint32_t>& generations) { slots_.set_generations(generations); }
  uint64_t next_ordinal() const { return next_ordinal_; }
  void set_next_ordinal(uint64_t ordinal) { next_ordinal_ = ordinal; }
  // Adds a cloth without writing its state or its particles. The caller has taken the slot and the range of particles.
  Cloth& insert(const ClothSource& source, uint32_t slot, uint32_t first_particle);

 private:
  void allocate_tables(Cloth& cloth);
  void release_memory(Cloth& cloth);
  // Removes a cloth from the particle count and from all lists that refer to it, except order_.
  void delist(Cloth& cloth);
  void begin_state(const Cloth& cloth, const float* positions);
  void copy_state(const Cloth& original, Cloth& cloth);
  bool grow(uint32_t words, uint32_t& first, uint32_t& capacity);
  void ensure_levels(Cloth& cloth, const clothc_cloth_parameters& parameters);
  void ensure_lattice(Cloth& cloth, const clothc_cloth_parameters& parameters);
  // Allocates space for this many constraint records. They and the jobs are then out of date.
  void ensure_records(Cloth& cloth, uint32_t count);
  void refresh_levels(Cloth& cloth);
  void ensure_collision_particles(Cloth& cloth, const clothc_cloth_parameters& parameters);
  // Saves a cloth's inputs and wakes for a rollback. Must be called before a transaction changes them.
  void remember(Cloth& cloth);

  DeviceStore& store_;
  Colliders& colliders_;
  Slots<Cloth> slots_;
  std::vector<Cloth*> order_;
  ClothsByRange by_range_;
  ChangedList<Cloth> changed_;
  uint32_t particle_count_ = 0;
  uint64_t next_ordinal_ = 0;
  bool order_changed_ = true;
  bool frequencies_changed_ = true;
};

}  // namespace clothc
