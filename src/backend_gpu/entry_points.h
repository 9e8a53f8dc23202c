// entry_points.h - numbers everything that a GPU can launch.
#pragma once

#include "backend_gpu/table_launches.h"
#include "kernels/layout.h"

namespace clothc::gpu {

// A kernel's entry point has the number of the kernel, so those that are not kernels begin after them.
enum class EntryPoint : uint32_t {
  first_program = static_cast<uint32_t>(Kernel::count),
  copy = first_program + static_cast<uint32_t>(ProgramFeature::none),
  first_table_kernel,
  count = first_table_kernel + static_cast<uint32_t>(TableKernel::count)
};
constexpr uint32_t entry_point_count = static_cast<uint32_t>(EntryPoint::count);

constexpr EntryPoint entry_of(Kernel kernel) { return static_cast<EntryPoint>(kernel); }
constexpr EntryPoint entry_of(ProgramFeature feature) {
  return static_cast<EntryPoint>(static_cast<uint32_t>(EntryPoint::first_program) + static_cast<uint32_t>(feature));
}
constexpr EntryPoint entry_of(TableKernel kernel) {
  return static_cast<EntryPoint>(static_cast<uint32_t>(EntryPoint::first_table_kernel) + static_cast<uint32_t>(kernel));
}

}  // namespace clothc::gpu
