// formats.h - the sizes of the element formats of buffers.
#pragma once

#include "clothc.h"

namespace clothc {

// Returns the size of one element in bytes, or 0 for records and unknown formats.
constexpr uint32_t size_of_format(clothc_format format) {
  switch (format) {
    case CLOTHC_FORMAT_FLOAT:
    case CLOTHC_FORMAT_UINT:
      return 4;
    case CLOTHC_FORMAT_FLOAT3:
      return 12;
    case CLOTHC_FORMAT_FLOAT4:
      return 16;
    default:
      return 0;
  }
}

}  // namespace clothc
