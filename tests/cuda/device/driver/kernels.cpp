// kernels.cpp - see kernels.h.
#include "cuda/device/driver/kernels.h"

#include <cstring>

#include "cuda/device/driver/device.h"
#include "cuda/device/driver/kernel_counts.h"
#include "cuda/device/driver/scheduler.h"

namespace clothc::cuda_device {
namespace {

class KernelTask : public Task {
 public:
  KernelTask(const FunctionObject& function, const CUDA_KERNEL_NODE_PARAMS& launch)
      : Task(function.kernel->info.name),
        module_(function.module),
        kernel_(function.kernel),
        grid_{launch.gridDimX, launch.gridDimY, launch.gridDimZ},
        block_{launch.blockDimX, launch.blockDimY, launch.blockDimZ},
        shared_size_(launch.sharedMemBytes),
        parameters_(copy_parameters(function.kernel->info, launch.kernelParams)) {}

  bool is_kernel() const override { return true; }
  bool is_usable() const override { return module_->is_loaded; }
  void run(const Turn& turn) const override {
    ptx::Checker checker(turn.context.space, turn.operation, turn.manner.finds_races);
    ptx::Launch launch;
    launch.kernel = kernel_;
    launch.grid = grid_;
    launch.block = block_;
    launch.dynamic_shared_size = shared_size_;
    launch.parameters = parameters_.data();
    launch.order = turn.manner.order;
    launch.seed = turn.seed;
    launch.delays_stores = turn.manner.delays_stores;
    ptx::Counts counts;
    if (turn.manner.counts) launch.counts = &counts;
    ptx::run(launch, checker);
    if (turn.manner.counts) add_kernel_counts(name, counts);
  }

 private:
  static std::vector<uint64_t> copy_parameters(const ptx::KernelInfo& info, void* const* values) {
    std::vector<uint64_t> copy(info.parameter_size / sizeof(uint64_t) + 1);
    char* bytes = reinterpret_cast<char*>(copy.data());
    for (size_t k = 0; k < info.parameters.size(); ++k) {
      require(values && values[k], CUDA_ERROR_INVALID_VALUE);
      std::memcpy(bytes + info.parameters[k].first, values[k], info.parameters[k].second);
    }
    return copy;
  }

  const std::shared_ptr<const Module> module_;
  const ptx::Kernel* const kernel_;
  const ptx::Dimensions grid_, block_;
  const uint32_t shared_size_;
  // Words, so that they are aligned.
  const std::vector<uint64_t> parameters_;
};

bool is_within(unsigned value, CUdevice device, int attribute) {
  return value >= 1 && value <= static_cast<unsigned>(attribute_of(device, static_cast<CUdevice_attribute>(attribute)));
}

// The attributes that limit the dimensions of a block and of a grid, x first.
constexpr int max_block[] = {2, 3, 4};
constexpr int max_grid[] = {5, 6, 7};

void require_dimensions(const CUDA_KERNEL_NODE_PARAMS& launch, CUdevice device, uint32_t kernel_max_threads) {
  const unsigned block[] = {launch.blockDimX, launch.blockDimY, launch.blockDimZ};
  const unsigned grid[] = {launch.gridDimX, launch.gridDimY, launch.gridDimZ};
  uint64_t threads = 1;
  for (size_t k = 0; k < 3; ++k) {
    require(is_within(block[k], device, max_block[k]) && is_within(grid[k], device, max_grid[k]),
            CUDA_ERROR_INVALID_VALUE);
    threads *= block[k];
  }
  const int max_threads = attribute_of(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  require(threads <= static_cast<uint64_t>(max_threads), CUDA_ERROR_INVALID_VALUE);
  require(threads <= kernel_max_threads, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

}  // namespace

TaskPointer make_kernel_task(const Call& call, const CUDA_KERNEL_NODE_PARAMS& launch) {
  const std::shared_ptr<FunctionObject> function = find_any(call, state().functions, launch.func, "function");
  if (function->module->context != call.context) {
    throw call.misuse(CUDA_ERROR_INVALID_HANDLE, "the function belongs to another context");
  }
  require_dimensions(launch, call.context->device, function->kernel->info.max_threads);
  require(launch.sharedMemBytes <= static_cast<unsigned>(function->max_dynamic_shared_size), CUDA_ERROR_INVALID_VALUE);
  require(launch.extra == nullptr, CUDA_ERROR_NOT_SUPPORTED);
  return std::make_shared<KernelTask>(*function, launch);
}

}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_size, CUstream stream, void** parameters,
                        void** extra) {
  return perform(Function::LaunchKernel, Needs::working_context, [&](Call& call) {
    const StreamPointer found = find_stream(call, stream);
    const CUDA_KERNEL_NODE_PARAMS launch{function, grid_x,  grid_y,      grid_z,     block_x,
                                         block_y,  block_z, shared_size, parameters, extra};
    submit(call, found, make_kernel_task(call, launch));
    ++state().counts.kernel_launches;
  });
}
