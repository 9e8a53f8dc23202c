// copies.h - copies and fills. Each side of a copy is memory that the device may access, or pageable memory of the
// host: bytes to read are taken during the call, and a call that writes such memory waits. Called with the state's lock
// held.
#pragma once

#include "cuda/device/driver/calls.h"

namespace clothc::cuda_device {

// Rows of bytes with a distance in bytes between their beginnings.
struct Rows {
  uint64_t address = 0;
  uint64_t pitch = 0;
};

struct CopyShape {
  uint64_t width = 0;
  uint64_t height = 1;
};

// Submits a copy. Waits for it if the target is pageable.
void submit_copy(Call& call, const StreamPointer& stream, const Rows& target, const Rows& source,
                 const CopyShape& shape);

}  // namespace clothc::cuda_device
