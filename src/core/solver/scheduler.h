// scheduler.h - the schedule of an update of all cloths, kept until something changes it.
#pragma once

#include <memory>
#include <vector>

#include "core/schedule/crowds.h"
#include "core/solver/cloth_collision.h"
#include "core/solver/cloths.h"
#include "core/solver/colliders.h"
#include "core/solver/contact_report.h"

namespace clothc {

class Scheduler {
 public:
  // mode: one of CLOTHC_SCHEDULE_...
  Scheduler(DeviceStore& store, Cloths& cloths, const Colliders& colliders, ClothCollision& cloth_collision,
            ContactReport& contacts, uint32_t mode);

  // Brings the jobs and the schedule up to date. Must be called before the uploads of an update.
  void prepare();
  // Queues the schedule, and returns the number of passes that it runs. times: where the device adds its times, or
  // null.
  uint64_t queue(float dt, std::shared_ptr<DispatchTimes> times);
  // The largest number of iterations of a cloth in an update.
  uint32_t iterations(float dt) const;
  // Number of constraints that an iteration solves.
  uint32_t constraint_count() const { return constraint_count_; }

 private:
  void rebuild();
  void place(std::vector<Crowd>& crowds);
  // The largest solver_frequency of some cloths, 0 if there are none.
  static float largest_frequency(const std::vector<const Cloth*>& cloths);

  DeviceStore& store_;
  Cloths& cloths_;
  const Colliders& colliders_;
  ClothCollision& cloth_collision_;
  ContactReport& contacts_;
  uint32_t mode_;

  std::shared_ptr<const Schedule> schedule_;
  // The range of the tables that has all crowds: its first word, and its words.
  uint32_t crowds_ = 0;
  uint32_t crowd_capacity_ = 0;
  uint32_t constraint_count_ = 0;
  std::vector<const Cloth*> cloths_in_passes_;
  std::vector<const Cloth*> cloths_in_programs_;
  // The largest solver_frequency in each of the two lists.
  float frequency_in_passes_ = 0;
  float frequency_in_programs_ = 0;
};

}  // namespace clothc
