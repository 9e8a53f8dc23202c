// Runs a scene on several configurations and finds where their states part.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/configuration.h"
#include "scene/scene.h"

namespace clothc_tool {

// Where a configuration parts from the reference.
struct Difference {
  std::string reference, configuration;
  uint32_t frame = 0;  // the first that differs, from 1
  std::string note;    // why there is no particle, if there is none

  struct Particle {
    uint32_t cloth, particle;  // the first that differs
    std::string channel;       // "position" or "previous position"
    float reference[4], value[4];
  };
  std::optional<Particle> particle;
};

struct Comparison {
  std::vector<std::string> names;  // of the configurations
  std::vector<uint64_t> hashes;    // of each, after the last frame
  uint32_t frame_count = 0;
  std::vector<Difference> differences;  // one per configuration that differs
};

// Called after every frame; false ends the comparison early (frame_count then says how far it came).
using FrameCallback = std::function<bool()>;

Comparison compare_scene(const Scene& scene, uint32_t frame_count, const std::vector<Configuration>& configurations,
                         const FrameCallback& frame_done);

}  // namespace clothc_tool
