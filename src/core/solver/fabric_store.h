// fabric_store.h - the topologies of a solver's cloths on the device. Each fabric is there once, however many cloths
// use it, as long as any cloth does.
#pragma once

#include <memory>
#include <unordered_map>

#include "core/backend/arena.h"
#include "core/fabric/cloth_topology.h"
#include "core/fabric/fabric.h"
#include "core/solver/command_queue.h"

namespace clothc {

class FabricStore {
 public:
  explicit FabricStore(CommandQueue& queue);

  const MemoryPointer& memory() const { return arena_.memory(); }
  // Where the words of a topology are.
  DeviceRange range_of(const ClothTopology& topology) const {
    return {arena_.memory(), uint64_t{topology.first} * 4, uint64_t{topology.word_count} * 4};
  }
  // Returns the ClothTopology of a fabric, and uploads the fabric if the device does not have it. The store must
  // outlive what it returns.
  std::shared_ptr<const ClothTopology> get(const Fabric& fabric);
  // Returns a copy of a topology that can be changed, and has space for this many more particles if the topology was
  // not changed before. Waits for the device if it was not.
  std::shared_ptr<const ClothTopology> copy(const ClothTopology& topology, uint32_t spare_count);
  std::shared_ptr<const ClothTopology> add(std::unique_ptr<TopologyChanges> changes);
  // Returns the edges and triangles of a topology. The first call, and the first one after triangles have changed, lays
  // them out; of a fabric, it waits for the device.
  std::shared_ptr<const ClothPrimitives> primitives(const ClothTopology& topology);
  // Returns the coarse levels of a topology that has_outdated_levels. The first call, and the first one after triangles
  // have changed or particles were split, cooks them. upload_changes writes them.
  std::shared_ptr<const ClothLevels> levels(const ClothTopology& topology);
  // Queues writes of what was changed, and of levels that the device does not have.
  void upload_changes(const ClothTopology& topology);

 private:
  // Reads the words of a topology back from the device.
  std::vector<uint32_t> fetch_words(const ClothTopology& topology);
  // Allocates a range in the arena, which the last owner of the result frees. Sets its `first` and `word_count`.
  template <class Part>
  std::shared_ptr<const Part> place(Part part, size_t word_count);
  // Allocates a range in the arena.
  std::shared_ptr<ClothTopology> allocate(std::shared_ptr<const FabricLayout> layout, size_t word_count);

  CommandQueue& queue_;
  WordArena arena_;
  // A ClothTopology removes itself from this map when its last cloth is gone.
  std::unordered_map<const FabricLayout*, std::weak_ptr<const ClothTopology>> fabrics_;
};

}  // namespace clothc
