// surface.h - a fabric's triangles as the kernels read them: corners by storage index, which triangles are where, and the shares
// of their edges in tangents.
//
// Fans are a sliced ELLPACK matrix (Monakov, Lokhmotov, Avetisyan 2010): 16 consecutive items are a slice. First the offset of
// each slice's entries, in words from the begin, and that of the end; then, at an offset that is a multiple of 16, the
// entries: the k-th triangle of lane l is at offset + 16 k + l. A slice is as wide as its widest fan. Missing entries
// are the first padding triangle.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Fills corners, fans, tangent weights and handedness from triangles, storage order and texture coordinates.
void lay_out_surface(FabricData& fabric);

}  // namespace clothc::cook
