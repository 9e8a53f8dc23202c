// thrown_particles.h - a fabric whose particles 0 to 3 are thrown out of the range of coordinates within an iteration, by an
// area at rest that is the largest one allowed. The update's end takes them back. Distances join them, so that the areas
// are solved as those of other cloth are.
#pragma once

#include "support/structs.h"

namespace clothc_test {

class ThrownParticles {
 public:
  // distances_last: distances are solved behind the areas, and leave positions that are NaN.
  ThrownParticles(uint32_t particle_count, bool distances_last) : desc(initialised<clothc_fabric_desc>()) {
    sets_[0] = sets_[1] = initialised<clothc_constraint_set>();
    sets_[0].type = CLOTHC_CONSTRAINT_DISTANCE, sets_[0].constraint_count = 3;
    sets_[0].particles = pairs_, sets_[0].parameters = lengths_;
    sets_[1].type = CLOTHC_CONSTRAINT_TRIANGLE_AREA, sets_[1].constraint_count = 2;
    sets_[1].particles = corners_, sets_[1].parameters = areas_;
    phases_[0] = distances_last ? 1 : 0, phases_[1] = distances_last ? 0 : 1;
    desc.particle_count = particle_count;
    desc.phase_count = desc.constraint_set_count = 2;
    desc.phase_sets = phases_;
    desc.constraint_sets = sets_;
  }
  ThrownParticles(const ThrownParticles&) = delete;
  ThrownParticles& operator=(const ThrownParticles&) = delete;

  // Positions and inverse masses of the four.
  static constexpr float positions[16] = {-0.4f, 0.46f, -0.19f, 1, -0.5f, 0.46f, -0.08f, 1,
                                          -0.4f, 0.46f, -0.08f, 1, -0.5f, 0.46f, 0.02f,  1};
  // It may be added to, and lives as long as this.
  clothc_fabric_desc desc;

 private:
  uint32_t pairs_[6] = {0, 1, 1, 2, 2, 3}, corners_[6] = {0, 1, 2, 2, 1, 3}, phases_[2];
  float lengths_[3] = {0.1f, 0.1f, 0.1f}, areas_[4] = {1.6e19f, 1, 0.0066f, 1};
  clothc_constraint_set sets_[2];
};

}  // namespace clothc_test
