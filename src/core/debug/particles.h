// particles.h - draws what a cloth has per particle, its frame, and its contacts.
#pragma once

#include "core/debug/cloth_view.h"
#include "core/debug/line_list.h"

namespace clothc {

void draw_particles(const ClothView& view, LineList& lines);
void draw_normals(const ClothView& view, LineList& lines);
// time: in s, how far ahead the lines go.
void draw_velocities(const ClothView& view, double time, LineList& lines);
void draw_motion_constraints(const ClothView& view, LineList& lines);
void draw_separation_constraints(const ClothView& view, LineList& lines);
void draw_contacts(const ClothView& view, LineList& lines);
void draw_frame(const ClothView& view, LineList& lines);

}  // namespace clothc
