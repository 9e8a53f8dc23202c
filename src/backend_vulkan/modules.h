// modules.h - the SPIR-V modules of all shaders, which are compiled into the library.
#pragma once

#include <cstdint>
#include <vector>

#include "backend_gpu/table_launches.h"
#include "backend_vulkan/adapter.h"
#include "core/backend/backend.h"
#include "kernels/layout.h"

namespace clothc::vulkan {

// The shaders that are not kernels. A kernel's shader has the number of the kernel, so these numbers begin after them.
enum class Shader : uint32_t {
  first_program = static_cast<uint32_t>(Kernel::count),
  copy = first_program + static_cast<uint32_t>(ProgramFeature::none),
  first_table_kernel,
  count = first_table_kernel + static_cast<uint32_t>(gpu::TableKernel::count)
};
constexpr uint32_t shader_count = static_cast<uint32_t>(Shader::count);
constexpr Shader shader_of(Kernel kernel) { return static_cast<Shader>(kernel); }
constexpr Shader shader_of(ProgramFeature feature) {
  return static_cast<Shader>(static_cast<uint32_t>(Shader::first_program) + static_cast<uint32_t>(feature));
}
constexpr Shader shader_of(gpu::TableKernel kernel) {
  return static_cast<Shader>(static_cast<uint32_t>(Shader::first_table_kernel) + static_cast<uint32_t>(kernel));
}

// Returns the words of a shader's module. The module declares the float controls that the device supports, and says
// whether its loops may be unrolled.
std::vector<uint32_t> module_words(Shader shader, const Adapter& adapter);

}  // namespace clothc::vulkan
