// constraints.cpp - see constraints.h. Constraints that the kernels leave out are not drawn: padding, rest lengths of
// 0, and those at inactive particles.
#include "core/debug/constraints.h"

#include <algorithm>

#include "core/debug/angle.h"
#include "core/debug/constraint_reader.h"

namespace clothc {
namespace {

using Particles = std::vector<uint32_t>;
using Parameters = std::vector<float>;

// Kernels leave shorter constraints out (edges.kernel.h).
bool has_rest_length(float rest) { return rest > 1e-30f; }

bool is_pair(const ConstraintLayout& set) {
  return set.type == ConstraintType::distance || set.type == ConstraintType::stiff_distance;
}

// value / rest - 1, and 0 if both are 0.
double strain_of(double value, double rest) { return value == rest ? 0 : value / rest - 1; }

// Draws one set of constraints.
class SetDrawing {
 public:
  SetDrawing(const ClothView& view, double full_strain, LineList& lines)
      : view_(view), scale_(view.cloth->scale), full_strain_(full_strain), lines_(lines) {}

  void draw_pairs(const ConstraintLayout& set, const StrainColours& colours) const {
    for_each_active(set, [&](const Particles& p, const Parameters& parameters) {
      const float rest = parameters[0] * scale_;
      if (has_rest_length(rest)) draw_pair(p[0], p[1], rest, colours);
    });
  }
  // Draws the line between the corners that are across the edge.
  void draw_angles(const ConstraintLayout& set) const {
    for_each_active(set, [&](const Particles& p, const Parameters& parameters) {
      draw_line(p[2], p[3], least_turn(angle_between(p) - double{parameters[0]}), colours_of_lengths);
    });
  }
  // Draws the sides of the triangles.
  void draw_areas(const ConstraintLayout& set) const {
    for_each_active(set, [&](const Particles& p, const Parameters& parameters) {
      const Vector origin = view_.position(p[0]);
      const double area = length(cross(view_.position(p[1]) - origin, view_.position(p[2]) - origin)) / 2;
      const double strain = strain_of(area, double{parameters[0] * (scale_ * scale_)});
      for (size_t k = 0; k < 3; ++k) draw_line(p[k], p[(k + 1) % 3], strain, colours_of_lengths);
    });
  }
  // The first particle of an item is tethered to each of the others.
  void draw_tethers(const ConstraintLayout& set) const {
    const float scale = view_.cloth->parameters.tether_scale * scale_;
    for_each_active(set, [&](const Particles& p, const Parameters& parameters) {
      for (size_t tether = 0; tether < parameters.size(); ++tether) {
        const uint32_t anchor = p[tether + 1];
        if (anchor != p[0]) draw_pair(p[0], anchor, parameters[tether] * scale, colours_of_limits);
      }
    });
  }

 private:
  template <class Visit>
  void for_each_active(const ConstraintLayout& set, Visit visit) const {
    ConstraintReader(view_.cloth->layout(), view_.words, set)
        .for_each([&](const Particles& particles, const Parameters& parameters) {
          if (std::all_of(particles.begin(), particles.end(), [&](uint32_t p) { return view_.is_active(p); }))
            visit(particles, parameters);
        });
  }
  // As in dihedral.kernel.h.
  double angle_between(const Particles& p) const {
    const Vector x0 = view_.position(p[0]), x1 = view_.position(p[1]);
    const Vector x2 = view_.position(p[2]), x3 = view_.position(p[3]);
    const Vector n2 = cross(x2 - x0, x2 - x1), n3 = cross(x3 - x1, x3 - x0);
    const double edge = length(x1 - x0);
    return edge > 0 ? angle_of(dot(cross(n3, n2), x1 - x0) / edge, dot(n3, n2)) : 0;
  }
  void draw_pair(uint32_t a, uint32_t b, float rest, const StrainColours& colours) const {
    const double distance = length(view_.position(b) - view_.position(a));
    draw_line(a, b, strain_of(distance, double{rest}), colours);
  }
  void draw_line(uint32_t a, uint32_t b, double strain, const StrainColours& colours) const {
    lines_.add(view_.position(a), view_.position(b), colour_of_strain(colours, strain, full_strain_));
  }

  const ClothView& view_;
  const float scale_;
  const double full_strain_;
  LineList& lines_;
};

bool solves(const Cloth& cloth, uint32_t phase) {
  return std::any_of(cloth.phases.begin(), cloth.phases.end(),
                     [&](const clothc_phase_config& config) { return config.phase == phase && config.stiffness > 0; });
}

void draw_phase(const SetDrawing& drawing, const ConstraintLayout& set, bool is_long_range) {
  switch (set.type) {
    case ConstraintType::dihedral_angle:
      return drawing.draw_angles(set);
    case ConstraintType::triangle_area:
      return drawing.draw_areas(set);
    case ConstraintType::long_range:
      return drawing.draw_pairs(set, colours_of_limits);
    default:
      return drawing.draw_pairs(set, is_long_range ? colours_of_limits : colours_of_lengths);
  }
}

}  // namespace

void draw_phases(const ClothView& view, const clothc_debug_desc& desc, LineList& lines) {
  const SetDrawing drawing(view, double{desc.full_strain}, lines);
  const FabricLayout& layout = view.cloth->layout();
  for (uint32_t phase = 0; phase < layout.phase_sets.size(); ++phase) {
    const bool is_wanted = desc.phase == UINT32_MAX ? solves(*view.cloth, phase) : desc.phase == phase;
    if (is_wanted)
      draw_phase(drawing, layout.sets[layout.phase_sets[phase]], layout.phase_types[phase] == CLOTHC_PHASE_LONG_RANGE);
  }
}

void draw_tethers(const ClothView& view, const clothc_debug_desc& desc, LineList& lines) {
  const SetDrawing drawing(view, double{desc.full_strain}, lines);
  for (const uint32_t set : view.cloth->layout().tether_sets) drawing.draw_tethers(view.cloth->layout().sets[set]);
}

void draw_virtual_particles(const ClothView& view, LineList& lines) {
  const FabricLayout& layout = view.cloth->layout();
  for (const uint32_t set : layout.collision_sets) {
    ConstraintReader(layout, view.words, layout.sets[set]).for_each([&](const Particles& p, const Parameters& weights) {
      const Vector point = double{weights[0]} * view.position(p[0]) + double{weights[1]} * view.position(p[1]) +
                           double{weights[2]} * view.position(p[2]);
      lines.add_cross(point, view.size / 4, colour_of_virtual_particles);
    });
  }
}

double mean_edge_of(const ClothView& view) {
  const FabricLayout& layout = view.cloth->layout();
  double sum = 0;
  size_t count = 0;
  for (size_t phase = 0; phase < layout.phase_sets.size(); ++phase) {
    const uint32_t type = layout.phase_types[phase];
    const ConstraintLayout& set = layout.sets[layout.phase_sets[phase]];
    const bool is_longer = type == CLOTHC_PHASE_SHEAR || type == CLOTHC_PHASE_BEND || type == CLOTHC_PHASE_LONG_RANGE;
    if (is_longer || !is_pair(set)) continue;
    ConstraintReader(layout, view.words, set).for_each([&](const Particles&, const Parameters& parameters) {
      sum += double{parameters[0]};
      if (parameters[0] > 0) ++count;
    });
  }
  if (sum > 0) return double{view.cloth->scale} * sum / static_cast<double>(count);
  constexpr double of_loose_particles = 0.05;
  const double diameter = double{view.cloth->parameters.self_collision_distance};
  return diameter > 0 ? diameter : of_loose_particles;
}

}  // namespace clothc
