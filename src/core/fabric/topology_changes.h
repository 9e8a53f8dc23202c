// topology_changes.h - the topology of a single cloth in which constraints and triangles can be moved from one particle
// to another, as cutting and tearing need. Particles that are split off are stored behind those of the fabric.
// Invariant: whatever names a particle of the fabric there names this particle here, or one that was split off it.
// Hence the constraints of a colour still share no particle that they move, and no particle has more triangles than
// before.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "cook/fabric_layout.h"

namespace clothc {

// Where a constraint or a triangle names a particle.
struct ParticleReference {
  // Index of the constraint's set in FabricLayout::sets, or in_triangles.
  uint32_t set;
  // Number of the constraint in its set as laid out, or of the triangle.
  uint32_t item;
  // Which of its particles.
  uint32_t row;

  static constexpr uint32_t in_triangles = UINT32_MAX;
  bool operator<(const ParticleReference& other) const {
    return std::tie(set, item, row) < std::tie(other.set, other.item, other.row);
  }
};

// Particles are given by their storage indices.
class TopologyChanges {
 public:
  // words: those of the fabric. Takes rings apart, and adds arrays with space for this many more particles.
  TopologyChanges(const FabricLayout& fabric, std::vector<uint32_t> words, uint32_t spare_count);
  TopologyChanges(const TopologyChanges& other);
  TopologyChanges& operator=(const TopologyChanges&) = delete;

  // Its particle count includes the particles that were split off.
  const std::shared_ptr<const FabricLayout>& layout() const { return shared_layout_; }
  const std::vector<uint32_t>& words() const { return words_; }
  // Whether the topology has coarse levels, but those in the layout are of the fabric as it was before particles were
  // split off.
  bool has_outdated_levels() const { return !layout_->levels.empty() && !origins_.empty(); }
  // Number of particles that can still be split off.
  uint32_t spare_count() const { return spare_count_; }
  // The particle of the fabric that each particle was split off, in the order in which they were.
  const std::vector<uint32_t>& origins() const { return origins_; }
  // All references that differ from the fabric, and the particles that they name.
  const std::map<ParticleReference, uint32_t>& moved() const { return moved_; }

  // Counts the changes of triangles.
  uint64_t triangle_version() const { return triangle_version_; }

  bool exists(const ParticleReference& reference) const;
  uint32_t particle_at(const ParticleReference& reference) const { return words_[word_of(reference)]; }
  // Returns what names a particle, in ascending order.
  std::vector<ParticleReference> references_to(uint32_t particle) const;

  // If one of the next calls fails, nothing has changed.

  // Splits a particle off another one and returns it. Nothing names it yet. spare_count must not be 0.
  uint32_t split(uint32_t particle);
  // Whether both particles exist, and both are the same particle of the fabric or were split off it.
  bool are_one_in_fabric(uint32_t a, uint32_t b) const;
  // Makes a reference name another particle. Both particles must have been one in the fabric.
  void move(const ParticleReference& reference, uint32_t particle);

  // Ranges of words that have changed since the last call. At first, that is all of them.
  std::vector<Range> take_changed_words();
  // Makes the next call of take_changed_words return all words.
  void forget_device_copy() { all_changed_ = true; }

 private:
  uint32_t fabric_count() const { return layout_->particle_count - static_cast<uint32_t>(origins_.size()); }
  uint32_t origin_of(uint32_t particle) const;
  uint32_t word_of(const ParticleReference& reference) const;
  bool has_corner_at(uint32_t triangle, uint32_t particle) const;
  void set_word(uint32_t word, uint32_t value);
  void make_space_in_fans();
  // Adds a triangle to the triangles around a particle, or removes it.
  void change_fan(uint32_t particle, uint32_t triangle, bool adds);

  std::shared_ptr<FabricLayout> layout_;
  // The same object.
  std::shared_ptr<const FabricLayout> shared_layout_;
  std::vector<uint32_t> words_;
  uint32_t spare_count_;
  std::vector<uint32_t> origins_;
  std::map<ParticleReference, uint32_t> moved_;
  uint64_t triangle_version_ = 0;
  bool all_changed_ = true;
  std::vector<uint32_t> changed_words_;
};

}  // namespace clothc
