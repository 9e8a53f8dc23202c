// kernels.cu - every kernel and every probe as a CUDA kernel clothc_<name>, in one module.
namespace clothc::cuda {

using uint = unsigned int;
#include "kernels/types.h"

#include "kernels/dialect/cuda.h"
#include "kernels/kernels.h"

#include "parity/dialect/probes.h"

#include "backend_gpu/table_operations.kernel.h"

}  // namespace clothc::cuda

#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes)                                                      \
  extern "C" __global__ void __launch_bounds__(256) clothc_##name(const clothc::cuda::Lane lane) {      \
    const unsigned int i = lane.job.begin + blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (i < lane.job.end) clothc::cuda::name(lane, static_cast<int>(i));                               \
  }
#include "kernels/kernels.def"

#include "parity/dialect/probes.def"
#undef CLOTHC_KERNEL

#define CLOTHC_TABLE_KERNEL(name)                                                                                  \
  extern "C" __global__ void __launch_bounds__(128) clothc_##name(const clothc::cuda::TableLane lane) {            \
    clothc::cuda::name(lane, static_cast<int>(blockIdx.y * 65535u + blockIdx.x), static_cast<int>(threadIdx.x));   \
  }
#include "backend_gpu/table_kernels.def"
#undef CLOTHC_TABLE_KERNEL
