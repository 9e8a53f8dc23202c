// fabric_store.cpp - packs a fabric's arrays into the topology arena in the layout that the kernels read.
#include "core/solver/fabric_store.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/cloth/cloth.h"

namespace clothc {
namespace {

// Returns the storage index of a particle. The padding particle, with number
// particle_count, is stored behind all others.
uint32_t storage_index_or_padding(const FabricData& data, uint32_t particle) {
  return particle < data.particle_count ? data.storage_index(particle) : particle;
}

// Whether the device needs an array of the storage index of each vertex's particle, because some may differ from the
// vertex's own index.
bool lists_vertices(const FabricData& data) {
  if (!data.storage_order.empty() || data.vertex_count != data.particle_count) return true;
  for (uint32_t v = 0; v < data.vertex_count; ++v) {
    if (data.vertex_map[v] != v) return true;
  }
  return false;
}

// Collects the arrays of a fabric as one list of words.
class Packer {
 public:
  // Appends an array and writes its position to offset. The offset of an empty array is not changed.
  template <class Values>
  void append(uint32_t& offset, const Values& values) {
    static_assert(sizeof(values[0]) == 4, "arrays are words");
    if (values.empty()) return;
    offset = static_cast<uint32_t>(words_.size());
    offsets_.push_back(&offset);
    words_.resize(words_.size() + values.size());
    std::memcpy(words_.data() + offset, values.data(), values.size() * 4);
  }

  // Adds the position of the first word in the arena to all offsets, which count from the first word before. Word 0 of
  // an arena is never allocated, so that an offset of 0 still means that the array is absent.
  void move_to(uint32_t first) {
    for (uint32_t* offset : offsets_) *offset += first;
  }
  const std::vector<uint32_t>& words() const { return words_; }

 private:
  std::vector<uint32_t> words_;
  std::vector<uint32_t*> offsets_;
};

void pack_storage_order(const FabricData& data, DeviceFabric& device_fabric, Packer& packer) {
  if (!data.storage_order.empty()) {
    // Padding particles are stored at their own indices.
    std::vector<uint32_t> storage_order(padded_particles(data.particle_count));
    std::iota(storage_order.begin(), storage_order.end(), 0u);
    std::copy(data.storage_order.begin(), data.storage_order.end(), storage_order.begin());
    packer.append(device_fabric.storage_order, storage_order);
  }
  if (lists_vertices(data)) {
    std::vector<uint32_t> vertices(padded_particles(data.vertex_count), 0u);
    std::transform(data.vertex_map.begin(), data.vertex_map.end(), vertices.begin(),
                   [&](uint32_t particle) { return data.storage_index(particle); });
    packer.append(device_fabric.vertices, vertices);
  }
}

void pack_tethers(const FabricData& data, DeviceFabric& device_fabric, Packer& packer) {
  std::vector<uint32_t> order = data.tether_order;
  for (uint32_t& particle : order) particle = storage_index_or_padding(data, particle);
  packer.append(device_fabric.tether_order, order);
  const uint32_t slots = static_cast<uint32_t>(data.tether_order.size());
  device_fabric.tether_stride = slots;
  std::vector<uint32_t> anchors(size_t{device_fabric.tether_stride} * data.tethers_per_particle, data.particle_count);
  std::vector<float> lengths(anchors.size(), 0.0f);
  for (uint32_t t = 0; t < data.tethers_per_particle; ++t) {
    for (uint32_t slot = 0; slot < slots; ++slot) {
      if (data.tether_order[slot] >= data.particle_count) continue;
      const size_t source = size_t{t} * data.particle_count + data.tether_order[slot];
      const size_t target = size_t{t} * device_fabric.tether_stride + slot;
      anchors[target] = data.storage_index(data.tether_anchors[source]);
      lengths[target] = data.tether_lengths[source];
    }
  }
  packer.append(device_fabric.tether_anchor, anchors);
  packer.append(device_fabric.tether_length, lengths);
}

void pack_surface(const FabricData& data, DeviceFabric& device_fabric, Packer& packer) {
  device_fabric.triangle_stride = data.triangle_stride;
  packer.append(device_fabric.triangle_corners, data.laid_out_corners);
  packer.append(device_fabric.particle_fans, data.particle_fans);
  packer.append(device_fabric.vertex_fans, data.vertex_fans);
  packer.append(device_fabric.tangent_weights, data.tangent_weights);
  packer.append(device_fabric.particle_handedness, data.particle_handedness);
  packer.append(device_fabric.vertex_handedness, data.vertex_handedness);
}

void pack_virtual_particles(const FabricData& data, DeviceFabric& device_fabric, Packer& packer) {
  device_fabric.virtual_stride = data.virtual_stride;
  packer.append(device_fabric.virtual_corners, data.laid_out_virtual_corners);
  packer.append(device_fabric.virtual_weights, data.laid_out_virtual_weights);
}

// Packs a fabric's arrays in the layout that the kernels read.
Packer pack_fabric(const FabricData& data, DeviceFabric& device_fabric) {
  Packer packer;
  packer.append(device_fabric.constraint_first, data.laid_out_first);
  packer.append(device_fabric.constraint_second, data.laid_out_second);
  packer.append(device_fabric.constraint_rest, data.laid_out_rest);
  packer.append(device_fabric.constraint_stiffness, data.laid_out_stiffness);
  pack_storage_order(data, device_fabric, packer);
  if (data.tethers_per_particle > 0) pack_tethers(data, device_fabric, packer);
  pack_surface(data, device_fabric, packer);
  pack_virtual_particles(data, device_fabric, packer);
  return packer;
}

}  // namespace

FabricStore::FabricStore(CommandQueue& queue) : queue_(queue), arena_(queue.backend(), 1024) {}

std::shared_ptr<const DeviceFabric> FabricStore::get(const std::shared_ptr<const FabricData>& data) {
  const auto found = fabrics_.find(data.get());
  if (found != fabrics_.end()) return found->second.lock();
  auto owned = std::make_unique<DeviceFabric>();
  owned->data = data;
  owned->blocks = divide_into_blocks(*data, queue_.backend().limits().particles_in_cache);
  Packer packer = pack_fabric(*data, *owned);
  const std::vector<uint32_t>& words = packer.words();
  // No arena has UINT32_MAX words, so allocating that many fails.
  owned->word_count = static_cast<uint32_t>(std::min<size_t>(words.size(), UINT32_MAX));
  owned->first = arena_.allocate(queue_.commands(), owned->word_count);
  std::shared_ptr<DeviceFabric> device_fabric(owned.release(), [this](DeviceFabric* fabric) {
    arena_.release(fabric->first, fabric->word_count);
    fabrics_.erase(fabric->data.get());
    delete fabric;
  });
  packer.move_to(device_fabric->first);
  if (!words.empty()) queue_.write(arena_.memory(), uint64_t{device_fabric->first} * 4, words.data(), words.size() * 4);
  fabrics_.emplace(data.get(), device_fabric);
  return device_fabric;
}

}  // namespace clothc
