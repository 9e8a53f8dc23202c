// launch.h - runs a program with the recorder in front of the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace clothc_tool {

// Runs a program to its end and records its calls in a capture. hash_every: see StateHashes; 0 = never. Returns the exit
// code of the program, or 128 and the number of the signal that ended it. Throws InputError if the file cannot be written,
// the program cannot be started, or this system has no recorder.
int run_recorded(const std::string& capture, uint32_t hash_every, const std::vector<std::string>& program);

}  // namespace clothc_tool
