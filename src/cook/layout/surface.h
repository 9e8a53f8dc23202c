// surface.h - lays out the triangles of a fabric as the kernels read them: the storage indices of their corners, the
// triangles around each particle or vertex (its fan), and the weights of their edges in tangents.
//
// Fans are stored as a sliced ELLPACK matrix (Monakov, Lokhmotov, Avetisyan 2010). A slice is 16 consecutive items,
// which are particles or vertices. The array begins with the offset of the entries of each slice, in words from the
// start of the array, followed by the offset of the end. The entries follow at an offset that is a multiple of 16: the
// k-th triangle of lane l is at offset + 16 k + l. A slice is as wide as its widest fan. Missing entries hold the first
// padding triangle.
#pragma once

#include "cook/fabric_data.h"
#include "cook/fabric_layout.h"

namespace clothc::cook {

// Lays out the corners, fans, tangent weights and handedness of a fabric from its triangles, storage order and texture
// coordinates.
void lay_out_surface(const FabricData& fabric, LaidOutFabric& out);

}  // namespace clothc::cook
