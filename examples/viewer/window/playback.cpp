// playback.cpp - see playback.h.
#include "window/playback.h"

#include <algorithm>

namespace clothc_viewer {

uint32_t Playback::due(double seconds, float dt) {
  const bool has_begun = is_playing && !was_playing_;
  was_playing_ = is_playing;
  if (!is_playing) {
    restart();
    return 0;
  }
  // The time before it played does not count.
  if (has_begun) seconds = static_cast<double>(dt);
  if (speed <= 0 || dt <= 0) return 1;
  debt_ = std::min(debt_ + seconds * static_cast<double>(speed), static_cast<double>(dt) * MOST_STEPS);
  // An update that is due within a twentieth of its time comes now: screens do not keep exact time.
  const auto count = static_cast<uint32_t>(std::max(0.0, debt_ / static_cast<double>(dt) + 0.05));
  debt_ -= count * static_cast<double>(dt);
  return std::min(count, MOST_STEPS);
}

}  // namespace clothc_viewer
