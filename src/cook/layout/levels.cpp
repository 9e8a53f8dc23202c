// levels.cpp - owns the layout of coarse levels. Invariant: padding nodes have no members, and parents of weight 0.
#include "cook/layout/levels.h"

#include <algorithm>
#include <array>
#include <map>

#include "cook/constraint_types.h"
#include "cook/hierarchy/level_arrays.h"
#include "cook/layout/append.h"
#include "cook/layout/fans.h"
#include "cook/layout/neighbours.h"

namespace clothc::cook {
namespace {

class LevelWriter {
 public:
  LevelWriter(const FabricData& fabric, LaidOutFabric& out) : fabric_(fabric), out_(out) {}

  void run() {
    const std::vector<LevelArrays> levels = levels_of(fabric_);
    if (levels.empty()) return;
    out_.layout.rest_positions = append(out_.words, rest_positions());
    out_.layout.levels.push_back({fabric_.particle_count});
    // The size of each node in particles, on the level that is laid out and on the one below it.
    std::vector<uint32_t> sizes, finer_sizes(fabric_.particle_count, 1u);
    for (size_t k = 0; k < levels.size(); ++k) {
      const LevelArrays& level = levels[k];
      sizes.assign(level.node_count, 0u);
      for (uint32_t i = 0; i < level.finer_count; ++i) {
        if (level.clusters[i] != no_index) sizes[level.clusters[i]] += finer_sizes[i];
      }
      lay_out_parents(level, k == 0, out_.layout.levels[k]);
      if (k > 0) put_parts(levels[k - 1], level, finer_sizes, sizes, out_.layout.levels[k]);
      LevelLayout laid_out;
      laid_out.node_count = level.node_count;
      laid_out.neighbours_per_node = level.neighbours_per_node;
      laid_out.members = append(out_.words, members(level, k == 0));
      laid_out.neighbours = append(out_.words, lay_out_neighbours(level));
      laid_out.nodes = append(out_.words, node_rows(level, sizes));
      out_.layout.levels.push_back(laid_out);
      finer_sizes.swap(sizes);
    }
  }

 private:
  uint32_t storage_index(uint32_t particle) const { return fabric_.storage_index(particle); }

  std::vector<float> rest_positions() const {
    const uint32_t stride = padded(fabric_.particle_count);
    std::vector<float> rows(size_t{stride} * 3, 0.0f);
    for (uint32_t p = 0; p < fabric_.particle_count; ++p) {
      for (size_t axis = 0; axis < 3; ++axis)
        rows[axis * stride + storage_index(p)] = fabric_.positions[size_t{p} * 4 + axis];
    }
    return rows;
  }

  // Members are listed in the order of the mesh, so that sums over them do not depend on the storage order.
  std::vector<uint32_t> members(const LevelArrays& level, bool of_particles) const {
    const uint32_t stride = level_stride_of(level.node_count);
    const std::vector<uint32_t> clusters(level.clusters, level.clusters + level.finer_count);
    std::vector<uint32_t> words = make_fans(clusters, 1, stride, level.finer_count).words;
    if (!of_particles) return words;
    for (size_t word = words[0]; word < words.size(); ++word)
      words[word] = words[word] < level.finer_count ? storage_index(words[word]) : padding_particle;
    return words;
  }

  void lay_out_parents(const LevelArrays& level, bool of_particles, LevelLayout& laid_out) {
    const uint32_t block_count =
        (of_particles ? padded(level.finer_count) : level_stride_of(level.finer_count)) / lane_padding;
    // [blocks] the weights of each parent of any of the block's nodes.
    std::vector<std::map<uint32_t, std::array<float, lane_padding>>> rows(block_count);
    for (uint32_t k = 0; k < parents_per_node; ++k) {
      for (uint32_t i = 0; i < level.finer_count; ++i) {
        const size_t from = size_t{k} * level.finer_count + i;
        if (level.weights[from] == 0) continue;
        const uint32_t at = of_particles ? storage_index(i) : i;
        rows[at / lane_padding][level.parents[from]][at % lane_padding] = level.weights[from];
      }
    }
    std::vector<uint32_t> words(padded(block_count + 1), 0u), nodes(words.size() / lane_padding, 0u);
    for (uint32_t block = 0; block < block_count; ++block) {
      words[block] = static_cast<uint32_t>(words.size() / lane_padding);
      for (const auto& [node, weights] : rows[block]) {
        nodes.push_back(node);
        words.resize(words.size() + lane_padding);
        std::memcpy(&words[words.size() - lane_padding], weights.data(), sizeof(weights));
      }
    }
    words[block_count] = static_cast<uint32_t>(words.size() / lane_padding);
    laid_out.parents = append(out_.words, words);
    laid_out.parent_nodes = append(out_.words, nodes);
  }

  std::vector<uint32_t> node_rows(const LevelArrays& level, const std::vector<uint32_t>& sizes) const {
    const uint32_t stride = level_stride_of(level.node_count);
    std::vector<uint32_t> rows(size_t{stride} * node_row_count + padded(fabric_.particle_count), 0u);
    const auto put = [&](size_t word, float value) { std::memcpy(&rows[word], &value, 4); };
    for (uint32_t i = 0; i < level.node_count; ++i) {
      put(i, 1.0f / level.shares[i]);
      put(size_t{stride} + i, 1.0f / static_cast<float>(sizes[i]));
      rows[size_t{2} * stride + i] = sizes[i];
      for (size_t axis = 0; axis < 3; ++axis) put((4 + axis) * stride + i, level.centres[3 * size_t{i} + axis]);
    }
    for (uint32_t p = 0; p < fabric_.particle_count; ++p)
      put(size_t{stride} * node_row_count + storage_index(p), level.particle_lengths[p]);
    return rows;
  }

  // Stores the part that each node of a level is of its node on the next coarser level.
  void put_parts(const LevelArrays& level, const LevelArrays& coarser, const std::vector<uint32_t>& sizes,
                 const std::vector<uint32_t>& coarser_sizes, const LevelLayout& laid_out) {
    const uint32_t stride = level_stride_of(level.node_count);
    for (uint32_t i = 0; i < level.node_count; ++i) {
      const float part = static_cast<float>(sizes[i]) / static_cast<float>(coarser_sizes[coarser.clusters[i]]);
      std::memcpy(&out_.words[size_t{laid_out.nodes} + size_t{3} * stride + i], &part, 4);
    }
  }

  const FabricData& fabric_;
  LaidOutFabric& out_;
};

}  // namespace

void lay_out_levels(const FabricData& fabric, LaidOutFabric& out) { LevelWriter(fabric, out).run(); }

}  // namespace clothc::cook
