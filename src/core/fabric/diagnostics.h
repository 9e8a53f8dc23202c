// diagnostics.h - rejects meshes from which no cloth can be made. The functions that describe the diagnostics of other
// meshes are in fabric.h.
#pragma once

#include "cook/cook.h"

namespace clothc {

// Fails if the mesh has faces but none of them is left in the fabric cooked from it. The message names the first face
// and the reason why it was dropped.
void require_faces(const MeshData& mesh, const FabricData& data);

}  // namespace clothc
