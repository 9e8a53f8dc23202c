// prepared_kernels.cpp - see prepared_kernels.h.
#include "core/schedule/prepared_kernels.h"

namespace clothc {
namespace {

// Whether schedules for the device contain the kernel.
bool is_used(const KernelInfo& kernel, const DeviceLimits& limits) {
  const uint32_t data = kernel.reads | kernel.writes;
  if ((data & access_crowd) != 0 && !limits.forms_crowds) return false;
  return (data & access_lattice) == 0 || limits.lattice_batch_cost != UINT32_MAX;
}

}  // namespace

Preparation prepared_kernels(uint32_t stages, const DeviceLimits& limits) {
  if (stages == 0) stages = limits.prefers_passes ? all_stages & ~mask_of(Stage::program) : all_stages;
  Preparation wanted;
  for (uint32_t k = 0; k < static_cast<uint32_t>(Kernel::count); ++k) {
    const KernelInfo& kernel = kernel_infos[k];
    if (kernel.stage != Stage::none && (stages & mask_of(kernel.stage)) == 0) continue;
    if (is_used(kernel, limits)) wanted.kernels.push_back(static_cast<Kernel>(k));
  }
  if ((stages & mask_of(Stage::program)) == 0 || limits.largest_program == ProgramFeature::none) return wanted;
  for (uint32_t k = 0; k <= static_cast<uint32_t>(limits.largest_program); ++k)
    wanted.programs.push_back(static_cast<ProgramFeature>(k));
  return wanted;
}

}  // namespace clothc
