/* clothc_cuda.hpp - C++17 over clothc_cuda.h, as clothc.hpp is over clothc.h.
 *
 * Copyright 2026 The clothc authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef CLOTHC_CUDA_HPP
#define CLOTHC_CUDA_HPP

#include "clothc.hpp"
#include "clothc_cuda.h"

namespace clothc {

template <>
struct StructKind<clothc_cuda_device_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CUDA_DEVICE_DESC;
};

/** Creates a device that works in the program's CUDA context and stream. */
inline Result<Device> create_cuda_device(const clothc_cuda_device_desc& cuda,
                                         const clothc_device_desc& desc = initialised<clothc_device_desc>()) {
  return detail::created<Device, clothc_device>(
      [&](clothc_device* device) { return clothc_cuda_device_create(&desc, &cuda, device); });
}

/** Returns the CUdeviceptr of a buffer's element 0. */
inline Result<uint64_t> cuda_pointer(clothc_buffer buffer) {
  uint64_t pointer = 0;
  const clothc_result code = clothc_cuda_buffer_get_pointer(buffer, &pointer);
  return {code, pointer};
}

/** Adds an update of a solver to the graph that a CUstream is capturing. */
inline Status cuda_capture_update(clothc_solver solver, void* stream, float dt) {
  return clothc_cuda_capture_update(solver, stream, dt);
}

}  // namespace clothc
#endif
