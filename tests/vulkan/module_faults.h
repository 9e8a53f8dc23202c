// module_faults.h - changes a SPIR-V module into what a wrong driver would run.
//   contract     products whose only use is a sum or a difference are not rounded: a * b + c is rounded once
//   divide_up    quotients are one unit in the last place too great in magnitude
//   flush        sums, differences, products and quotients that are denormal become zero
//   garbage      undefined values, and variables without an initial value, have odd values instead of zeros
//   no_barriers  invocations of a workgroup do not wait for each other
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vulkan/spirv_module.h"

namespace clothc::faults {

enum class ModuleFault { contract, divide_up, flush, garbage, no_barriers };

// Returns nothing if there is no fault of this name.
std::optional<ModuleFault> find_module_fault(const std::string& name);

// Changes every place of the module.
void plant(SpirvModule& module, ModuleFault fault);

}  // namespace clothc::faults
