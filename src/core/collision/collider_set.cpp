// collider_set.cpp - the starts and targets of shapes, and the layout in which the collision kernels read a set.
#include "core/collision/collider_set.h"

#include <algorithm>
#include <cstring>

#include "kernels/layout.h"

namespace clothc {
namespace {

// Returns the bits of a float or of an integer.
template <class T>
uint32_t word_of(T value) {
  uint32_t word;
  static_assert(sizeof(value) == sizeof(word), "a word");
  std::memcpy(&word, &value, sizeof(word));
  return word;
}

// Compares bit by bit, so that 0 differs from -0 and a NaN equals itself.
bool are_same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

std::vector<uint32_t> copy_of(const uint32_t* values, size_t count) {
  return count == 0 ? std::vector<uint32_t>() : std::vector<uint32_t>(values, values + count);
}

std::vector<uint32_t> counted_to(uint32_t count) {
  std::vector<uint32_t> numbers(count);
  for (uint32_t k = 0; k < count; ++k) numbers[k] = k;
  return numbers;
}

// Appends, for every sphere, the list of capsule ends that the sphere forms. First come one offset per sphere, at which
// its list begins, and one more offset at which the last list ends, all counted from the first appended word; then the
// lists, whose elements are 2 * capsule + end.
void append_links(uint32_t sphere_count, const std::vector<uint32_t>& capsules, std::vector<uint32_t>& words) {
  const size_t first = words.size();
  words.resize(first + sphere_count + 1 + capsules.size(), 0);
  uint32_t* links = &words[first];
  for (const uint32_t sphere : capsules) ++links[sphere];
  uint32_t next = sphere_count + 1;
  for (uint32_t k = 0; k < sphere_count; ++k) links[k] = next += links[k];
  links[sphere_count] = next;
  // Each sphere's offset points behind its list so far. Filling the lists from the last capsule end to the first keeps
  // each list in ascending order and leaves the offset at the list's first element.
  for (uint32_t end = static_cast<uint32_t>(capsules.size()); end-- > 0;) links[--links[capsules[end]]] = end;
}

// The arrays whose elements kernels find as they are, and where the header says at which words they begin.
struct SentAsRows {
  ColliderSet::Kind kind;
  uint32_t starts, targets;
  uint32_t ShapeCounts::*count;
};
constexpr SentAsRows sent_as_rows[] = {
#define CLOTHC_SENT_rows(kind, plural) \
  {ColliderSet::plural, collider_##kind##_starts, collider_##kind##_targets, &ShapeCounts::plural},
#define CLOTHC_SENT_own(kind, plural)
#define CLOTHC_SHAPE_ARRAY(kind, plural, width, sent, name) CLOTHC_SENT_##sent(kind, plural)
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_ARRAY
#undef CLOTHC_SENT_own
#undef CLOTHC_SENT_rows
};

// Appends the planes convex by convex: a plane is repeated for every convex that it belongs to.
void append_planes(const std::vector<float>& planes, const std::vector<uint32_t>& convex_planes,
                   std::vector<uint32_t>& words) {
  for (const uint32_t plane : convex_planes) {
    for (size_t k = 0; k < 4; ++k) words.push_back(word_of(planes[4 * size_t{plane} + k]));
  }
}

}  // namespace

ShapeCounts& ShapeCounts::operator+=(const ShapeCounts& other) {
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) plural += other.plural;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  vertex_words += other.vertex_words;
  return *this;
}

bool ShapeCounts::operator==(const ShapeCounts& other) const {
  bool same = vertex_words == other.vertex_words;
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) same = same && plural == other.plural;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  return same;
}

ColliderSet::Moving ColliderSet::Moving::with(const float* new_targets, const float* new_starts, uint32_t count,
                                              uint32_t width) const {
  const size_t values = size_t{count} * width;
  Moving next;
  // With this capacity, consume never allocates.
  next.consumed.reserve(std::max(values, consumed.size()));
  next.consumed = consumed;
  next.targets.assign(new_targets, new_targets + values);
  if (new_starts != nullptr) {
    next.starts.assign(new_starts, new_starts + values);
  } else {
    next.starts = next.targets;
    std::copy_n(consumed.begin(), std::min(values, consumed.size()), next.starts.begin());
  }
  return next;
}

bool ColliderSet::Moving::consume() {
  consumed.assign(targets.begin(), targets.end());
  if (starts == targets) return false;
  starts.assign(targets.begin(), targets.end());
  return true;
}

bool ColliderSet::consume() {
  bvh.has_consumed = bvh.targets_sent;
  bvh.changed = bvh.changed || shapes[vertices].moves();
  bool moved = false;
  for (Moving& moving : shapes) moved = moving.consume() || moved;
  return moved;
}

bool ColliderSet::shows_same_as(const ColliderSet& other) const {
  const auto same = [](const Moving& a, const Moving& b) {
    return are_same(a.starts, b.starts) && are_same(a.targets, b.targets);
  };
  return std::equal(shapes.begin(), shapes.end(), other.shapes.begin(), same) && capsules == other.capsules &&
         convex_ends == other.convex_ends && convex_planes == other.convex_planes && triangles == other.triangles &&
         assets == other.assets && space == other.space && word_of(reach) == word_of(other.reach);
}

ShapeCounts ColliderSet::counts() const {
  ShapeCounts counts;
  for (const SentAsRows& array : sent_as_rows) counts.*array.count = count(array.kind);
  counts.capsules = static_cast<uint32_t>(capsules.size() / 2);
  counts.planes = static_cast<uint32_t>(convex_planes.size());
  counts.convexes = static_cast<uint32_t>(convex_ends.size());
  for (const ColliderAsset* asset : assets) ++(asset->is_sdf ? counts.sdfs : counts.meshes);
  if (!triangles.empty()) {
    ++counts.meshes;
    counts.vertex_words = bvh.vertex_words();
  }
  return counts;
}

void point_to(const ColliderSet& set, ShapeValues targets, ShapeValues starts, clothc_collider_shapes& shapes) {
#define CLOTHC_SHAPE_ARRAY(kind, plural, width, sent, name)                                               \
  shapes.plural = (set.shapes[ColliderSet::plural].*targets).data();                                      \
  shapes.kind##_count = static_cast<uint32_t>((set.shapes[ColliderSet::plural].*targets).size() / width); \
  if (starts != nullptr) shapes.kind##_starts = (set.shapes[ColliderSet::plural].*starts).data();
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_ARRAY
}

ColliderSet with_shapes(const ColliderSet& set, const clothc_collider_shapes& shapes,
                        std::vector<const ColliderAsset*> assets) {
  // A copy of the set would copy its shapes, which are most of its data and are about to be replaced.
  ColliderSet next;
  next.id = set.id;
  next.slot = set.slot;
  next.changed_position = set.changed_position;
  next.table = set.table;
  next.table_words = set.table_words;
  next.bvh = set.bvh;
#define CLOTHC_SHAPE_ARRAY(kind, plural, width, sent, name) \
  next.shapes[ColliderSet::plural] =                        \
      set.shapes[ColliderSet::plural].with(shapes.plural, shapes.kind##_starts, shapes.kind##_count, width);
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_ARRAY
  next.assets = std::move(assets);
  next.capsules = copy_of(shapes.capsules, 2 * size_t{shapes.capsule_count});
  if (shapes.convex_count > 0) {
    next.convex_ends = copy_of(shapes.convex_ends, shapes.convex_count);
    next.convex_planes = copy_of(shapes.convex_planes, next.convex_ends.back());
  } else {
    // Without convexes, every plane is a half-space of its own: a convex of one plane.
    next.convex_planes = counted_to(shapes.plane_count);
    next.convex_ends = next.convex_planes;
    for (uint32_t& end : next.convex_ends) ++end;
  }
  next.triangles = corners_of(shapes.triangle_count, shapes.triangles);
  next.space = shapes.space;
  next.reach = shapes.triangle_reach;
  const ColliderSet::Moving& vertices = next.shapes[ColliderSet::vertices];
  const ColliderSet::Moving& current = set.shapes[ColliderSet::vertices];
  if (next.triangles != set.triangles || vertices.targets.size() != current.targets.size()) {
    next.bvh.shape(shapes.triangle_count, shapes.vertex_count);
  } else {
    if (vertices.targets != current.targets) next.bvh.targets_sent = false;
    if (vertices.targets != current.targets || vertices.starts != current.starts) next.bvh.changed = true;
  }
  next.changed = true;
  return next;
}

uint32_t ColliderSet::word_count() const {
  size_t words =
      collider_words + 8 * convex_planes.size() + convex_ends.size() + 2 * capsules.size() + count(spheres) + 1;
  for (const SentAsRows& array : sent_as_rows) words += 2 * shapes[array.kind].targets.size();
  words += 2 * shapes[instances].targets.size() + 2 * assets.size();
  return static_cast<uint32_t>(words);
}

void ColliderSet::pack(std::vector<uint32_t>& words) const {
  words.clear();
  words.resize(collider_words, 0);
  const auto begin = [&](uint32_t header) { words[header] = table + static_cast<uint32_t>(words.size()); };
  const auto append = [&](uint32_t header, const auto& values) {
    begin(header);
    for (const auto value : values) words.push_back(word_of(value));
  };
  const bool moves = std::any_of(shapes.begin(), shapes.end(), [](const Moving& m) { return m.moves(); });
  words[collider_flags] = (moves ? collider_moves : 0u) | (space == CLOTHC_COLLIDER_SPACE_WORLD ? collider_world : 0u);
  const ShapeCounts n = counts();
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) words[collider_##kind##_count] = n.plural;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  words[collider_identity] = id;
  words[collider_bvh] = bvh.table;
  words[collider_reach] = word_of(reach);
  for (const SentAsRows& array : sent_as_rows) {
    append(array.starts, shapes[array.kind].starts);
    append(array.targets, shapes[array.kind].targets);
  }
  begin(collider_sphere_links);
  append_links(n.spheres, capsules, words);
  append(collider_capsules, capsules);
  begin(collider_plane_starts);
  append_planes(shapes[planes].starts, convex_planes, words);
  begin(collider_plane_targets);
  append_planes(shapes[planes].targets, convex_planes, words);
  append(collider_convex_ends, convex_ends);
  const auto append_poses = [&](uint32_t header, const std::vector<float>& poses) {
    begin(header);
    for_each_instance([&](size_t instance) {
      for (size_t k = 0; k < 8; ++k) words.push_back(word_of(poses[8 * instance + k]));
    });
  };
  append_poses(collider_instance_starts, shapes[instances].starts);
  append_poses(collider_instance_targets, shapes[instances].targets);
  begin(collider_instance_assets);
  for_each_instance([&](size_t instance) {
    words.push_back(assets[instance]->table());
    words.push_back(static_cast<uint32_t>(instance));
  });
}

}  // namespace clothc
