// grab.h - picks a particle with a ray, and pulls it.
// Invariant: when a Grab ends, the particle has the inverse mass and the motion constraint that it had before.
#pragma once

#include <memory>
#include <optional>

#include "cloth/source.h"

namespace clothc_viewer {

struct PickedParticle {
  size_t cloth = 0;

  // Its index in the cloth.
  uint32_t particle = 0;

  // Where it was in the world.
  glm::vec3 position = {};

  // 1/kg
  float inverse_mass = 0;
};

// Finds a particle that is not pinned: of the first triangle that the ray hits the corner nearest to the hit, or else the
// particle nearest to the ray, if that is within `reach` of its distance. It waits for everything queued and copies all
// positions to the host, once.
std::optional<PickedParticle> pick(const Source& source, const clothc_renderer::Ray& ray, float reach = 0.02f);

// Holds a particle: it is pinned, and a motion constraint moves it evenly during each update.
class Grab {
 public:
  Grab(const Source& source, const PickedParticle& picked);

  // Where the particle shall be at the end of the next update, in the world. The frame of the cloth must be set before.
  void pull(glm::vec3 target);

  // Lets the particle go, with the velocity that it has.
  void release();

  const PickedParticle& picked() const { return picked_; }

 private:
  void set_inverse_mass(float inverse_mass);
  glm::vec4 constraint();
  void set_constraint(glm::vec4 constraint);

  clothc::Cloth cloth_;
  PickedParticle picked_;

  // Of the channels' elements.
  uint32_t element_;

  clothc::Buffer position_, constraint_;

  // That of the particle when it was picked.
  glm::vec4 own_constraint_;
};

}  // namespace clothc_viewer
