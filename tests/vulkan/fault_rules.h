// fault_rules.h - the fault layer's rules and counts, which decide which of its calls fail and how, and which modules
// are changed.
// Invariant: one lock guards them all, so that the n-th call is one particular call, whichever threads make calls.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "vulkan/module_faults.h"

namespace clothc::faults {

enum class Function : size_t {
#define FAULT_FUNCTION(name, counted_as) name,
#include "vulkan/fault_functions.def"
#undef FAULT_FUNCTION
  count
};
constexpr size_t function_count = static_cast<size_t>(Function::count);

// Names with the prefix, in the order of Function.
extern const char* const function_names[function_count];

// Returns the core name of an alias, and any other function itself.
constexpr Function counted_as(Function function) {
  constexpr Function cores[] = {
#define FAULT_FUNCTION(name, counted_as) Function::counted_as,
#include "vulkan/fault_functions.def"
#undef FAULT_FUNCTION
  };
  return cores[static_cast<size_t>(function)];
}

// What a rule does to a call: it plants a fault in the module that is created, or stops the call, with VK_SUCCESS if it
// is skipped.
struct Effect {
  VkResult result = VK_SUCCESS;
  std::optional<ModuleFault> planted;
};

// Counts a call. Returns nothing if the call must be passed on as it is. module: the fingerprint of the module that the
// call creates, if it does.
std::optional<Effect> count_call(Function function, uint64_t module = 0);

}  // namespace clothc::faults
