// snapshot.h - a solver's state as bytes, which are the same on every backend.
#pragma once

#include <memory>
#include <vector>

#include "core/fabric/fabric.h"
#include "core/solver/contents.h"

namespace clothc {

// Waits for the device. If it fails, nothing has changed.
std::vector<uint8_t> write_snapshot(SolverContents& contents);

// Fills new, empty contents from a snapshot, and queues the uploads of its state. device: that of the solver. fabrics:
// every fabric that a cloth of the snapshot uses. Throws Failure if the data is no snapshot, is damaged, or does not fit.
void read_snapshot(const uint8_t* data, uint64_t size, const std::shared_ptr<Device>& device,
                   const std::vector<std::shared_ptr<Fabric>>& fabrics, SolverContents& contents);

}  // namespace clothc
