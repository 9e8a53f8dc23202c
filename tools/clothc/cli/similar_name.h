// similar_name.h - finds the name that was probably meant.
#pragma once

#include <string>
#include <vector>

namespace clothc_tool {

// "; did you mean 'NAME'?" with the known name nearest to text, or nothing if none is near.
std::string did_you_mean(const std::string& text, const std::vector<std::string>& known);

}  // namespace clothc_tool
