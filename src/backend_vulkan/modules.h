// modules.h - the shaders, as the SPIR-V that is compiled into the library.
#pragma once

#include <cstdint>
#include <vector>

#include "backend_vulkan/adapter.h"
#include "core/backend/backend.h"
#include "kernels/layout.h"

namespace clothc::vulkan {

// Shaders beside the kernels.
enum class Shader : uint32_t {
  program = static_cast<uint32_t>(Kernel::count),
  copy,
  scan_blocks,
  scan_add,
  sort_count,
  sort_scatter,
  count
};
constexpr uint32_t shader_count = static_cast<uint32_t>(Shader::count);
constexpr Shader shader_of(Kernel kernel) { return static_cast<Shader>(kernel); }

// Kernels that the shader of programs has.
KernelSet program_kernels();

// The words of a shader's module, which declares the float controls that the device has.
std::vector<uint32_t> module_words(Shader shader, const Adapter& adapter);

}  // namespace clothc::vulkan
