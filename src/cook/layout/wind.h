// wind.h - lays out the triangles of a fabric a second time, as the kernels of wind read them (WindLayout).
#pragma once

#include <cstdint>
#include <vector>

#include "cook/fabric_layout.h"

namespace clothc::cook {

// Appends what wind needs of a fabric whose surface has been laid out, with runs if there are many.
void lay_out_wind(FabricLayout& layout, std::vector<uint32_t>& words);

// The same without runs, and with lists that are parts of triangle_corners and particle_fans, so that changes of those
// hold for wind too. slice_count: that of the fans.
void lay_out_wind_without_runs(uint32_t slice_count, FabricLayout& layout, std::vector<uint32_t>& words);

}  // namespace clothc::cook
