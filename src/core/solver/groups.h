// groups.h - what groups of particles have beside cloths: springs and active particles that change. In all other
// respects a group is one of the cloths of the solver.
#pragma once

#include "core/solver/uploads.h"

namespace clothc {

class Groups {
 public:
  Groups(DeviceStore& store, Cloths& cloths, Uploads& uploads);

  // Throws Failure if there is no such group.
  Cloth& get(clothc_group_id id) const;
  // springs: see make_springs. It must have the particle count of the group.
  void set_springs(Cloth& group, std::shared_ptr<const Fabric> springs);
  // particles: the active ones, in ascending order.
  void set_active(Cloth& group, std::vector<uint32_t> particles);

 private:
  DeviceStore& store_;
  Cloths& cloths_;
  Uploads& uploads_;
};

}  // namespace clothc
