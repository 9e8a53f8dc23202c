// contacts.h - the contacts of the last update as points and lines. They are read by the host.
#pragma once

#include "cloth/source.h"

namespace clothc_viewer {

// Waits for the last update. Returns how many bytes the host has copied.
uint64_t add_contacts(const Source& source, clothc_renderer::DrawList& list);

}  // namespace clothc_viewer
