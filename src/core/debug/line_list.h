// line_list.h - the list to which everything that is drawn adds its lines. It places them in the world and rounds them
// to floats.
#pragma once

#include <utility>
#include <vector>

#include "clothc.h"
#include "core/debug/colours.h"
#include "core/debug/placement.h"

namespace clothc {

class LineList {
 public:
  // The points of all lines that follow are in the coordinates of this pose.
  void place(const Pose& pose) { placement_ = Placement(pose); }
  void add(Vector from, Vector to, LineColour colour);
  // Adds lines along x, y and z that are as long as the width.
  void add_cross(Vector centre, double width, LineColour colour);

  std::vector<clothc_debug_line> take() { return std::move(lines_); }

 private:
  Placement placement_{Pose()};
  std::vector<clothc_debug_line> lines_;
};

}  // namespace clothc
