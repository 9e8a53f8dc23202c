// run.h - runs a scene on several configurations and finds where their states begin to differ.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/configuration.h"
#include "scene/scene.h"

namespace clothc_tool {

// The first difference between a configuration and the reference.
struct Difference {
  std::string reference, configuration;

  // The first frame after which the state hashes differ, counted from 1.
  uint32_t frame = 0;

  // If no particle is given, says why.
  std::string note;

  struct Particle {
    // The first particle that differs.
    uint32_t cloth, particle;

    // "position" or "previous position"
    std::string channel;

    float reference[4], value[4];
  };
  std::optional<Particle> particle;
};

struct Comparison {
  // Names of the configurations, and the state hash of each after the last frame.
  std::vector<std::string> names;
  std::vector<uint64_t> hashes;

  uint32_t frame_count = 0;

  // One element for each configuration that differs.
  std::vector<Difference> differences;
};

// Called after every frame. If it returns false the comparison ends early, and frame_count tells how many frames were
// run.
using FrameCallback = std::function<bool()>;

Comparison compare_scene(const Scene& scene, uint32_t frame_count, const std::vector<Configuration>& configurations,
                         const FrameCallback& frame_done);

}  // namespace clothc_tool
