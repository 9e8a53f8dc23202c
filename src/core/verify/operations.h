// operations.h - a sort and a scan for verifications, of so many words that several workgroups of a device take part. Those
// of the scene have fewer words than a workgroup has invocations.
#pragma once

#include <vector>

#include "core/backend/backend.h"

namespace clothc {

// The operations with their arrays, as dispatches that run in any order. reference: where the memory is.
std::vector<Dispatch> make_large_operations(Backend& reference);

}  // namespace clothc
