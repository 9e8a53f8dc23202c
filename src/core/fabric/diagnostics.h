// diagnostics.h - the meshes that no cloth can be made of; fabric.h has what describes the diagnostics about the others.
#pragma once

#include "cook/cook.h"

namespace clothc {

// Fails if the mesh has faces of which none is left in the fabric cooked from it, naming the first and why it was dropped.
void require_faces(const MeshData& mesh, const FabricData& data);

}  // namespace clothc
