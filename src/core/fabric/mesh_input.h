// mesh_input.h - checks the mesh that a caller passed, and copies it out of the caller's strided arrays.
#pragma once

#include <clothc.h>

#include "cook/cook.h"

namespace clothc {

// Returns the checked copy. Fails with a message that names the first bad vertex or face and says how many others are
// bad in the same way.
MeshData checked_mesh(const clothc_mesh_desc& desc);

}  // namespace clothc
