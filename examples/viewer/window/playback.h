// playback.h - how many updates each drawn frame makes, so that a scene plays at its own speed.
// Invariant: time that could not be caught up with is dropped, so the window stays quick where the simulation is slow.
#pragma once

#include <cstdint>

namespace clothc_viewer {

class Playback {
 public:
  // Updates per drawn frame, at most.
  static constexpr uint32_t MOST_STEPS = 4;

  bool is_playing = false;

  // Seconds of the scene per second; 0 = an update for each drawn frame.
  float speed = 1;

  // Returns the number of updates that are due, of dt seconds each, when this time has passed.
  uint32_t due(double seconds, float dt);

  // Forgets what is due.
  void restart() { debt_ = 0; }

 private:
  // Seconds of the scene.
  double debt_ = 0;
  bool was_playing_ = false;
};

}  // namespace clothc_viewer
