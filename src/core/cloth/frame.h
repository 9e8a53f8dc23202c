// frame.h - the host's copy of a cloth's frame: its pose at the start and at the end of the next update.
#pragma once

#include <cstdint>

#include <clothc.h>

namespace clothc {

// Position and orientation of a frame in the world: a translation in m and a unit quaternion x y z w.
struct Pose {
  float translation[3] = {0, 0, 0};
  float rotation[4] = {0, 0, 0, 1};
  bool operator==(const Pose& other) const;
};

// The motion of a cloth's frame in the next update. Snapshots contain this struct as it is, word by word.
struct Frame {
  // Where the frame is when the next update begins and when it ends.
  Pose start;
  Pose target;

  // CLOTHC_FRAME_... flags for the next update.
  uint32_t flags = 0;

  // Counts how often anything of the cloth was set to a different value. The device wakes a sleeping cloth when this
  // differs from the count that it saw in the last update.
  uint32_t wakes = 0;

  // The frame in the form of the public API.
  // Whether no update has to move the frame to its target or to take its flags back.
  bool is_constant() const { return start == target && flags == 0; }
  clothc_cloth_frame record() const;
};

}  // namespace clothc
