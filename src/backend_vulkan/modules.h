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

// Returns the words of a shader's module. The module declares the float controls that the device supports, and says
// whether its loops may be unrolled.
std::vector<uint32_t> module_words(Shader shader, const Adapter& adapter);

}  // namespace clothc::vulkan
