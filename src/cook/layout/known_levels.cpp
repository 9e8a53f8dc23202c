// known_levels.cpp - see known_levels.h. Fabrics can be damaged, so nodes that no particle follows alone are left out.
#include "cook/layout/known_levels.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "cook/fabric_data.h"
#include "cook/hierarchy/levels.h"
#include "cook/layout/levels.h"
#include "cook/layout/neighbours.h"

namespace clothc::cook {
namespace {

class LevelReader {
 public:
  explicit LevelReader(const SplitFabric& fabric)
      : layout_(fabric.layout),
        words_(fabric.words.data()),
        origins_(fabric.origins),
        particle_count_(layout_.particle_count),
        fabric_count_(particle_count_ - static_cast<uint32_t>(origins_.size())),
        level_(layout_.levels[1]) {
    number_of_.resize(particle_count_);
    for (uint32_t p = 0; p < particle_count_; ++p) number_of_[layout_.storage_index(p)] = p;
  }

  KnownLevel run() {
    read_clusters();
    read_parents();
    read_lengths();
    choose_particles();
    read_links();
    for (uint32_t k = 0; k < origins_.size(); ++k) {
      known_.changed.push_back(number_of_[origins_[k]]);
      known_.changed.push_back(number_of_[fabric_count_ + k]);
    }
    return std::move(known_);
  }

 private:
  float number_at(size_t word) const {
    float number;
    std::memcpy(&number, words_ + word, 4);
    return number;
  }

  void read_clusters() {
    clusters_.assign(particle_count_, no_index);
    const uint32_t* fans = words_ + level_.members;
    for (uint32_t node = 0; node < level_.node_count; ++node) {
      const uint32_t slice = node / lane_padding;
      for (uint32_t word = fans[slice]; word < fans[slice + 1]; word += lane_padding) {
        const uint32_t stored = fans[word + node % lane_padding];
        if (!is_padding_particle(stored)) clusters_[number_of_[stored]] = node;
      }
    }
  }

  void read_parents() {
    known_.parents.assign(size_t{parents_per_node} * particle_count_, 0);
    known_.weights.assign(known_.parents.size(), 0.0f);
    std::vector<uint8_t> counts(particle_count_, 0);
    const uint32_t first = layout_.levels[0].parents;
    for (uint32_t block = 0; block * lane_padding < fabric_count_; ++block) {
      for (uint32_t row = words_[first + block]; row < words_[first + block + 1]; ++row) {
        for (uint32_t lane = 0; lane < lane_padding; ++lane) {
          const uint32_t stored = block * lane_padding + lane;
          const float weight = number_at(first + size_t{row} * lane_padding + lane);
          if (stored >= fabric_count_ || weight == 0) continue;
          const uint32_t p = number_of_[stored];
          const size_t at = size_t{counts[p]++} * particle_count_ + p;
          known_.parents[at] = words_[layout_.levels[0].parent_nodes + row];
          known_.weights[at] = weight;
        }
      }
    }
  }

  void read_lengths() {
    const size_t first = level_.nodes + size_t{node_row_count} * level_stride_of(level_.node_count);
    known_.particle_lengths.assign(particle_count_, longest_length);
    for (uint32_t stored = 0; stored < fabric_count_; ++stored)
      known_.particle_lengths[number_of_[stored]] = number_at(first + stored);
  }

  // A node follows itself, and no other one. Renumbers the nodes by these particles.
  void choose_particles() {
    std::vector<uint32_t> chosen(level_.node_count, no_index);
    for (uint32_t p = 0; p < particle_count_; ++p) {
      const uint32_t node = clusters_[p];
      if (node != no_index && chosen[node] == no_index && known_.parents[p] == node && known_.weights[p] == 1)
        chosen[node] = p;
    }
    for (const uint32_t p : chosen) {
      if (p != no_index) known_.particles.push_back(p);
    }
    std::sort(known_.particles.begin(), known_.particles.end());
    index_of_.assign(level_.node_count, no_index);
    for (uint32_t node = 0; node < level_.node_count; ++node) {
      const auto found = std::lower_bound(known_.particles.begin(), known_.particles.end(), chosen[node]);
      if (chosen[node] != no_index) index_of_[node] = static_cast<uint32_t>(found - known_.particles.begin());
    }
    for (const uint32_t node : clusters_) known_.clusters.push_back(node == no_index ? no_index : index_of_[node]);
    for (uint32_t& parent : known_.parents) parent = index_of_[parent];
  }

  void read_links() {
    for (uint32_t node = 0; node < level_.node_count; ++node) {
      const uint32_t* bounds = words_ + level_.neighbours + 2 * size_t{node / lane_padding};
      for (uint32_t slot = bounds[0]; slot < bounds[2]; slot += neighbour_slot_words) {
        const size_t word = size_t{level_.neighbours} + slot + node % lane_padding;
        const double length{number_at(word + lane_padding)};
        if (length >= double{longest_length}) continue;
        const uint32_t a = index_of_[node], b = index_of_[words_[word]];
        if (a == no_index || b == no_index || a >= b) continue;
        known_.links.push_back({{a, b}, length, double{number_at(word + 2 * lane_padding)}});
      }
    }
    std::sort(known_.links.begin(), known_.links.end(), [](const Link& a, const Link& b) { return a.nodes < b.nodes; });
  }

  const FabricLayout& layout_;
  const uint32_t* words_;
  const std::vector<uint32_t>& origins_;
  uint32_t particle_count_;
  uint32_t fabric_count_;
  const LevelLayout& level_;
  // [storage indices] the particle stored there.
  std::vector<uint32_t> number_of_;
  // [particles] and [nodes], by the numbers that nodes have in the layout: the node of each particle, and the node's index
  // in the result.
  std::vector<uint32_t> clusters_;
  std::vector<uint32_t> index_of_;
  KnownLevel known_;
};

}  // namespace

KnownLevel read_first_level(const SplitFabric& fabric) { return LevelReader(fabric).run(); }

}  // namespace clothc::cook
