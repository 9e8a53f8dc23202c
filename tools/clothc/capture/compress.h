// compress.h - makes a finished capture small.
#pragma once

#include <string>

namespace clothc_tool {

// Compresses the blocks of a capture. The recorder leaves that to the tool, because it takes longer than all else that it
// does, and the recorded program would wait for it. What is no whole block stays as it is. Throws InputError if the file
// cannot be read or written.
void compress_capture(const std::string& path);

}  // namespace clothc_tool
