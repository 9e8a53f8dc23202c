// scalar_functions.h - the dialect's mathematics as plain C++ for tests, compiled for one lane. Include it after
// everything else, because its macros have names of a single letter.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/layout.h"

namespace clothc::scalar_functions {

#include "backend_cpu/isa/scalar.h"
#include "kernels/dialect/cpp.h"

#include "backend_cpu/isa/scalar_rows.h"
#include "kernels/dialect/math.h"
#include "kernels/dialect/transcendental.h"

#include "kernels/channels/storage_order.kernel.h"

#include "kernels/update/reduction.kernel.h"
#include "kernels/update/hash_words.kernel.h"
#include "kernels/update/hash.kernel.h"

}  // namespace clothc::scalar_functions
