// springs.h - the springs of a group as a fabric: one set of distance constraints with a stiffness each, which its only
// phase solves.
#pragma once

#include "core/fabric/fabric.h"

namespace clothc {

struct Springs {
  // [springs][2] particles.
  std::vector<uint32_t> indices;
  // [springs] in m, and from 0 to 1.
  std::vector<float> rest_lengths;
  std::vector<float> stiffness;
};

// Throws Failure if a value is invalid.
std::shared_ptr<const Fabric> make_springs(const std::shared_ptr<Device>& device, uint32_t particle_count,
                                           Springs springs);

}  // namespace clothc
