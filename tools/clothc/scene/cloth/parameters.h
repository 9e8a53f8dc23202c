// parameters.h - reads "parameters" of a cloth.
#pragma once

#include <clothc.h>

#include "scene/document/json.h"

namespace clothc_tool {

// Overwrites the parameters that the field names.
void read_parameters(const SceneField& field, clothc_cloth_parameters& parameters);

}  // namespace clothc_tool
