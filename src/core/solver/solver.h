// solver.h - the object behind clothc_solver: all cloths and collider sets, the arenas that hold their data, and the
// stream that works on them. Calls on one solver are serialised by the caller; wait and poll may come from any thread.
#pragma once

#include <atomic>
#include <unordered_map>

#include "core/backend/arena.h"
#include "core/objects/buffer.h"
#include "core/solver/channels.h"
#include "core/cloth/cloth.h"
#include "core/solver/cloths_by_range.h"
#include "core/collision/collider_set.h"
#include "core/solver/contacts.h"
#include "core/fabric/fabric.h"
#include "core/objects/fence.h"
#include "core/solver/listings.h"
#include "core/base/slots.h"

namespace clothc {

constexpr uint32_t most_collider_assets = 1u << 20;

// Everything that a snapshot replaces as a whole.
struct SolverContents {
  SolverContents(Backend& backend, const clothc_solver_desc& desc);

  RangeAllocator particles;
  MemoryPointer particle_memory;
  MemoryPointer cloth_memory;
  WordArena fabric;
  WordArena tables;
  std::unordered_map<const FabricData*, std::weak_ptr<const DeviceFabric>> device_fabrics;  // each takes itself out
  Slots<Cloth> cloths;  // after the arenas, which their device_fabrics go back to
  Slots<ColliderSet> collider_sets;
  Slots<ColliderAsset> collider_assets;
  std::vector<Cloth*> order;  // cloths as they were added, and so by ordinal
  ClothsByRange cloths_by_range;
  Listings listings;
  uint32_t particle_count = 0;  // of all cloths, without padding
  ContactReport contacts;
  InterCollision inter_collision;
  uint64_t next_ordinal = 0;
};

// A cloth to add, checked.
struct ClothSource {
  std::shared_ptr<const FabricData> fabric;
  const float* positions = nullptr;     // [particle_count][4]
  std::vector<float> scaled_positions;  // where positions point if they are the fabric's, scaled
  float scale = 1;
  uint32_t spare_particle_count = 0;
  clothc_cloth_parameters parameters{};
  std::vector<clothc_phase_config> phases;
  std::vector<clothc_collider_set_id> collider_sets;
  std::vector<uint32_t> self_collision_particles;  // sorted; empty = all
};

// Blocks of the particles arena, each particle_capacity float4 long. The targets of constraints follow their starts.
enum ParticleBlock : uint32_t {
  block_position,
  block_previous,
  block_velocity,
  block_acceleration,
  block_motion_start,
  block_motion_target,
  block_separation_start,
  block_separation_target,
  block_rest,
  block_exchange,
  block_count
};
// Blocks that hold state, in the order of snapshots.
constexpr uint32_t state_block_count = block_exchange;

// What blocks hold of particles of which nothing was set.
constexpr uint32_t zeros[4] = {0, 0, 0, 0};
constexpr uint32_t unconstrained[4] = {0, 0, 0, 0xbf800000u};  // radius -1

class ByteReader;

class Solver final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::solver;

  Solver(std::shared_ptr<Device> device, const clothc_solver_desc& desc);
  ~Solver() override;

  // The work queued ends soon, whatever it waits for. From any thread.
  void close() override { stream_->close(); }
  clothc_solver_info info() const;
  uint32_t particle_capacity() const { return contents_->particles.capacity(); }

  // cloths.cpp.
  Cloth& cloth(clothc_cloth_id id) const;
  const std::vector<Cloth*>& cloths() const { return contents_->order; }
  // Of a cloth among them.
  uint32_t index_of(const Cloth& cloth) const;
  // original: the cloth whose state the new one begins with; null = at rest at the source's positions.
  clothc_cloth_id add_cloth(const ClothSource& source, const Cloth* original = nullptr);
  clothc_cloth_id clone_cloth(const Cloth& source);
  void remove_cloth(Cloth& cloth);
  // Takes what set_parameters needs; afterwards that fails no more.
  void ensure_room_for(Cloth& cloth, const clothc_cloth_parameters& parameters);
  void set_parameters(Cloth& cloth, const clothc_cloth_parameters& parameters);
  void set_frame(Cloth& cloth, const clothc_cloth_frame& frame);
  // positions: [particle_count][4].
  void reset(Cloth& cloth, const float* positions);
  void set_phases(Cloth& cloth, std::vector<clothc_phase_config> phases);
  void set_collider_sets(Cloth& cloth, std::vector<clothc_collider_set_id> sets);
  // collision_particles.cpp. particles: sorted; empty = all.
  void set_self_collision_particles(Cloth& cloth, std::vector<uint32_t> particles);
  void clear_channel(Cloth& cloth, clothc_channel channel);
  clothc_cloth_status status(const Cloth& cloth);
  // solver.cpp: closes the holes; returns the cloths moved.
  std::vector<clothc_move> compact();

  // collider_sets.cpp.
  ColliderSet& collider_set(clothc_collider_set_id id) const;
  clothc_collider_set_id create_collider_set();
  void destroy_collider_set(ColliderSet& set);
  void write_collider_set(ColliderSet& set, const clothc_collider_shapes& shapes);

  // collider_assets of the solver, in collider_sets.cpp. Desc: clothc_collider_mesh_desc or clothc_sdf_desc, checked.
  template <class Desc>
  clothc_collider_asset_id create_collider_asset(const Desc& desc) {
    auto asset = std::make_unique<ColliderAsset>();
    fill_asset(*asset, desc);
    return add_collider_asset(std::move(asset));
  }
  void destroy_collider_asset(clothc_collider_asset_id id);

  // transfer.cpp: channels.
  void set(const Transfer& transfer);
  void get(const Transfer& transfer);
  uint64_t element_count(clothc_channel channel) const;

  // bindings.cpp: replaces the cloth's binding of that channel; without a buffer, ends it.
  void bind(Cloth& cloth, Binding binding);

  // update.cpp: time. False if updates_in_flight are queued and flags ask not to wait.
  bool update(const clothc_update& update, const std::shared_ptr<Fence>& wait, const std::shared_ptr<Fence>& signal,
              uint64_t* value);
  uint64_t timeline_value() const { return timeline_value_.load(std::memory_order_acquire); }
  uint64_t completed_value() const { return stream_->completed(); }
  // Fails if the device is lost.
  void check() const { stream_->check(); }
  bool wait(uint64_t value, uint64_t timeout_ns) { return stream_->wait(value, timeout_ns); }

  // state_hash.cpp, snapshot.cpp.
  uint64_t state_hash();
  std::vector<uint8_t> snapshot();
  void restore(const uint8_t* data, uint64_t size, const std::vector<std::shared_ptr<Fabric>>& fabrics);

 private:
  // Bytes of the device's memory.
  struct Piece {
    MemoryPointer memory;
    uint64_t offset;
    uint64_t size;
  };
  // Queues body's work and copies of the pieces to the host, waits, and returns their bytes one behind the other. If it
  // fails, nothing has changed.
  template <class Body>
  std::vector<uint8_t> fetch(const std::vector<Piece>& pieces, Body body) {
    std::vector<uint8_t> bytes(size_of(pieces));
    ensure_readback(bytes.size());
    transaction([&] {
      body();
      copy_to_readback(pieces);
    });
    mark();
    read_back(bytes);
    return bytes;
  }
  static uint64_t size_of(const std::vector<Piece>& pieces);
  void ensure_readback(uint64_t size);
  void copy_to_readback(const std::vector<Piece>& pieces);
  void read_back(std::vector<uint8_t>& bytes);
  Piece state_of(const Cloth& cloth, uint64_t offset, uint64_t size) const;

  Arenas arenas() const;
  FrameConstants frame(float dt) const;
  void mark();
  Backend& backend() const;

  // device_fabric.cpp.
  std::shared_ptr<const DeviceFabric> device_fabric_of(SolverContents& contents,
                                                       const std::shared_ptr<const FabricData>& data);
  // Puts a cloth into contents; its particles are not written yet.
  Cloth& insert_cloth(SolverContents& contents, const ClothSource& source, uint32_t slot, uint32_t first_particle);
  void release_tables(SolverContents& contents, Cloth& cloth);
  // Takes a cloth out of the lists that lead to it.
  void delist(SolverContents& contents, const Cloth& cloth);
  void begin_state(const Cloth& cloth, const float* positions);
  void copy_state(const Cloth& original, Cloth& cloth);
  void fill_block(uint32_t block, const Cloth& cloth, const uint32_t pattern[4]);
  void copy_block(uint32_t source_block, uint32_t source_first, uint32_t target_block, uint32_t target_first,
                  uint32_t count);
  void begin_constraints(Cloth& cloth, SphereConstraints& constraints, ParticleBlock start);
  // records.cpp.
  void set_records(const Transfer& transfer);
  void get_records(const Transfer& transfer);
  template <class Visit>
  void visit_targets(const Transfer& transfer, Visit visit);
  void set_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);
  void get_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);
  // Queues jobs that have no iterations.
  void run(const std::vector<Job>& jobs);
  void get_status(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);
  // bindings.cpp: the buffers that are bound and still there; what of a channel goes through the exchange block at
  // once.
  struct BoundBuffer {
    Cloth* cloth;
    Binding binding;
    std::shared_ptr<Buffer> buffer;
  };
  std::vector<BoundBuffer> bound_buffers();
  void write_bound(const std::vector<BoundBuffer>& bound);
  void write_exchange(std::vector<Copy>& copies);
  // collider_sets.cpp. sets: ids; changed: a set that has other shapes than the solver's of that id, or null.
  static void reserve_listings(SolverContents& contents, const std::vector<clothc_collider_set_id>& sets);
  ShapeCounts shapes_of(const SolverContents& contents, const std::vector<clothc_collider_set_id>& sets,
                        const ColliderSet* changed = nullptr) const;
  void ensure_shapes(SolverContents& contents, Cloth& cloth, const ShapeCounts& counts);
  // collision_particles.cpp
  void ensure_collision_particles(SolverContents& contents, Cloth& cloth, const clothc_cloth_parameters& parameters);
  void upload_collision_particles(Cloth& cloth);
  void ensure_triangle_bvh(SolverContents& contents, TriangleBvh& tree);
  clothc_collider_asset_id add_collider_asset(std::unique_ptr<ColliderAsset> asset);
  // Takes what the asset needs on the device.
  void ensure_asset(SolverContents& contents, ColliderAsset& asset);
  void release_triangle_bvh(const TriangleBvh& tree);
  std::vector<const ColliderAsset*> assets_of(const clothc_collider_shapes& shapes) const;

  // inter_collision.cpp.
  void rebuild_inter_collision();
  void upload_inter_collision();
  void sort_inter_collision();
  uint64_t queue_inter_collision(float dt);  // returns its passes

  // contacts.cpp.
  uint32_t ensure_contact_records();
  void rebuild_contacts();
  void queue_contacts();
  void get_contacts(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);

  // Runs body, which queues work. If it fails, nothing has changed: the work is taken back, and cloths that body had
  // remembered have the inputs that they had before.
  template <class Body>
  void transaction(Body body) {
    const uint64_t uploaded_before = uploaded_bytes_;
    ++transactions_;
    try {
      body();
    } catch (...) {
      rollback();
      uploaded_bytes_ = uploaded_before;
      throw;
    }
  }
  void rollback();
  // Called before a transaction changes a cloth's inputs or wakes.
  void remember(Cloth& cloth);

  // snapshot.cpp: read all of a snapshot behind its header, and one cloth of it, into contents.
  void read_contents(ByteReader& reader, SolverContents& contents, const std::vector<std::shared_ptr<Fabric>>& fabrics);
  void read_cloth(ByteReader& reader, SolverContents& contents, const std::vector<std::shared_ptr<Fabric>>& fabrics);

  // Brings lists of jobs and the schedule up to date.
  void rebuild_schedule();
  // Sends what changed on the host to the device.
  void upload_changes();
  void upload_cloth(const Cloth& cloth);
  void upload_frame(const Cloth& cloth);
  // collider_uploads.cpp.
  void upload_collider_set(ColliderSet& set);
  void upload_collider_asset(ColliderAsset& asset);
  void upload_triangle_bvh(ColliderSet& set);
  void sort_triangles(const TriangleBvh& tree);
  void build_tree(TriangleBvh& tree, const std::vector<uint32_t>& triangles);
  void upload_vertices(const TriangleBvh& tree, uint32_t place, const std::vector<float>& vertices);
  void sort_words(const SortedWords& room, uint32_t keys, uint32_t words, uint32_t to, uint32_t count);
  void run_in_sequence(const std::vector<Job>& jobs);
  void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size);
  // Queues an update; returns the passes that it runs.
  uint64_t queue_update(const clothc_update& update, const std::vector<BoundBuffer>& bound,
                        const std::shared_ptr<Fence>& wait, const std::shared_ptr<Fence>& signal);
  void complete_motion(const Cloth& cloth, const SphereConstraints& constraints, ParticleBlock start);
  void consume_targets(bool time_passed);
  static uint32_t most_iterations(const std::vector<Cloth*>& cloths, float dt);

  clothc_solver_desc desc_;
  std::shared_ptr<Stream> stream_;
  std::unique_ptr<SolverContents> contents_;
  std::shared_ptr<const Schedule> schedule_;
  std::vector<Cloth*> cloths_in_passes_;
  std::vector<Cloth*> cloths_in_programs_;
  bool schedule_changed_ = true;
  std::vector<uint64_t> updates_;  // timeline values of the last updates, a ring of updates_in_flight
  std::vector<uint32_t> words_;    // reused for packing
  std::vector<Job> jobs_;          // reused by sets and gets
  std::vector<Copy> copies_;       // reused by bindings
  MemoryPointer readback_;
  std::atomic<uint64_t> timeline_value_{0};
  uint64_t transactions_ = 0;
  uint64_t update_count_ = 0;
  uint64_t uploaded_bytes_ = 0;
  uint64_t last_update_upload_ = 0;
  uint64_t last_update_passes_ = 0;
  StreamCounters last_update_work_;
};

}  // namespace clothc
