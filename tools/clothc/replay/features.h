// features.h - finds features that a reference needs and the library does not have.
#pragma once

#include <string>
#include <vector>

#include "replay/field.h"

namespace clothc_tool {

// Returns each feature's name once, in the order of the file; empty if the reference can be run. Inputs and parameters
// that this tool does not know are listed too, so that nothing in a file is silently ignored.
std::vector<std::string> missing_features(const ReferenceField& reference);

}  // namespace clothc_tool
