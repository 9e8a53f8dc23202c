// symbols.h - the functions of the library that the program has loaded, behind those of the same names that the recorder
// exports.
#pragma once

#include <vector>

#include "capture/generated/calls.h"

namespace clothc_tool {

struct Symbol {
  const char* name;
  void* address;
};

// The functions that the recorder exports in place of the library's.
const std::vector<Symbol>& exported_functions();

// The functions of the library. Ends the program with a message if there is no library behind the recorder.
const Library& library();

}  // namespace clothc_tool
