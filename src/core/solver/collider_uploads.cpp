// collider_uploads.cpp - uploads changed collider sets and assets, and queues the jobs that build or refit the BVHs
// over their triangles on the device.
#include <algorithm>
#include <cstring>

#include "core/solver/colliders.h"

namespace clothc {

void Colliders::upload_set(ColliderSet& set) {
  set.pack(words_);
  store_.write_words(set.table, words_);
  if (set.tree.triangle_count > 0 && set.tree.changed) upload_triangle_bvh(set);
  set.changed = false;
}

// Uploads vertices as rows of four words. The fourth word of each row and the padding are unused and set to 0.
void Colliders::upload_vertices(const TriangleBvh& tree, uint32_t which, const std::vector<float>& vertices) {
  words_.resize(tree.vertex_words());
  for (size_t k = 0; k < tree.vertex_count; ++k) {
    std::memcpy(&words_[4 * k], &vertices[3 * k], 12);
    words_[4 * k + 3] = 0;
  }
  std::fill(words_.begin() + 4 * ptrdiff_t{tree.vertex_count}, words_.end(), 0u);
  store_.write_words(tree.rows(which), words_);
}

void Colliders::upload_triangle_bvh(ColliderSet& set) {
  TriangleBvh& tree = set.tree;
  const ColliderSet::Moving& vertices = set.shapes[ColliderSet::vertices];
  const bool moves = vertices.moves();
  if (!tree.targets_sent) {
    if (moves) {
      const bool has_starts = tree.has_consumed && vertices.starts == vertices.consumed;
      if (!has_starts) upload_vertices(tree, tree.targets_at, vertices.starts);
      tree.targets_at = 1 - tree.targets_at;
    }
    upload_vertices(tree, tree.targets_at, vertices.targets);
    tree.targets_sent = true;
    tree.has_consumed = false;
  } else if (moves) {
    upload_vertices(tree, 1 - tree.targets_at, vertices.starts);
  }
  tree.pack_header(vertices.targets.data(), moves ? vertices.starts.data() : nullptr, words_);
  store_.write_words(tree.table, words_);
  build_tree(tree, set.triangles);
}

// Sorts the triangles level by level: by the node that contains them, and within a node by their position along the
// level's axis.
void Colliders::sort_triangles(const TriangleBvh& tree) {
  for (uint32_t level = 0; level < tree.levels(); ++level) {
    const auto words = tree.level_words(level);
    store_.write_words(tree.table + bvh_level, words.data(), words.size());
    store_.run_in_sequence(tree.sorting());
    store_.sort_words(tree.sorted, tree.codes(), tree.order(), tree.order(), tree.triangle_count);
  }
}

// Queues the jobs that build the BVH, or refit it if it has been built. Its vertices and header have been uploaded.
void Colliders::build_tree(TriangleBvh& tree, const std::vector<uint32_t>& triangles) {
  if (!tree.built) {
    words_.assign(size_t{tree.padded_triangles()} * 3, 0);
    std::copy(triangles.begin(), triangles.end(), words_.begin());
    store_.write_words(tree.triangles(), words_);
    sort_triangles(tree);
    store_.run_in_sequence(tree.filling());
  }
  store_.run_in_sequence(tree.bounding(!tree.built));
  tree.built = true;
  tree.changed = false;
}

void Colliders::upload_asset(ColliderAsset& asset) {
  if (asset.is_sdf) {
    asset.pack_sdf(words_);
    store_.write_words(asset.sdf_table, words_);
  } else {
    upload_vertices(asset.tree, asset.tree.targets_at, asset.vertices);
    asset.tree.pack_header(asset.vertices.data(), nullptr, words_);
    store_.write_words(asset.tree.table, words_);
    build_tree(asset.tree, asset.triangles);
  }
}

void Colliders::upload_changes() {
  touched_assets_.remove_if([this](ColliderAsset& asset) {
    upload_asset(asset);
    return true;
  });
  for (ColliderSet* set : touched_sets_) {
    if (set->changed) upload_set(*set);
  }
}

}  // namespace clothc
