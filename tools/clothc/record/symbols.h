// symbols.h - the functions of the library that the program has loaded, behind those of the same names that the recorder
// exports.
#pragma once

#include "capture/generated/calls.h"

namespace clothc_tool {

// The function that the recorder exports under this name; null for other names.
void* exported_function(const char* name);

// The functions of the library. Ends the program with a message if there is no library behind the recorder.
const Library& library();

}  // namespace clothc_tool
