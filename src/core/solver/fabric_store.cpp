// fabric_store.cpp - uploads topologies into the topology arena.
#include "core/solver/fabric_store.h"

#include <algorithm>
#include <cstring>

#include "cook/layout/split_levels.h"

namespace clothc {

FabricStore::FabricStore(CommandQueue& queue) : queue_(queue), arena_(queue.backend(), 1024) {}

std::shared_ptr<ClothTopology> FabricStore::allocate(std::shared_ptr<const FabricLayout> layout, size_t word_count) {
  auto owned = std::make_unique<ClothTopology>();
  owned->layout = std::move(layout);
  // No arena has UINT32_MAX words, so allocating that many fails.
  owned->word_count = static_cast<uint32_t>(std::min<size_t>(word_count, UINT32_MAX));
  owned->first = arena_.allocate(queue_.commands(), owned->word_count);
  return {owned.release(), [this](ClothTopology* released) {
            arena_.release(released->first, released->word_count);
            if (released->changes == nullptr) fabrics_.erase(released->layout.get());
            delete released;
          }};
}

std::shared_ptr<const ClothTopology> FabricStore::get(const Fabric& fabric) {
  const auto found = fabrics_.find(fabric.layout().get());
  if (found != fabrics_.end()) return found->second.lock();
  const std::vector<uint32_t> words = fabric.take_words();
  const FabricLayout& layout = *fabric.layout();
  const DeviceLimits& limits = queue_.backend().limits();
  std::shared_ptr<ClothTopology> topology = allocate(fabric.layout(), words.size());
  topology->blocks = divide_into_blocks(layout, words.data(), limits.particles_in_cache);
  if (layout.lattice.stride > 0 && topology->blocks.count == 0)
    topology->lattice_batch_cost = limits.lattice_batch_cost;
  queue_.write(arena_.memory(), uint64_t{topology->first} * 4, words.data(), words.size() * 4);
  fabrics_.emplace(fabric.layout().get(), topology);
  return topology;
}

std::shared_ptr<const ClothTopology> FabricStore::copy(const ClothTopology& topology, uint32_t spare_count) {
  if (topology.changes != nullptr) return add(std::make_unique<TopologyChanges>(*topology.changes));
  return add(std::make_unique<TopologyChanges>(*topology.layout, fetch_words(topology), spare_count));
}

std::vector<uint32_t> FabricStore::fetch_words(const ClothTopology& topology) {
  const std::vector<uint8_t> bytes = queue_.fetch({range_of(topology)}, [] {});
  std::vector<uint32_t> words(topology.word_count);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

std::shared_ptr<const ClothPrimitives> FabricStore::primitives(const ClothTopology& topology) {
  const uint64_t version = topology.changes == nullptr ? 0 : topology.changes->triangle_version();
  if (topology.primitives != nullptr && topology.primitives_version == version) return topology.primitives;
  const cook::LaidOutPrimitives laid_out = cook::lay_out_primitives(
      *topology.layout, topology.changes == nullptr ? fetch_words(topology) : topology.changes->words());
  ClothPrimitives primitives;
  primitives.edges = laid_out.edges;
  primitives.triangles = laid_out.triangles;
  primitives.edge_fans = laid_out.edge_fans;
  std::shared_ptr<const ClothPrimitives> added = place(primitives, laid_out.words.size());
  queue_.transaction([&] {
    queue_.write(arena_.memory(), uint64_t{added->first} * 4, laid_out.words.data(), laid_out.words.size() * 4);
  });
  topology.primitives = added;
  topology.primitives_version = version;
  return added;
}

std::shared_ptr<const ClothLevels> FabricStore::levels(const ClothTopology& topology) {
  const TopologyChanges& changes = *topology.changes;
  if (topology.levels != nullptr && topology.levels_version == changes.triangle_version()) return topology.levels;
  LaidOutFabric laid_out = cook::lay_out_split_levels({*topology.layout, changes.words(), changes.origins()});
  ClothLevels levels;
  levels.levels = std::move(laid_out.layout.levels);
  levels.rest_positions = laid_out.layout.rest_positions;
  levels.words = std::move(laid_out.words);
  const size_t word_count = levels.words.size();
  topology.levels = place(std::move(levels), word_count);
  topology.levels_version = changes.triangle_version();
  return topology.levels;
}

template <class Part>
std::shared_ptr<const Part> FabricStore::place(Part part, size_t word_count) {
  auto owned = std::make_unique<Part>(std::move(part));
  owned->word_count = static_cast<uint32_t>(std::min<size_t>(word_count, UINT32_MAX));
  owned->first = arena_.allocate(queue_.commands(), owned->word_count);
  return {owned.release(), [this](const Part* released) {
            arena_.release(released->first, released->word_count);
            delete released;
          }};
}

std::shared_ptr<const ClothTopology> FabricStore::add(std::unique_ptr<TopologyChanges> changes) {
  std::shared_ptr<ClothTopology> topology = allocate(changes->layout(), changes->words().size());
  topology->changes = std::move(changes);
  return topology;
}

void FabricStore::upload_changes(const ClothTopology& topology) {
  const ClothLevels* levels = topology.levels.get();
  if (levels != nullptr && !levels->is_on_device) {
    queue_.write(arena_.memory(), uint64_t{levels->first} * 4, levels->words.data(), levels->words.size() * 4);
    levels->is_on_device = true;
  }
  for (const Range range : topology.changes->take_changed_words())
    queue_.write(arena_.memory(), (uint64_t{topology.first} + range.begin) * 4,
                 topology.changes->words().data() + range.begin, uint64_t{range.end - range.begin} * 4);
}

}  // namespace clothc
