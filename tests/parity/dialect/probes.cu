// probes.cu - every probe as a CUDA kernel clothc_<name>.
#define CLOTHC_FURTHER_KERNELS "parity/dialect/probes.def"
#include "backend_cuda/entries/jobs.cuh"

namespace clothc::cuda {

#include "parity/dialect/probes.h"

}  // namespace clothc::cuda

#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) \
  CLOTHC_KERNEL_ENTRY(name, scope, class_of_items)
#include "parity/dialect/probes.def"
#undef CLOTHC_KERNEL
