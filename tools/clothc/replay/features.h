// Which features a reference needs that the library does not have yet.
#pragma once

#include <string>
#include <vector>

#include "replay/field.h"

namespace clothc_tool {

// Names, each once, in the order of the file; empty if the reference can be run. Also names what this tool has never
// heard of (unknown inputs and parameters), so that nothing in a file is ignored silently.
std::vector<std::string> missing_features(const ReferenceField& reference);

}  // namespace clothc_tool
