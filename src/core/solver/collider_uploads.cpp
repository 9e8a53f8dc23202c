// collider_uploads.cpp - uploads changed collider sets and assets, and queues the jobs that build or refit the BVHs
// over their triangles on the device.
#include <algorithm>
#include <cstring>

#include "core/schedule/schedule.h"
#include "core/solver/colliders.h"

namespace clothc {

void Colliders::upload_set(ColliderSet& set) {
  set.pack(words_);
  store_.write_words(set.table, words_);
  if (set.bvh.triangle_count > 0 && set.bvh.changed) upload_triangle_bvh(set);
  set.changed = false;
}

// Uploads vertices as rows of four words. The fourth word of each row and the padding are unused and set to 0.
void Colliders::upload_vertices(const TriangleBvh& bvh, uint32_t which, const std::vector<float>& vertices) {
  words_.resize(bvh.vertex_words());
  for (size_t k = 0; k < bvh.vertex_count; ++k) {
    std::memcpy(&words_[4 * k], &vertices[3 * k], 12);
    words_[4 * k + 3] = 0;
  }
  std::fill(words_.begin() + 4 * ptrdiff_t{bvh.vertex_count}, words_.end(), 0u);
  store_.write_words(bvh.rows(which), words_);
}

void Colliders::upload_triangle_bvh(ColliderSet& set) {
  TriangleBvh& bvh = set.bvh;
  const ColliderSet::Moving& vertices = set.shapes[ColliderSet::vertices];
  const bool moves = vertices.moves();
  const bool goes_on = vertices.starts == vertices.consumed;
  if (!bvh.targets_sent) {
    if (moves) {
      const bool has_starts = bvh.has_consumed && goes_on;
      if (!has_starts) upload_vertices(bvh, bvh.targets_at, vertices.starts);
      bvh.targets_at = 1 - bvh.targets_at;
    }
    upload_vertices(bvh, bvh.targets_at, vertices.targets);
    bvh.targets_sent = true;
    bvh.has_consumed = false;
  } else if (moves) {
    upload_vertices(bvh, 1 - bvh.targets_at, vertices.starts);
  }
  bvh.pack_header(vertices.targets.data(), moves ? vertices.starts.data() : nullptr, ++bvh_versions_, goes_on, words_);
  store_.write_words(bvh.table, words_);
  build_bvh(bvh, set.triangles);
}

// Sorts the triangles level by level: by the node that contains them, and within a node by their position along the
// level's axis.
void Colliders::sort_triangles(const TriangleBvh& bvh) {
  const auto sorting = Sequence()
                           .run(bvh.keying())
                           .sort(bvh.codes(), bvh.order(), bvh.scratch(), bvh.triangle_count, access_colliders)
                           .finish();
  for (uint32_t level = 0; level < bvh.levels(); ++level) {
    const auto words = bvh.level_words(level);
    store_.write_words(bvh.table + bvh_level, words.data(), words.size());
    store_.run(sorting);
  }
}

// Queues the jobs that build the BVH, or refit it if it has been built. Its vertices and header have been uploaded.
void Colliders::build_bvh(TriangleBvh& bvh, const std::vector<uint32_t>& triangles) {
  if (!bvh.built) {
    words_.assign(size_t{bvh.padded_triangles()} * 3, 0);
    std::copy(triangles.begin(), triangles.end(), words_.begin());
    store_.write_words(bvh.triangles(), words_);
    sort_triangles(bvh);
  }
  Sequence bounding;
  if (!bvh.built) bounding.run(bvh.filling());
  store_.run(bounding.run(bvh.bounding(!bvh.built)).finish());
  bvh.built = true;
  bvh.changed = false;
}

void Colliders::upload_asset(ColliderAsset& asset) {
  if (asset.is_sdf) {
    asset.pack_sdf(words_);
    store_.write_words(asset.sdf_table, words_);
  } else {
    upload_vertices(asset.bvh, asset.bvh.targets_at, asset.vertices);
    asset.bvh.pack_header(asset.vertices.data(), nullptr, ++bvh_versions_, false, words_);
    store_.write_words(asset.bvh.table, words_);
    build_bvh(asset.bvh, asset.triangles);
  }
}

void Colliders::upload_changes() {
  changed_assets_.remove_if([this](ColliderAsset& asset) {
    upload_asset(asset);
    return true;
  });
  for (ColliderSet* set : changed_sets_) {
    if (set->changed) upload_set(*set);
  }
}

}  // namespace clothc
