// copies_2d.cpp - copies of rectangles.
#include "cuda/device/driver/blocks.h"
#include "cuda/device/driver/copies.h"

namespace clothc::cuda_device {
namespace {

// The largest pitch of a copy in bytes.
constexpr size_t max_pitch = 0x7fffffff;

// One side of a copy of a rectangle.
struct Side {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  size_t pitch, x, y;
};

// Returns whether the address fits the type: device memory is not given as memory of the host, nor pageable memory as
// memory of the device.
bool fits_type(CUmemorytype type, uint64_t address) {
  const BlockPointer block = find_block(address);
  if (type == CU_MEMORYTYPE_HOST) return !block || block->is_host();
  return type == CU_MEMORYTYPE_UNIFIED || block || was_freed(address);
}

Rows find_rows(const Side& side, size_t width) {
  require(side.type == CU_MEMORYTYPE_HOST || side.type == CU_MEMORYTYPE_DEVICE || side.type == CU_MEMORYTYPE_UNIFIED,
          CUDA_ERROR_INVALID_VALUE);
  require(side.pitch <= max_pitch && width <= side.pitch && side.x <= side.pitch - width, CUDA_ERROR_INVALID_VALUE);
  const uint64_t base = side.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<uint64_t>(side.host) : side.device;
  uint64_t address = 0;
  require(base != 0 && !__builtin_mul_overflow(side.y, side.pitch, &address) &&
              !__builtin_add_overflow(address, side.x, &address) && !__builtin_add_overflow(address, base, &address),
          CUDA_ERROR_INVALID_VALUE);
  require(fits_type(side.type, address), CUDA_ERROR_INVALID_VALUE);
  return {address, side.pitch};
}

}  // namespace
}  // namespace clothc::cuda_device

using namespace clothc::cuda_device;

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream handle) {
  return perform(Function::Memcpy2DAsync, Needs::working_context, [&](Call& call) {
    const StreamPointer stream = find_stream(call, handle);
    require(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
    if (copy->WidthInBytes == 0 || copy->Height == 0) return;
    const CUDA_MEMCPY2D& c = *copy;
    const Side source{c.srcMemoryType, c.srcHost, c.srcDevice, c.srcPitch, c.srcXInBytes, c.srcY};
    const Side target{c.dstMemoryType, c.dstHost, c.dstDevice, c.dstPitch, c.dstXInBytes, c.dstY};
    submit_copy(call, stream, find_rows(target, c.WidthInBytes), find_rows(source, c.WidthInBytes),
                {c.WidthInBytes, c.Height});
  });
}
