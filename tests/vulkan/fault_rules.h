// fault_rules.h - the fault layer's rules and counts, and which of its calls goes wrong how.
// Invariant: one lock guards them all, so that the n-th call is one call, whichever threads call.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstddef>
#include <optional>

namespace clothc::faults {

enum class Function : size_t {
#define FAULT_FUNCTION(name, counted_as) name,
#include "vulkan/fault_functions.def"
#undef FAULT_FUNCTION
  count
};
constexpr size_t function_count = static_cast<size_t>(Function::count);

// With the prefix, in the order of Function.
extern const char* const function_names[function_count];

// A core name for an alias, itself for any other function.
constexpr Function counted_as(Function function) {
  constexpr Function cores[] = {
#define FAULT_FUNCTION(name, counted_as) Function::counted_as,
#include "vulkan/fault_functions.def"
#undef FAULT_FUNCTION
  };
  return cores[static_cast<size_t>(function)];
}

// Counts a call. What it gives instead of being passed on, or nothing when it is to be passed on. A skipped call gives
// VK_SUCCESS.
std::optional<VkResult> count_call(Function function);

}  // namespace clothc::faults
