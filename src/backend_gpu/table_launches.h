// table_launches.h - divides the sorts, scans and copies of a schedule into launches of GPU kernels.
#pragma once

#include <vector>

#include "core/backend/dispatch.h"

namespace clothc::gpu {

enum class TableKernel : uint8_t {
#define CLOTHC_TABLE_KERNEL(name) name,
#include "backend_gpu/table_kernels.def"
#undef CLOTHC_TABLE_KERNEL
  count
};

// One launch of a kernel, over constants.blocks groups. It must wait until the launch before it has ended.
struct TableKernelLaunch {
  TableKernel kernel;
  TableLaunch constants;
};

// Returns the launches of an operation, in order.
std::vector<TableKernelLaunch> launches_of(const TableOperation& operation);

}  // namespace clothc::gpu
