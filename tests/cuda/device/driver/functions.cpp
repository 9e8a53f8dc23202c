// functions.cpp - see functions.h.
#include "cuda/device/driver/functions.h"

namespace clothc::cuda_device {
namespace {

struct Names {
  const char* name;
  const char* symbol;
};
constexpr Names all_names[] = {
#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters) {"cu" #name, #symbol},
#include "backend_cuda/functions.def"
#include "cuda/device/driver/application_functions.def"
#undef CLOTHC_CUDA_FUNCTION
};

struct ResultName {
  CUresult result;
  const char* name;
};
#define RESULT_NAME(result) \
  { result, #result }
constexpr ResultName result_names[] = {
    RESULT_NAME(CUDA_SUCCESS),
    RESULT_NAME(CUDA_ERROR_INVALID_VALUE),
    RESULT_NAME(CUDA_ERROR_OUT_OF_MEMORY),
    RESULT_NAME(CUDA_ERROR_NOT_INITIALIZED),
    RESULT_NAME(CUDA_ERROR_DEINITIALIZED),
    RESULT_NAME(CUDA_ERROR_STUB_LIBRARY),
    RESULT_NAME(CUDA_ERROR_NO_DEVICE),
    RESULT_NAME(CUDA_ERROR_INVALID_DEVICE),
    RESULT_NAME(CUDA_ERROR_INVALID_IMAGE),
    RESULT_NAME(CUDA_ERROR_INVALID_CONTEXT),
    RESULT_NAME(CUDA_ERROR_MAP_FAILED),
    RESULT_NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
    RESULT_NAME(CUDA_ERROR_ECC_UNCORRECTABLE),
    RESULT_NAME(CUDA_ERROR_INVALID_PTX),
    RESULT_NAME(CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
    RESULT_NAME(CUDA_ERROR_INVALID_HANDLE),
    RESULT_NAME(CUDA_ERROR_ILLEGAL_STATE),
    RESULT_NAME(CUDA_ERROR_NOT_FOUND),
    RESULT_NAME(CUDA_ERROR_NOT_READY),
    RESULT_NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
    RESULT_NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    RESULT_NAME(CUDA_ERROR_LAUNCH_TIMEOUT),
    RESULT_NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    RESULT_NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    RESULT_NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    RESULT_NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    RESULT_NAME(CUDA_ERROR_MISALIGNED_ADDRESS),
    RESULT_NAME(CUDA_ERROR_LAUNCH_FAILED),
    RESULT_NAME(CUDA_ERROR_NOT_PERMITTED),
    RESULT_NAME(CUDA_ERROR_NOT_SUPPORTED),
    RESULT_NAME(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    RESULT_NAME(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    RESULT_NAME(CUDA_ERROR_STREAM_CAPTURE_MERGE),
    RESULT_NAME(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
    RESULT_NAME(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    RESULT_NAME(CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
    RESULT_NAME(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    RESULT_NAME(CUDA_ERROR_CAPTURED_EVENT),
    RESULT_NAME(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    RESULT_NAME(CUDA_ERROR_UNKNOWN),
};
#undef RESULT_NAME

}  // namespace

const char* name_of(Function function) { return all_names[static_cast<size_t>(function)].name; }

std::optional<Function> find_function(const std::string& name) {
  for (size_t k = 0; k < function_count; ++k) {
    if (name == all_names[k].name || name == all_names[k].symbol) return static_cast<Function>(k);
  }
  return std::nullopt;
}

const char* name_of(CUresult result) {
  for (const ResultName& entry : result_names) {
    if (entry.result == result) return entry.name;
  }
  return nullptr;
}

}  // namespace clothc::cuda_device
