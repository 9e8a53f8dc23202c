// solver.h - the object behind clothc_solver: all cloths and collider sets, the arenas that hold their data on the
// device, and the stream that runs their jobs. The caller must serialise calls on one solver, except for wait and poll,
// which may come from any thread.
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

// Everything that restoring a snapshot replaces as a whole.
struct SolverContents {
  SolverContents(Backend& backend, const clothc_solver_desc& desc);

  RangeAllocator particles;
  MemoryPointer particle_memory;
  MemoryPointer cloth_memory;
  WordArena fabric;
  WordArena tables;
  // A DeviceFabric removes itself from this map when its last cloth is gone.
  std::unordered_map<const FabricData*, std::weak_ptr<const DeviceFabric>> device_fabrics;
  // Must be declared after the arenas: destroying the cloths returns their DeviceFabrics' ranges to the fabric arena.
  Slots<Cloth> cloths;
  Slots<ColliderSet> collider_sets;
  Slots<ColliderAsset> collider_assets;
  // The cloths in the order in which they were added, which is the order of their ordinals.
  std::vector<Cloth*> order;
  ClothsByRange cloths_by_range;
  // The cloths that have bindings.
  std::vector<Cloth*> bound_cloths;
  // The cloths that the next update must visit.
  TouchedList<Cloth> touched_cloths;
  Listings listings;
  // Number of particles of all cloths, without padding.
  uint32_t particle_count = 0;
  ContactReport contacts;
  InterCollision inter_collision;
  uint64_t next_ordinal = 0;
};

// The checked description of a cloth to add.
struct ClothSource {
  std::shared_ptr<const FabricData> fabric;
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
};

class ByteReader;

class Solver final : public Object {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::solver;

  Solver(std::shared_ptr<Device> device, const clothc_solver_desc& desc);
  ~Solver() override;

  // Makes the queued work end soon, whatever it waits for. May be called from any thread.
  void close() override { stream_->close(); }
  clothc_solver_info info() const;
  uint32_t particle_capacity() const { return contents_->particles.capacity(); }

  // Cloths. Defined in cloths.cpp and cloth_changes.cpp except where another file is named.

  Cloth& cloth(clothc_cloth_id id) const;
  const std::vector<Cloth*>& cloths() const { return contents_->order; }
  // Index of a cloth in cloths().
  uint32_t index_of(const Cloth& cloth) const;
  // The new cloth begins with the state of `original`, or, if that is null, at rest at the source's positions.
  clothc_cloth_id add_cloth(const ClothSource& source, const Cloth* original = nullptr);
  clothc_cloth_id clone_cloth(const Cloth& source);
  void remove_cloth(Cloth& cloth);
  // Allocates what set_parameters needs, so that a following call of it with these parameters cannot fail.
  void ensure_room_for(Cloth& cloth, const clothc_cloth_parameters& parameters);
  void set_parameters(Cloth& cloth, const clothc_cloth_parameters& parameters);
  void set_frame(Cloth& cloth, const clothc_cloth_frame& frame);
  // Puts the cloth at rest at new positions and drops everything that was set per particle.
  // positions: [particle_count][4] x y z and inverse mass.
  void reset(Cloth& cloth, const float* positions);
  void set_phases(Cloth& cloth, std::vector<clothc_phase_config> phases);
  void set_collider_sets(Cloth& cloth, std::vector<clothc_collider_set_id> sets);
  // Defined in collision_particles.cpp. particles: sorted; empty means all particles.
  void set_self_collision_particles(Cloth& cloth, std::vector<uint32_t> particles);
  void clear_channel(Cloth& cloth, clothc_channel channel);
  clothc_cloth_status status(const Cloth& cloth);
  // Moves particle ranges together so that no holes are left between them, and returns which cloths have moved. Defined
  // in solver.cpp.
  std::vector<clothc_move> compact();

  // Collider sets and collider assets. Defined in collider_sets.cpp.

  ColliderSet& collider_set(clothc_collider_set_id id) const;
  clothc_collider_set_id create_collider_set();
  void destroy_collider_set(ColliderSet& set);
  void write_collider_set(ColliderSet& set, const clothc_collider_shapes& shapes);

  // Desc is clothc_collider_mesh_desc or clothc_sdf_desc. desc has been checked.
  template <class Desc>
  clothc_collider_asset_id create_collider_asset(const Desc& desc) {
    auto asset = std::make_unique<ColliderAsset>();
    fill_asset(*asset, desc);
    return add_collider_asset(std::move(asset));
  }
  void destroy_collider_asset(clothc_collider_asset_id id);

  // Channels. Defined in transfer.cpp.

  void set(const Transfer& transfer);
  void get(const Transfer& transfer);
  uint64_t element_count(clothc_channel channel) const;

  // Replaces the cloth's binding of the binding's channel, or ends it if the new binding has no buffer. Defined in
  // bindings.cpp.
  void bind(Cloth& cloth, Binding binding);

  // Queues an update. Returns false if updates_in_flight updates are already queued and the flags ask not to wait.
  // Defined in update.cpp.
  bool update(const clothc_update& update, const std::shared_ptr<Fence>& wait, const std::shared_ptr<Fence>& signal,
              uint64_t* value);
  uint64_t timeline_value() const { return timeline_value_.load(std::memory_order_acquire); }
  uint64_t completed_value() const { return stream_->completed(); }
  // Throws Failure if the device is lost.
  void check() const { stream_->check(); }
  bool wait(uint64_t value, uint64_t timeout_ns) { return stream_->wait(value, timeout_ns); }

  // State hash and snapshots. Defined in state_hash.cpp and snapshot.cpp.

  uint64_t state_hash();
  std::vector<uint8_t> snapshot();
  void restore(const uint8_t* data, uint64_t size, const std::vector<std::shared_ptr<Fabric>>& fabrics);

 private:
  // A range of device memory, in bytes.
  struct Piece {
    MemoryPointer memory;
    uint64_t offset;
    uint64_t size;
  };
  // Calls body, which queues work, then queues copies of the pieces to the host, waits for them, and returns the bytes
  // of all pieces one after the other. If it fails, nothing has changed.
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

  // Returns the DeviceFabric of a fabric, and uploads the fabric if the solver does not have it yet. Defined in
  // device_fabric.cpp.
  std::shared_ptr<const DeviceFabric> device_fabric_of(SolverContents& contents,
                                                       const std::shared_ptr<const FabricData>& data);

  // Cloths. Defined in cloths.cpp and cloth_changes.cpp, the copies between blocks in solver.cpp.

  // Adds a cloth to contents without writing its state or its particles.
  Cloth& insert_cloth(SolverContents& contents, const ClothSource& source, uint32_t slot, uint32_t first_particle);
  void release_tables(SolverContents& contents, Cloth& cloth);
  // Removes a cloth from the particle count and from all lists that refer to it, except contents.order.
  void delist(SolverContents& contents, Cloth& cloth);
  void begin_state(const Cloth& cloth, const float* positions);
  void copy_state(const Cloth& original, Cloth& cloth);
  void fill_block(uint32_t block, const Cloth& cloth, const uint32_t pattern[4]);
  void copy_block(uint32_t source_block, uint32_t source_first, uint32_t target_block, uint32_t target_first,
                  uint32_t count);
  void begin_constraints(Cloth& cloth, SphereConstraints& constraints, ParticleBlock start);

  // Channels. The functions for records are defined in records.cpp, the others in transfer.cpp.

  void set_records(const Transfer& transfer);
  void get_records(const Transfer& transfer);
  template <class Visit>
  void visit_targets(const Transfer& transfer, Visit visit);
  void set_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);
  void get_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);
  // Queues a schedule of jobs without iterations.
  void run(const std::vector<Job>& jobs);
  void get_status(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);

  // Bindings. Defined in bindings.cpp.

  // A binding, and its buffer, which still exists.
  struct BoundBuffer {
    Cloth* cloth;
    Binding binding;
    std::shared_ptr<Buffer> buffer;
  };
  // Returns all bindings whose buffers still exist, and drops the others.
  std::vector<BoundBuffer> bound_buffers();
  static void remove_bound(SolverContents& contents, const Cloth& cloth);
  // Queues the writes of all bound channels.
  void write_bound(const std::vector<BoundBuffer>& bound);
  void write_exchange(std::vector<Copy>& copies);

  // Collider sets and assets. Defined in collider_sets.cpp except where another file is named.

  static void reserve_listings(SolverContents& contents, const std::vector<clothc_collider_set_id>& sets);
  // Returns the numbers of shapes in all sets together. changed: null, or a set that replaces the set with the same id.
  ShapeCounts shapes_of(const SolverContents& contents, const std::vector<clothc_collider_set_id>& sets,
                        const ColliderSet* changed = nullptr) const;
  void ensure_shapes(SolverContents& contents, Cloth& cloth, const ShapeCounts& counts);
  // These two are defined in collision_particles.cpp.
  void ensure_collision_particles(SolverContents& contents, Cloth& cloth, const clothc_cloth_parameters& parameters);
  void upload_collision_particles(Cloth& cloth);
  void ensure_triangle_bvh(SolverContents& contents, TriangleBvh& tree);
  clothc_collider_asset_id add_collider_asset(std::unique_ptr<ColliderAsset> asset);
  // Allocates the memory that the asset needs on the device.
  void ensure_asset(SolverContents& contents, ColliderAsset& asset);
  void release_triangle_bvh(const TriangleBvh& tree);
  std::vector<const ColliderAsset*> assets_of(const clothc_collider_shapes& shapes) const;

  // Collisions between cloths. Defined in inter_collision.cpp.

  void rebuild_inter_collision();
  void upload_inter_collision();
  void sort_inter_collision();
  // Returns the number of passes queued.
  uint64_t queue_inter_collision(float dt);

  // Contact reports. Defined in contacts.cpp.

  uint32_t ensure_contact_records();
  void rebuild_contacts();
  void queue_contacts();
  void get_contacts(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region);

  // Calls body, which queues work. If body throws, a rollback discards the queued work, and gives the cloths for which
  // body called `remember` their inputs back, so that nothing has changed.
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
  // Saves a cloth's inputs and wakes for a rollback. Must be called before a transaction changes them.
  void remember(Cloth& cloth);

  // These read a snapshot without its header, and one cloth of a snapshot, into contents. Defined in snapshot.cpp.
  void read_contents(ByteReader& reader, SolverContents& contents, const std::vector<std::shared_ptr<Fabric>>& fabrics);
  void read_cloth(ByteReader& reader, SolverContents& contents, const std::vector<std::shared_ptr<Fabric>>& fabrics);

  // Updates. Defined in update.cpp; the uploads in uploads.cpp.

  // Brings the lists of jobs and the schedule up to date.
  void rebuild_schedule();
  void rebuild_lists_and_schedule();
  // Uploads everything that has changed on the host.
  void upload_changes();
  void upload_cloth(const Cloth& cloth);
  void upload_frame(const Cloth& cloth);

  // Uploads of collider sets and assets. Defined in collider_uploads.cpp.

  void upload_collider_set(ColliderSet& set);
  void upload_collider_asset(ColliderAsset& asset);
  void upload_triangle_bvh(ColliderSet& set);
  void sort_triangles(const TriangleBvh& tree);
  void build_tree(TriangleBvh& tree, const std::vector<uint32_t>& triangles);
  void upload_vertices(const TriangleBvh& tree, uint32_t place, const std::vector<float>& vertices);
  void sort_words(const SortedWords& room, uint32_t keys, uint32_t words, uint32_t to, uint32_t count);
  void run_in_sequence(const std::vector<Job>& jobs);

  // Queues a write to device memory and counts its bytes. Defined in solver.cpp.
  void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size);

  // More of update.cpp.

  // Queues an update and returns the number of passes that it runs.
  uint64_t queue_update(const clothc_update& update, const std::vector<BoundBuffer>& bound,
                        const std::shared_ptr<Fence>& wait, const std::shared_ptr<Fence>& signal);
  void complete_motion(const Cloth& cloth, const SphereConstraints& constraints, ParticleBlock start);
  void consume_targets(bool time_passed);
  // The largest solver_frequency of some cloths, 0 if there are none.
  static float largest_frequency(const std::vector<Cloth*>& cloths);

  clothc_solver_desc desc_;
  std::shared_ptr<Stream> stream_;
  std::unique_ptr<SolverContents> contents_;
  std::shared_ptr<const Schedule> schedule_;
  std::vector<Cloth*> cloths_in_passes_;
  std::vector<Cloth*> cloths_in_programs_;
  bool schedule_changed_ = true;
  // The largest solver_frequency in each of the two lists, and whether a cloth has another one since.
  float frequency_in_passes_ = 0;
  float frequency_in_programs_ = 0;
  bool frequencies_changed_ = true;

  // Timeline values of the last updates, as a ring buffer of updates_in_flight elements.
  std::vector<uint64_t> updates_;

  // Scratch vectors that keep their memory between calls: words_ for packing data to upload, jobs_ for sets, gets and
  // bindings, copies_ for bindings.
  std::vector<uint32_t> words_;
  std::vector<Job> jobs_;
  std::vector<Copy> copies_;

  // Host memory through which fetch reads data back.
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
