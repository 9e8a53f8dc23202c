// fabric_residence.cpp - a fabric's arrays in a solver's fabric arena, as the kernels read them.
#include "core/solver.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/device.h"

namespace clothc {
namespace {

// Where a particle is stored; padding, the dummy particle, is stored behind all of them.
uint32_t place_or_dummy(const FabricData& data, uint32_t particle) {
  return particle < data.particle_count ? data.place_of(particle) : particle;
}

// Whether a vertex's particle may be stored elsewhere than at the vertex's index.
bool lists_vertices(const FabricData& data) {
  if (!data.places.empty() || data.vertex_count != data.particle_count) return true;
  for (uint32_t v = 0; v < data.vertex_count; ++v) {
    if (data.vertex_map[v] != v) return true;
  }
  return false;
}

// The words of a fabric as kernels read them, offsets relative to the first. Fills the residence's offsets.
std::vector<uint32_t> pack_fabric(const FabricData& data, FabricResidence& residence) {
  std::vector<uint32_t> words;
  const auto append = [&](const auto& values) {
    const uint32_t offset = static_cast<uint32_t>(words.size());
    words.resize(words.size() + values.size());
    if (!values.empty()) std::memcpy(words.data() + offset, values.data(), values.size() * 4);
    return offset;
  };
  residence.constraint_first = append(data.laid_out_first);
  residence.constraint_second = append(data.laid_out_second);
  residence.constraint_rest = append(data.laid_out_rest);
  residence.constraint_stiffness = append(data.laid_out_stiffness);
  if (!data.places.empty()) {
    std::vector<uint32_t> places(padded_particles(data.particle_count));
    std::iota(places.begin(), places.end(), 0u);  // padding stays where it is
    std::copy(data.places.begin(), data.places.end(), places.begin());
    residence.places = append(places);
  }
  if (lists_vertices(data)) {
    std::vector<uint32_t> vertices(padded_particles(data.vertex_count), 0u);
    std::transform(data.vertex_map.begin(), data.vertex_map.end(), vertices.begin(),
                   [&](uint32_t particle) { return data.place_of(particle); });
    residence.vertices = append(vertices);
  }
  if (data.tethers_per_particle == 0) return words;

  std::vector<uint32_t> order = data.tether_order;
  for (uint32_t& particle : order) particle = place_or_dummy(data, particle);
  residence.tether_order = append(order);
  const uint32_t slots = static_cast<uint32_t>(data.tether_order.size());
  residence.tether_stride = slots;
  std::vector<uint32_t> anchors(size_t{residence.tether_stride} * data.tethers_per_particle, data.particle_count);
  std::vector<float> lengths(anchors.size(), 0.0f);
  for (uint32_t t = 0; t < data.tethers_per_particle; ++t) {
    for (uint32_t slot = 0; slot < slots; ++slot) {
      if (data.tether_order[slot] >= data.particle_count) continue;
      const size_t source = size_t{t} * data.particle_count + data.tether_order[slot];
      const size_t target = size_t{t} * residence.tether_stride + slot;
      anchors[target] = data.place_of(data.tether_anchors[source]);
      lengths[target] = data.tether_lengths[source];
    }
  }
  residence.tether_anchor = append(anchors);
  residence.tether_length = append(lengths);
  return words;
}

}  // namespace

std::shared_ptr<const FabricResidence> Solver::residence_of(SolverContents& contents,
                                                            const std::shared_ptr<const FabricData>& data) {
  for (const std::weak_ptr<const FabricResidence>& weak : contents.residences) {
    std::shared_ptr<const FabricResidence> residence = weak.lock();
    if (residence != nullptr && residence->data == data) return residence;
  }
  contents.residences.erase(std::remove_if(contents.residences.begin(), contents.residences.end(),
                                           [](const auto& weak) { return weak.expired(); }),
                            contents.residences.end());
  contents.residences.reserve(contents.residences.size() + 1);
  auto owned = std::make_unique<FabricResidence>();
  owned->data = data;
  const std::vector<uint32_t> words = pack_fabric(*data, *owned);
  owned->word_count = static_cast<uint32_t>(words.size());
  owned->first = contents.fabric.allocate(*stream_, owned->word_count);
  SolverContents* home = &contents;
  std::shared_ptr<FabricResidence> residence(owned.release(), [home](FabricResidence* r) {
    home->fabric.release(r->first, r->word_count);
    delete r;
  });
  for (uint32_t* offset : {&residence->constraint_first, &residence->constraint_second, &residence->constraint_rest,
                           &residence->constraint_stiffness, &residence->tether_anchor, &residence->tether_length,
                           &residence->tether_order}) {
    *offset += residence->first;
  }
  if (!data->places.empty()) residence->places += residence->first;
  if (lists_vertices(*data)) residence->vertices += residence->first;
  if (!words.empty()) write(contents.fabric.memory(), uint64_t{residence->first} * 4, words.data(), words.size() * 4);
  contents.residences.push_back(residence);
  return residence;
}

}  // namespace clothc
