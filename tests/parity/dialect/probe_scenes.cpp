// probe_scenes.cpp - builds the inputs of the probes.
#include "parity/dialect/probe_scenes.h"

#include <algorithm>
#include <cmath>

namespace clothc::probes {
namespace {

// Number of words of the probes' parameters and of a BVH node, as in probes.h.
enum : uint32_t { grid_words = 6, bvh_words = 4, node_words = 8 };

ProbeScene scene_of(uint32_t particle_count, Probe probe) {
  ProbeScene scene;
  scene.particle_count = particle_count;
  scene.arenas.particles.assign(3 * 4 * size_t(particle_count), 0.0f);
  scene.arenas.frame.previous = particle_count;
  scene.arenas.frame.exchange = 2 * particle_count;
  scene.arenas.records.resize(1);
  scene.arenas.topology.resize(1);
  scene.arenas.tables.resize(1);
  scene.job = {number_of(probe), 0, 0, particle_count, 0};
  return scene;
}

void set_position(ProbeScene& scene, uint32_t particle, const Vector& x) {
  std::copy(x.begin(), x.end(), &scene.arenas.particles[4 * particle]);
}

uint32_t bucket_of(const Vector& x, uint32_t bucket_mask) {
  const float inverse = 1.0f / grid_cell_metres;
  const auto cell = [&](float v) { return static_cast<uint32_t>(static_cast<int>(std::floor(v * inverse))); };
  return ((cell(x[0]) * 73856093u) ^ (cell(x[1]) * 19349663u) ^ (cell(x[2]) * 83492791u)) & bucket_mask;
}

// Appends the subtree over a range of triangles in depth-first order.
void add_node(ProbeScene& scene, std::vector<uint32_t>& order, size_t begin, size_t end, std::vector<uint32_t>& words) {
  Vector low = {1e30f, 1e30f, 1e30f}, high = {-1e30f, -1e30f, -1e30f};
  for (size_t k = begin; k < end; ++k) {
    for (const Vector& corner : scene.triangles[order[k]]) {
      for (size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], corner[axis]);
        high[axis] = std::max(high[axis], corner[axis]);
      }
    }
  }
  const size_t node = words.size();
  words.resize(node + node_words);
  if (end - begin > 1) {
    size_t axis = 0;
    for (size_t k = 1; k < 3; ++k) {
      if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    }
    const auto key = [&](uint32_t t) {
      const Triangle& triangle = scene.triangles[t];
      return triangle[0][axis] + triangle[1][axis] + triangle[2][axis];
    };
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                     order.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    const size_t middle = (begin + end) / 2;
    add_node(scene, order, begin, middle, words);
    add_node(scene, order, middle, end, words);
  }
  for (size_t k = 0; k < 3; ++k) {
    words[node + k] = bits_of(low[k]);
    words[node + 4 + k] = bits_of(high[k]);
  }
  words[node + 3] = static_cast<uint32_t>(words.size() / node_words);
  words[node + 7] = end - begin == 1 ? order[begin] : 0xffffffffu;
}

}  // namespace

ProbeScene make_grid_scene() {
  // There are few buckets, so cells that share a bucket must be told apart.
  constexpr uint32_t count = 1024, buckets = 128;
  ProbeScene scene = scene_of(count, Probe::gather_neighbours);
  Sequence random;
  std::vector<std::vector<uint32_t>> members(buckets);
  for (uint32_t k = 0; k < count; ++k) {
    set_position(scene, k, {random.next(-0.4f, 0.5f), random.next(-0.3f, 0.3f), random.next(-0.2f, 0.6f)});
    members[bucket_of(position_of(scene, k), buckets - 1)].push_back(k);
  }
  std::vector<uint32_t>& fabric = scene.arenas.topology;
  const auto starts = static_cast<uint32_t>(fabric.size());
  uint32_t sum = 0;
  fabric.push_back(0);
  for (const auto& bucket : members) fabric.push_back(sum += static_cast<uint32_t>(bucket.size()));
  const auto particles = static_cast<uint32_t>(fabric.size());
  for (const auto& bucket : members) fabric.insert(fabric.end(), bucket.begin(), bucket.end());
  scene.job.argument = 3;
  scene.result = scene.job.argument + grid_words;
  const uint32_t inverse_cell = bits_of(1.0f / grid_cell_metres), radius = bits_of(grid_radius_metres);
  scene.arenas.tables = {0, 0, 0, starts, particles, buckets - 1, scene.result, inverse_cell, radius};
  scene.arenas.tables.resize(scene.result + count);
  return scene;
}

ProbeScene make_bvh_scene() {
  constexpr uint32_t count = 512, triangles = 300;
  ProbeScene scene = scene_of(count, Probe::find_closest);
  Sequence random;
  for (uint32_t t = 0; t < triangles; ++t) {
    const Vector centre = {random.next(-1, 1), random.next(-1, 1), random.next(-1, 1)};
    Triangle triangle;
    for (Vector& corner : triangle) {
      for (size_t k = 0; k < 3; ++k) corner[k] = centre[k] + random.next(-0.15f, 0.15f);
    }
    // This triangle has no area.
    if (t % 50 == 7) triangle[2] = triangle[1];
    scene.triangles.push_back(triangle);
  }
  for (uint32_t k = 0; k < count; ++k) {
    set_position(scene, k, {random.next(-1.5f, 1.5f), random.next(-1.5f, 1.5f), random.next(-1.5f, 1.5f)});
  }
  // This particle lies on a corner.
  set_position(scene, 5, scene.triangles[17][1]);
  std::vector<uint32_t> order(triangles), words;
  for (uint32_t t = 0; t < triangles; ++t) order[t] = t;
  add_node(scene, order, 0, triangles, words);
  std::vector<uint32_t>& fabric = scene.arenas.topology;
  const auto nodes = static_cast<uint32_t>(fabric.size());
  fabric.insert(fabric.end(), words.begin(), words.end());
  const auto corners = static_cast<uint32_t>(fabric.size());
  for (const Triangle& triangle : scene.triangles) {
    for (const Vector& corner : triangle) {
      for (float v : corner) fabric.push_back(bits_of(v));
    }
  }
  scene.job.argument = 1;
  scene.result = scene.job.argument + bvh_words;
  scene.arenas.tables = {0, nodes, static_cast<uint32_t>(words.size() / node_words), corners, scene.result};
  scene.arenas.tables.resize(scene.result + count);
  return scene;
}

ProbeScene make_function_scene() {
  constexpr uint32_t count = 65536;
  ProbeScene scene = scene_of(count, Probe::evaluate_functions);
  Sequence random;
  constexpr float edges[] = {0.0f,    -0.0f,  1.0f,    -1.0f,   0.5f,     126.0f,
                             -126.0f, 127.0f, -127.0f, 1000.0f, -1000.0f, 1e-30f};
  constexpr uint32_t edge_count = sizeof edges / sizeof *edges;
  for (uint32_t k = 0; k < count; ++k) {
    const float scale = std::ldexp(1.0f, static_cast<int>(k % 30) - 20);
    Vector v = {random.next(-1, 1) * scale, random.next(-1, 1) * scale, random.next(-3, 3)};
    if (k < edge_count * edge_count) v = {edges[k % edge_count], edges[k / edge_count], 1.0f};
    set_position(scene, k, v);
  }
  return scene;
}

Vector position_of(const ProbeScene& scene, uint32_t particle) {
  const float* p = &scene.arenas.particles[4 * particle];
  return {p[0], p[1], p[2]};
}

}  // namespace clothc::probes
