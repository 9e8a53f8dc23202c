// frame.h - a cloth's frame, as the host knows it.
#pragma once

#include <cstdint>

#include <clothc.h>

namespace clothc {

// Where a frame is: a position and a unit quaternion x y z w.
struct Pose {
  float translation[3] = {0, 0, 0};
  float rotation[4] = {0, 0, 0, 1};
  bool operator==(const Pose& other) const;
};

// A cloth's frame, as the host knows it.
struct Frame {
  Pose start;          // of the next update
  Pose target;         // of the next update
  uint32_t flags = 0;  // CLOTHC_FRAME_... that wait for the next update
  uint32_t wakes = 0;  // how often anything of the cloth was set to another value
  clothc_cloth_frame record() const;
};

}  // namespace clothc
