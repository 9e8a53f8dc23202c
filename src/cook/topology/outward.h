// outward.h - the triangles of a mesh that bound a solid, all facing out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/geometry.h"

namespace clothc::cook {

// vertices: [vertex_count][3]. triangles: [triangle_count][3], indices in range. Returns the corners of the triangles,
// [][3], anticlockwise seen from outside, without triangles that have a position twice or the positions of an earlier one.
std::vector<Vector> face_outward(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                                 size_t triangle_count);

}  // namespace clothc::cook
