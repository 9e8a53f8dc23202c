// parameters.h - reads the "parameters" object of a cloth.
#pragma once

#include <clothc.hpp>

#include "scene/document/json.h"

namespace clothc_tool {

// Overwrites those parameters that the object contains and leaves the others unchanged.
void read_parameters(const SceneField& field, clothc_cloth_parameters& parameters);

}  // namespace clothc_tool
