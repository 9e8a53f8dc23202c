// report.h - what a script can ask for: the state of the window as a line of JSON.
#pragma once

#include "window/session.h"

namespace clothc_viewer {

// Prints an object with these members to standard output:
//
//   file, message      what is open, and what went wrong; empty = nothing
//   frame, playing     updates since the begin, and whether it plays
//   camera             eye and target
//   window, free       size of the window, and the part of it that no panel covers: x y x y, in pixels
//   panel              name of the open panel
//   items              rectangles of all items that can be seen, by name: x y x y
//   parameters         of the selected cloth, by name: a number, or three; as the solver has them
//   enumerators        of each parameter that is a choice or flags: names
//   pulled             null, or cloth, particle, position, target and pixel of the pulled particle
//   wind               that the user has added, m/s
//   shown              what is drawn, by name
//   hash               null, or the last hash that was asked for
//   times              means over the last frames in ms: frame, simulate and draw by host and device
//   stages             number of updates whose stages were measured
//   host_copied_bytes  of the last frame
void print_report(Session& session);

}  // namespace clothc_viewer
