// memory.h - how much memory of the process is in use.
#pragma once

#include <cstdint>
#include <optional>

namespace clothc_tool {

// Returns the number of bytes that malloc has handed out and not got back. It includes small freed blocks that the C
// library keeps for the thread, up to about 20 kB. None where the C library does not tell.
std::optional<uint64_t> bytes_in_use();

}  // namespace clothc_tool
