// constraints.h - draws the constraints of a cloth: those of its phases, its tethers, and its virtual particles.
#pragma once

#include "core/debug/cloth_view.h"
#include "core/debug/line_list.h"

namespace clothc {

// Draws the phases that the desc asks for.
void draw_phases(const ClothView& view, const clothc_debug_desc& desc, LineList& lines);
void draw_tethers(const ClothView& view, const clothc_debug_desc& desc, LineList& lines);
void draw_virtual_particles(const ClothView& view, LineList& lines);

// Returns the mean rest length of the pairs in phases that are none of SHEAR, BEND and LONG_RANGE, with the cloth's
// scale. If it has none, the diameter of its particles, or 0.05 m. It needs the words of the view.
double mean_edge_of(const ClothView& view);

}  // namespace clothc
