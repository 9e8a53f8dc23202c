// fabric_store.cpp - uploads fabrics into the topology arena.
#include "core/solver/fabric_store.h"

#include <algorithm>

namespace clothc {

FabricStore::FabricStore(CommandQueue& queue) : queue_(queue), arena_(queue.backend(), 1024) {}

std::shared_ptr<const ClothTopology> FabricStore::get(const Fabric& fabric) {
  const auto found = fabrics_.find(fabric.layout().get());
  if (found != fabrics_.end()) return found->second.lock();
  auto owned = std::make_unique<ClothTopology>();
  owned->layout = fabric.layout();
  const std::vector<uint32_t> words = fabric.take_words();
  owned->blocks = divide_into_blocks(*fabric.layout(), words.data(), queue_.backend().limits().particles_in_cache);
  // No arena has UINT32_MAX words, so allocating that many fails.
  owned->word_count = static_cast<uint32_t>(std::min<size_t>(words.size(), UINT32_MAX));
  owned->first = arena_.allocate(queue_.commands(), owned->word_count);
  std::shared_ptr<ClothTopology> topology(owned.release(), [this](ClothTopology* released) {
    arena_.release(released->first, released->word_count);
    fabrics_.erase(released->layout.get());
    delete released;
  });
  queue_.write(arena_.memory(), uint64_t{topology->first} * 4, words.data(), words.size() * 4);
  fabrics_.emplace(fabric.layout().get(), topology);
  return topology;
}

}  // namespace clothc
