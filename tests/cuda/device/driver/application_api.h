// application_api.h - the part of NVIDIA's driver API that tests need in addition to the backend's part in
// backend_cuda/driver_api.h: the functions of application_functions.def, and constants under their official names.
// Source: NVIDIA, CUDA Driver API Reference Manual.
#pragma once

#include "backend_cuda/driver_api.h"

constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_MERGE = static_cast<CUresult>(902);
constexpr CUresult CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = static_cast<CUresult>(908);

// The handle that names the legacy default stream, as null does.
inline CUstream stream_legacy() { return reinterpret_cast<CUstream>(size_t{1}); }

extern "C" {
#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters) \
  __attribute__((visibility("default"))) CUresult symbol parameters;
#include "backend_cuda/functions.def"
#include "cuda/device/driver/application_functions.def"
#undef CLOTHC_CUDA_FUNCTION
}
