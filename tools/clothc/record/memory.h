// memory.h - tells whether memory can be read, for the arguments of calls that failed, which may be anything.
#pragma once

#include <cstdint>

namespace clothc_tool {

bool is_readable(const void* memory, uint64_t size);

}  // namespace clothc_tool
