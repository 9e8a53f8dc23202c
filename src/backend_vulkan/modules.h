// modules.h - the SPIR-V modules of all shaders, which are compiled into the library.
#pragma once

#include <cstdint>
#include <vector>

#include "backend_gpu/entry_points.h"
#include "backend_vulkan/adapter.h"
#include "core/backend/backend.h"

namespace clothc::vulkan {

using Shader = gpu::EntryPoint;
using gpu::entry_of;
constexpr uint32_t shader_count = gpu::entry_point_count;

// The specialization constants of shaders: whether division and square root must be corrected, the number of invocations
// in the workgroup of a program, and whether arenas are read as texels.
enum ConstantId : uint32_t { strict_arithmetic_id = 0, program_lanes_id = 1, reads_texels_id = 2 };

// Returns a module in which plain constants with the device's values have replaced the specialization constants, so that
// code which the device does not need is known to be dead from the beginning. Drivers may apply a VkSpecializationInfo
// only after they have analysed the control flow of both sides of each branch, which takes SwiftShader minutes and
// gigabytes.
std::vector<uint32_t> specialized(const std::vector<uint32_t>& general, const Adapter& adapter);

// Returns the words of a shader's module. The module declares the float controls that the device supports, says whether
// its loops may be unrolled, and is specialized.
std::vector<uint32_t> module_words(Shader shader, const Adapter& adapter);

}  // namespace clothc::vulkan
