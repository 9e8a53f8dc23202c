// cloth_collision.h - collisions between the cloths of a solver: which cloths collide, the data that they share on the
// device, and the work that they need in an update.
#pragma once

#include "core/collision/inter_collision.h"
#include "core/solver/cloths.h"
#include "core/solver/device_store.h"

namespace clothc {

class ClothCollision {
 public:
  ClothCollision(DeviceStore& store, const Cloths& cloths);

  const InterCollision& shared() const { return shared_; }

  // Finds the cloths that collide, and allocates what they share. Must be called before their jobs are built.
  void rebuild();
  // Sets the schedule that makes the cloths collide once the iterations of all cloths are done.
  void set_schedule(std::shared_ptr<const Schedule> schedule);

  // Uploads the slots of the cloths if they have changed.
  void upload_changes();
  void forget_device_copies() { shared_.changed = true; }
  // Queues the jobs that sort the cloths along the Morton curve of cloth_bvh.kernel.h.
  // times: where the device adds its times, or null.
  void queue_sorting(std::shared_ptr<DispatchTimes> times);
  // Queues the collisions after the iterations, and returns the number of their passes.
  uint64_t queue(float dt, std::shared_ptr<DispatchTimes> times);

 private:
  void ensure_capacity(uint32_t count);
  void upload_headers();

  DeviceStore& store_;
  const Cloths& cloths_;
  InterCollision shared_;
};

}  // namespace clothc
