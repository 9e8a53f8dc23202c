// collider_uploads.cpp - uploads changed collider sets and assets, and queues the jobs that build or refit the BVHs
// over their triangles on the device.
#include <algorithm>
#include <cstring>

#include "core/schedule/schedule.h"
#include "core/solver/solver.h"

namespace clothc {

void Solver::upload_collider_set(ColliderSet& set) {
  set.pack(words_);
  write(contents_->tables.memory(), uint64_t{set.table} * 4, words_.data(), words_.size() * 4);
  if (set.tree.triangle_count > 0 && set.tree.changed) upload_triangle_bvh(set);
  set.changed = false;
}

// Uploads vertices as rows of four words. The fourth word of each row and the padding are unused and set to 0.
void Solver::upload_vertices(const TriangleBvh& tree, uint32_t place, const std::vector<float>& vertices) {
  words_.resize(tree.vertex_words());
  for (size_t k = 0; k < tree.vertex_count; ++k) {
    std::memcpy(&words_[4 * k], &vertices[3 * k], 12);
    words_[4 * k + 3] = 0;
  }
  std::fill(words_.begin() + 4 * ptrdiff_t{tree.vertex_count}, words_.end(), 0u);
  write(contents_->tables.memory(), uint64_t{tree.rows(place)} * 4, words_.data(), words_.size() * 4);
}

void Solver::run_in_sequence(const std::vector<Job>& jobs) {
  stream_->run({arenas(), frame(0), sequence_of(jobs), 0, 0});
}

void Solver::upload_triangle_bvh(ColliderSet& set) {
  TriangleBvh& tree = set.tree;
  const ColliderSet::Moving& vertices = set.shapes[ColliderSet::vertices];
  const MemoryPointer& tables = contents_->tables.memory();
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
  write(tables, uint64_t{tree.table} * 4, words_.data(), words_.size() * 4);
  build_tree(tree, set.triangles);
}

// Sorts `count` words of the tables arena by keys in the same arena, and writes them back from word `to` on. The keys
// stay as they are. room: memory for keys, words and scratch copies of both.
void Solver::sort_words(const SortedWords& room, uint32_t keys, uint32_t words, uint32_t to, uint32_t count) {
  const MemoryPointer& tables = contents_->tables.memory();
  const auto copy = [&](const MemoryPointer& source, uint32_t first, const MemoryPointer& target, uint32_t place) {
    Copy bytes;
    bytes.source = source;
    bytes.target = target;
    bytes.source_offset = uint64_t{first} * 4;
    bytes.target_offset = uint64_t{place} * 4;
    bytes.element_size = uint64_t{count} * 4;
    stream_->copy(bytes);
  };
  copy(tables, keys, room[0], 0);
  copy(tables, words, room[1], 0);
  stream_->sort_pairs(room[0], room[1], room[2], room[3], count);
  copy(room[1], 0, tables, to);
}

// Sorts the triangles level by level: by the node that contains them, and within a node by their position along the
// level's axis.
void Solver::sort_triangles(const TriangleBvh& tree) {
  const MemoryPointer& tables = contents_->tables.memory();
  for (uint32_t level = 0; level < tree.levels(); ++level) {
    const auto words = tree.level_words(level);
    write(tables, (uint64_t{tree.table} + bvh_level) * 4, words.data(), words.size() * 4);
    run_in_sequence(tree.sorting());
    sort_words(tree.sorted, tree.codes(), tree.order(), tree.order(), tree.triangle_count);
  }
}

// Queues the jobs that build the BVH, or refit it if it has been built. Its vertices and header have been uploaded.
void Solver::build_tree(TriangleBvh& tree, const std::vector<uint32_t>& triangles) {
  const MemoryPointer& tables = contents_->tables.memory();
  if (!tree.built) {
    words_.assign(size_t{tree.padded_triangles()} * 3, 0);
    std::copy(triangles.begin(), triangles.end(), words_.begin());
    write(tables, uint64_t{tree.triangles()} * 4, words_.data(), words_.size() * 4);
    sort_triangles(tree);
    run_in_sequence(tree.filling());
  }
  run_in_sequence(tree.bounding(!tree.built));
  tree.built = true;
  tree.changed = false;
}

void Solver::upload_collider_asset(ColliderAsset& asset) {
  if (asset.is_sdf) {
    asset.pack_sdf(words_);
    write(contents_->tables.memory(), uint64_t{asset.field} * 4, words_.data(), words_.size() * 4);
  } else {
    upload_vertices(asset.tree, asset.tree.targets_at, asset.vertices);
    asset.tree.pack_header(asset.vertices.data(), nullptr, words_);
    write(contents_->tables.memory(), uint64_t{asset.tree.table} * 4, words_.data(), words_.size() * 4);
    build_tree(asset.tree, asset.triangles);
  }
  asset.changed = false;
}

}  // namespace clothc
