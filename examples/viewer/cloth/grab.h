// grab.h - picks a particle with the mouse and pulls it.
// Invariant: end() leaves nothing behind but the motion.
#pragma once

#include <memory>
#include <optional>

#include "cloth/source.h"

namespace clothc_viewer {

struct PickedParticle {
  size_t cloth = 0;
  uint32_t particle = 0;

  // In the world, when it was picked, and its distance along the ray.
  glm::vec3 position = {};
  float distance = 0;
};

// Finds the particle of the triangle that the ray hits first, or of the nearest particle to the ray within a distance of
// `reach` times its distance from the eye. It reads the positions of all cloths once, and waits for them.
std::optional<PickedParticle> pick(const Source& source, const clothc_renderer::Ray& ray, float reach = 0.02f);

class Grab {
 public:
  Grab(const Source& source, const PickedParticle& picked);
  ~Grab();

  // Where the particle shall be after the next step, in the world. Call it before each step.
  void pull(glm::vec3 target);

  // Lets go.
  void end();

  const PickedParticle& picked() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
