// particles.cpp - see particles.h. Crosses of particles are a quarter as wide as normals are long, those of contacts
// half as wide, and the axes of frames are four times as long.
#include "core/debug/particles.h"

#include <algorithm>

#include "core/debug/circles.h"

namespace clothc {
namespace {

// Returns x y z and the radius of a constraint at the begin of the next update. If starts is empty, that is at its
// target. So it is if exists returns false for the radius of its start, as in the kernels.
template <class Exists>
const float* constraint_at(const std::vector<float>& starts, const std::vector<float>& targets, uint32_t stored,
                           Exists exists) {
  const size_t first = size_t{stored} * 4;
  return !starts.empty() && exists(starts[first + 3]) ? &starts[first] : &targets[first];
}

// Draws the parts of a channel of vectors that lead away from the particles.
void draw_arrows(const ClothView& view, const std::vector<float>& vectors, double factor, LineColour colour,
                 LineList& lines) {
  if (vectors.empty()) return;
  view.for_each_particle([&](uint32_t particle, uint32_t stored) {
    const Vector arrow = factor * vector_at(&vectors[size_t{particle} * 4]);
    if (dot(arrow, arrow) > 0) lines.add(view.position(stored), view.position(stored) + arrow, colour);
  });
}

}  // namespace

void draw_particles(const ClothView& view, LineList& lines) {
  view.for_each_particle([&](uint32_t, uint32_t stored) {
    lines.add_cross(view.position(stored), view.size / 4,
                    view.is_pinned(stored) ? colour_of_pins : colour_of_particles);
  });
}

void draw_normals(const ClothView& view, LineList& lines) {
  draw_arrows(view, view.normals, view.size, colour_of_normals, lines);
}

void draw_velocities(const ClothView& view, double time, LineList& lines) {
  draw_arrows(view, view.velocities, time, colour_of_velocities, lines);
}

void draw_motion_constraints(const ClothView& view, LineList& lines) {
  if (view.motion_targets.empty()) return;
  const auto exists = [](float radius) { return radius >= 0; };
  const clothc_cloth_parameters& parameters = view.cloth->parameters;
  view.for_each_particle([&](uint32_t, uint32_t stored) {
    if (!exists(view.motion_targets[size_t{stored} * 4 + 3])) return;
    const float* sphere = constraint_at(view.motion_starts, view.motion_targets, stored, exists);
    // As in motion.kernel.h.
    const float radius =
        std::max(0.0f, sphere[3] * parameters.motion_constraint_scale + parameters.motion_constraint_bias);
    if (radius > 0) {
      add_sphere(vector_at(sphere), double{radius}, small_circle_lines, colour_of_motion_constraints, lines);
    } else {
      lines.add_cross(vector_at(sphere), view.size / 4, colour_of_motion_constraints);
    }
  });
}

void draw_separation_constraints(const ClothView& view, LineList& lines) {
  if (view.separation_targets.empty()) return;
  const auto exists = [](float radius) { return radius > 0; };
  view.for_each_particle([&](uint32_t, uint32_t stored) {
    if (!exists(view.separation_targets[size_t{stored} * 4 + 3])) return;
    const float* sphere = constraint_at(view.separation_starts, view.separation_targets, stored, exists);
    add_sphere(vector_at(sphere), double{sphere[3]}, small_circle_lines, colour_of_separation_constraints, lines);
  });
}

void draw_contacts(const ClothView& view, LineList& lines) {
  for (const clothc_contact& contact : view.contacts) {
    const Vector point = vector_at(contact.point);
    lines.add_cross(point, view.size / 2, colour_of_contacts);
    lines.add(point, point + view.size * vector_at(contact.normal), colour_of_contacts);
  }
}

void draw_frame(const ClothView& view, LineList& lines) {
  const double size = 4 * view.size;
  const Vector axes[3] = {{size, 0, 0}, {0, size, 0}, {0, 0, size}};
  for (size_t k = 0; k < 3; ++k) lines.add({0, 0, 0}, axes[k], colours_of_axes[k]);
}

}  // namespace clothc
