// mesh.cpp - builds the meshes of the benchmark cases.
#include "bench/mesh.h"

#include <cstddef>
#include <numeric>
#include <utility>

namespace clothc_tool {
namespace {

class Random {
 public:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>((uint64_t{next()} * limit) >> 32); }
  float around_zero() { return static_cast<float>(next() >> 8) * (1.0f / 8388608.0f) - 1.0f; }

 private:
  // Source: Marsaglia 2003, "Xorshift RNGs"; the period is 2^32 - 1.
  uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    return state_ ^= state_ << 5;
  }
  uint32_t state_ = 2463534242u;
};

// Returns a point of the unit circle for t in 0 .. 4, a quarter of the circle per unit, by the rational
// parametrisation.
Vector3 circle_point(float t) {
  const int quarter = static_cast<int>(t) & 3;
  const float u = t - static_cast<float>(static_cast<int>(t));
  const float scale = 1.0f / (1.0f + u * u);
  const float c = (1.0f - u * u) * scale, s = 2.0f * u * scale;
  switch (quarter) {
    case 0:
      return {c, 0, s};
    case 1:
      return {-s, 0, c};
    case 2:
      return {-c, 0, -s};
    default:
      return {s, 0, -c};
  }
}

std::vector<uint32_t> shuffled(uint32_t count, Random& random) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace

Mesh sheet_mesh(uint32_t columns, uint32_t rows, float spacing, Vector3 origin) {
  Mesh mesh;
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column)
      mesh.positions.push_back(origin +
                               Vector3{static_cast<float>(column) * spacing, 0, static_cast<float>(row) * spacing});
  for (uint32_t row = 0; row + 1 < rows; ++row) {
    for (uint32_t column = 0; column + 1 < columns; ++column) {
      const uint32_t a = row * columns + column, b = a + columns;
      mesh.quads.insert(mesh.quads.end(), {a, b, b + 1, a + 1});
    }
  }
  return mesh;
}

Mesh triangle_mesh(uint32_t count, float spacing) {
  constexpr float kJitter = 0.25f;
  Random random;
  const Mesh quads = sheet_mesh(count, count, spacing, {});
  Mesh mesh;
  mesh.positions = quads.positions;
  for (uint32_t row = 1; row + 1 < count; ++row) {
    for (uint32_t column = 1; column + 1 < count; ++column) {
      Vector3& position = mesh.positions[row * count + column];
      position.x += kJitter * spacing * random.around_zero();
      position.z += kJitter * spacing * random.around_zero();
    }
  }
  for (size_t quad = 0; quad < quads.quads.size(); quad += 4) {
    const uint32_t a = quads.quads[quad], b = quads.quads[quad + 1], c = quads.quads[quad + 2],
                   d = quads.quads[quad + 3];
    if (random.below(2) == 0)
      mesh.triangles.insert(mesh.triangles.end(), {a, b, c, a, c, d});
    else
      mesh.triangles.insert(mesh.triangles.end(), {a, b, d, b, c, d});
  }
  return mesh;
}

GarmentMesh garment_mesh() {
  constexpr uint32_t kRings = 50, kRingSize = 100;
  // In m; the jitter in spacings.
  constexpr float kRadius = 0.16f, kFlare = 0.14f, kHeight = 0.8f, kJitter = 0.25f;
  Random random;
  const std::vector<uint32_t> vertex = shuffled(kRings * kRingSize, random);
  GarmentMesh garment;
  garment.mesh.positions.resize(vertex.size());
  for (uint32_t ring = 0; ring < kRings; ++ring) {
    for (uint32_t k = 0; k < kRingSize; ++k) {
      const float down = (static_cast<float>(ring) + (ring == 0 ? 0.0f : kJitter * random.around_zero())) /
                         static_cast<float>(kRings - 1);
      const float turn =
          4.0f * (static_cast<float>(k) + 0.5f + kJitter * random.around_zero()) / static_cast<float>(kRingSize);
      const Vector3 position = circle_point(turn) * (kRadius + kFlare * down);
      garment.mesh.positions[vertex[ring * kRingSize + k]] = {position.x, -kHeight * down, position.z};
    }
  }
  for (uint32_t k = 0; k < kRingSize; ++k) garment.top_vertices.push_back(vertex[k]);

  const uint32_t quad_count = (kRings - 1) * kRingSize;
  for (uint32_t quad : shuffled(quad_count, random)) {
    const uint32_t ring = quad / kRingSize, k = quad % kRingSize, next = (k + 1) % kRingSize;
    const uint32_t a = vertex[ring * kRingSize + k], b = vertex[ring * kRingSize + next];
    const uint32_t c = vertex[(ring + 1) * kRingSize + next], d = vertex[(ring + 1) * kRingSize + k];
    if (random.below(2) == 0)
      garment.mesh.triangles.insert(garment.mesh.triangles.end(), {a, b, c, a, c, d});
    else
      garment.mesh.triangles.insert(garment.mesh.triangles.end(), {a, b, d, b, c, d});
  }
  return garment;
}

}  // namespace clothc_tool
