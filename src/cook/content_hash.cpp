// content_hash.cpp - owns the content hash of fabrics, which takes one multiplication and one shift per 32-bit word.
// The size of an array is hashed before its elements, so that no two fabrics give the same sequence of words. Snapshots
// store the hash: a change to it makes old snapshots unreadable.
#include "cook/content_hash.h"

#include <cstring>
#include <vector>

namespace clothc::cook {
namespace {

class Hasher {
 public:
  void add(uint32_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 32;
  }

  template <typename Element>
  void add(const std::vector<Element>& array) {
    static_assert(sizeof(Element) == sizeof(uint32_t));
    add(static_cast<uint32_t>(array.size()));
    add(static_cast<uint32_t>(uint64_t{array.size()} >> 32));
    for (const Element& element : array) {
      uint32_t word;
      std::memcpy(&word, &element, sizeof word);
      add(word);
    }
  }

  // The last words that were added have been multiplied only once. Adding two more words spreads them over all bits.
  uint64_t finish() {
    add(0);
    add(0);
    return state_;
  }

 private:
  // The bytes of "clothc", followed by version 1.
  uint64_t state_ = 0x636c6f7468630001u;
};

}  // namespace

uint64_t hash_content(const FabricData& fabric) {
  Hasher hasher;
  hasher.add(fabric.particle_count);
  hasher.add(fabric.positions);
  hasher.add(fabric.phase_sets);
  hasher.add(fabric.set_ends);
  hasher.add(fabric.indices);
  hasher.add(fabric.rest_lengths);
  hasher.add(fabric.stiffness);
  hasher.add(fabric.tethers_per_particle);
  hasher.add(fabric.tether_anchors);
  hasher.add(fabric.tether_lengths);
  hasher.add(fabric.triangles);
  // Fabrics without virtual particles keep the hash that earlier versions of the library gave them.
  if (!fabric.virtual_particles.empty()) {
    hasher.add(fabric.virtual_particles);
    hasher.add(fabric.virtual_weights);
  }
  // The same holds for fabrics without sets of other types, and for those without coarse levels.
  if (!fabric.constraint_types.empty()) {
    hasher.add(fabric.constraint_types);
    hasher.add(fabric.constraint_counts);
    hasher.add(fabric.constraint_particles);
    hasher.add(fabric.constraint_parameters);
  }
  if (!fabric.level_counts.empty()) {
    hasher.add(fabric.level_counts);
    hasher.add(fabric.level_nodes);
    hasher.add(fabric.level_values);
  }
  if (fabric.exact_lengths) hasher.add(1u);
  return hasher.finish();
}

}  // namespace clothc::cook
