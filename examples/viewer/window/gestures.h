// gestures.h - what the mouse does over the picture: turns, moves and zooms the camera, pulls a particle, and blows.
// Invariant: a gesture lasts from the press of a button to its release, and keeps its kind.
#pragma once

#include "window/session.h"

namespace clothc_viewer {

class Gestures {
 public:
  // Reads the mouse of the current frame of Dear ImGui, unless a panel has it.
  void handle(Session& session);

 private:
  enum class Kind { none, turn, move, pull, blow };

  void begin(Session& session, int button);
  void go_on(Session& session);
  void end(Session& session);

  Kind kind_ = Kind::none;
  int button_ = 0;
};

}  // namespace clothc_viewer
