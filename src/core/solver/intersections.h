// intersections.h - counts where edges of cloths go through triangles of the same cloth, when a program asks for it.
#pragma once

#include <vector>

#include "core/solver/cloths.h"
#include "core/solver/uploads.h"

namespace clothc {

class Intersections {
 public:
  Intersections(DeviceStore& store, Uploads& uploads) : store_(store), uploads_(uploads) {}

  // Gives a cloth what counting needs on the device, unless it has that. Must be called outside of transactions. It
  // waits for the device if the edges of the cloth's fabric have not been laid out yet.
  void prepare(Cloth& cloth);
  // Queues the count for cloths that have been prepared.
  void queue(const std::vector<Cloth*>& cloths);

 private:
  DeviceStore& store_;
  Uploads& uploads_;
};

}  // namespace clothc
