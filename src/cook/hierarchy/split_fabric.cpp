// split_fabric.cpp - owns the search for the edges of a fabric, which are where its stretch constraints were before any
// of them moved, and for the quads of which its triangles are halves.
#include "cook/hierarchy/split_fabric.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "cook/constraints/stiffness_log.h"
#include "cook/constraints/stretch_phases.h"
#include "cook/fabric_data.h"
#include "cook/topology/edges.h"
#include "cook/topology/incidence.h"
#include "cook/topology/quads.h"

namespace clothc::cook {
namespace {

class SurfaceRecovery {
 public:
  explicit SurfaceRecovery(const SplitFabric& fabric)
      : layout_(fabric.layout), words_(fabric.words), origins_(fabric.origins) {}

  SplitSurface run() {
    number_particles();
    find_edges_of_fabric();
    collect_triangles();
    find_faces();
    find_soft_particles();
    return std::move(surface_);
  }

 private:
  uint32_t fabric_count() const { return layout_.particle_count - static_cast<uint32_t>(origins_.size()); }
  uint32_t origin_of(uint32_t stored) const {
    return stored < fabric_count() ? stored : origins_[stored - fabric_count()];
  }

  void number_particles() {
    number_of_.resize(layout_.particle_count);
    for (uint32_t p = 0; p < layout_.particle_count; ++p) number_of_[layout_.storage_index(p)] = p;
  }

  // Calls function(a, b, is_hard) with the particles of each stretch constraint before any of them moved.
  template <class Function>
  void for_each_stretch_constraint(Function function) const {
    uint32_t hard;
    const float log = log2_of_one_minus(1);
    std::memcpy(&hard, &log, 4);
    for (size_t phase = 0; phase < layout_.phase_sets.size(); ++phase) {
      const ConstraintLayout& set = layout_.sets[layout_.phase_sets[phase]];
      const bool has_stiffness = set.type == ConstraintType::stiff_distance;
      if (!is_stretch(layout_.phase_types[phase]) || (set.type != ConstraintType::distance && !has_stiffness)) continue;
      const uint32_t stride = set.rows.stride;
      for (uint32_t item = 0; item < stride; ++item) {
        const uint32_t a = words_[set.rows.particles + item], b = words_[set.rows.particles + stride + item];
        if (is_padding_particle(a)) continue;
        function(origin_of(a), origin_of(b), !has_stiffness || words_[set.rows.parameters + stride + item] == hard);
      }
    }
  }

  void find_edges_of_fabric() {
    for_each_stretch_constraint([&](uint32_t a, uint32_t b, bool) { edges_.push_back(ordered(a, b)); });
    edges_at_ = find_incidence(fabric_count(), static_cast<uint32_t>(edges_.size()), 1,
                               [&](uint32_t e, uint32_t) { return edges_[e].first; });
  }

  bool is_edge(uint32_t a, uint32_t b) const {
    const Pair side = ordered(origin_of(a), origin_of(b));
    for (uint32_t i = edges_at_.begin[side.first]; i < edges_at_.begin[side.first + 1]; ++i) {
      if (edges_[edges_at_.item[i]] == side) return true;
    }
    return false;
  }

  void collect_triangles() {
    for (uint32_t t = 0; t < layout_.triangle_count; ++t) {
      std::array<uint32_t, 3> stored;
      for (size_t k = 0; k < 3; ++k) stored[k] = words_[layout_.triangle_corners + k * layout_.triangle_stride + t];
      if (stored[0] == stored[1] || stored[1] == stored[2] || stored[2] == stored[0]) continue;
      const auto triangle = static_cast<uint32_t>(surface_.triangles.size() / 3);
      for (const uint32_t corner : stored) surface_.triangles.push_back(number_of_[corner]);
      for (size_t k = 0; k < 3; ++k) {
        const uint32_t a = stored[k], b = stored[(k + 1) % 3];
        if (!is_edge(a, b))
          halves_.push_back({ordered(number_of_[a], number_of_[b]), triangle, number_of_[stored[(k + 2) % 3]]});
      }
    }
  }

  void find_faces() {
    std::vector<bool> is_joined(surface_.triangles.size() / 3, false);
    for (const auto& quad : join_halves(std::move(halves_), is_joined)) surface_.faces.push_back({quad});
    for (uint32_t t = 0; t < is_joined.size(); ++t) {
      const uint32_t* corners = &surface_.triangles[size_t{t} * 3];
      if (!is_joined[t]) surface_.faces.push_back({{corners[0], corners[1], corners[2], no_index}});
    }
  }

  void find_soft_particles() {
    bool has_soft = false;
    // [particles of the fabric] by storage index.
    std::vector<bool> has_soft_constraint(fabric_count(), false), has_hard_constraint(fabric_count(), false);
    for_each_stretch_constraint([&](uint32_t a, uint32_t b, bool is_hard) {
      has_soft = has_soft || !is_hard;
      for (const uint32_t end : {a, b}) (is_hard ? has_hard_constraint : has_soft_constraint)[end] = true;
    });
    if (!has_soft) return;
    for (uint32_t p = 0; p < layout_.particle_count; ++p) {
      const uint32_t origin = origin_of(layout_.storage_index(p));
      surface_.is_soft.push_back(has_soft_constraint[origin] && !has_hard_constraint[origin]);
    }
  }

  const FabricLayout& layout_;
  const std::vector<uint32_t>& words_;
  const std::vector<uint32_t>& origins_;
  // [storage indices] the particle stored there.
  std::vector<uint32_t> number_of_;
  // The edges of the fabric, by storage index, and those whose lower end each particle is.
  std::vector<Pair> edges_;
  Incidence edges_at_;
  std::vector<Half> halves_;
  SplitSurface surface_;
};

}  // namespace

SplitSurface find_surface(const SplitFabric& fabric) { return SurfaceRecovery(fabric).run(); }

}  // namespace clothc::cook
