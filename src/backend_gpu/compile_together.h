// compile_together.h - compiles several entry points at once: drivers compile each of them on one core.
#pragma once

#include <functional>
#include <vector>

#include "backend_gpu/entry_points.h"

namespace clothc::gpu {

// The number of threads that compile at once, at most.
constexpr size_t most_compiling_threads = 8;

// Calls compile for each of the entry points, on this thread and on others, which have ended when this returns. After a
// failure no further ones are begun, and it is thrown again. Throws Failure and std::bad_alloc.
void compile_together(const std::vector<EntryPoint>& entries, const std::function<void(EntryPoint)>& compile);

}  // namespace clothc::gpu
