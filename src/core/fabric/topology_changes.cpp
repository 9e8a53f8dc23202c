// topology_changes.cpp - splitting particles and moving references between them. See topology_changes.h.
#include "core/fabric/topology_changes.h"

#include <algorithm>
#include <numeric>

#include "cook/layout/append.h"
#include "cook/layout/lattice.h"
#include "cook/layout/rings.h"
#include "cook/layout/wind.h"

namespace clothc {
namespace {

// Allocates memory for more elements, so that adding them cannot fail.
template <class Element>
void reserve_more(std::vector<Element>& elements, size_t count) {
  if (elements.size() + count > elements.capacity()) elements.reserve(2 * elements.size() + count);
}

}  // namespace

TopologyChanges::TopologyChanges(const FabricLayout& fabric, std::vector<uint32_t> words, uint32_t spare_count)
    : spare_count_(spare_count) {
  LaidOutFabric own{fabric, std::move(words)};
  cook::dissolve_rings(own);
  cook::remove_lattice(own.layout);
  layout_ = std::make_shared<FabricLayout>(std::move(own.layout));
  shared_layout_ = layout_;
  words_ = std::move(own.words);
  const uint32_t count = fabric.particle_count;
  const size_t stride = padded(count + spare_count);
  // The new arrays begin with the old ones.
  const auto extend = [&](uint32_t& offset, std::vector<uint32_t> values) {
    if (offset == 0) return;
    std::copy_n(words_.begin() + offset, count, values.begin());
    offset = cook::append(words_, values);
  };
  std::vector<uint32_t> own_indices(stride);
  std::iota(own_indices.begin(), own_indices.end(), 0u);
  extend(layout_->storage_words, std::move(own_indices));
  extend(layout_->particle_handedness, std::vector<uint32_t>(stride, 0u));
  make_space_in_fans();
  cook::lay_out_wind_without_runs(padded(count + spare_count) / lane_padding, *layout_, words_);
  cook::trim(words_);
}

TopologyChanges::TopologyChanges(const TopologyChanges& other)
    : layout_(std::make_shared<FabricLayout>(*other.layout_)),
      shared_layout_(layout_),
      words_(other.words_),
      spare_count_(other.spare_count_),
      origins_(other.origins_),
      moved_(other.moved_) {}

// Gives spare particles space for as many triangles as any particle has.
void TopologyChanges::make_space_in_fans() {
  if (layout_->particle_fans == 0) return;
  const uint32_t old = layout_->particle_fans;
  const uint32_t first_spare = layout_->particle_count;
  const uint32_t old_slices = padded(first_spare) / lane_padding;
  const uint32_t slices = padded(first_spare + spare_count_) / lane_padding;
  std::vector<uint32_t> fans(padded(slices + 1), 0u);
  for (uint32_t slice = 0; slice < slices; ++slice) {
    const auto begin = static_cast<uint32_t>(fans.size());
    fans[slice] = begin;
    if (slice < old_slices)
      fans.insert(fans.end(), words_.begin() + old + words_[old + slice],
                  words_.begin() + old + words_[old + slice + 1]);
    const bool has_spares = (slice + 1) * lane_padding > first_spare;
    if (has_spares) fans.resize(begin + size_t{layout_->widest_fan} * lane_padding, layout_->triangle_count);
  }
  fans[slices] = static_cast<uint32_t>(fans.size());
  layout_->particle_fans = cook::append(words_, fans);
}

uint32_t TopologyChanges::origin_of(uint32_t particle) const {
  return particle < fabric_count() ? particle : origins_[particle - fabric_count()];
}

uint32_t TopologyChanges::word_of(const ParticleReference& reference) const {
  if (reference.set == ParticleReference::in_triangles)
    return layout_->triangle_corners + reference.row * layout_->triangle_stride + reference.item;
  const ConstraintLayout& set = layout_->sets[reference.set];
  return set.rows.particles + reference.row * set.rows.stride + reference.item;
}

bool TopologyChanges::exists(const ParticleReference& reference) const {
  if (reference.set == ParticleReference::in_triangles)
    return reference.item < layout_->triangle_count && reference.row < 3;
  if (reference.set >= layout_->sets.size()) return false;
  const ConstraintLayout& set = layout_->sets[reference.set];
  return reference.item < set.rows.stride && reference.row < set.arity && particle_at(reference) != padding_particle;
}

std::vector<ParticleReference> TopologyChanges::references_to(uint32_t particle) const {
  std::vector<ParticleReference> found;
  const auto search = [&](uint32_t set, uint32_t item_count, uint32_t row_count) {
    for (uint32_t item = 0; item < item_count; ++item) {
      for (uint32_t row = 0; row < row_count; ++row) {
        const ParticleReference reference{set, item, row};
        if (particle_at(reference) == particle) found.push_back(reference);
      }
    }
  };
  for (uint32_t set = 0; set < layout_->sets.size(); ++set)
    search(set, layout_->sets[set].rows.stride, layout_->sets[set].arity);
  search(ParticleReference::in_triangles, layout_->triangle_count, 3);
  return found;
}

uint32_t TopologyChanges::split(uint32_t particle) {
  const uint32_t added = layout_->particle_count;
  const uint32_t origin = origin_of(particle);
  reserve_more(origins_, 1);
  reserve_more(changed_words_, 1);
  if (!layout_->storage_order.empty()) reserve_more(layout_->storage_order, 1);
  if (!layout_->positions.empty()) reserve_more(layout_->positions, 4);
  // Nothing can fail from here on.
  origins_.push_back(origin);
  // The fans of edges have to have the new particle.
  ++triangle_version_;
  ++layout_->particle_count;
  --spare_count_;
  if (!layout_->storage_order.empty()) layout_->storage_order.push_back(added);
  if (!layout_->positions.empty()) {
    const auto found = std::find(layout_->storage_order.begin(), layout_->storage_order.end(), origin);
    const bool is_ordered = !layout_->storage_order.empty();
    const size_t number = is_ordered ? static_cast<size_t>(found - layout_->storage_order.begin()) : size_t{origin};
    for (size_t k = 0; k < 4; ++k) {
      const float coordinate = layout_->positions[number * 4 + k];
      layout_->positions.push_back(coordinate);
    }
  }
  if (const uint32_t handedness = layout_->particle_handedness; handedness != 0)
    set_word(handedness + added, words_[handedness + origin]);
  return added;
}

bool TopologyChanges::are_one_in_fabric(uint32_t a, uint32_t b) const {
  return a < layout_->particle_count && b < layout_->particle_count && origin_of(a) == origin_of(b);
}

bool TopologyChanges::has_corner_at(uint32_t triangle, uint32_t particle) const {
  for (uint32_t row = 0; row < 3; ++row) {
    if (particle_at({ParticleReference::in_triangles, triangle, row}) == particle) return true;
  }
  return false;
}

void TopologyChanges::move(const ParticleReference& reference, uint32_t particle) {
  const uint32_t before = particle_at(reference);
  if (before == particle) return;
  const bool is_corner = reference.set == ParticleReference::in_triangles;
  const bool is_new = is_corner && !has_corner_at(reference.item, particle);
  reserve_more(changed_words_, size_t{1} + 2 * layout_->widest_fan);
  if (particle < fabric_count()) {
    moved_.erase(reference);
  } else {
    moved_[reference] = particle;
  }
  // Nothing can fail from here on.
  set_word(word_of(reference), particle);
  if (is_corner) ++triangle_version_;
  if (is_new) change_fan(particle, reference.item, true);
  if (is_corner && !has_corner_at(reference.item, before)) change_fan(before, reference.item, false);
}

void TopologyChanges::change_fan(uint32_t particle, uint32_t triangle, bool adds) {
  const uint32_t fans = layout_->particle_fans;
  const uint32_t slice = particle / lane_padding;
  const uint32_t begin = fans + words_[fans + slice] + particle % lane_padding;
  const uint32_t end = fans + words_[fans + slice + 1];
  // The triangles stay in ascending order, with triangle_count, which stands for none, behind them.
  if (adds) {
    uint32_t inserted = triangle;
    for (uint32_t word = begin; word < end; word += lane_padding) {
      const uint32_t present = words_[word];
      set_word(word, std::min(present, inserted));
      inserted = std::max(present, inserted);
    }
    return;
  }
  for (uint32_t word = begin; word < end; word += lane_padding) {
    const uint32_t next = word + lane_padding < end ? words_[word + lane_padding] : layout_->triangle_count;
    if (words_[word] >= triangle) set_word(word, next);
  }
}

void TopologyChanges::set_word(uint32_t word, uint32_t value) {
  if (words_[word] == value) return;
  words_[word] = value;
  changed_words_.push_back(word);
}

std::vector<Range> TopologyChanges::take_changed_words() {
  std::vector<uint32_t> words;
  words.swap(changed_words_);
  if (all_changed_) {
    all_changed_ = false;
    return {{0, static_cast<uint32_t>(words_.size())}};
  }
  std::sort(words.begin(), words.end());
  std::vector<Range> ranges;
  for (const uint32_t word : words) {
    // Words that are as near as this are cheaper to copy together.
    if (ranges.empty() || word > ranges.back().end + lane_padding) ranges.push_back({word, word});
    ranges.back().end = word + 1;
  }
  return ranges;
}

}  // namespace clothc
