// similar_name.h - suggests the known name that the user probably meant.
#pragma once

#include <string>
#include <vector>

namespace clothc_tool {

// Returns "; did you mean 'NAME'?" with the known name that is most similar to text, or "" if none is similar enough.
std::string did_you_mean(const std::string& text, const std::vector<std::string>& known);

}  // namespace clothc_tool
