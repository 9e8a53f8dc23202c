// kernels.cu - one entry per kernel, one per kernel of table operations, and one that copies between strided arrays.
#include "backend_cuda/entries/jobs.cuh"

#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) \
  CLOTHC_KERNEL_ENTRY(name, scope, class_of_items)
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL

#define CLOTHC_TABLE_KERNEL(name)                                                                                      \
  extern "C" __global__ void __launch_bounds__(128) clothc_##name(const clothc::cuda::TableOperationLaunch launch) {   \
    using namespace clothc::cuda;                                                                                      \
    name({launch.tables, launch.operation}, int(blockIdx.x), int(threadIdx.x));                                        \
  }
#include "backend_gpu/table_kernels.def"
#undef CLOTHC_TABLE_KERNEL

extern "C" __global__ void __launch_bounds__(128) clothc_copy(const clothc::cuda::CopyLaunch launch) {
  for (unsigned long long k = blockIdx.x * 128ull + threadIdx.x; k < launch.word_count; k += gridDim.x * 128ull) {
    const unsigned long long element = k / launch.element_words, word = k % launch.element_words;
    launch.target[element * launch.target_stride + word] = launch.source[element * launch.source_stride + word];
  }
}
