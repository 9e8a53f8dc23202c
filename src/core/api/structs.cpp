// structs.cpp - the exported functions that need no object: for structs, parameters, the version, messages and names of
// results.
#include "core/base/parameters.h"
#include "core/base/structs.h"

using namespace clothc;

clothc_result clothc_struct_init(clothc_struct_kind kind, void* pointer, size_t size) {
  return guard([&] {
    require_output(pointer, "struct");
    const size_t newest = released_size(kind, SIZE_MAX);
    CLOTHC_REQUIRE(newest != 0, "struct kind %u is unknown; want one of CLOTHC_STRUCT_...", kind);
    CLOTHC_REQUIRE(init_struct(kind, pointer, size),
                   "size is %zu, which no version of struct kind %u had; pass the struct's sizeof, which is %zu now",
                   size, kind, newest);
    return CLOTHC_SUCCESS;
  });
}

clothc_result clothc_parameter_describe(uint32_t index, clothc_parameter_info* info) {
  return guard([&] {
    const size_t size = checked_output(info);
    put(info, size, describe_parameter(index));
    return CLOTHC_SUCCESS;
  });
}

uint32_t clothc_version(void) { return CLOTHC_VERSION_MAJOR << 16 | CLOTHC_VERSION_MINOR << 8 | CLOTHC_VERSION_PATCH; }

const char* clothc_last_error_message(void) { return last_message(); }

const char* clothc_result_name(clothc_result result) {
  switch (result) {
    case CLOTHC_SUCCESS:
      return "CLOTHC_SUCCESS";
    case CLOTHC_NOT_READY:
      return "CLOTHC_NOT_READY";
    case CLOTHC_TIMEOUT:
      return "CLOTHC_TIMEOUT";
    case CLOTHC_INCOMPLETE:
      return "CLOTHC_INCOMPLETE";
    case CLOTHC_ERROR_INVALID_ARGUMENT:
      return "CLOTHC_ERROR_INVALID_ARGUMENT";
    case CLOTHC_ERROR_INVALID_HANDLE:
      return "CLOTHC_ERROR_INVALID_HANDLE";
    case CLOTHC_ERROR_INVALID_STRUCT:
      return "CLOTHC_ERROR_INVALID_STRUCT";
    case CLOTHC_ERROR_INVALID_STATE:
      return "CLOTHC_ERROR_INVALID_STATE";
    case CLOTHC_ERROR_OUT_OF_MEMORY:
      return "CLOTHC_ERROR_OUT_OF_MEMORY";
    case CLOTHC_ERROR_CAPACITY:
      return "CLOTHC_ERROR_CAPACITY";
    case CLOTHC_ERROR_UNSUPPORTED:
      return "CLOTHC_ERROR_UNSUPPORTED";
    case CLOTHC_ERROR_DEVICE_LOST:
      return "CLOTHC_ERROR_DEVICE_LOST";
    case CLOTHC_ERROR_INTERNAL:
      return "CLOTHC_ERROR_INTERNAL";
    default:
      return "unknown result";
  }
}
