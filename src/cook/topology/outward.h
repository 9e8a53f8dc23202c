// outward.h - turns the triangles of a mesh that bounds a solid so that all of them face outward.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/geometry.h"

namespace clothc::cook {

// vertices: [vertex_count][3]. triangles: [triangle_count][3], indices in range. Returns the corners of the triangles,
// [][3], anticlockwise as seen from outside. Leaves out triangles that have a position twice, and triangles that have
// the same positions as an earlier one.
std::vector<Vector> face_outward(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                                 size_t triangle_count);

}  // namespace clothc::cook
