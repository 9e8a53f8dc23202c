// surface.h - lays out the triangles of a fabric as the kernels read them: the storage indices of their corners, the
// fans around each particle or vertex, and the weights of their edges in tangents.
#pragma once

#include "cook/fabric_data.h"
#include "cook/fabric_layout.h"

namespace clothc::cook {

// Lays out the corners, fans, tangent weights and handedness of a fabric from its triangles, storage order and texture
// coordinates.
void lay_out_surface(const FabricData& fabric, LaidOutFabric& out);

}  // namespace clothc::cook
