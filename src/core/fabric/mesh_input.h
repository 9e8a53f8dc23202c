// mesh_input.h - checks a mesh as a caller gave it and copies it out of the caller's strided arrays.
#pragma once

#include <clothc.h>

#include "cook/cook.h"

namespace clothc {

// Fails naming the first bad vertex or face, and how many others are bad in the same way.
MeshData checked_mesh(const clothc_mesh_desc& desc);

}  // namespace clothc
