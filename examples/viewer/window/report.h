// report.h - what a script can ask for: the state of the window as a line of JSON.
#pragma once

#include "window/session.h"

namespace clothc_viewer {

// Prints an object with these members to standard output:
//
//   file, message      what is open, and what went wrong; empty = nothing
//   frame, playing     updates since the start, and whether it plays
//   camera             eye and target
//   window, free       size of the window, and the part of it that no panel covers: x y x y, in pixels
//   panel              name of the open panel
//   items              rectangles of all items that can be seen, by name: x y x y
//   parameters         of the selected cloth, by name: a number, or three; as the solver has them
//   enumerators        of each parameter that is a choice or flags: names
//   pulled             null, or cloth and particle that are pulled, and where the mouse wants the particle
//   wind               that the user has added, m/s
//   shown              what is drawn, by name
//   adopted            whether updates write straight to what is drawn
//   hash               null, or the last hash that was asked for
//   times              means over the last frames in ms: frame, simulate and draw by host and device
//   stages             number of updates whose stages were measured
//   host_copied_bytes  of the last frame
void print_report(Session& session);

// Prints an object with the position of a particle in the world, and its pixel: x y. Throws clothc_tool::InputError if
// there is no such particle.
void print_particle(Session& session, size_t cloth, size_t particle);

}  // namespace clothc_viewer
