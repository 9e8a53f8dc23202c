// surface.cpp - owns the layout of triangles. Invariant: a padded lane reads a padding triangle, whose corners are a
// padding particle.
//
// A triangle with the edges e1, e2 in space and (du1, dv1), (du2, dv2) in texture space has the tangent along u
//   t = (dv2 e1 - dv1 e2) / det,  det = du1 dv2 - du2 dv1.
// Source: Lengyel 2001, Computing Tangent Space Basis Vectors for an Arbitrary Mesh.
#include "cook/layout/surface.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cook/geometry.h"
#include "cook/layout/append.h"
#include "cook/layout/fans.h"
#include "cook/layout/wind.h"

namespace clothc::cook {
namespace {

// Limits of tangent weights. Within them, the sums of the kernels neither overflow nor come near denormal numbers, as
// surface.kernel.h explains.
constexpr double smallest_weight = 1.0 / (uint64_t{1} << 51);
constexpr double largest_weight = static_cast<double>(uint64_t{1} << 60);

// The triangles of a fabric in texture space.
class TextureTriangles {
 public:
  explicit TextureTriangles(const FabricData& fabric) : fabric_(fabric) {}

  // Returns twice the area in texture space, which is negative where the texture is mirrored.
  double determinant(size_t triangle) const { return edges_of(triangle).determinant(); }

  // Returns the weights in the tangent of the edges from corner 0 to the corners 1 and 2. They are 0 if the triangle
  // has too little area in texture space.
  std::array<float, 2> weights(size_t triangle) const {
    const Edges e = edges_of(triangle);
    const double det = e.determinant();
    const double longest = std::max({std::abs(e.du1), std::abs(e.dv1), std::abs(e.du2), std::abs(e.dv2)});
    if (std::abs(det) <= flatness * longest * longest) return {0, 0};
    std::array<float, 2> result{0, 0};
    const double exact[2] = {e.dv2 / det, -e.dv1 / det};
    for (size_t k = 0; k < 2; ++k) {
      if (!(std::abs(exact[k]) <= largest_weight)) return {0, 0};
      if (std::abs(exact[k]) >= smallest_weight) result[k] = static_cast<float>(exact[k]);
    }
    return result;
  }

 private:
  struct Edges {
    double du1, dv1, du2, dv2;
    double determinant() const { return du1 * dv2 - du2 * dv1; }
  };
  Edges edges_of(size_t triangle) const {
    const auto at = [&](size_t corner, size_t axis) {
      return double{fabric_.texture_coordinates[size_t{fabric_.triangle_vertices[triangle * 3 + corner]} * 2 + axis]};
    };
    return {at(1, 0) - at(0, 0), at(1, 1) - at(0, 1), at(2, 0) - at(0, 0), at(2, 1) - at(0, 1)};
  }

  const FabricData& fabric_;
};

// Returns for each item the sign of the sum of the areas of its triangles in texture space, 1 or -1.
std::vector<float> find_handedness(const TextureTriangles& texture, const std::vector<uint32_t>& corners,
                                   uint32_t item_count) {
  std::vector<double> sums(item_count, 0.0);
  for (size_t t = 0; t < corners.size() / 3; ++t) {
    const double det = texture.determinant(t);
    const uint32_t* own = &corners[t * 3];
    for (uint32_t k = 0; k < 3; ++k) {
      if (is_new_corner(own, k)) sums[own[k]] += det;
    }
  }
  std::vector<float> signs(item_count);
  std::transform(sums.begin(), sums.end(), signs.begin(), [](double sum) { return sum < 0 ? -1.0f : 1.0f; });
  return signs;
}

// Returns whether a particle has more than one vertex.
bool has_seams(const FabricData& fabric) {
  std::vector<bool> seen(fabric.particle_count, false);
  for (const uint32_t particle : fabric.vertex_map) {
    if (seen[particle]) return true;
    seen[particle] = true;
  }
  return false;
}

void lay_out_texture(const FabricData& fabric, const std::vector<uint32_t>& corners, LaidOutFabric& out) {
  const TextureTriangles texture(fabric);
  FabricLayout& layout = out.layout;
  std::vector<float> tangent_weights(size_t{layout.triangle_stride} * 2, 0.0f);
  for (size_t t = 0; t < fabric.triangle_count(); ++t) {
    const std::array<float, 2> weights = texture.weights(t);
    tangent_weights[t] = weights[0];
    tangent_weights[layout.triangle_stride + t] = weights[1];
  }
  layout.tangent_weights = append(out.words, tangent_weights);
  layout.particle_handedness = append(out.words, find_handedness(texture, corners, padded(fabric.particle_count)));
  if (!has_seams(fabric)) return;
  const uint32_t vertices = padded(fabric.vertex_count);
  const uint32_t count = layout.triangle_count;
  layout.vertex_fans = append(out.words, make_fans(fabric.triangle_vertices, 3, vertices, count).words);
  layout.vertex_handedness = append(out.words, find_handedness(texture, fabric.triangle_vertices, vertices));
}

}  // namespace

void lay_out_surface(const FabricData& fabric, LaidOutFabric& out) {
  if (fabric.triangles.empty()) return;
  FabricLayout& layout = out.layout;
  const uint32_t count = static_cast<uint32_t>(fabric.triangle_count());
  layout.triangle_count = count;
  layout.triangle_stride = padded(count + 1);
  std::vector<uint32_t> corners(fabric.triangles.size());
  std::transform(fabric.triangles.begin(), fabric.triangles.end(), corners.begin(),
                 [&](uint32_t particle) { return fabric.storage_index(particle); });
  std::vector<uint32_t> rows(size_t{layout.triangle_stride} * 3, padding_particle);
  for (size_t t = 0; t < count; ++t) {
    for (size_t k = 0; k < 3; ++k) rows[k * layout.triangle_stride + t] = corners[t * 3 + k];
  }
  layout.triangle_corners = append(out.words, rows);
  const Fans fans = make_fans(corners, 3, padded(fabric.particle_count), count);
  layout.particle_fans = append(out.words, fans.words);
  layout.widest_fan = fans.widest;
  lay_out_wind(layout, out.words);
  if (!fabric.texture_coordinates.empty()) lay_out_texture(fabric, corners, out);
}

}  // namespace clothc::cook
