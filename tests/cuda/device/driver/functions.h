// functions.h - numbers and names of all functions that the device exports under NVIDIA's names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cuda/device/driver/application_api.h"

namespace clothc::cuda_device {

enum class Function : size_t {
#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters) name,
#include "backend_cuda/functions.def"
#include "cuda/device/driver/application_functions.def"
#undef CLOTHC_CUDA_FUNCTION
  count
};
constexpr size_t function_count = static_cast<size_t>(Function::count);

// Returns the name with the prefix `cu` and without a suffix such as `_v2`.
const char* name_of(Function function);
// Finds a function by its name or by its symbol.
std::optional<Function> find_function(const std::string& name);
// Returns the official name of a result, or null if there is none.
const char* name_of(CUresult result);

}  // namespace clothc::cuda_device
